"""The best known bounds of every problem: the largest lower bound and the smallest width that transfer to it.

Main definitions: `Band`, `PROBLEMS`, `bands`, `certified_band`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from symut.backbone.shape import Shape
from symut.tabulator.constructions import CONSTRUCTIONS
from symut.tabulator.lower import LOWER
from symut.tabulator.problem import ALL, ANY, FREE, GENERIC, MATCHED, SCORE_ONLY, SCORES, K, Problem, implies, serves
from symut.tabulator.rows import Row

PROBLEMS = (
    *(Problem(ANY, targets) for targets in (ALL, GENERIC)),
    *(
        Problem(attention, targets, head_width)
        for attention in (SCORE_ONLY, MATCHED)
        for targets in (ALL, GENERIC)
        for head_width in (K, FREE)
    ),
    *(Problem(MATCHED, targets, K, SCORES) for targets in (ALL, GENERIC)),
)
"""Functions of queries and keys need equal head widths; for functions of scores the backbone's may be free."""


@dataclass(frozen=True)
class Band:
    """The least width of a problem lies in lower..width; `lower` is None if no bound is known.

    `lower_id` and `width_id` name the rows that say so.  `certified` is the smallest width among the rows that a
    theorem of symut states, and `certified_id` its row: the same as `width` unless the best row is not certified.
    """

    problem: Problem
    lower: int | None
    lower_id: str
    width: int
    width_id: str
    certified: int
    certified_id: str

    @property
    def is_certified(self) -> bool:
        """Whether the width rests on a row that a theorem of symut states."""
        return self.width_id == self.certified_id

    @property
    def exact(self) -> bool:
        """Whether the least width is known."""
        return self.lower == self.width


def bounds_problem(row: Row, problem: Problem, shape: Shape) -> bool:
    """Whether a lower bound transfers to the problem."""
    proved = replace(row.problem, targets=GENERIC) if row.linear else row.problem
    return row.applies(shape) and not row.superseded and implies(problem, proved, shape)


def serves_problem(row: Row, problem: Problem, shape: Shape) -> bool:
    """Whether a construction serves the problem."""
    return row.applies(shape) and serves(row.problem, problem, shape)


def _band(problem: Problem, shape: Shape) -> Band:
    """Of equal values the row that comes first counts; of equal widths a certified one."""
    lower = [(row.value(shape), row.id) for row in LOWER if bounds_problem(row, problem, shape)]
    widths = [row for row in CONSTRUCTIONS if serves_problem(row, problem, shape)]
    best, lower_id = max(lower, key=lambda found: found[0], default=(None, ""))
    certified = [row for row in widths if row.is_certified]
    return Band(problem, best, lower_id, *_smallest(widths, shape), *_smallest(certified, shape))


def _smallest(rows: Iterable[Row], shape: Shape) -> tuple[int, str]:
    """Of equal widths a certified row comes first."""
    found = min(rows, key=lambda row: (row.value(shape), not row.is_certified))
    return found.value(shape), found.id


def certified_band(band: Band) -> Band:
    """The band with the smallest certified width."""
    return replace(band, width=band.certified, width_id=band.certified_id)


def bands(shape: Shape) -> list[Band]:
    """The band of every problem in `PROBLEMS` at this shape."""
    return [_band(problem, shape) for problem in PROBLEMS]
