"""How `symut bounds` prints the rows of one shape and the bands of many.

Main definitions: `print_one`, `print_grid`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from symut.bounds.best import Band
from symut.bounds.columns import COLUMNS, band_of, band_text, number
from symut.bounds.problem import SCORES
from symut.bounds.table import OBSTRUCTION, OBSTRUCTION_TEXT, Entry, Table

if TYPE_CHECKING:
    from rich.console import Console


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]], *, folds: str = "", right: Sequence[str] = ()) -> Any:
    """Only the column `folds` breaks its lines."""
    from rich import box
    from rich.table import Table as RichTable

    made = RichTable(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, collapse_padding=True)
    for column in columns:
        made.add_column(column, no_wrap=column != folds, justify="right" if column in right else "left")
    for row in rows:
        made.add_row(*row)
    return made


def _cell(band: Band) -> str:
    """A band of at most nine characters a line."""
    text = band_text(band)
    return text if len(text) <= 9 else text.replace("..", "..\n")


def _rows(value: str, entries: Sequence[Entry]) -> Any:
    rows = []
    for entry in entries:
        problem = entry.row.problem
        cells = (problem.attention, problem.targets, problem.head_width, entry.standing.status)
        rows.append((entry.row.id, number(entry.value), *cells))
    return _table(("id", value, "attention", "targets", "head", "status"), rows, right=(value,))


def _merged(found: Sequence[Band]) -> list[tuple[str, ...]]:
    """Problems with the same band for the same reasons share a line."""
    lines: dict[tuple[str, ...], dict[str, None]] = {}
    for band in found:
        problem = band.problem
        name = "attention alone" if problem.matches == SCORES else problem.attention
        key = (problem.targets, problem.head_width, _cell(band), band.lower_id or "none", band.width_id)
        lines.setdefault(key, {})[name] = None
    return [(", ".join(attention), *key) for key, attention in lines.items()]


def _best(found: Sequence[Band]) -> Any:
    header = ("attention", "targets", "head", "width", "lower bound", "construction")
    return _table(header, _merged(found), folds="attention", right=("width",))


def _print_notes(screen: Console, entries: Sequence[Entry]) -> None:
    """What every row assumes, and the command that proves it."""
    for entry in {entry.row.id: entry for entry in entries}.values():
        screen.print(f"{entry.row.id}: {entry.row.hypotheses}", markup=False)
        if entry.standing.command:
            screen.print(f"  {entry.standing.command}", style="dim", markup=False, soft_wrap=True)
    screen.print(f"{OBSTRUCTION} (no bound): {OBSTRUCTION_TEXT}", markup=False)


def print_one(screen: Console, table: Table) -> None:
    """Lower bounds, constructions, the band of every problem, and what the rows assume."""
    shape = table.shape
    screen.print(f"Widths of backbones at H = {shape.H}, L = {shape.L}, d = {shape.d}, k = {shape.k}")
    for title, shown in (
        ("Lower bounds", _rows("value", table.lower)),
        ("Constructions", _rows("width", table.constructions)),
        ("Best known: the least width, or the range in which it lies", _best(table.best)),
    ):
        screen.print(f"\n[bold]{title}[/bold]", shown, sep="\n")
    screen.print("\n[bold]What the rows assume, and what proves them[/bold]")
    _print_notes(screen, (*table.lower, *table.constructions))


def print_grid(screen: Console, tables: Sequence[Table]) -> None:
    """The bands of all shapes, and what the columns mean."""
    bands = [column.name for column in COLUMNS]
    rows = [
        (
            *(str(getattr(table.shape, name)) for name in "HLdk"),
            *(_cell(band_of(table, column.problem)) for column in COLUMNS),
        )
        for table in tables
    ]
    screen.print("The least width of a backbone, or the range in which it lies\n")
    screen.print(_table((*"HLdk", *bands), rows, right=(*"HLdk", *bands)))
    screen.print()
    for column in COLUMNS:
        screen.print(f"{column.name}: {column.meaning}", markup=False)
