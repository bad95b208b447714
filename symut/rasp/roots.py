"""x^a for x >= 0 and a rational a between 0 and 1: exact where it is rational, and in floats.

Main definitions: `exact_root`, `float_root`, `require_exponent`.
For a = p/q and x in lowest terms x^a is rational if and only if numerator and denominator of x are powers of order q.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from symut.errors import shown
from symut.rasp.errors import LimitError, RaspError

Number = int | Fraction | float


def exact_root(value: Number, exponent: Number) -> Fraction:
    """value^exponent; raises RaspError for a negative value, and LimitError if the root is not rational."""
    _require(value, exponent)
    power, whole = Fraction(exponent), Fraction(value)
    top, bottom = (_whole_root(part, power.denominator) for part in (whole.numerator, whole.denominator))
    if top is None or bottom is None:
        raise LimitError(
            "a root has no exact value",
            expected=f"a quotient of powers of order {shown(power.denominator)}",
            got=shown(value),
            remedy="run it with --floats",
        )
    return Fraction(top, bottom) ** power.numerator


def float_root(value: Number, exponent: Number) -> float:
    """The same in floats; raises RaspError for a negative value."""
    _require(value, exponent)
    return float(value) ** float(exponent)


def _require(value: Number, exponent: Number) -> None:
    require_exponent(exponent)
    if value < 0:
        raise RaspError("a root of a negative number", expected="a number from 0 on", got=shown(value))


def require_exponent(exponent: Any) -> None:
    """Raise RaspError unless the exponent of a root is a number between 0 and 1."""
    if not (isinstance(exponent, (Fraction, float)) and 0 < exponent < 1):
        raise RaspError(
            "the exponent of root is out of range",
            expected="a constant between 0 and 1, such as 1 / 2",
            got=shown(exponent),
            remedy="x ^ n is a power with a whole exponent",
        )


def _whole_root(number: int, order: int) -> int | None:
    """The whole r >= 0 with r^order = number, None if there is none."""
    if number < 2:
        return number
    if order >= number.bit_length():
        return None
    low, high = 1, 1 << (number.bit_length() // order + 1)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if middle**order <= number else (low, middle - 1)
    return low if low**order == number else None
