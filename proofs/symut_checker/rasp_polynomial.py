"""Polynomials in the tokens x_0, ..., x_(n-1) over the rationals, and quotients of them (FORMAT.md, section 12)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

from .strict import need

Polynomial = dict[tuple[int, ...], Fraction]  # exponents -> coefficient != 0
MAX_WORK = 4 * 10**6  # products and sums of terms, a limit of this program
MAX_BITS = 2**20  # of a numerator or a denominator, and characters of a string


class Work:
    """What has been multiplied and added since the last rule began."""

    spent = 0

    @classmethod
    def begin(cls) -> None:
        cls.spent = 0

    @classmethod
    def spend(cls, terms: int) -> None:
        cls.spent += terms
        need(cls.spent <= MAX_WORK, "cases: polynomials with too many terms, too large to check")


class Ratio(NamedTuple):
    """num / den where den is not 0 under the assumptions."""

    num: Polynomial
    den: Polynomial


class Text(NamedTuple):
    """The string that belongs to a number; different numbers have different strings."""

    number: Any


def constant(n: int, value: Any) -> Polynomial:
    return {(0,) * n: Fraction(value)} if value else {}


def token(n: int, i: int) -> Polynomial:
    return {tuple(int(j == i) for j in range(n)): Fraction(1)}


def bits(a: Polynomial) -> int:
    """Of its longest coefficient, numerator or denominator."""
    longest = max((max(c.numerator.bit_length(), c.denominator.bit_length()) for c in a.values()), default=0)
    need(longest <= MAX_BITS, "a number that is too long")
    return longest


def plus(a: Polynomial, b: Polynomial) -> Polynomial:
    Work.spend((len(a) + len(b)) * (1 + (bits(a) + bits(b)) // 64))
    total = dict(a)
    for monomial, coefficient in b.items():
        total[monomial] = total.get(monomial, Fraction(0)) + coefficient
    return {monomial: coefficient for monomial, coefficient in total.items() if coefficient}


def times(a: Polynomial, b: Polynomial) -> Polynomial:
    total: Polynomial = {}
    Work.spend(len(a) * len(b) * (1 + len(next(iter(a), ())) // 8) * (1 + (bits(a) + bits(b)) // 64))
    for m1, c1 in a.items():
        for m2, c2 in b.items():
            monomial = tuple(x + y for x, y in zip(m1, m2, strict=True))
            total[monomial] = total.get(monomial, Fraction(0)) + c1 * c2
    return {monomial: coefficient for monomial, coefficient in total.items() if coefficient}


def scaled(a: Polynomial, factor: Any) -> Polynomial:
    return {monomial: coefficient * factor for monomial, coefficient in a.items()} if factor else {}


def substituted(a: Polynomial, images: dict[int, Polynomial]) -> Polynomial:
    """The polynomial with some tokens replaced."""
    total: Polynomial = {}
    for monomial, coefficient in a.items():
        rest = tuple(0 if i in images else power for i, power in enumerate(monomial))
        term: Polynomial = {rest: coefficient}
        for i, image in images.items():
            for _ in range(monomial[i]):
                term = times(term, image)
        for found, value in term.items():
            total[found] = total.get(found, Fraction(0)) + value
    return {monomial: coefficient for monomial, coefficient in total.items() if coefficient}


def degree(a: Polynomial) -> int:
    return max(map(sum, a), default=0)


def leading(a: Polynomial) -> Fraction:
    return a[max(a)]
