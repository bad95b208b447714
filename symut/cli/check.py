"""`symut check [PATH ...]`: re-check artifacts with the independent checker, and trusted answers with a solver."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from symut.cli.show import JSON, MAX_MEMORY, QUIET, print_json, print_line
from symut.errors import CertificateError
from symut.limits import parse_bytes, require_seconds
from symut.searcher.process import interruptible

NO_ANSWER = 11


@click.command("check")
@click.argument("paths", nargs=-1, type=click.Path(), metavar="[PATH ...]")
@click.option(
    "--with",
    "solver",
    type=click.Choice(["cvc5", "z3"]),
    default=None,
    help="Also ask this solver about the stored queries of artifacts that trust a solver.",
)
@click.option("--timeout", "timeout", type=float, default=60.0, show_default=True, help="Seconds for each query.")
@MAX_MEMORY
@JSON
@QUIET
def command(
    paths: tuple[str, ...], solver: str | None, timeout: float, max_memory: str, as_json: bool, quiet: bool
) -> int:
    """Re-check artifacts (default: everything under proofs/) with check.py, which shares no code with the prover.

    Exit code 0 if all are VALID, 13 if any is INVALID or a solver contradicts one, 11 if a solver gives no answer, 2 if
    there is nothing to check.
    """
    from symut.api import check

    require_seconds(timeout)
    memory = parse_bytes(max_memory)
    results = check(*paths)
    if solver is not None:
        with interruptible():
            for result in results:
                result |= _asked(result, solver, timeout, memory)
    if as_json:
        print_json(results)
    for result in [] if as_json else results:
        if result["reason"] or "second" in result or not quiet:
            print_line(_line(result))
    return max(map(_code, results))


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


def _line(result: dict[str, Any]) -> str:
    reason = f": {result['reason']}" if result["reason"] else ""
    if "second" in result:
        second = result["second"]
        word = {True: "agrees", False: "CONTRADICTS the trusted answer", None: "does not decide"}[second["agrees"]]
        reason = f": {second['solver']} {word} ({second['answer']})"
    return f"{result['verdict']} {result['artifact']}{reason}"


def _code(result: dict[str, Any]) -> int:
    agrees = result.get("second", {}).get("agrees", True)
    if result["verdict"] != "VALID" or agrees is False:
        return CertificateError.exit_code
    return 0 if agrees else NO_ANSWER
