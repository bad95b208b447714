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
from symut.rasp.lowering.ranges import NOTHING, REAL, Context, Range, Real, contexts, joint, normalized
from symut.rasp.operations import Operation, apply

ORDERS = ("lt", "le", "gt", "ge")


@dataclass(frozen=True, eq=False)
class Combinations:
    """`table` maps the values of the arguments to the result; `refused` is the error of those that have none."""

    table: dict[tuple[Value, ...], Value]
    refused: RaspError | None


def combinations(operation: Operation, ranges: Sequence[Range], n: int, limit: int) -> tuple[Range, Combinations] | None:
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
    if not all(_numeric(found) for found in ranges):
        return None
    if name in ORDERS:
        return Range(NOTHING, {(): (False, True)})
    if name in ("neg", "pos"):
        return REAL
    return _products(name, ranges, limit) if name in ("add", "sub", "mul") else REAL if name == "div" else None


def _numeric(found: Range) -> bool:
    return all(isinstance(value, (int, Fraction)) for value in found.values)


def _chosen(branches: Sequence[Range], n: int, limit: int) -> Range | Real | None:
    if not all(map(_numeric, branches)):
        return None
    by, rows = joint(branches, n)
    if sum(1 for _ in contexts(by, n)) * 2 > 8 * limit:
        by, rows = NOTHING, iter([((), [found.values for found in branches])])
    found = normalized(by, {context: [v for part in values for v in part] for context, values in rows}, 2 * limit)
    return found if found.size <= 2 * limit else REAL


def _products(name: str, ranges: Sequence[Range], limit: int) -> Range | Real:
    left, right = (sorted(map(Fraction, found.values)) for found in ranges)
    if name == "sub":
        left, right = left, [-value for value in reversed(right)]
    corners = [a * b if name == "mul" else a + b for a in (left[0], left[-1]) for b in (right[0], right[-1])]
    below = [math.lcm(*(value.denominator for value in side)) for side in (left, right)]
    denominator = below[0] * below[1] if name == "mul" else math.lcm(*below)
    low, high = (int(bound * denominator) for bound in (min(corners), max(corners)))
    if high - low > limit:
        return REAL
    return Range(NOTHING, {(): tuple(ratio(top, denominator) for top in range(low, high + 1))})
