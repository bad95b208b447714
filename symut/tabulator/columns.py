"""The problems that tables and figures of many shapes show, and how numbers and bands are written.

Main definitions: `COLUMNS`, `Column`, `number`, `band_numbers`, `band_text`, `band_of`, `sources`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from symut.tabulator.best import Band, certified_band
from symut.tabulator.constructions import CONSTRUCTIONS
from symut.tabulator.lower import LOWER
from symut.tabulator.problem import ALL, ANY, FREE, GENERIC, MATCHED, SCORE_ONLY, SCORES, K, Problem
from symut.tabulator.rows import Row
from symut.tabulator.table import Table


@dataclass(frozen=True)
class Column:
    """A problem with the name of its column and what it asks for, in words."""

    name: str
    problem: Problem
    meaning: str


COLUMNS = (
    Column("any", Problem(ANY, ALL), "every attention function; all targets or only generic ones"),
    Column("all", Problem(SCORE_ONLY, ALL), "attention functions of the scores, all targets"),
    Column("generic", Problem(SCORE_ONLY, GENERIC), "attention functions of the scores, generic targets"),
    Column(
        "free",
        Problem(SCORE_ONLY, GENERIC, FREE),
        "the same, for backbones of any head width; in the other columns it is k",
    ),
    Column("alone", Problem(MATCHED, GENERIC, K, SCORES), "attention alone: the scores of generic targets, no outputs"),
)
"""Bands of matched attention with outputs equal those of functions of the scores, but for all targets at
H = L = d = k = 1; `--json` has all of them."""


def number(value: int, digits: int = 3) -> str:
    """The integer, or some digits and a power of ten if it has more than seven digits."""
    return str(value) if value < 10**7 else f"{Decimal(value):.{digits - 1}e}".replace("e+", "e")


def band_numbers(band: Band) -> tuple[str, ...]:
    """The width alone if it is exact or has no lower bound, else both, with digits enough to tell them apart."""
    if band.exact or band.lower is None:
        return (number(band.width),)
    pairs = ((number(band.lower, digits), number(band.width, digits)) for digits in range(3, 9))
    return next((pair for pair in pairs if pair[0] != pair[1]), (number(band.lower), number(band.width)))


def band_text(band: Band, between: str = "..", at_most: str = "<= ") -> str:
    """ "48" if the least width is known, "30..39" if it lies between, "<= 12" if there is no lower bound."""
    return (at_most if band.lower is None else "") + between.join(band_numbers(band))


def band_of(table: Table, problem: Problem) -> Band:
    """The table's band of this problem, by certified rows only."""
    return next(certified_band(band) for band in table.best if band.problem == problem)


def _theorem(rows: Sequence[Row], row_id: str) -> str:
    """The theorem behind a row of a certified band."""
    return next(row.theorem for row in rows if row.id == row_id and row.theorem)


def sources(tables: Iterable[Table], column: Column) -> tuple[list[str], list[str]]:
    """The theorems behind the lower bounds and behind the widths of a column, each once."""
    found = [band_of(table, column.problem) for table in tables]
    lower = dict.fromkeys(_theorem(LOWER, band.lower_id) for band in found if band.lower_id)
    widths = dict.fromkeys(_theorem(CONSTRUCTIONS, band.width_id) for band in found)
    return list(lower), list(widths)
