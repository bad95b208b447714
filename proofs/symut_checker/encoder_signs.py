"""Which signs an element can have, by its form and by what a case assumes (FORMAT.md, section 13.4)."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from .encoder_ring import ONE, Element, Number, Ring
from .rasp_polynomial import Polynomial
from .rasp_signs import Assumed, Signs

ANY: Signs = frozenset((-1, 0, 1))
NOT_ZERO: Signs = frozenset((-1, 1))
Facts = Callable[[Element], Signs]


def sign(value: Number) -> int:
    return (value > 0) - (value < 0)


def by_terms(P: Element) -> Signs:
    """0, or a sum of terms c exp(P) where all c have one sign."""
    if not P:
        return frozenset((0,))
    signs = frozenset(sign(c) for c in P.values())
    return signs if len(signs) == 1 and all(len(monomial) == 1 for monomial in P) else ANY


def nothing(_: Element) -> Signs:
    """No assumption."""
    return ANY


def assumed_forms(ring: Ring, assumed: Assumed) -> Facts:
    """Multiples of assumed forms, for values in which the equations are already solved."""

    def signs(P: Element) -> Signs:
        form = linear(ring, P)
        return ANY if form is None else assumed.signs(form)

    return signs


def linear(ring: Ring, P: Element) -> Polynomial | None:
    """A linear form in the variables and a constant, None if P is something else."""
    n, form = ring.variables, {}
    for monomial, c in P.items():
        plain = monomial[0] == 0 and (len(monomial) == 1 or (len(monomial) == 2 and monomial[1] < n))
        if not plain:
            return None
        ring.work.spend(1 + n)
        form[tuple(int(i in monomial[1:]) for i in range(n))] = Fraction(c)
    return form


def assumed_zero(ring: Ring, g: Element) -> Facts:
    """Where g = 0, for a polynomial g without constant term: c g + d g^2 + e has the sign of e."""
    square = ring.times(g, g)

    def signs(P: Element) -> Signs:
        rest = ring.combination([(1, P), (-ratio(P, g), g), (-ratio(P, square), square)])
        return frozenset((sign(rest.get(ONE, 0)),)) if rest.keys() <= {ONE} else ANY

    return signs


def assumed_not_zero(ring: Ring, g: Element) -> Facts:
    """Where g is not 0: c g is not 0, and c g^2 has the sign of c."""
    square = ring.times(g, g)

    def signs(P: Element) -> Signs:
        if not ring.combination([(1, P), (-ratio(P, square), square)]):
            return frozenset((sign(ratio(P, square)),))
        return ANY if ring.combination([(1, P), (-ratio(P, g), g)]) else NOT_ZERO

    return signs


def ratio(P: Element, base: Element) -> Number:
    """The number c for which P and c base agree at one monomial of base."""
    last = max(base)
    return Fraction(P.get(last, 0)) / base[last]
