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
from functools import cached_property
from typing import TYPE_CHECKING

from symut.rasp.arithmetic import Value, normal
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
    rational,
)

if TYPE_CHECKING:
    import numpy as np


BESIDE_OTHERS = 8
"""How many times longer a list of means may be where the default is no number, since only a list can hold it."""


@dataclass(frozen=True, eq=False)
class Counts:
    """How many keys are selected: `sizes` per context, or (None) between `low` and `high` in every context."""

    low: int
    high: int
    mask: np.ndarray
    by: str = NOTHING
    positional: bool = False

    @cached_property
    def sizes(self) -> dict[Context, int] | None:
        """As many entries as contexts, so it is made only where a finite range needs it."""
        if not self.positional:
            return None
        return dict(zip(contexts(self.by, len(self.mask)), _sizes(self.mask, self.by).tolist(), strict=True))

    def keys(self, context: Context) -> list[int]:
        """The selected positions in a context, if they depend on nothing else."""
        row = self.mask[context[-1] if self.by != LENGTH else 0]
        return row[: context[0] if self.by != POSITION else len(row)].nonzero()[0].tolist()


def counts(mask: np.ndarray, positional: bool, low: int, single: bool) -> Counts:
    """The counts of a selection with this mask; `low` and `single` bound those that depend on contents."""
    if not positional:
        return Counts(low, 1 if single else int(mask.sum(axis=1).max()), mask)
    fewest = mask.cumsum(axis=1, dtype="int32").diagonal()  # of q, in the shortest input that has it
    return Counts(int(fewest.min()), int(mask.sum(axis=1).max()), mask, _dependence(mask), True)


def _dependence(mask: np.ndarray) -> str:
    import numpy as np

    if not np.triu(mask, 1).any():
        return POSITION
    return LENGTH if bool((mask == mask[0]).all()) else BOTH


def _sizes(mask: np.ndarray, by: str) -> np.ndarray:
    """The number of selected keys per context, in the order of `contexts`."""
    import numpy as np

    totals = mask.cumsum(axis=1)
    if by == BOTH:
        return totals.T[np.tril_indices(len(mask))]
    return totals[:, -1] if by == POSITION else totals[0]


def width_range(found: Counts) -> Range:
    """The number of selected keys."""
    if found.sizes is None:
        return Range(NOTHING, {(): tuple(range(found.low, found.high + 1))})
    return normalized(found.by, {context: (size,) for context, size in found.sizes.items()}, len(found.sizes))


def mean_range(found: Counts, values: Range | Real, default: Value, limit: int) -> Range | Real:
    """The mean over the selected keys; `default` where none is selected."""
    if isinstance(values, Real):
        return REAL
    if found.sizes is not None:
        sets = _exact_means(found, values, default, limit)
        if sets is not None:
            return normalized(found.by, sets, limit)
    every = values.values
    rest = [default] if found.low == 0 else []
    if found.high <= 1:
        return normalized(NOTHING, {(): [*(every if found.high else ()), *rest]}, len(every) + 1)
    plain = _plain([*every, *rest])
    means = _all_means(every, max(found.low, 1), found.high, limit if plain else BESIDE_OTHERS * limit)
    if means is None:
        return rational(_denominator([*every, *rest]) * found.high) if plain else REAL
    return normalized(NOTHING, {(): [*means, *rest]}, limit)


def _plain(values: Iterable[Value]) -> bool:
    return all(isinstance(value, (int, Fraction)) for value in values)


def moved_range(found: Counts, values: Range, default: Value, numbers: Sequence[Value], limit: int) -> Range | None:
    """The value of the only selected key, of whatever kind, or the mean of several `numbers`; `default` where none is
    selected. None if there are more means than `limit`.
    """
    if found.sizes is not None and values.by == POSITION and found.high <= 1:
        sets = {
            context: [value for k in found.keys(context) for value in values.sets[(k,)]] or [default]
            for context in found.sizes
        }
        return normalized(found.by, sets, 2 * len(sets) + len(values.values))
    rest = [default] if found.low == 0 else []
    means = _all_means(numbers, 2, found.high, limit) if len(numbers) > 1 and found.high > 1 else []
    if means is None or len(means) > limit:
        return None
    every = [*(values.values if found.high else ()), *means, *rest]
    return normalized(NOTHING, {(): every}, len(every))


def _exact_means(found: Counts, values: Range, default: Value, limit: int) -> dict[Context, Iterable[Value]] | None:
    """The means per context, None if there are too many."""
    assert found.sizes is not None
    if found.by == BOTH and values.by == POSITION and values.single:
        return _running_means(found, [values.sets[(k,)][0] for k in range(len(found.mask))], default)
    if found.by == BOTH or (found.by == POSITION and values.by in (LENGTH, BOTH)):
        values = Range(NOTHING, {(): values.values})
    sets: dict[Context, Iterable[Value]] = {}
    total = 0
    known: dict[tuple, list[Value]] = {}
    for context, size in found.sizes.items():
        key = ("size", size) if values.by == NOTHING else ("context", *context)
        if key not in known:
            means = _means(_parts(found, values, context, size), limit) if size else [default]
            if means is None:
                return None
            known[key] = means
        sets[context] = known[key]
        total += len(known[key])
        if total > 2 * limit:
            return None
    return sets


def _parts(found: Counts, values: Range, context: Context, size: int) -> list[tuple[Value, ...]]:
    """The values of each selected key."""
    if values.by == NOTHING:
        return [values.sets[()]] * size
    if values.by == POSITION:
        return [values.sets[(k,)] for k in found.keys(context)]
    return [values.sets[context[:1] if values.by == LENGTH else (context[0], k)] for k in found.keys(context)]


def _running_means(found: Counts, values: list[Value], default: Value) -> dict[Context, Iterable[Value]]:
    """The means of known values, by one pass over the keys of every query."""
    sets: dict[Context, Iterable[Value]] = {}
    n = len(values)
    for q in range(n):
        total, size = Fraction(0), 0
        for k in range(n):
            total, size = (total + values[k], size + 1) if found.mask[q, k] else (total, size)
            if k >= q:
                sets[(k + 1, q)] = [normal(total / size) if size else default]
    return sets


def _means(parts: Sequence[tuple[Value, ...]], limit: int) -> list[Value] | None:
    """All means of one value from each part; parts without a value are errors before they are averaged."""
    if not all(parts):
        return []
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
