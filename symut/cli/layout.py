"""A table where the terminal is wide enough for its words, else the same cells row by row.

Main definitions: `Grid`, `fitted`.
No cell is cut, and only the columns that fold break their cells, at spaces.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.table import Table

GAP = 2
"""Spaces between two columns."""
_TIED = "\N{NO-BREAK SPACE}"


@dataclass(frozen=True)
class Grid:
    """Named columns and rows of cells.

    `folds` and `right` name the columns that may break and those that end flush right.  Row by row, the first `lead`
    cells head the others, a cell under "id" needs no name, and one under a name "a, b" is a pair "x, y".
    """

    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    folds: Sequence[str] = ()
    right: Sequence[str] = ()
    lead: int = 1

    def least_widths(self) -> list[int]:
        """For every column the width of its widest cell, or of its longest word if it folds."""
        columns = list(zip(self.columns, *self.rows, strict=True))
        return [
            max(len(word) for cell in cells for word in (cell.split() if cells[0] in self.folds else [cell]))
            for cells in columns
        ]


def fitted(grid: Grid, width: int) -> Any:
    """What rich prints for the grid in `width` columns."""
    least = grid.least_widths()
    return _table(grid, least) if sum(least) + GAP * (len(least) - 1) <= width else _stacked(grid, width)


def _table(grid: Grid, least: Sequence[int]) -> Table:
    from rich import box
    from rich.table import Table

    made = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, collapse_padding=True)
    for column, narrowest in zip(grid.columns, least, strict=True):
        justify = "right" if column in grid.right else "left"
        made.add_column(column, no_wrap=column not in grid.folds, min_width=narrowest, justify=justify)
    for row in grid.rows:
        made.add_row(*row)
    return made


def _stacked(grid: Grid, width: int) -> str:
    """Every row as a line of its first cells and an indented paragraph of the others, each with its column's name."""
    lines = []
    for row in grid.rows:
        named = [_named(name, cell) for name, cell in zip(grid.columns, row, strict=True)]
        lines += _paragraph(named[: grid.lead], width, "")
        lines += _paragraph(named[grid.lead :], width, "  ")
    return "\n".join(lines)


def _named(name: str, cell: str) -> list[str]:
    """The cell after its column's name; under two names, its two parts each after its own."""
    names, parts = name.split(", "), cell.split(", ")
    if len(names) > 1:
        return [f"{one} {part}" for one, part in zip(names, parts, strict=True)]
    return [cell if name == "id" else f"{name} {cell}"]


def _paragraph(cells: Sequence[Sequence[str]], width: int, indent: str) -> list[str]:
    """Lines that break between two cells only."""
    text = ", ".join(part.replace(" ", _TIED) for cell in cells for part in cell)
    broken = textwrap.wrap(
        text, width, initial_indent=indent, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )
    return [line.replace(_TIED, " ") for line in broken]
