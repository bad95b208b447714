"""Elementwise operations of RASP on known and symbolic values (FORMAT.md, section 12, "Operations")."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from .rasp_polynomial import MAX_BITS, Polynomial, Ratio, Text, constant, plus, scaled, times
from .rasp_signs import Assumed
from .rasp_text import number
from .rasp_work import CHARACTERS, Steps
from .strict import need

NUMBERS = (int, Fraction)  # a boolean is an int
MAX_POWER = 64


class Stop(Exception):  # noqa: N818 - what a program does
    """The program has no value on this input."""


class Case:
    """The operations on n tokens under what is assumed."""

    def __init__(self, n: int, assumed: Assumed, steps: Steps) -> None:
        self.n, self.assumed, self.steps = n, assumed, steps

    # ---- kinds and conditions

    def is_string(self, value: Any) -> bool:
        return isinstance(value, (str, Text))

    def truth(self, value: Any) -> bool:
        if isinstance(value, Text):
            return True  # the string of a number is not empty
        return not self.is_zero(value) if isinstance(value, Ratio) else bool(value)

    def ratio(self, value: Any) -> Ratio:
        if isinstance(value, Ratio):
            return value
        return Ratio(constant(self.n, Fraction(value)), constant(self.n, 1))

    def settled(self, num: Polynomial, den: Polynomial) -> Any:
        """A number if numerator and denominator are constant."""
        one = (0,) * self.n
        if set(num) <= {one} and set(den) == {one}:
            return plain(num.get(one, Fraction(0)) / den[one])
        return Ratio(num, den)

    def is_zero(self, value: Any) -> bool:
        return self.assumed.is_zero(self.ratio(value).num)

    def sign(self, value: Any) -> int:
        ratio = self.ratio(value)
        return self.assumed.sign(ratio.num) * self.assumed.sign(ratio.den)

    def equal(self, left: Any, right: Any) -> bool:
        if self.is_string(left) != self.is_string(right):
            return False
        if isinstance(left, Text) or isinstance(right, Text):
            numbers = [value.number if isinstance(value, Text) else number(value) for value in (left, right)]
            return None not in numbers and self.is_zero(self.add(numbers[0], self.negative(numbers[1])))
        if isinstance(left, Ratio) or isinstance(right, Ratio):
            return self.is_zero(self.add(left, self.negative(right)))
        self.compared(left, right)
        return left == right

    def compared(self, left: Any, right: Any) -> None:
        """Strings are compared character by character."""
        if isinstance(left, str):
            self.steps.spend(min(len(left), len(right)) // CHARACTERS)

    def order(self, left: Any, right: Any) -> int:
        if self.is_string(left) != self.is_string(right):
            raise Stop
        if isinstance(left, str) and isinstance(right, str):
            self.compared(left, right)
            return (left > right) - (left < right)
        need(not self.is_string(left), "an order of strings of numbers")
        return self.sign(self.add(left, self.negative(right)))

    # ---- arithmetic

    def numbers(self, *values: Any) -> None:
        if any(self.is_string(value) for value in values):
            raise Stop

    def add(self, left: Any, right: Any) -> Any:
        if isinstance(left, NUMBERS) and isinstance(right, NUMBERS):
            return plain(left + right)
        a, b = self.ratio(left), self.ratio(right)
        if a.den == b.den:
            return self.settled(plus(a.num, b.num), a.den)
        return self.settled(plus(times(a.num, b.den), times(b.num, a.den)), times(a.den, b.den))

    def negative(self, value: Any) -> Any:
        if isinstance(value, NUMBERS):
            return plain(-value)
        ratio = self.ratio(value)
        return Ratio(scaled(ratio.num, -1), ratio.den)

    def multiply(self, left: Any, right: Any) -> Any:
        if isinstance(left, NUMBERS) and isinstance(right, NUMBERS):
            return plain(left * right)
        a, b = self.ratio(left), self.ratio(right)
        return self.settled(times(a.num, b.num), times(a.den, b.den))

    def divide(self, left: Any, right: Any) -> Any:
        self.numbers(left, right)
        if self.is_zero(right):
            raise Stop
        b = self.ratio(right)
        return self.multiply(left, self.settled(b.den, b.num))

    def power(self, base: Any, exponent: Any) -> Any:
        self.numbers(base, exponent)
        need(not isinstance(exponent, Ratio), "a symbolic exponent")
        if exponent < 0 and self.is_zero(base):
            raise Stop
        if Fraction(exponent).denominator != 1:
            raise Stop
        if isinstance(base, NUMBERS):
            size = max(Fraction(base).numerator.bit_length(), Fraction(base).denominator.bit_length())
            need(size * abs(exponent) <= MAX_BITS, "a number that is too long")
            return plain(Fraction(base) ** int(exponent))
        need(abs(exponent) <= MAX_POWER, "a power that is too high")
        found: Any = 1
        for _ in range(abs(int(exponent))):
            found = self.multiply(found, base)
        return found if exponent >= 0 else self.divide(1, found)


def plain(value: Any) -> Any:
    """A whole number as an int."""
    if not isinstance(value, NUMBERS):
        return value
    top, bottom = value.numerator, value.denominator
    need(max(top.bit_length(), bottom.bit_length()) <= MAX_BITS, "a number that is too long")
    return int(top) if bottom == 1 else value


def add(case: Case, left: Any, right: Any) -> Any:
    if case.is_string(left) and case.is_string(right):
        need(isinstance(left, str) and isinstance(right, str), "joining strings of numbers")
        need(len(left) + len(right) <= MAX_BITS, "a string that is too long")
        case.steps.text(len(left) + len(right))
        return left + right
    case.numbers(left, right)
    return case.add(left, right)


def multiply(case: Case, left: Any, right: Any) -> Any:
    if case.is_string(left) != case.is_string(right):
        text, count = (left, right) if case.is_string(left) else (right, left)
        need(isinstance(text, str) and not isinstance(count, Ratio), "repeating a symbolic string")
        if not isinstance(count, int):
            raise Stop
        need(len(text) * count <= MAX_BITS, "a string that is too long")
        case.steps.text(len(text) * max(count, 0))
        return text * max(count, 0) if text else text
    case.numbers(left, right)
    return case.multiply(left, right)


def subtract(case: Case, left: Any, right: Any) -> Any:
    case.numbers(left, right)
    return case.add(left, case.negative(right))


def remainder(case: Case, left: Any, right: Any) -> Any:
    case.numbers(left, right)
    need(isinstance(left, NUMBERS) and isinstance(right, NUMBERS), "a remainder of a symbolic value")
    if right == 0:
        raise Stop
    return plain(left % right)


def rounded(case: Case, value: Any) -> Any:
    case.numbers(value)
    need(isinstance(value, NUMBERS), "rounding a symbolic value")
    return round(value)


def signed(case: Case, value: Any, factor: int) -> Any:
    case.numbers(value)
    return case.multiply(factor, value)


OPERATIONS: dict[str, tuple[int, Callable[..., Any]]] = {
    "add": (2, add),
    "sub": (2, subtract),
    "mul": (2, multiply),
    "div": (2, lambda case, a, b: case.divide(a, b)),
    "mod": (2, remainder),
    "pow": (2, lambda case, a, b: case.power(a, b)),
    "neg": (1, lambda case, a: signed(case, a, -1)),
    "pos": (1, lambda case, a: signed(case, a, 1)),
    "round": (1, rounded),
    "indicator": (1, lambda case, a: int(case.truth(a))),
    "eq": (2, lambda case, a, b: case.equal(a, b)),
    "ne": (2, lambda case, a, b: not case.equal(a, b)),
    "lt": (2, lambda case, a, b: case.order(a, b) < 0),
    "le": (2, lambda case, a, b: case.order(a, b) <= 0),
    "gt": (2, lambda case, a, b: case.order(a, b) > 0),
    "ge": (2, lambda case, a, b: case.order(a, b) >= 0),
    "not": (1, lambda case, a: not case.truth(a)),
    "and": (2, lambda case, a, b: case.truth(a) and case.truth(b)),
    "or": (2, lambda case, a, b: case.truth(a) or case.truth(b)),
    "if": (3, lambda case, c, a, b: a if case.truth(c) else b),
}


def looked_up(case: Case, kind: str, table: list[Any], value: Any) -> Any:
    """in: whether the table has it; index: its entry, negative ones from the end; key: the entry of a key."""
    if kind == "in":
        return any(case.equal(value, entry) for entry in table)
    if kind == "index":
        if case.is_string(value):
            raise Stop
        pairs = [(i, table[i]) for i in range(-len(table), len(table))]
    else:
        pairs = [(key, entry) for key, entry in table]
    for key, entry in pairs:
        if case.equal(value, key):
            return entry
    raise Stop
