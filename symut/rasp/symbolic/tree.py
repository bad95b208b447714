"""The cases of an analysis as a tree with a Farkas combination for every sign that is impossible.

Main definition: `case_tree`.  Specification: proofs/FORMAT.md, section 12, rule C.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import lcm
from typing import Any

from symut.rasp.symbolic.linear import Row, solve
from symut.rasp.symbolic.path import Path, Signs, Step

KEYS = {frozenset((-1,)): "-", frozenset((0,)): "0", frozenset((1,)): "+", frozenset((-1, 1)): "!"}
MOST_STEPS = 300
Assumption = tuple[Row, Signs]


def case_tree(paths: Sequence[Path]) -> Any | None:
    """The tree of all paths of an analysis; None if a condition is not linear or a path is too long."""
    for path in paths:
        if not path.complete or len(path.steps) > MOST_STEPS:
            return None
    return _subtree(list(paths), 0, [])


def _subtree(paths: list[Path], depth: int, assumptions: list[Assumption]) -> Any:
    if len(paths[0].steps) == depth:
        return []
    step = paths[0].steps[depth]
    row = paths[0].space.row(step.form)
    if row is None:
        raise ValueError("a form that is not linear")
    cases = {}
    for signs in dict.fromkeys(path.steps[depth].chosen for path in paths):
        chosen = [path for path in paths if path.steps[depth].chosen == signs]
        cases[KEYS[signs]] = _subtree(chosen, depth + 1, [*assumptions, (row, signs)])
    return {"form": _integral(row), "cases": cases} | _excluded(step, row, assumptions)


def _excluded(step: Step, row: Row, assumptions: list[Assumption]) -> dict[str, Any]:
    """The signs that no case has, each with the combination that excludes it."""
    if step.exclusion is None:
        return {}
    (possible,) = (sign for signs in (step.chosen, *step.others) for sign in signs)
    found = {}
    for sign in {-1, 0, 1} - {possible}:
        signs = frozenset((sign,))
        combination = _combination([*assumptions, (row, signs)])
        if combination is not None:
            found[KEYS[signs]] = combination
    return {"excluded": found}


def _combination(assumptions: list[Assumption]) -> list[list[int]] | None:
    """[number of an assumption, numerator, denominator] of a Farkas combination of the integral forms."""
    width = len(assumptions[0][0][0])
    integral = [_row(_integral(row)) for row, _ in assumptions]
    pivots: list[tuple[int, Row]] = []
    for form, (_, signs) in zip(integral, assumptions, strict=True):
        if signs == {0}:
            pivots = _with_pivot(pivots, _cleared(form, pivots))
    strict = [i for i, (_, signs) in enumerate(assumptions) if len(signs) == 1 and signs != {0}]
    rows = [_cleared(_scaled(integral[i], -next(iter(assumptions[i][1]))), pivots) for i in strict]
    answer = solve(rows, width)
    if answer.point is not None:
        return None
    pairs = zip(strict, answer.multipliers, strict=True)
    return [[i, int(factor.p), int(factor.q)] for i, factor in pairs if factor != 0]


def _integral(row: Row) -> list[int]:
    """The form times the least positive number that makes its coefficients and constant integers."""
    common = lcm(*(int(value.q) for value in (*row[0], row[1])))
    return [int(value * common) for value in (*row[0], row[1])]


def _row(numbers: list[int]) -> Row:
    from flint import fmpq

    return tuple(fmpq(number) for number in numbers[:-1]), fmpq(numbers[-1])


def _scaled(row: Row, factor: Any) -> Row:
    return tuple(factor * a for a in row[0]), factor * row[1]


def _plus(row: Row, other: Row) -> Row:
    return tuple(a + b for a, b in zip(row[0], other[0], strict=True)), row[1] + other[1]


def _cleared(row: Row, pivots: list[tuple[int, Row]]) -> Row:
    for column, pivot in pivots:
        row = _plus(row, _scaled(pivot, -row[0][column]))
    return row


def _with_pivot(pivots: list[tuple[int, Row]], row: Row) -> list[tuple[int, Row]]:
    column = next((j for j, a in enumerate(row[0]) if a != 0), None)
    if column is None:
        return pivots
    new = (column, _scaled(row, 1 / row[0][column]))
    return [(c, _cleared(r, [new])) for c, r in pivots] + [new]
