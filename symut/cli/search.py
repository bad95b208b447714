"""`symut search attention_matching`: which width matches every target at d = 1, and the table of what is known."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from symut.cli.columns import table
from symut.cli.show import JSON, MAX_MEMORY, QUIET, console, named_folder, print_json, print_line
from symut.errors import UsageError
from symut.limits import parse_bytes, require_seconds
from symut.searcher.again import FOLDER, command_of, limits_of
from symut.searcher.process import interruptible
from symut.statement import UNKNOWN

if TYPE_CHECKING:
    from symut.searcher.request import Finding, Request
    from symut.searcher.table import Bound, Cell


@click.group("search", subcommand_metavar="QUESTION [OPTIONS]", short_help="Search for minimal widths.")
def command() -> None:
    """Search for minimal widths, with certificates where there are any and solvers where there are none."""


def _line(request: Request, finding: Finding) -> str:
    where = f"; artifact {finding.artifact}" if finding.artifact else ""
    how = f" by {finding.method}" if finding.method else ""
    undecided = finding.verdict == UNKNOWN
    known = f"; {_band(undecided, **finding.known)}" if finding.known else ""
    why = f"; tried {'; '.join(finding.tried)}" if undecided else ""
    sizes = f"H={request.H} L={request.L} m={request.m} {request.heads} {request.targets}"
    answer = "is undecided" if undecided else "suffices" if request.m >= request.upper else "is too small"
    return f"{finding.verdict} attention_matching {sizes}: width {request.m} {answer}{how}{known}{where}{why}"


def _band(undecided: bool, lower: int, upper: int) -> str:
    """What theorems say about the minimal width, which this search may not have reached."""
    if lower < upper:
        return f"the minimal width lies in {lower}..{upper}"
    return "by theorems " * undecided + f"the minimal width is {lower}"


def _explain(finding: Finding, quiet: bool) -> None:
    screen = console(error=True, quiet=quiet)
    title = "Asked" if finding.verdict == UNKNOWN else "Claim"
    for line in (*(f"{title}: {claim}" for claim in finding.claims), *(f"Tried: {text}" for text in finding.tried)):
        screen.print(line, markup=False, soft_wrap=True)
    if finding.trusted:
        screen.print("Cited, not re-checked: " + ", ".join(finding.trusted), markup=False)
    if finding.go_on:
        screen.print(f"To go on: {finding.go_on}", markup=False, soft_wrap=True)


def _as_json(request: Request, finding: Finding, seconds: float) -> dict[str, Any]:
    parameters = {name: getattr(request, name) for name in ("H", "L", "m", "heads", "targets", "seed", "timeout")}
    rest = {name: value for name, value in asdict(finding).items() if name not in ("verdict", "solver", "artifact")}
    fixed = {"verdict": finding.verdict, "solver": finding.solver, "seconds": round(seconds, 3)}
    return fixed | {"artifact": finding.artifact, "parameters": parameters} | rest


def _show_table(out: str, as_json: bool) -> int:
    from symut.searcher.table import minimal_widths

    cells = minimal_widths(Path(out))
    if as_json:
        print_json([asdict(cell) | {"settled": cell.settled} for cell in cells])
        return 0
    rows = [(f"({c.H},{c.L})", c.heads, c.targets, _lower(c), _side(c.upper), _width(c)) for c in cells]
    screen = console(error=False)
    columns = ("(H,L)", "heads", "targets", "lower", "upper", "width")
    screen.print(table(columns, rows, wide="upper", width=screen.width))
    return 0


def _run_all(out: str, as_json: bool) -> int:
    from symut.searcher.instances import instances
    from symut.searcher.matching import search_matching
    from symut.statement import EXIT_CODES

    found = []
    for request in instances():
        start = time.monotonic()
        finding = search_matching(request, Path(out))
        found.append((finding, _as_json(request, finding, time.monotonic() - start)))
        if not as_json:
            print_line(_line(request, finding))
    if as_json:
        print_json([fields for _, fields in found])
    return max(EXIT_CODES[finding.verdict] for finding, _ in found)


def _side(bound: Bound) -> str:
    return "open" if bound.width is None else f"{bound.width} {bound.status}"


def _lower(cell: Cell) -> str:
    """The proved bound; a better one that trusts a solver stands beside it."""
    more = "" if cell.trusted.width is None else f", {_side(cell.trusted)}"
    return (_side(cell.lower) + more).removeprefix("open, ")


def _width(cell: Cell) -> str:
    return str(cell.lower.width) if cell.settled else "?"


@command.command("attention_matching", short_help="Does width m match every target at d = 1?")
@click.option("--H", "H", type=int, default=None, help="Heads per layer.")
@click.option("--L", "L", type=int, default=None, help="Layers.")
@click.option("--m", "m", type=int, default=None, help="Width of the backbone.")
@click.option("--heads", "heads", type=click.Choice(["general", "rank-one"]), default="general", show_default=True)
@click.option("--targets", "targets", type=click.Choice(["strong", "weak"]), default="strong", show_default=True)
@click.option("--solver", "solver", type=click.Choice(["z3", "cvc5", "both"]), default="z3", show_default=True)
@click.option(
    "--method",
    "method",
    type=click.Choice(["auto", "identity", "dimension", "smt"]),
    default="auto",
    show_default=True,
    help="auto: certificates first, a solver last.",
)
@click.option("--timeout", "timeout", type=float, default=60.0, show_default=True, help="Seconds for everything.")
@click.option("--seed", "seed", type=int, default=0, show_default=True, help="Of the solver and of added targets.")
@click.option("--start", "start", type=int, default=None, help="Targets of the first query; more follow on demand.")
@click.option(
    "--out",
    "out",
    default=FOLDER,
    show_default=True,
    callback=named_folder,
    help="Folder that gets, or has, the artifacts.",
)
@click.option("--table", "as_table", is_flag=True, help="The minimal widths that the artifacts under --out support.")
@click.option("--all", "everything", is_flag=True, help="Make the artifacts of the default set again; no solvers.")
@MAX_MEMORY
@JSON
@QUIET
def attention_matching(
    out: str, as_table: bool, everything: bool, max_memory: str, as_json: bool, quiet: bool, **options: Any
) -> int:
    """Is there a backbone of width m that matches the attention scores and outputs of every target at d = 1?

    strong: all real q and v; weak: nonzero ones. rank-one: every score matrix is a b^T (head width 1). --timeout and
    --max-memory are hard limits of the child processes that do the work.
    """
    if as_table:
        return _show_table(out, as_json)
    if everything:
        with interruptible():
            return _run_all(out, as_json)
    for name in "HLm":
        if options[name] is None:
            raise UsageError(f"--{name} is missing", expected="--H, --L and --m, or --table", remedy=f"give --{name}")
    require_seconds(options["timeout"])
    memory = parse_bytes(max_memory)
    try:
        with interruptible():
            return _search(options, memory, out, as_json, quiet)
    except KeyboardInterrupt:
        again = command_of(options) + limits_of(options["timeout"], memory, out)
        click.echo(f"symut: to go on: {again}", err=True)
        raise


def _search(options: Mapping[str, Any], memory: int, out: str, as_json: bool, quiet: bool) -> int:
    from symut.searcher.matching import search_matching
    from symut.searcher.request import Request
    from symut.statement import EXIT_CODES

    start = time.monotonic()
    request = Request(**options, max_memory=memory)
    finding = search_matching(request, Path(out))
    if as_json:
        print_json(_as_json(request, finding, time.monotonic() - start))
    else:
        print_line(_line(request, finding))
        _explain(finding, quiet)
        console(error=True, quiet=quiet).print(f"{time.monotonic() - start:.1f} s", markup=False)
    return EXIT_CODES[finding.verdict]
