"""`symut program BACKBONE TARGET -o FILE`: compile a target's weights to the embedding, run both, report the error."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from symut.cli.show import JSON, MAX_MEMORY, QUIET, console, print_json, table

if TYPE_CHECKING:
    from symut.compiler import Report


def _explain(report: Report, quiet: bool) -> None:
    screen = console(error=True, quiet=quiet)
    rows = [("programmed backbone, " + name, error) for name, error in report.errors.items()]
    rows.append(("target's own float32 rounding", report.rounding))
    rows += [("against the given Y, " + name, error) for name, error in (report.reference or {}).items()]
    shown = [
        (what, f"{e.max_abs_error:.2e}", f"{e.max_rel_error:.2e}", str(e.where)) if e else (what, "overflow", "", "")
        for what, e in rows
    ]
    screen.print(table(("compared with the target in float64", "absolute", "relative", "where"), shown, wide="where"))
    screen.print(f"Inputs: {report.inputs}; rows compared: {report.rows_compared}", markup=False, soft_wrap=True)
    for hypothesis in report.hypotheses:
        screen.print("Assumes: " + hypothesis, markup=False)
    if report.condition is not None:
        screen.print(f"Condition number of M(R), columns scaled: {report.condition:.3g}", markup=False)


@click.command("program")
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
    click.echo(f"{report.embedding}: E {report.rows} x {report.width}, relative error {report.max_rel_error:.2e}")
    _explain(report, quiet)
    return 0
