"""`symut bounds`: every lower bound and construction width for one shape, or the bands of a grid of shapes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from symut.cli.show import JSON, console, print_json
from symut.errors import UsageError

if TYPE_CHECKING:
    from symut.tabulator import Table

STANDARD_OUTPUT = "-"


def _require_one_view(views: dict[str, bool]) -> None:
    """Raise UsageError if standard output would hold more than one view."""
    chosen = [name for name, wanted in views.items() if wanted]
    if len(chosen) > 1:
        raise UsageError("one view at a time", got=" and ".join(chosen), remedy="give --latex a file, or drop one")


@click.command("bounds", short_help="Lower bounds and widths for one shape, or for many.")
@click.option("--H", "H", default="2", show_default=True, help="Heads: a size, or sizes such as 1..3 or 1,2,4.")
@click.option("--L", "L", default="2", show_default=True, help="Layers, in the same way.")
@click.option("--d", "d", default="3", show_default=True, help="Token widths.")
@click.option("--k", "k", default=None, help="Head widths of the targets.  [default: k = d]")
@click.option(
    "--latex", "latex_file", is_flag=False, flag_value=STANDARD_OUTPUT, help="Write a LaTeX table (booktabs)."
)
@click.option("--plot", "plot_file", default=None, help="Draw the widths; the file's suffix is .svg, .png or .pdf.")
@click.option("--markdown", "as_markdown", is_flag=True, help="Print the bands as Markdown.")
@click.option("--formulas", "as_formulas", is_flag=True, help="Print every row as a formula in H, L, d and k.")
@click.option(
    "--proofs", "proofs", default="proofs", show_default=True, help="Folder of the artifacts behind the status."
)
@JSON
def command(
    H: str,
    L: str,
    d: str,
    k: str | None,
    latex_file: str | None,
    plot_file: str | None,
    as_markdown: bool,
    as_formulas: bool,
    proofs: str,
    as_json: bool,
) -> None:
    """Every known lower bound and construction width, by attention and target class, with the open band of each.

    The status of a row says whether check.py accepts an artifact of it under --proofs now; nothing is proved here.
    """
    to_stdout = latex_file == STANDARD_OUTPUT
    views = {"--json or --formulas": as_json or as_formulas, "--markdown": as_markdown, "--latex": to_stdout}
    _require_one_view(views)
    if plot_file is not None:
        from symut.tabulator.chart import require_known_suffix

        require_known_suffix(plot_file)
    from symut.api import bounds

    tables = bounds(H=H, L=L, d=d, k=k, proofs=proofs)
    _write_files(tables, None if to_stdout else latex_file, plot_file)
    if as_formulas:
        _print_formulas(as_json)
    elif as_json:
        answers = [found.as_json() for found in tables]
        print_json(answers[0] if len(answers) == 1 else answers)
    elif as_markdown or to_stdout:
        _print_text(tables, as_markdown)
    else:
        _print_tables(tables)


def _write_files(tables: list[Table], latex_file: str | None, plot_file: str | None) -> None:
    if latex_file is not None:
        from symut.tabulator.latex import latex

        _publish(latex_file, latex(tables).encode())
    if plot_file is not None:
        from symut.tabulator.chart import chart, require_known_suffix

        _publish(plot_file, chart(tables, require_known_suffix(plot_file)))


def _publish(name: str, content: bytes) -> None:
    from symut.publish import publish_file

    try:
        publish_file(Path(name), content)
    except UsageError as error:
        raise UsageError(error.what, expected=error.expected, got=error.got, remedy="choose another file") from None
    console(error=True).print(f"written: {name}", markup=False, soft_wrap=True)


def _print_text(tables: list[Table], as_markdown: bool) -> None:
    if as_markdown:
        from symut.tabulator.markdown import markdown

        click.echo(markdown(tables), nl=False)
        return
    from symut.tabulator.latex import latex

    click.echo(latex(tables), nl=False)


def _print_formulas(as_json: bool) -> None:
    from symut.tabulator.formulas import ROWS, formula_latex, formula_text

    found = [{"id": row.id, "formula": formula_text(row), "latex": formula_latex(row)} for row in ROWS]
    if as_json:
        print_json(found)
        return
    screen = console(error=False)
    for entry in found:
        screen.print(entry["id"], style="bold")
        screen.print(f"  {entry['formula']}\n  {entry['latex']}", markup=False, soft_wrap=True)


def _print_tables(tables: list[Table]) -> None:
    from symut.cli.bands import print_grid, print_one

    if len(tables) == 1:
        print_one(console(error=False), tables[0])
    else:
        print_grid(console(error=False), tables)
