"""Buchberger's algorithm with cofactors: stops at the first constant of the ideal.

Main definitions: `Derived`, `constant_of`.
Sources: B. Buchberger (1965); pairs in the order of the degree of their least common multiple, first criterion.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

MAX_PAIRS = 4000
"""How many pairs are tried: a limit that does not depend on the machine."""


@dataclass(frozen=True)
class Derived:
    """A polynomial of the ideal, and its cofactors by the number of the equation."""

    polynomial: Any
    cofactors: dict[int, Any]

    def minus(self, factor: Any, other: Derived) -> Derived:
        """self - factor * other."""
        cofactors = dict(self.cofactors)
        for i, c in other.cofactors.items():
            cofactors[i] = cofactors[i] - factor * c if i in cofactors else -factor * c
        return Derived(self.polynomial - factor * other.polynomial, cofactors)

    def times(self, factor: Any) -> Derived:
        """factor * self."""
        return Derived(self.polynomial * factor, {i: c * factor for i, c in self.cofactors.items()})


def is_number(item: Derived) -> bool:
    """Whether the polynomial is a constant other than 0."""
    return item.polynomial != 0 and item.polynomial.is_constant()


def _lead(item: Derived) -> tuple[int, ...]:
    return tuple(int(e) for e in item.polynomial.monomial(0))


def _term(ring: Any, powers: Sequence[int], coefficient: Any) -> Any:
    return ring.from_dict({tuple(powers): coefficient})


def _reduce(item: Derived, basis: Sequence[Derived], ring: Any) -> Derived:
    """Remove leading terms that are multiples of leading terms of the basis."""
    while item.polynomial != 0:
        lead = _lead(item)
        divisor = next((b for b in basis if all(x >= y for x, y in zip(lead, _lead(b), strict=True))), None)
        if divisor is None:
            return item
        powers = [x - y for x, y in zip(lead, _lead(divisor), strict=True)]
        ratio = item.polynomial.coefficient(0) / divisor.polynomial.coefficient(0)
        item = item.minus(_term(ring, powers, ratio), divisor)
    return item


def _s_polynomial(left: Derived, right: Derived, ring: Any) -> Derived:
    a, b = _lead(left), _lead(right)
    top = [max(x, y) for x, y in zip(a, b, strict=True)]
    up = _term(ring, [t - x for t, x in zip(top, a, strict=True)], 1 / left.polynomial.coefficient(0))
    down = _term(ring, [t - x for t, x in zip(top, b, strict=True)], 1 / right.polynomial.coefficient(0))
    return left.times(up).minus(down, right)


def constant_of(generators: Sequence[Derived]) -> Derived | None:
    """A nonzero constant of the ideal with its cofactors, or None if there is none or the pairs ran out."""
    basis: list[Derived] = []
    pairs: list[tuple[int, int, int]] = []
    ring = generators[0].polynomial.context() if generators else None

    def insert(item: Derived) -> None:
        lead = _lead(item)
        for i, other in enumerate(basis):
            theirs = _lead(other)
            if any(x and y for x, y in zip(lead, theirs, strict=True)):
                degree = sum(max(x, y) for x, y in zip(lead, theirs, strict=True))
                heapq.heappush(pairs, (degree, i, len(basis)))
        basis.append(item)

    for generator in sorted(generators, key=lambda item: int(item.polynomial.total_degree())):
        item = _reduce(generator, basis, ring)
        if is_number(item):
            return item
        if item.polynomial != 0:
            insert(item)
    for _ in range(MAX_PAIRS):
        if not pairs:
            return None
        _, i, j = heapq.heappop(pairs)
        item = _reduce(_s_polynomial(basis[i], basis[j], ring), basis, ring)
        if is_number(item):
            return item
        if item.polynomial != 0:
            insert(item)
    return None
