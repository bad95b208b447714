"""Rational functions in token symbols and exponentials, in lowest terms, on python-flint's sparse polynomials.

Main definitions: `Ratio`, `Space`, `RestartError`.

Symbols: x0, ..., x(n-1) for the tokens of an input of length n, then e0, e1, ... for exponentials.  A constant is no
`Ratio` but an int or Fraction, so that a value is symbolic only if it depends on a symbol.

Exponentials.  For every monomial m (in all symbols) that occurs in an exponent there is one symbol e = exp(m / D),
where D is the least common denominator of the coefficients of m in all exponents.  An exponent sum_m c_m m then has
the value product of e_m ^ (c_m D_m), so exp(a + b) = exp(a) exp(b) and exp(k a) = exp(a)^k hold by construction, and
softmax and softmax with the maximum subtracted have one normal form.  The constant monomial 1 has the symbol exp(1 /
D).  Exponents that are no polynomials have monomials over their denominator; between different denominators no
relation is known.

Source: the basis is that of Ax (1971), "On Schanuel's conjectures": exponentials of independent
exponents are independent.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

from symut.rasp.arithmetic import Value, normal

Polynomial = Any
"""flint.fmpq_mpoly"""
Monomial = tuple[int, ...]


class RestartError(Exception):
    """The space is too small, or the unit of an exponent too coarse: run again in the enlarged space."""


@dataclass(frozen=True, eq=False, slots=True)
class Ratio:
    """num / den in lowest terms; the leading coefficient of den is 1."""

    num: Polynomial
    den: Polynomial

    @property
    def key(self) -> str:
        """Equal for equal functions."""
        return str(self.num) if self.den.is_one() else f"({self.num})/({self.den})"


def exact(value: Value) -> Any:
    """A rational as flint's fmpq."""
    from flint import fmpq

    fraction = Fraction(value)
    return fmpq(fraction.numerator, fraction.denominator)


def rational(number: Any) -> Value:
    """flint's fmpq as an int or Fraction."""
    return normal(Fraction(int(number.p), int(number.q)))


def terms(polynomial: Polynomial) -> Iterator[tuple[Monomial, Any]]:
    """The (exponents, coefficient) of a polynomial, in descending order."""
    for monomial, coefficient in polynomial.terms():
        yield tuple(map(int, monomial)), coefficient


class Space:
    """The ring over n token symbols and the exponentials met so far."""

    def __init__(self, n: int, capacity: int = 8, units: dict[tuple[Monomial, str], int] | None = None) -> None:
        from flint import Ordering, fmpq_mpoly_ctx

        names = [f"x{i}" for i in range(n)] + [f"e{i}" for i in range(capacity)]
        self.n, self.capacity, self.units = n, capacity, units if units is not None else {}
        self.context = fmpq_mpoly_ctx.get(names, Ordering.lex)
        self.generators = self.context.gens()
        self.one = self.context.constant(1)
        self.exponents: list[Ratio | Value] = []
        """What the symbols e0, e1, ... are exponentials of."""
        self._symbols: dict[tuple[Monomial, str], int] = {}

    def enlarged(self) -> Space:
        """An empty space with room for twice as many exponentials and the units found so far."""
        return Space(self.n, 2 * self.capacity, self.units)

    def token(self, i: int) -> Ratio:
        """x_i."""
        return Ratio(self.generators[i], self.one)

    def polynomial(self, value: Value) -> Polynomial:
        """A rational number as a constant polynomial."""
        return self.context.constant(exact(value))

    def quotient(self, num: Polynomial, den: Polynomial) -> Ratio | Value:
        """num / den for den != 0, in lowest terms, as a number if it is constant."""
        common = num.gcd(den)
        if not common.is_one():
            num, den = num // common, den // common
        lead = den.leading_coefficient()
        if lead != 1:
            num, den = num / lead, den / lead
        if num.is_constant() and den.is_one():
            return rational(num.leading_coefficient()) if not num.is_zero() else 0
        return Ratio(num, den)

    def ratio(self, value: Ratio | Value) -> Ratio:
        """A number as a ratio."""
        return value if isinstance(value, Ratio) else Ratio(self.polynomial(value), self.one)

    def add(self, left: Ratio | Value, right: Ratio | Value) -> Ratio | Value:
        """left + right."""
        a, b = self.ratio(left), self.ratio(right)
        if a.den.is_one() and b.den.is_one():
            return self.quotient(a.num + b.num, self.one)
        return self.quotient(a.num * b.den + b.num * a.den, a.den * b.den)

    def subtract(self, left: Ratio | Value, right: Ratio | Value) -> Ratio | Value:
        """left - right."""
        b = self.ratio(right)
        return self.add(left, Ratio(-b.num, b.den))

    def multiply(self, left: Ratio | Value, right: Ratio | Value) -> Ratio | Value:
        """left right."""
        a, b = self.ratio(left), self.ratio(right)
        return self.quotient(a.num * b.num, a.den * b.den)

    def power(self, base: Ratio | Value, exponent: int) -> Ratio | Value:
        """base ^ exponent; base != 0 if the exponent is negative."""
        a = self.ratio(base)
        num, den = (a.num, a.den) if exponent >= 0 else (a.den, a.num)
        return self.quotient(num ** abs(exponent), den ** abs(exponent))

    def exponential(self, exponent: Ratio | Value) -> Ratio | Value:
        """exp(exponent) in the basis described above.

        Raises RestartError if there is no room for another symbol or a unit had to be refined.
        """
        found: Ratio | Value = 1
        at = self.ratio(exponent)
        for monomial, coefficient in terms(at.num):
            found = self.multiply(found, self._exponential(monomial, coefficient, at.den))
        return found

    def _exponential(self, monomial: Monomial, coefficient: Any, den: Polynomial) -> Ratio | Value:
        key = (_trimmed(monomial), str(den))
        unit = self.units.get(key, 1)
        self.units[key] = lcm(unit, int(coefficient.q))
        if key not in self._symbols:
            self._introduce(key, monomial, den)
        elif self.units[key] != unit:
            raise RestartError
        symbol = Ratio(self.generators[self.n + self._symbols[key]], self.one)
        return self.power(symbol, int(coefficient.p) * (self.units[key] // int(coefficient.q)))

    def _introduce(self, key: tuple[Monomial, str], monomial: Monomial, den: Polynomial) -> None:
        if len(self.exponents) == self.capacity:
            raise RestartError
        self._symbols[key] = len(self.exponents)
        power = self.context.from_dict({monomial: exact(Fraction(1, self.units[key]))})
        self.exponents.append(self.quotient(power, den))

    def row(self, form: Polynomial) -> tuple[tuple[Any, ...], Any] | None:
        """A form of degree 1 in the tokens as (coefficients, constant), None for other forms."""
        from flint import fmpq

        coefficients, constant = [fmpq(0)] * self.n, fmpq(0)
        for monomial, coefficient in terms(form):
            if sum(monomial) > 1 or any(monomial[self.n :]):
                return None
            if any(monomial):
                coefficients[monomial.index(1)] = coefficient
            else:
                constant = coefficient
        return tuple(coefficients), constant

    def definite(self, form: Polynomial) -> int:
        """1 or -1 if the form has that sign for all tokens, because squares are added to positive terms; else 0."""
        signs = {1 if coefficient > 0 else -1 for coefficient in form.coeffs()}
        even = all(power % 2 == 0 for monomial in form.monoms() for power in monomial[: self.n])
        positive = any(not any(monomial[: self.n]) for monomial in form.monoms())
        return signs.pop() if len(signs) == 1 and even and positive else 0

    def exponent_difference(self, form: Polynomial) -> Ratio | Value | None:
        """p - q for a form exp(p) - exp(q) in exponentials only, else None."""
        pair = list(terms(form))
        if len(pair) != 2 or pair[0][1] != 1 or pair[1][1] != -1:
            return None
        if any(any(monomial[: self.n]) for monomial, _ in pair):
            return None
        return self.subtract(self._exponent(pair[0][0]), self._exponent(pair[1][0]))

    def _exponent(self, monomial: Monomial) -> Ratio | Value:
        total: Ratio | Value = 0
        for exponent, power in zip(self.exponents, monomial[self.n :], strict=False):
            total = self.add(total, self.multiply(power, exponent))
        return total


def _trimmed(monomial: Monomial) -> Monomial:
    """Without the trailing zeros, so that it does not depend on the room for exponentials."""
    end = len(monomial)
    while end and not monomial[end - 1]:
        end -= 1
    return tuple(monomial[:end])
