"""Signs of polynomials under assumptions on linear forms (FORMAT.md, section 12, rule S)."""

from __future__ import annotations

from fractions import Fraction

from .rasp_polynomial import Polynomial, degree, leading, plus, scaled, substituted
from .strict import Invalid, need

Signs = frozenset[int]
Assumption = tuple[Polynomial, Signs]  # a form of degree 1 and the signs that it may have


class Assumed:
    """What a list of assumptions determines, by substituting equations and by looking up multiples of forms."""

    def __init__(self, assumptions: list[Assumption]) -> None:
        self.images: dict[int, Polynomial] = {}
        for form, signs in assumptions:
            if signs == {0}:
                self.solve(substituted(form, self.images))
        self.facts: dict[tuple, Signs] = {}
        for form, signs in assumptions:
            self.note(substituted(form, self.images), signs)

    def solve(self, form: Polynomial) -> None:
        """Replace the last token of an equation by the rest of it."""
        if not form:
            return
        need(degree(form) == 1, "an equation contradicts others")
        monomial = min(monomial for monomial in form if any(monomial))
        column, factor = monomial.index(1), form[monomial]
        image = scaled({m: c for m, c in form.items() if m != monomial}, -1 / factor)
        self.images = {i: substituted(p, {column: image}) for i, p in self.images.items()}
        self.images[column] = image

    def note(self, form: Polynomial, signs: Signs) -> None:
        if degree(form) == 1:
            key, factor = normal(form)
            known = self.facts.get(key, frozenset((-1, 0, 1)))
            self.facts[key] = known & turned(signs, factor)

    def signs(self, form: Polynomial) -> Signs:
        """The signs that a polynomial may have; all of them if nothing is known."""
        reduced = substituted(form, self.images)
        if degree(reduced) == 0:
            value = leading(reduced) if reduced else 0
            return frozenset(((value > 0) - (value < 0),))
        key, factor = normal(reduced)
        return turned(self.facts.get(key, frozenset((-1, 0, 1))), factor)

    def is_zero(self, form: Polynomial) -> bool:
        signs = self.signs(form)
        if signs != {0} and 0 in signs:
            raise Invalid("the assumptions of a case do not determine whether a value is 0")
        return signs == {0}

    def sign(self, form: Polynomial) -> int:
        signs = self.signs(form)
        if len(signs) != 1:
            raise Invalid("the assumptions of a case do not determine a sign")
        (sign,) = signs
        return sign


def normal(form: Polynomial) -> tuple[tuple, Fraction]:
    """The multiple with leading coefficient 1, as a key, and the factor."""
    factor = leading(form)
    return tuple(sorted(scaled(form, 1 / factor).items())), factor


def turned(signs: Signs, factor: Fraction) -> Signs:
    return signs if factor > 0 else frozenset(-sign for sign in signs)


def contradicts(assumptions: list[Assumption], multipliers: list[tuple[int, Fraction]]) -> bool:
    """Farkas: a combination of forms that must be negative, with positive factors, that is a constant >= 0."""
    total: Polynomial = {}
    for number, factor in multipliers:
        form, signs = assumptions[number]
        need(factor > 0 and signs in ({-1}, {1}), "a multiplier that is not positive, or of no strict inequality")
        total = plus(total, scaled(form, factor if signs == {-1} else -factor))
    images = Assumed([(form, signs) for form, signs in assumptions if signs == {0}]).images
    total = substituted(total, images)
    return bool(multipliers) and degree(total) == 0 and (not total or leading(total) > 0)
