"""`symut program BACKBONE TARGET -o FILE`: compile a target's weights to the embedding, run both, report the error."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from symut.cli.show import JSON, MAX_MEMORY, QUIET, console, print_json, print_line

if TYPE_CHECKING:
    from symut.compiler import Report
    from symut.compiler.report import Discrepancy


def _line(what: str, error: Discrepancy | None) -> str:
    if error is None:
        return f"{what}: overflow"
    where = ",".join(map(str, error.where))  # one word, which no line break falls into
    return f"{what}: absolute {error.max_abs_error:.2e}, relative {error.max_rel_error:.2e} at ({where})"


def _explain(report: Report, quiet: bool) -> None:
    screen = console(error=True, quiet=quiet)
    lines = ["Compared with the target evaluated directly in float64, largest error:"]
    lines += [_line(f"  programmed backbone, {name}", error) for name, error in report.errors.items()]
    lines += [_line("  the target's own float32 rounding", report.rounding)]
    if report.reference is not None:
        lines += ["Compared with the Y of the inputs file:"]
        lines += [_line(f"  programmed backbone, {name}", error) for name, error in report.reference.items()]
        lines += [_line("  the target evaluated directly in float64", report.direct_reference)]
    lines += [f"Inputs: {report.inputs}; rows compared: {report.rows_compared}"]
    lines += ["Assumes: " + hypothesis for hypothesis in report.hypotheses]
    if report.condition is not None:
        lines += [f"Condition number of M(R), columns scaled to norm 1: {report.condition:.3g}"]
    for line in lines:
        screen.print(line, markup=False)


def _headline(report: Report) -> str:
    """The one line on standard output; a reference that was given is part of it."""
    found = f"{report.embedding}: E {report.rows} x {report.width}, relative error {report.max_rel_error:.2e}"
    if report.reference is None:
        return found
    error = report.reference[report.dtype]
    return found + ", against the given Y " + (f"{error.max_rel_error:.2e}" if error else "overflow")


@click.command("program", short_help="Compile a target's weights to the program E of a backbone.")
@click.argument("backbone", type=click.Path())
@click.argument("target", type=click.Path())
@click.option("-o", "--output", "output", required=True, type=click.Path(), help="File that gets the program E.")
@click.option(
    "--scheme", "scheme", type=click.Choice(["symut", "mha", "bert"]), help="Key scheme (default: recognised)."
)
@click.option("--layer", "layer", type=click.INT, help="Which layer of a checkpoint, counted from 0.")
@click.option("--heads", "heads", type=click.INT, help="Heads, where the file does not say.")
@click.option("--inputs", "inputs", type=click.Path(), help="Tokens X, perhaps mask and Y, to compare on.")
@click.option("--scale", "scale", type=click.FLOAT, help="Factor of Q K^T (default: the scheme's own).")
@click.option("--causal", "causal", is_flag=True, help="Tokens attend to themselves and earlier ones only.")
@click.option("--dtype", "dtype", type=click.Choice(["float32", "float64"]), default="float32", show_default=True)
@MAX_MEMORY
@JSON
@QUIET
def command(as_json: bool, quiet: bool, **options: Any) -> int:
    """Compile the weights in TARGET (safetensors) to the program E of the emitted folder BACKBONE, and verify it."""
    from symut.api import program

    report = program(**options)
    if as_json:
        print_json(report.as_json())
        return 0
    print_line(_headline(report))
    _explain(report, quiet)
    return 0
