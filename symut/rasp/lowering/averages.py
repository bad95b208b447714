"""The ranges of means and widths over what a selector selects.

Main definitions: `Counts`, `counts`, `width_range`, `mean_range`.

If position q selects keys up to q only, its mean depends on q and not on the length; if all positions select the same
keys, on the length and not on q.  The sums of c values between lo and hi in steps of s are among c lo, c lo + s, ...,
c hi; a range may hold more than occurs, never less.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from symut.rasp.arithmetic import Value
from symut.rasp.lowering.ranges import (
    BOTH,
    LENGTH,
    NOTHING,
    POSITION,
    REAL,
    Context,
    Range,
    Real,
    contexts,
    normalized,
)

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True)
class Counts:
    """How many keys are selected: exactly, per context (`exact`), or between `low` and `high` in every context."""

    low: int
    high: int
    by: str = NOTHING
    exact: dict[Context, list[int]] | None = None
    """The selected keys per context."""


def counts(mask: np.ndarray, positional: bool, low: int, single: bool) -> Counts:
    """The counts of a selection with this mask; `low` and `single` bound those that depend on contents."""
    n = len(mask)
    if not positional:
        return Counts(low, 1 if single else int(mask.sum(axis=1).max()))
    by = _dependence(mask)
    exact = {context: _selected(mask, by, context, n) for context in contexts(by, n)}
    sizes = [len(keys) for keys in exact.values()]
    return Counts(min(sizes), max(sizes), by, exact)


def _dependence(mask: np.ndarray) -> str:
    import numpy as np

    if not np.triu(mask, 1).any():
        return POSITION
    return LENGTH if bool((mask == mask[0]).all()) else BOTH


def _selected(mask: np.ndarray, by: str, context: Context, n: int) -> list[int]:
    row = mask[context[-1] if by != LENGTH else 0]
    return row[: context[0] if by != POSITION else n].nonzero()[0].tolist()


def width_range(found: Counts) -> Range:
    """The number of selected keys."""
    if found.exact is None:
        return Range(NOTHING, {(): tuple(range(found.low, found.high + 1))})
    return normalized(found.by, {context: (len(keys),) for context, keys in found.exact.items()}, len(found.exact))


def mean_range(found: Counts, values: Range | Real, default: Value, limit: int) -> Range | Real:
    """The mean over the selected keys; `default` where none is selected."""
    if isinstance(values, Real):
        return REAL
    if found.exact is not None:
        sets = _exact_means(found, values, default, limit)
        if sets is not None:
            return normalized(found.by, sets, limit)
    every = values.values
    rest = [default] if found.low == 0 else []
    if found.high <= 1:
        return Range(NOTHING, {(): tuple(dict.fromkeys([*every, *rest]))}) if found.high else _only(default)
    means = _all_means(every, max(found.low, 1), found.high, limit)
    return REAL if means is None else normalized(NOTHING, {(): [*means, *rest]}, limit)


def _only(value: Value) -> Range:
    return Range(NOTHING, {(): (value,)})


def moved_range(found: Counts, values: Range, default: Value) -> Range:
    """The value of the only selected key, of whatever kind; `default` where none is selected."""
    if found.exact is not None and values.by in (NOTHING, POSITION):
        sets = {
            context: list(dict.fromkeys(v for k in keys for v in values.within(POSITION, (k,)))) or [default]
            for context, keys in found.exact.items()
        }
        return normalized(found.by, sets, 4 * len(sets) + 4096)
    rest = [default] if found.low == 0 else []
    return normalized(NOTHING, {(): [*values.values, *rest]}, len(values.values) + 1)


def _exact_means(found: Counts, values: Range, default: Value, limit: int) -> dict[Context, Iterable[Value]] | None:
    """The means per context, None if there are too many."""
    assert found.exact is not None
    if found.by == BOTH and not (values.by == POSITION and values.single):
        values = Range(NOTHING, {(): values.values})
    if found.by == POSITION and values.by in (LENGTH, BOTH):
        values = Range(NOTHING, {(): values.values})
    sets: dict[Context, Iterable[Value]] = {}
    total = 0
    summed: dict[tuple, list[Value]] = {}
    for context, keys in found.exact.items():
        if values.by == NOTHING:
            key: tuple = (len(keys),)
            parts: list[tuple[Value, ...]] = [values.sets[()]] * len(keys)
        else:
            parts = [_at_key(values, found.by, context, k) for k in keys]
            key = context
        if key not in summed:
            means = _means(parts, limit) if parts else [default]
            if means is None:
                return None
            summed[key] = means
        sets[context] = summed[key]
        total += len(summed[key])
        if total > 2 * limit:
            return None
    return sets


def _at_key(values: Range, by: str, context: Context, key: int) -> tuple[Value, ...]:
    if values.by == POSITION:
        return values.sets[(key,)]
    return values.sets[context[:1] if values.by == LENGTH else (context[0], key)]


def _means(parts: Sequence[tuple[Value, ...]], limit: int) -> list[Value] | None:
    """All means of one value from each part."""
    if len(parts) == 1:
        return list(parts[0])
    denominator = _denominator(value for part in parts for value in part)
    scaled = [[int(value * denominator) for value in part] for part in parts]
    low, high = sum(map(min, scaled)), sum(map(max, scaled))
    step = math.gcd(*(value - min(part) for part in scaled for value in part))
    return _grid(low, high, step, denominator * len(parts), limit)


def _denominator(values: Iterable[Value]) -> int:
    return math.lcm(*{Fraction(value).denominator for value in values})


def _grid(low: int, high: int, step: int, below: int, limit: int) -> list[Value] | None:
    if step and (high - low) // step > 2 * limit:
        return None
    return [ratio(top, below) for top in (range(low, high + 1, step) if step else [low])]


def ratio(top: int, below: int) -> Value:
    """top / below, as an integer if it is whole."""
    return top // below if top % below == 0 else Fraction(top, below)


def _all_means(every: Sequence[Value], low: int, high: int, limit: int) -> list[Value] | None:
    """All means of between `low` and `high` values."""
    denominator = _denominator(every)
    scaled = [int(value * denominator) for value in every]
    step = math.gcd(*(value - min(scaled) for value in scaled))
    if not step:
        return [every[0]]
    span = (max(scaled) - min(scaled)) // step
    if span * high * (high + 1) // 2 > 4 * limit:
        return None
    found = set()
    for count in range(low, high + 1):
        for top in range(min(scaled) * count, max(scaled) * count + 1, step):
            shared = math.gcd(top, count)
            found.add((top // shared, count // shared))
    return [ratio(top, below * denominator) for top, below in sorted(found)]
