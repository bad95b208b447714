"""Arithmetic, comparisons and choices on single values: one row per operation, exact by default.

Main definitions: `EXACT`, `FLOATS`, `kind`, `normal`, `refuse`.
Values are integers, rationals (Fraction), strings and booleans; a rational that is whole is an int. Booleans count
as 0 and 1 in arithmetic. Numbers and strings are compared by == with each other (unequal) but not by <.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from symut.errors import shown
from symut.rasp.errors import LimitError, RaspError
from symut.rasp.roots import exact_root, float_root

Value = Any
"""int, Fraction, str or bool; float in float mode."""

MAX_BITS = 16_384
MAX_STRING = 100_000
_NUMBER = (int, Fraction, float)


def kind(value: Value) -> str:
    """ "boolean", "number", "string" or the name of a type that is no value of the language."""
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, _NUMBER):
        return "number"
    return "string" if isinstance(value, str) else type(value).__name__


def normal(value: Value) -> Value:
    """A whole rational as an int, everything else as it is.

    Raises RaspError for what is not finite, and for numbers and strings beyond MAX_BITS and MAX_STRING.
    """
    if isinstance(value, Fraction) and value.denominator == 1:
        value = value.numerator
    if isinstance(value, float) and not math.isfinite(value):
        raise RaspError("a number is not finite", got=str(value), remedy="run without floats, or with smaller numbers")
    _require_small(value)
    return value


def _require_small(value: Value) -> None:
    if isinstance(value, str) and len(value) > MAX_STRING:
        raise LimitError("a string is too long", expected=f"at most {MAX_STRING} characters", got=str(len(value)))
    parts = (value.numerator, value.denominator) if isinstance(value, (int, Fraction)) else ()
    if any(part.bit_length() > MAX_BITS for part in parts):
        raise LimitError("a number is too long", expected=f"at most {MAX_BITS} bits")


def refuse(what: str, values: tuple[Value, ...], expected: str) -> RaspError:
    """The refusal of operands, with their kinds and values."""
    return RaspError(what, expected=expected, got=" and ".join(f"{kind(v)} {shown(v)!r}" for v in values))


def _numeric(what: str, function: Callable) -> Callable:
    def checked(*values: Value) -> Value:
        if not all(isinstance(value, _NUMBER) for value in values):
            raise refuse(f"cannot {what}", values, "numbers")
        return function(*values)

    return checked


def _add(left: Value, right: Value) -> Value:
    if isinstance(left, str) and isinstance(right, str):
        return left + right
    return _numeric("add", operator.add)(left, right)


def _times(left: Value, right: Value) -> Value:
    if isinstance(left, int) and isinstance(right, str):
        left, right = right, left
    if isinstance(left, str) and isinstance(right, int):
        _require_room(len(left) * right)
        return left * max(right, 0) if left else left
    return _numeric("multiply", operator.mul)(left, right)


def _require_room(length: int) -> None:
    if length > MAX_STRING:
        raise LimitError("a string is too long", expected=f"at most {MAX_STRING} characters", got=shown(length))


def _quotient(left: Value, right: Value) -> Value:
    if right == 0:
        raise division_by_zero()
    return Fraction(left) / Fraction(right)


def _float_quotient(left: Value, right: Value) -> Value:
    if right == 0:
        raise division_by_zero()
    return left / right


def division_by_zero() -> RaspError:
    """The refusal of a quotient, remainder or power."""
    return RaspError("division by zero", remedy="choose the divisor with a conditional, so that it is never 0")


def _remainder(left: Value, right: Value) -> Value:
    if right == 0:
        raise division_by_zero()
    return left % right


def _power(base: Value, exponent: Value) -> Value:
    exponent = normal(exponent)
    if base == 0 and exponent < 0:
        raise division_by_zero()
    if isinstance(base, float) or isinstance(exponent, float):
        return _float_power(base, exponent)
    if not isinstance(exponent, int):
        raise refuse("a power has no exact value", (exponent,), "a whole exponent")
    bits = max(Fraction(base).numerator.bit_length(), Fraction(base).denominator.bit_length())
    if bits > 1 and bits * abs(exponent) > 2 * MAX_BITS:
        raise LimitError("a number is too long", expected=f"at most {MAX_BITS} bits")
    return Fraction(base) ** exponent


def _float_power(base: Value, exponent: Value) -> float:
    found = float(base) ** float(exponent)
    if isinstance(found, complex):
        raise refuse("a power is not real", (base, exponent), "a whole exponent of a negative number")
    return found


def _exponential(value: Value) -> Value:
    """exp of 0 is 1; no other rational has a rational exponential."""
    if value != 0:
        raise LimitError(
            "an exponential has no exact value",
            expected="exp of 0",
            got=shown(value),
            remedy="run it with --floats, or compare programs with symut rasp check",
        )
    return 1


def _ordered(symbol: str, function: Callable) -> Callable:
    def checked(left: Value, right: Value) -> bool:
        same = isinstance(left, str) == isinstance(right, str)
        if not same or not all(isinstance(value, (str, *_NUMBER)) for value in (left, right)):
            raise refuse(f"cannot compare by {symbol}", (left, right), "two numbers or two strings")
        return function(left, right)

    return checked


def too_large(remedy: str = "run without floats") -> RaspError:
    """The refusal of a number that no float holds."""
    return LimitError("a number is too large for a float", remedy=remedy)


EXACT: dict[str, Callable[..., Value]] = {
    "add": _add,
    "sub": _numeric("subtract", operator.sub),
    "mul": _times,
    "div": _numeric("divide", _quotient),
    "mod": _numeric("take a remainder", _remainder),
    "pow": _numeric("take a power", _power),
    "neg": _numeric("negate", operator.neg),
    "pos": _numeric("take the value with +", operator.pos),
    "round": _numeric("round", round),
    "exp": _numeric("take the exponential", _exponential),
    "root": _numeric("take a root", exact_root),
    "indicator": lambda value: 1 if value else 0,
    "eq": operator.eq,
    "ne": operator.ne,
    "lt": _ordered("<", operator.lt),
    "le": _ordered("<=", operator.le),
    "gt": _ordered(">", operator.gt),
    "ge": _ordered(">=", operator.ge),
    "not": lambda value: not value,
    "and": lambda left, right: bool(left) and bool(right),
    "or": lambda left, right: bool(left) or bool(right),
    "if": lambda condition, then, otherwise: then if condition else otherwise,
}
"""Named operations on exact values; "round" takes halves to the even neighbour."""

FLOATS = {
    **EXACT,
    "div": _numeric("divide", _float_quotient),
    "exp": _numeric("take the exponential", math.exp),
    "root": _numeric("take a root", float_root),
}
"""The same with division, exponentials and roots in floats; constants are converted before."""
