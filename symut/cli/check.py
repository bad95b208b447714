"""`symut check [PATH ...]`: re-check artifacts with the independent checker, trusted answers with a solver, and
instances of general theorems with Coq."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from symut.cli.check_report import line, summary
from symut.cli.show import JSON, MAX_MEMORY, QUIET, Progress, bars, print_json, print_line, warn
from symut.errors import CertificateError, UsageError
from symut.limits import parse_bytes, require_seconds
from symut.searcher.process import interruptible

NO_ANSWER = 11


@click.command("check", short_help="Re-check artifacts with an independent checker.")
@click.argument("paths", nargs=-1, type=click.Path(), metavar="[PATH ...]")
@click.option(
    "--with",
    "solver",
    type=click.Choice(["cvc5", "z3", "coq"]),
    default=None,
    help="Also ask this solver about the queries of artifacts that trust a solver, or Coq about every instance.v.",
)
@click.option("--full", is_flag=True, help="With --with coq: also run coqchk on the library and each instance.")
@click.option("--timeout", "timeout", type=float, default=60.0, show_default=True, help="Seconds for each query.")
@MAX_MEMORY
@JSON
@QUIET
def command(
    paths: tuple[str, ...], solver: str | None, full: bool, timeout: float, max_memory: str, as_json: bool, quiet: bool
) -> int:
    """Re-check artifacts (default: everything under proofs/) with check.py, which shares no code with the prover.

    Exit code 0 if all are VALID, 13 if any is INVALID or a solver contradicts one, 11 if a solver gives no answer, 2 if
    there is nothing to check, or nothing for Coq.
    """
    from symut.api import check

    require_seconds(timeout)
    if full and solver != "coq":
        raise UsageError("--full needs --with coq", remedy="add it")
    memory = parse_bytes(max_memory)
    results = check(*paths)
    if solver == "coq":
        with interruptible(), bars(quiet or as_json) as progress:
            _ask_kernel(results, full, progress)
    elif solver is not None:
        with interruptible():
            for result in results:
                result |= _asked(result, solver, timeout, memory)
    if as_json:
        print_json(results)
    else:
        _print(results, solver, quiet)
    return max(map(_code, results))


def _print(results: list[dict[str, Any]], solver: str | None, quiet: bool) -> None:
    """A line for each artifact that there is something to say of, and on standard error their numbers."""
    for result in results:
        unasked = result.get("instance") is False
        if result["reason"] or {"second", "kernel"} & set(result) or not (quiet or unasked):
            print_line(line(result))
    if not quiet:
        click.echo(summary(results, solver), err=True)


def _asked(result: dict[str, Any], solver: str, timeout: float, memory: int) -> dict[str, Any]:
    """The solver's answer under the key `second`, for a VALID conditional artifact; INVALID if its query is another."""
    from symut.searcher.second import second_opinion
    from symut.statement.search import QUERY

    if result["verdict"] != "VALID" or result["goal"] != QUERY:
        return {}
    try:
        opinion = second_opinion(Path(result["artifact"]), solver, timeout, memory)
    except CertificateError as error:
        return {"verdict": "INVALID", "reason": str(error)}
    return {"second": {"solver": opinion.solver, "answer": opinion.answer, "agrees": opinion.agrees}}


def _ask_kernel(results: list[dict[str, Any]], full: bool, progress: Progress) -> None:
    """The kernel's answer under the key `kernel` for each VALID artifact that has an instance; INVALID if it differs.

    Raises UsageError if no artifact has one, or if Coq is missing.
    """
    from symut.kernel.confirm import installed_kernel
    from symut.kernel.recheck import has_instance, recheck

    asked = [result for result in results if has_instance(Path(result["artifact"]))]
    if not asked:
        raise UsageError("no artifact has an instance.v", remedy="make one with symut prove THEOREM --kernel coq")
    for result in results:
        result["instance"] = result in asked
    kernel = installed_kernel(progress, warn)
    for result in asked:
        if result["verdict"] != "VALID":
            continue
        try:
            found = recheck(Path(result["artifact"]), kernel, full)
        except CertificateError as error:
            result |= {"verdict": "INVALID", "reason": str(error)}
        else:
            result |= {"kernel": {"coqc": found.coqc, "full": found.full, "assumptions": found.assumptions}}


def _code(result: dict[str, Any]) -> int:
    agrees = result.get("second", {}).get("agrees", True)
    if result["verdict"] != "VALID" or agrees is False:
        return CertificateError.exit_code
    return 0 if agrees else NO_ANSWER
