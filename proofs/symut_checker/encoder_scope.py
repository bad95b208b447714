"""Numbers and linear forms of an encoder, and what is written where (FORMAT.md, section 13.2)."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

from .encoder_ring import Number
from .encoder_work import need_bits
from .strict import fields, integers, listing, need

Form = tuple[tuple[int, Number], ...]


class Source(NamedTuple):
    """What writes a coordinate or a group: its kind, and what it needs."""

    kind: str
    data: Any


def number(value: Any, where: str) -> Number:
    """An integer, or {"q": [p, q]} in lowest terms with q > 1."""
    if type(value) is int:
        need_bits(value, 1)
        return value
    top, bottom = integers(fields(value, where, ["q"])["q"], where, -math.inf, math.inf, 2)
    need(bottom > 1 and math.gcd(top, bottom) == 1, f"{where}: a fraction that is not in lowest terms")
    need_bits(top, bottom)
    return Fraction(top, bottom)


def coordinate_of(value: Any) -> int:
    return integers([value], "a coordinate", -math.inf, math.inf)[0]


class Scope:
    """What is written so far; writings of one layer or level are readable after `settle`."""

    def __init__(self, tokens: int, width: int, groups: list[int], letters: bool) -> None:
        self.tokens, self.width, self.groups, self.letters = tokens, width, groups, letters
        self.coordinates: dict[int, Source] = {0: Source("one", None)}
        self.classes: dict[int, Source] = {}
        self.new_coordinates: dict[int, Source] = {}
        self.new_classes: dict[int, Source] = {}

    def write(self, c: int, source: Source) -> None:
        need(0 < c < self.width, f"coordinate {c} is written, which lies outside 1..{self.width - 1}")
        need(c not in self.coordinates and c not in self.new_coordinates, f"coordinate {c} is written twice")
        self.new_coordinates[c] = source

    def write_class(self, g: Any, kind: str, values: Any, length: int, extra: Any = None) -> None:
        """A list of classes of group g."""
        integers([g], "a group", 0, len(self.groups) - 1)
        need(g not in self.classes and g not in self.new_classes, f"group {g} is written twice")
        found = integers(values, f"classes of group {g}", 0, self.groups[g] - 1, length)
        self.new_classes[g] = Source(kind, found if extra is None else (extra, found))

    def settle(self) -> None:
        self.coordinates |= self.new_coordinates
        self.classes |= self.new_classes
        self.new_coordinates, self.new_classes = {}, {}

    def form(self, value: Any, where: str) -> Form:
        """A linear form in coordinates that are written before."""
        terms = [listing(term, where, 2) for term in listing(value, where)]
        read = integers([c for c, _ in terms], where, 0, self.width - 1)
        need(all(a < b for a, b in pairwise(read)), f"{where}: coordinates do not increase")
        for c in read:
            need(c in self.coordinates, f"{where}: coordinate {c} is read before it is written")
        numbers = [number(factor, where) for _, factor in terms]
        need(all(numbers), f"{where}: a form with a number 0")
        return tuple(zip(read, numbers, strict=True))

    def group(self, g: Any, where: str) -> int:
        """A group that is written before; its size."""
        integers([g], where, 0, len(self.groups) - 1)
        need(g in self.classes, f"{where}: group {g} is read before it is written")
        return self.groups[g]
