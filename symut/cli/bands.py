"""How `symut bounds` prints the rows of one shape and the bands of many.

Main definitions: `print_one`, `print_grid`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from symut.cli.layout import Grid, fitted
from symut.tabulator.best import Band, certified_band
from symut.tabulator.columns import COLUMNS, band_of, band_text, number
from symut.tabulator.legend import (
    DEMANDS,
    GENERIC_TARGETS,
    HEAD_WIDTHS,
    STAR,
    STATUSES,
    certified_note,
    demand,
)
from symut.tabulator.table import OBSTRUCTION, OBSTRUCTION_TEXT, Entry, Table

if TYPE_CHECKING:
    from rich.console import Console


def _rows(value: str, entries: Sequence[Entry]) -> Grid:
    rows = []
    for entry in entries:
        problem = entry.row.problem
        cells = (demand(problem), problem.targets, problem.head_width, entry.standing.status)
        rows.append((entry.row.id, number(entry.value), *cells))
    columns = ("id", value, "attention", "targets", "head", "status")
    return Grid(columns, rows, folds=("targets", "status"), right=(value,))


def _merged(found: Sequence[Band]) -> list[tuple[str, ...]]:
    """Problems with the same band for the same reasons share a line."""
    lines: dict[tuple[str, ...], dict[str, None]] = {}
    for band in found:
        problem, star = band.problem, "" if band.is_certified else STAR
        behind = f"{band.lower_id or 'none'}, {band.width_id}{star}"
        key = (problem.targets, problem.head_width, band_text(band) + star, behind)
        lines.setdefault(key, {})[demand(problem)] = None
    return [(", ".join(attention), *key) for key, attention in lines.items()]


def _best(found: Sequence[Band]) -> Grid:
    behind = "lower bound, construction"
    columns = ("attention", "targets", "head", "width", behind)
    return Grid(columns, _merged(found), folds=(behind,), right=("width",), lead=3)


def _legend(table: Table) -> Iterator[tuple[str, str]]:
    """The words of the tables in use, with their meanings."""
    entries = (*table.lower, *table.constructions)
    asked = {demand(problem) for problem in (*(e.row.problem for e in entries), *(b.problem for b in table.best))}
    yield from ((word, meaning) for word, meaning in DEMANDS.items() if word in asked)
    yield "generic", GENERIC_TARGETS
    yield "head", HEAD_WIDTHS
    statuses = {entry.standing.status for entry in entries}
    yield from ((word, meaning) for word, meaning in STATUSES.items() if word in statuses)


def _print_notes(screen: Console, entries: Sequence[Entry]) -> None:
    """What every row assumes, and the command that proves it."""
    for entry in {entry.row.id: entry for entry in entries}.values():
        screen.print(f"{entry.row.id}: {entry.row.hypotheses}", markup=False)
        if entry.standing.command:
            screen.print(f"  {entry.standing.command}", style="dim", markup=False, soft_wrap=True)
    screen.print(f"{OBSTRUCTION} (no bound): {OBSTRUCTION_TEXT}", markup=False)


def print_one(screen: Console, table: Table) -> None:
    """Lower bounds, constructions, the band of every problem, the words in use, and what the rows assume."""
    shape = table.shape
    screen.print(f"Widths of backbones at H = {shape.H}, L = {shape.L}, d = {shape.d}, k = {shape.k}")
    for title, shown in (
        ("Lower bounds", _rows("value", table.lower)),
        ("Constructions", _rows("width", table.constructions)),
        ("Best known: the least width, or the range in which it lies", _best(table.best)),
    ):
        screen.print(f"\n[bold]{title}[/bold]", fitted(shown, screen.width), sep="\n")
    for band in table.best:
        if not band.is_certified:
            screen.print(certified_note(band, band_text(certified_band(band))), markup=False)
    screen.print("\n[bold]What the words mean[/bold]")
    for word, meaning in _legend(table):
        screen.print(f"{word}: {meaning}", markup=False)
    screen.print("\n[bold]What the rows assume, and what proves them[/bold]")
    _print_notes(screen, (*table.lower, *table.constructions))


def print_grid(screen: Console, tables: Sequence[Table]) -> None:
    """The bands of all shapes, and what the columns mean."""
    bands = [column.name for column in COLUMNS]
    rows = [
        (
            *(str(getattr(table.shape, name)) for name in "HLdk"),
            *(band_text(band_of(table, column.problem)) for column in COLUMNS),
        )
        for table in tables
    ]
    columns = (*"HLdk", *bands)
    screen.print("The least width of a backbone, or the range in which it lies\n")
    screen.print(fitted(Grid(columns, rows, right=columns, lead=4), screen.width))
    screen.print()
    for column in COLUMNS:
        screen.print(f"{column.name}: {column.meaning}", markup=False)
    screen.print(f"generic targets: {GENERIC_TARGETS}", markup=False)
