"""A table where the terminal is wide enough for its words, else the same cells row by row.

Main definitions: `Grid`, `fitted`.
No cell is cut, and only the columns that fold break their cells, at spaces.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from symut.cli.columns import shared

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

    def full_widths(self) -> list[int]:
        """For every column the width of its widest cell, unbroken."""
        return [max(map(len, cells)) for cells in zip(self.columns, *self.rows, strict=True)]


def fitted(grid: Grid, width: int) -> Any:
    """What rich prints for the grid in `width` columns."""
    least = grid.least_widths()
    room = width - GAP * (len(least) - 1)
    if sum(least) > room:
        return _stacked(grid, width)
    return _table(grid, shared(room, least, least, grid.full_widths()))


def _table(grid: Grid, widths: Sequence[int]) -> Table:
    """With the widths given: rich would shrink a column that folds below its longest word, and cut the last one."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    made = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, collapse_padding=True)
    for column, characters in zip(grid.columns, widths, strict=True):
        justify = "right" if column in grid.right else "left"
        made.add_column(column, no_wrap=column not in grid.folds, width=characters, justify=justify)
    for row in grid.rows:
        made.add_row(*map(Text, row))
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
    """Lines that break between two cells only, and inside a cell that is longer than a line."""
    longest = width - len(indent) - len(",")
    parts = [part for cell in cells for part in cell]
    text = ", ".join(part if len(part) > longest else part.replace(" ", _TIED) for part in parts)
    broken = textwrap.wrap(
        text, width, initial_indent=indent, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )
    return [line.replace(_TIED, " ") for line in broken]
