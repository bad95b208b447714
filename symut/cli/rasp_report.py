"""How `symut rasp check` says what it found: one JSON object, or a verdict with the input that separates two programs.

Main definitions: `report_of`, `print_report`.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from symut.cli.show import print_line

if TYPE_CHECKING:
    from symut.rasp.symbolic import Comparison, Domain


def report_of(
    names: dict[str, tuple], domain: Domain, defined: bool, found: list[Comparison], artifact: str | None
) -> dict[str, Any]:
    """The object that --json prints; `names` are (file, name, program) of "first" and "second"."""
    from hashlib import sha256

    answers = {one.equal for one in found}
    verdict = "REFUTED" if False in answers else "UNKNOWN" if None in answers else "PROVED" if artifact else "TRUSTED"
    return {
        "verdict": verdict,
        **{
            key: {"file": file, "name": name, "sha256": sha256(program.source.text.encode()).hexdigest()}
            for key, (file, name, program) in names.items()
        },
        "tokens": domain.claim,
        "where_defined": defined,
        "lengths": [
            {"n": one.n, "equal": one.equal, "method": one.method, "count": one.count, "undefined": one.undefined}
            for one in found
        ],
        "counterexample": _counterexample(found[-1]),
        "artifact": artifact,
        "trusted": sorted({name for one in found for name in one.trusted}) if verdict == "TRUSTED" else [],
        "tried": [f"n = {one.n}: {line}" for one in found if one.equal is None for line in one.tried],
    }


def _counterexample(found: Comparison) -> dict[str, Any] | None:
    from symut.rasp.trace import as_json

    if found.separation is None:
        return None
    values = {"input": found.separation.input, "first": found.separation.first, "second": found.separation.second}
    return {
        "n": found.n,
        **{
            key: value if isinstance(value, str) else json.loads(json.dumps(value, default=as_json))
            for key, value in values.items()
        },
    }


def print_report(report: dict[str, Any], names: dict[str, tuple], quiet: bool) -> None:
    """The verdict and the input on standard output, how it was found on standard error."""
    titles = [f"{name} of {file}" for file, name, _ in names.values()]
    lengths = [one["n"] for one in report["lengths"]]
    span = f"length {lengths[0]}" if len(lengths) == 1 else f"lengths {lengths[0]} to {lengths[-1]}"
    if report["counterexample"]:
        span = f"length {lengths[-1]}"
    where = ", where both are defined" if report["where_defined"] else ""
    words = {
        "PROVED": "are equal on all inputs",
        "TRUSTED": "are equal on all inputs",
        "REFUTED": "differ",
        "UNKNOWN": "are not known to be equal",
    }
    print_line(
        f"{report['verdict']} {titles[0]} and {titles[1]} {words[report['verdict']]}: {report['tokens']}, {span}{where}"
    )
    if report["counterexample"]:
        for key, title in zip(("input", "first", "second"), ("input", *titles), strict=True):
            value = report["counterexample"][key]
            print_line(f"  {title}: {value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)}")
    if not quiet:
        _explain(report)


def _explain(report: dict[str, Any]) -> None:
    """How each length was decided, on standard error."""
    units = {"exhaustive": "inputs", "cases": "cases"}
    for one in report["lengths"]:
        count = f", {one['count']} {units[one['method']]}" if one["count"] and one["method"] in units else ""
        errors = f"; on {one['undefined']} of them both stop with an error" if one["undefined"] else ""
        click.echo(f"n = {one['n']}: {one['method'] or 'no method decided'}{count}{errors}", err=True)
    for line in report["tried"]:
        click.echo(f"tried: {line}", err=True)
    if report["artifact"]:
        click.echo(f"artifact: {report['artifact']}", err=True)
    if report["trusted"]:
        click.echo(f"trusted: {', '.join(report['trusted'])}", err=True)
