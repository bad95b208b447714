"""The bands of a grid of shapes as Markdown, with the theorems behind every column.

Main definitions: `markdown`.
"""

from __future__ import annotations

from collections.abc import Sequence

from symut.tabulator.columns import COLUMNS, band_of, band_text, sources
from symut.tabulator.table import Table


def _rows(header: Sequence[str], align: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    return ["| " + " | ".join(row) + " |" for row in (header, align, *rows)]


def markdown(tables: Sequence[Table]) -> str:
    """Two tables: the band of every column at every shape, and what the columns mean and rest on."""
    header = ["H", "L", "d", "k", *(column.name for column in COLUMNS)]
    cells = [
        [
            *(str(getattr(table.shape, name)) for name in "HLdk"),
            *(band_text(band_of(table, column.problem)) for column in COLUMNS),
        ]
        for table in tables
    ]
    legend = [
        [column.name, column.meaning, *(", ".join(_code(found)) for found in sources(tables, column))]
        for column in COLUMNS
    ]
    lines = [
        *_rows(header, ["---:"] * len(header), cells),
        "",
        *_rows(["column", "problem", "lower bounds", "widths"], ["---"] * 4, legend),
    ]
    return "\n".join(lines) + "\n"


def _code(names: Sequence[str]) -> list[str]:
    return [f"`{name}`" for name in names]
