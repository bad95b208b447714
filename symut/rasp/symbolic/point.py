"""Programs with exponentials at one input: every condition is decided by enclosures in balls.

Main definitions: `PointPath`, `UndecidedError`.

At rational tokens a value is a rational function of exp(1 / D), so a polynomial that is not identically 0 is not 0
there (Lindemann: exp(1 / D) is transcendental), and enough digits decide its sign.  Where exponentials of
exponentials occur no such theorem is used: a sign that no enclosure decides stays undecided.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from symut.rasp.arithmetic import Value, normal
from symut.rasp.symbolic.path import Path, Signs
from symut.rasp.symbolic.ratio import Polynomial, Ratio, Space, terms

MOST_BITS = 4096


class UndecidedError(Exception):
    """No enclosure within MOST_BITS bits tells the sign of a value."""


class PointPath(Path):
    """The path of one input of rational numbers."""

    def __init__(self, numbers: Sequence[Fraction], space: Space | None = None) -> None:
        super().__init__(space or Space(0))
        self.numbers = [normal(number) for number in numbers]

    def tokens(self) -> list[Ratio | Value]:
        """The numbers."""
        return list(self.numbers)

    def _factor(self, form: Polynomial, choices: Sequence[Signs]) -> Signs:
        bits = 64
        while bits <= MOST_BITS:
            ball = self.ball(Ratio(form, self.space.one), bits)
            sign = (ball > 0) - (ball < 0)
            if sign:
                return next(choice for choice in choices if sign in choice)
            bits *= 2
        raise UndecidedError

    def ball(self, value: Ratio | Value, bits: int = 128) -> Any:
        """An enclosure (flint.arb) of a value, at the given working precision."""
        from flint import arb, ctx, fmpq

        with ctx.workprec(bits):
            if not isinstance(value, Ratio):
                return arb(fmpq(Fraction(value).numerator, Fraction(value).denominator))
            symbols: list[Any] = []
            for exponent in self.space.exponents:
                symbols.append(self._ratio_ball(self.space.ratio(exponent), symbols).exp())
            return self._ratio_ball(value, symbols)

    def _ratio_ball(self, value: Ratio, symbols: Sequence[Any]) -> Any:
        return _at(value.num, symbols) / _at(value.den, symbols)


def _at(polynomial: Polynomial, symbols: Sequence[Any]) -> Any:
    from flint import arb

    total = arb(0)
    for monomial, coefficient in terms(polynomial):
        term = arb(coefficient)
        for symbol, power in zip(symbols, monomial, strict=False):
            term *= symbol**power
        total += term
    return total
