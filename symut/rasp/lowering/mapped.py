"""Ranges of elementwise operations: which combinations of values their arguments take, and what comes of them.

Main definitions: `Combinations`, `combinations`, `spread`.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from symut.rasp.arithmetic import Value
from symut.rasp.errors import RaspError
from symut.rasp.lowering.averages import ratio
from symut.rasp.lowering.ranges import (
    NOTHING,
    REAL,
    Context,
    Range,
    Real,
    below,
    contexts,
    in_order,
    joint,
    normalized,
    rational,
)
from symut.rasp.operations import Operation, apply

ORDERS = ("lt", "le", "gt", "ge")
COMPARISONS = (*ORDERS, "eq", "ne")
MAX_STEPS = 2**20
"""The largest number, counted in gaps between values, that a comparison by ReLUs takes."""


@dataclass(frozen=True, eq=False)
class Combinations:
    """`table` maps the values of the arguments to the result; `refused` is the error of those that have none."""

    table: dict[tuple[Value, ...], Value]
    refused: RaspError | None


def combinations(
    operation: Operation, ranges: Sequence[Range], n: int, limit: int
) -> tuple[Range, Combinations] | None:
    """The result's range and its table, None if more than `limit` combinations occur.

    The range is empty if no combination has a result.
    """
    by, rows = joint(ranges, n)
    table: dict[tuple[Value, ...], Value] = {}
    errors: dict[tuple[Value, ...], RaspError] = {}
    sets: dict[Context, list[Value]] = {}
    work = 0
    for context, values in rows:
        work += math.prod(map(len, values))
        if work > 8 * limit:
            return None
        found: dict[Value, None] = {}
        for row in itertools.product(*values):
            if row not in table and row not in errors:
                _try(operation, row, table, errors)
                if len(table) + len(errors) > limit:
                    return None
            if row in table:
                found[table[row]] = None
        sets[context] = list(found)
    refused = next(iter(errors.values()), None)
    return normalized(by, sets, 2 * limit), Combinations(table, refused)


def _try(operation: Operation, row: tuple[Value, ...], table: dict, errors: dict) -> None:
    try:
        table[row] = apply(operation, row)
    except RaspError as error:
        errors[row] = error
    except Exception as error:  # a user's Python function may raise anything
        errors[row] = RaspError(f"{operation} fails on {row}", got=f"{type(error).__name__}: {error}")


def spread(operation: Operation, ranges: Sequence[Range], n: int, limit: int) -> Range | Real | None:
    """A superset of the results of an operation with too many combinations, None if it has no other form.

    Sums, differences, products: all multiples of the common step between the bounds.  Comparisons: both booleans.
    A choice: what its branches give.
    """
    name = operation.name
    if name == "if":
        return _chosen(ranges[1:], n, limit)
    if not all(found.numeric for found in ranges):
        return None
    if name in COMPARISONS:
        return None if gap(ranges) is None else Range(NOTHING, {(): (False, True)})
    if name in ("neg", "pos"):
        return REAL
    if name in ("add", "sub", "mul"):
        return _results(name, ranges, n, limit)
    return REAL if name == "div" else None


def gap(ranges: Sequence[Range]) -> Fraction | None:
    """The least distance of two different values of some numbers, None if the numbers are many gaps large."""
    numbers = sorted({Fraction(value) for found in ranges for value in found.values}, key=in_order)
    least = min((b - a for a, b in itertools.pairwise(numbers)), default=Fraction(1))
    return least if max(map(abs, (numbers[0], numbers[-1], Fraction(1)))) / least < MAX_STEPS else None


def _chosen(branches: Sequence[Range], n: int, limit: int) -> Range | Real | None:
    if not all(branch.numeric for branch in branches):
        return None
    by, rows = joint(branches, n)
    if sum(1 for _ in contexts(by, n)) * 2 > 8 * limit:
        by, rows = NOTHING, iter([((), [found.values for found in branches])])
    found = normalized(by, {context: [v for part in values for v in part] for context, values in rows}, 2 * limit)
    return found if found.size <= 2 * limit else rational(below(found))


def _results(name: str, ranges: Sequence[Range], n: int, limit: int) -> Range | Real:
    """The grids of an operation in every context or, if they are too large, over all contexts together."""
    by, rows = joint(ranges, n)
    sets: dict[Context, Sequence[Value]] = {}
    total = 0
    for context, values in rows:
        grid = _grid(name, values, limit)
        total += len(grid or ())
        if grid is None or total > 2 * limit:
            break
        sets[context] = grid
    else:
        return normalized(by, sets, 2 * limit)
    whole = _grid(name, [found.values for found in ranges], limit)
    if whole is None:
        return rational(math.prod(below(found) or 1 for found in ranges))
    return Range(NOTHING, {(): tuple(whole)})


def _grid(name: str, values: Sequence[Sequence[Value]], limit: int) -> list[Value] | None:
    """All multiples of the common step of the results between their bounds, None if there are too many."""
    if not all(values):
        return []
    (low, high), (least, most) = ((Fraction(min(side)), Fraction(max(side))) for side in values)
    if name == "sub":
        least, most = -most, -least
    corners = [a * b if name == "mul" else a + b for a in (low, high) for b in (least, most)]
    parts = [math.lcm(*(Fraction(value).denominator for value in side)) for side in values]
    denominator = parts[0] * parts[1] if name == "mul" else math.lcm(*parts)
    first, last = (int(bound * denominator) for bound in (min(corners), max(corners)))
    return None if last - first > limit else [ratio(top, denominator) for top in range(first, last + 1)]
