"""Systems of strict linear inequalities over the rationals: a point, or a Farkas combination that there is none.

Main definitions: `solve`, `Row`, `value_at`.

A row (a, b) stands for the affine form a . x + b, and a system asks for x where all its forms are negative.  It has no
solution if and only if there are multipliers l >= 0, not all 0, such that sum l (a, b) is a constant >= 0 (Motzkin's
transposition theorem).  The simplex method is exact (python-flint rationals, Bland's rule), and every combination is
verified before it is returned.  Source: Chvatal, Linear Programming (1983), chapters 2, 3 and 16.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from symut.errors import InternalError

Row = tuple[tuple[Any, ...], Any]
"""(coefficients, constant) in flint's fmpq."""


@dataclass(frozen=True)
class Answer:
    """A point with all forms negative, or multipliers of a combination that shows that there is none."""

    point: tuple[Any, ...] | None = None
    multipliers: tuple[Any, ...] = ()


def value_at(row: Row, point: Sequence[Any]) -> Any:
    """a . x + b."""
    return sum((a * x for a, x in zip(row[0], point, strict=True) if a != 0), row[1])


def solve(rows: Sequence[Row], width: int) -> Answer:
    """A point of the system over `width` unknowns, or why there is none."""
    answer = _simplex(rows, width)
    if answer.point is not None:
        if any(value_at(row, answer.point) >= 0 for row in rows):
            raise InternalError("a point of a linear system is wrong", got=str(answer.point))
        return answer
    combined = [sum(m * row[0][j] for m, row in zip(answer.multipliers, rows, strict=True)) for j in range(width)]
    constant = sum(m * row[1] for m, row in zip(answer.multipliers, rows, strict=True))
    if any(combined) or constant < 0 or min(answer.multipliers) < 0 or not any(answer.multipliers):
        raise InternalError("a Farkas combination is wrong", got=str(answer.multipliers))
    return answer


@dataclass
class _Dictionary:
    """Every basic unknown as an affine form in the nonbasic ones, and the objective (to be maximised) likewise."""

    table: list[list[Any]]
    values: list[Any]
    goal: list[Any]
    best: Any
    basic: list[int]
    nonbasic: list[int]

    def pivot(self, i: int, j: int) -> None:
        """Exchange the basic unknown of row i and the nonbasic one of column j."""
        row, lead = self.table[i], self.table[i][j]
        self.table[i] = [-a / lead for a in row]
        self.table[i][j] = 1 / lead
        self.values[i] = -self.values[i] / lead
        for k, other in enumerate(self.table):
            if k != i and other[j] != 0:
                self.table[k], self.values[k] = self._inserted(other, self.values[k], i, j)
        self.goal, self.best = self._inserted(self.goal, self.best, i, j)
        self.basic[i], self.nonbasic[j] = self.nonbasic[j], self.basic[i]

    def _inserted(self, row: list[Any], value: Any, i: int, j: int) -> tuple[list[Any], Any]:
        factor, by = row[j], self.table[i]
        new = [a + factor * b for a, b in zip(row, by, strict=True)]
        new[j] = factor * by[j]
        return new, value + factor * self.values[i]

    def leaving(self, j: int) -> int:
        """The row that limits the growth of column j's unknown; the first unknown among equals."""
        limits = [(-self.values[i] / row[j], self.basic[i], i) for i, row in enumerate(self.table) if row[j] < 0]
        return min(limits)[2]


def _simplex(rows: Sequence[Row], width: int) -> Answer:
    """Minimise s >= 0 under a . x + b + 1 <= s: there is a point if and only if the minimum is below 1."""
    from flint import fmpq

    zero, one = fmpq(0), fmpq(1)
    s, first = 2 * width, 2 * width + 1  # unknowns: x = u - v in 0 .. 2 width - 1, s, then one slack per row
    table = [[-a for a in row] + list(row) + [one] for row, _ in rows]
    goal = [zero] * (2 * width) + [-one]
    values = [-b - 1 for _, b in rows]
    state = _Dictionary(table, values, goal, zero, [first + i for i in range(len(rows))], list(range(first)))
    worst = min(range(len(rows)), key=lambda i: (values[i], i), default=None)
    if worst is not None and values[worst] < 0:
        state.pivot(worst, s)
    while state.best <= -1:
        columns = [j for j in range(first) if state.goal[j] > 0]
        if not columns:
            prices = {name: -c for name, c in zip(state.nonbasic, state.goal, strict=True)}
            return Answer(multipliers=tuple(prices.get(first + i, zero) for i in range(len(rows))))
        entering = min(columns, key=lambda j: state.nonbasic[j])
        state.pivot(state.leaving(entering), entering)
    at = dict(zip(state.basic, state.values, strict=True))
    return Answer(point=tuple(at.get(j, zero) - at.get(width + j, zero) for j in range(width)))
