"""`symut rasp check FILE --equals OTHER --n N`: are two RASP programs equal on all inputs, or which input separates
them?

Main definition: `check`.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from symut.cli.rasp_report import print_report, report_of
from symut.cli.show import JSON, MAX_MEMORY, QUIET, named_folder, print_json
from symut.errors import UsageError, shown

if TYPE_CHECKING:
    from symut.rasp.core import Node
    from symut.rasp.program import Program
    from symut.rasp.symbolic import Comparison, Domain

EXIT = {"PROVED": 0, "REFUTED": 10, "UNKNOWN": 11, "TRUSTED": 12}
MOST_TOKENS, MOST_LETTERS = 256, 10_000


@click.command("check", short_help="Compare two programs on all inputs of a length.")
@click.argument("file", type=click.Path(), metavar="FILE")
@click.option("--name", "name", metavar="SEQ", help="What to compare: a name or an expression.")
@click.option("--equals", "other", type=click.Path(), required=True, metavar="OTHER", help="The other program's file.")
@click.option("--other-name", "other_name", metavar="SEQ", help="What to compare there; as --name if not given.")
@click.option("--n", "n", required=True, metavar="N", help="The length of the inputs, or a range such as 1..4.")
@click.option("--alphabet", "alphabet", metavar="TEXT", help="Tokens are the characters of TEXT.")
@click.option("--alphabet-json", "listed", metavar="LIST", help="Tokens are the items of a JSON list.")
@click.option("--numeric", is_flag=True, help="Tokens are any rational numbers.")
@click.option("--integers", is_flag=True, help="Tokens are any integers.")
@click.option("--where-defined", "defined", is_flag=True, help="Ignore inputs on which a program stops with an error.")
@click.option("--timeout", "timeout", type=float, default=60.0, show_default=True, help="Seconds for everything.")
@click.option(
    "--max-inputs", "inputs", type=int, default=1 << 20, show_default=True, help="Run at most so many inputs."
)
@click.option(
    "--max-cases", "cases", type=int, default=5000, show_default=True, help="Tell at most so many cases apart."
)
@click.option(
    "--out",
    "out",
    default="proofs",
    show_default=True,
    callback=named_folder,
    help="Folder that gets the artifact of a proof.",
)
@MAX_MEMORY
@JSON
@QUIET
def check(
    file: str,
    name: str | None,
    other: str,
    other_name: str | None,
    n: str,
    alphabet: str | None,
    listed: str | None,
    numeric: bool,
    integers: bool,
    defined: bool,
    timeout: float,
    inputs: int,
    cases: int,
    out: str,
    max_memory: str,
    as_json: bool,
    quiet: bool,
) -> int:
    """Compare the program FILE with OTHER on all inputs of length N ("library" is the standard library).

    Two programs are equal on an input if they give equal values, or if both stop with an error.

    PROVED (exit code 0): all inputs of a finite alphabet, or all cases of exact symbolic execution with a Farkas
    combination for every case that is impossible, were checked again by check.py, which has its own interpreter. The
    artifact under --out holds the certificate, both texts, and the graph of operations that they mean; that reading of
    the texts is symut's and is not checked again.

    REFUTED (10) comes with an input that separates the programs, confirmed by the reference interpreter (with
    exponentials: by disjoint enclosures). TRUSTED (12) means that symut's own engine, or the named solver, found them
    equal and no independent checker repeated that: with exponentials, conditions that are not linear, or too many
    inputs or cases. UNKNOWN (11) says what was tried.
    """
    from symut.cli.rasp import excerpts
    from symut.rasp import load_program
    from symut.rasp.symbolic import Limits

    lengths, domain = _lengths(n), _domain(alphabet, listed, numeric, integers)
    limits = Limits(*_limits(timeout, inputs, cases, max_memory))
    with excerpts():
        one, two = load_program(file), load_program(other)
        first, first_name = _chosen(file, one, name)
        second, second_name = _chosen(other, two, other_name or (first_name if _has(two, first_name) else None))
        _require_same_kind(first, second)
        found = list(_compared(first, second, lengths, domain, limits, defined))
    names = {"first": (file, first_name, one), "second": (other, second_name, two)}
    artifact = None
    if all(one.equal for one in found):
        artifact = _artifact(names, (first, second), found, domain, defined, Path(out))
    report = report_of(names, domain, defined, found, artifact)
    if as_json:
        print_json(report)
    else:
        print_report(report, names, quiet)
    return EXIT[report["verdict"]]


def _lengths(text: str) -> range:
    least, dots, most = text.partition("..")
    try:
        found = range(int(least), int(most if dots else least) + 1)
    except ValueError:
        found = range(0)
    if not found or found.start < 1 or found[-1] > MOST_TOKENS:
        expected = f"a length from 1 to {MOST_TOKENS}, or a range such as 1..4"
        raise UsageError("--n is no length", expected=expected, got=shown(text))
    return found


def _domain(alphabet: str | None, listed: str | None, numeric: bool, integers: bool) -> Domain:
    from symut.rasp.symbolic import Letters, Numbers

    given = [alphabet is not None, listed is not None, numeric, integers]
    if sum(given) != 1:
        raise UsageError(
            "what the tokens are is not clear" if any(given) else "what the tokens are is missing",
            expected="one of --alphabet, --alphabet-json, --numeric, --integers",
        )
    if numeric or integers:
        return Numbers(integers)
    return Letters(tuple(_letters(list(alphabet) if alphabet is not None else _items(listed or ""))))


def _items(text: str) -> list:
    from symut.cli.rasp import listed_tokens

    return listed_tokens("--alphabet-json", text)


def _letters(found: list) -> list:
    from symut.rasp.inputs import tokens_of

    if not found or len(found) > MOST_LETTERS:
        raise UsageError("the alphabet is empty or too large", expected=f"1 to {MOST_LETTERS} different tokens")
    tokens = tokens_of(found)
    if len({(type(token), token) for token in tokens}) < len(tokens):
        raise UsageError("the alphabet has a token twice", expected="different tokens", got=shown(found))
    return tokens


def _limits(timeout: float, inputs: int, cases: int, max_memory: str) -> tuple[float, int, int, int]:
    from symut.limits import parse_bytes

    if not 0 < timeout <= 10**7:
        raise UsageError("--timeout out of range", expected="seconds above 0", got=shown(timeout))
    for name, value in {"--max-inputs": inputs, "--max-cases": cases}.items():
        if not 0 <= value <= 10**9:
            raise UsageError(f"{name} out of range", expected="0 to 1000000000", got=shown(value))
    return timeout, inputs, cases, parse_bytes(max_memory)


def _has(program: Program, name: str) -> bool:
    return name in program.nodes


def _chosen(file: str, program: Program, name: str | None) -> tuple[Node, str]:
    """What is compared in a program: the named sequence or selector, or the only public sequence."""
    if name is None:
        names = list(program.sequences)
        if len(names) != 1:
            got = ", ".join(names[:8]) or "none"
            raise UsageError(f"which sequence of {file}?", expected="--name or --other-name", got=f"sequences {got}")
        name = names[0]
    return program.node(name), name


def _require_same_kind(first: Node, second: Node) -> None:
    from symut.rasp.core import Selector

    if isinstance(first, Selector) != isinstance(second, Selector):
        raise UsageError("a sequence and a selector are not comparable", expected="two sequences or two selectors")


def _compared(
    first: Node, second: Node, lengths: range, domain: Domain, limits: Any, defined: bool
) -> Iterator[Comparison]:
    """One answer per length, up to the first length at which the programs differ; they share the time."""
    from dataclasses import replace

    from symut.rasp.symbolic import compare

    deadline = time.monotonic() + limits.seconds
    for n in lengths:
        left = max(0.01, deadline - time.monotonic())
        found = compare(first, second, n, domain, replace(limits, seconds=left), defined=defined)
        yield found
        if found.equal is False:
            return


def _artifact(
    names: dict[str, tuple], nodes: tuple[Node, Node], found: list[Comparison], domain: Domain, defined: bool, out: Path
) -> str | None:
    """The folder of a proof that check.py accepts, None if there is none."""
    from symut.prover.rasp_equality import certify, publish

    (_, first, one), (_, second, two) = names.values()
    texts = one.source.text, two.source.text
    certified = certify(*nodes, found, domain, defined, texts)
    if certified is None:
        return None
    return str(publish(out, *certified, (first, second), texts))
