"""Which values a sequence can take at a position, for inputs of up to n tokens.

Main definitions: `Range`, `REAL`, `UNDEFINED`, `contexts`, `joint`, `union`.

A context is what a range may depend on: nothing, the length m of the input, the position q, or both.  Contexts keep
relations that a plain set loses: the mean over the first q + 1 positions is a multiple of 1 / (q + 1), and its product
with `indices + 1` is whole.  Ranges are supersets of what occurs; what is proved from them holds for every input.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from symut.rasp.arithmetic import Value

Context = tuple[int, ...]
NOTHING, LENGTH, POSITION, BOTH = "", "m", "q", "mq"
UNDEFINED = object()
"""The value of a tokenwise sequence at a letter that it refuses."""


@dataclass(frozen=True, eq=False)
class Range:
    """`sets[context]` are the values in a context; `by` tells what the contexts are."""

    by: str
    sets: dict[Context, tuple[Value, ...]]

    @cached_property
    def values(self) -> tuple[Value, ...]:
        """All values, numbers in their order, then strings, then the rest."""
        return union(self)

    @cached_property
    def size(self) -> int:
        """The number of (context, value) pairs."""
        return sum(map(len, self.sets.values()))

    @cached_property
    def numeric(self) -> bool:
        """Whether all values are numbers or booleans."""
        return all(isinstance(value, (int, Fraction)) for value in self.values)

    @cached_property
    def single(self) -> bool:
        """Whether every context has one value."""
        return all(len(values) == 1 for values in self.sets.values())

    def within(self, by: str, context: Context) -> tuple[Value, ...]:
        """The values in a context of a kind `by` that tells at least as much."""
        if self.by == by:
            return self.sets[context]
        return self.sets[_narrowed(self.by, by, context)]


@dataclass(frozen=True)
class Real:
    """Numbers of which no finite set is known; rationals whose denominators are at most `below` if that is given."""

    below: int | None = None


REAL = Real()
MAX_BELOW = 2**20


def rational(below: int | None) -> Real:
    """Rationals with denominators of at most `below`, if that is not too large to tell them apart in floats."""
    return REAL if below is None or below > MAX_BELOW else Real(below)


def below(found: Range | Real) -> int | None:
    """A bound of the denominators of some numbers; of all of them together, if they are finitely many."""
    if isinstance(found, Real):
        return found.below
    return math.lcm(*{Fraction(value).denominator for value in found.values})


def _narrowed(own: str, by: str, context: Context) -> Context:
    return tuple(context[by.index(letter)] for letter in own)


def contexts(by: str, n: int) -> Iterator[Context]:
    """All contexts of a kind for inputs of 1 to n tokens."""
    if by == BOTH:
        return ((m, q) for m in range(1, n + 1) for q in range(m))
    counted = range(1, n + 1) if by == LENGTH else range(n)
    return ((i,) for i in counted) if by else iter([()])


def _is_number(value: Value) -> bool:
    return isinstance(value, (int, Fraction)) and not isinstance(value, bool)


def in_order(number: int | Fraction) -> tuple[float, int | Fraction]:
    """A key that sorts numbers, by their floats first because these compare faster."""
    try:
        return float(number), number
    except OverflowError:
        return (math.inf if number > 0 else -math.inf), number


def place(value: Value) -> tuple[int, Any]:
    """A key that sorts values of all kinds: booleans and numbers, then strings, then the rest by their text."""
    if isinstance(value, (int, Fraction)):
        return 0, in_order(value)
    return (1, value) if isinstance(value, str) else (2, repr(value))


def union(found: Range) -> tuple[Value, ...]:
    """The values of all contexts, sorted."""
    every = dict.fromkeys(value for values in found.sets.values() for value in values)
    return tuple(sorted(every, key=place))


def joint(ranges: Sequence[Range], n: int) -> tuple[str, Iterator[tuple[Context, list[tuple[Value, ...]]]]]:
    """What the contexts of several ranges together are, and per context the values of each range."""
    letters = {letter for found in ranges for letter in found.by}
    by = "".join(letter for letter in BOTH if letter in letters)
    return by, ((context, [found.within(by, context) for found in ranges]) for context in contexts(by, n))


def normalized(by: str, sets: Mapping[Context, Iterable[Value]], limit: int) -> Range:
    """A range in the coarsest contexts that lose nothing, or in none if it has more than `limit` pairs.

    A range that holds numbers besides booleans holds the booleans as numbers too.
    """
    held = {context: tuple(values) for context, values in sets.items()}
    every = [value for values in held.values() for value in values]
    if any(isinstance(value, bool) for value in every) and any(map(_is_number, every)):
        held = {context: tuple(map(_plain, values)) for context, values in held.items()}
    found = Range(by, {context: tuple(dict.fromkeys(values)) for context, values in held.items()})
    if by and len(set(found.sets.values())) == 1:
        found = Range(NOTHING, {(): next(iter(found.sets.values()))})
    elif found.size > limit:
        found = Range(NOTHING, {(): union(found)})
    return found


def _plain(value: Value) -> Value:
    return int(value) if isinstance(value, bool) else value


def in_numbers(found: Range) -> Range:
    """The same range with booleans as the numbers 0 and 1."""
    return Range(found.by, {c: tuple(dict.fromkeys(map(_plain, values))) for c, values in found.sets.items()})


def constant(value: Value) -> Range:
    """The same value everywhere."""
    return Range(NOTHING, {(): (value,)})


def by_position(values: Sequence[Value]) -> Range:
    """One value per position."""
    return normalized(POSITION, {(q,): (value,) for q, value in enumerate(values)}, len(values))
