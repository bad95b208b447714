"""Which inputs a comparison is about, and the symbolic tokens that stand for them.

Main definitions: `Domain`, `Numbers`, `Letters`, `Text`, `UnsupportedError`.

A token is a rational symbol x_i.  With `Numbers` it is the token's value.  With `Letters` it is the rank of the
token's letter in the sorted alphabet, and `Text` stands for the string.  A case analysis lets the symbols range over
all rationals, which contain the inputs of every domain: what holds in all cases holds for all inputs, and a case that
separates two programs counts only when an input of the domain lies in it.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any

from symut.rasp.arithmetic import Value, normal
from symut.rasp.inputs import READERS, decimal
from symut.rasp.symbolic.ratio import Ratio

_RATIO = re.compile(r"-?[0-9]+/[1-9][0-9]*")
LONGEST = 1000
"""Longer strings are not compared with those of symbolic numbers."""


class UnsupportedError(Exception):
    """A construct that symbolic execution does not cover; the argument says which."""


@dataclass(frozen=True, eq=False)
class Text:
    """The string that belongs to a number, by the rule of `domain`; different numbers have different strings."""

    number: Ratio | Value
    domain: Domain


class Domain(ABC):
    """A set of inputs of every length."""

    @abstractmethod
    def token(self, symbol: Ratio | Value, kind: str) -> Any:
        """How `core.Tokens(kind)` reads a symbolic token.  Raises UnsupportedError."""

    @abstractmethod
    def number(self, text: str) -> Value | None:
        """The number whose string is `text`, None if there is none."""

    @abstractmethod
    def threshold(self, text: str) -> Value:
        """A number t such that a token's string is < `text` if and only if its number is < t.  Raises
        UnsupportedError."""

    @abstractmethod
    def input(self, numbers: Sequence[Fraction]) -> list[Value] | None:
        """The input with these numbers, None if the domain has no such input."""

    def sample(self, source: Random, n: int, number: int) -> list[Fraction]:
        """The numbers of a random input with ties; they spread out as `number` runs from 0 to 6 and around again."""
        spread = 1 + number % 7
        return [Fraction(source.randint(-spread, spread), 1 if number % 3 else 2) for _ in range(n)]

    @property
    @abstractmethod
    def claim(self) -> str:
        """What the tokens are, in words."""


@dataclass(frozen=True)
class Numbers(Domain):
    """All rational numbers, or all integers."""

    integers: bool = False

    @property
    def claim(self) -> str:
        return "integers" if self.integers else "rational numbers"

    def token(self, symbol: Ratio | Value, kind: str) -> Any:
        if kind in ("float", "asis") or (kind == "int" and self.integers):
            return symbol
        if kind == "str":
            return Text(symbol, self)
        raise UnsupportedError(f"tokens_{kind} of a token that is any rational number (--integers restricts them)")

    def number(self, text: str) -> Value | None:
        if len(text) > LONGEST:
            raise UnsupportedError(f"a string of more than {LONGEST} characters beside the strings of numbers")
        value = normal(Fraction(text)) if _RATIO.fullmatch(text) else decimal(text)
        return value if value is not None and READERS["str"](value) == text else None

    def threshold(self, text: str) -> Value:
        raise UnsupportedError("an order between numbers written as strings (use tokens_float)")

    def input(self, numbers: Sequence[Fraction]) -> list[Value] | None:
        found = [normal(number) for number in numbers]
        return found if not self.integers or all(isinstance(value, int) for value in found) else None


@dataclass(frozen=True)
class Letters(Domain):
    """Inputs over a finite alphabet: `letters` are different tokens, strings if the alphabet is treated
    symbolically."""

    letters: tuple[Value, ...]

    @property
    def claim(self) -> str:
        return f"tokens of an alphabet of {len(self.letters)}"

    @property
    def ordered(self) -> list[str]:
        """The letters in the order of strings."""
        return sorted(self.letters)

    def token(self, symbol: Ratio | Value, kind: str) -> Any:
        if not all(isinstance(letter, str) for letter in self.letters):
            raise UnsupportedError("an alphabet with tokens that are no strings, with so many inputs")
        if kind in ("str", "asis"):
            return Text(symbol, self)
        raise UnsupportedError(f"tokens_{kind} over an alphabet with so many inputs")

    def number(self, text: str) -> Value | None:
        return self.ordered.index(text) if text in self.letters else None

    def threshold(self, text: str) -> Value:
        place = bisect_left(self.ordered, text)
        return place if text in self.letters else place - Fraction(1, 2)

    def input(self, numbers: Sequence[Fraction]) -> list[Value] | None:
        letters = self.ordered
        ranks = [int(number) for number in numbers if number.denominator == 1 and 0 <= number < len(letters)]
        return [letters[rank] for rank in ranks] if len(ranks) == len(numbers) else None

    def sample(self, source: Random, n: int, number: int) -> list[Fraction]:
        few = source.sample(range(len(self.letters)), min(len(self.letters), 1 + number % 7))
        return [Fraction(source.choice(few)) for _ in range(n)]


def is_symbolic(value: Any) -> bool:
    """Whether a value depends on a symbol."""
    return isinstance(value, (Ratio, Text))
