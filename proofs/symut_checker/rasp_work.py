"""How much one certificate of section 12 may cost (FORMAT.md, section 12.3)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from .rasp_polynomial import Ratio, Text
from .strict import need

MAX_LENGTH_STEPS, MAX_STEPS = 5 * 10**7, 10**8  # foreseen for the inputs of one length; done for all lengths
MAX_HELD = 2**29  # bytes, about, of the values on one input
CHARACTERS = 64  # that are compared or written in one step


class Steps:
    """The budget of a certificate, spent before the work is done, and what the values on the present input take."""

    def __init__(self, steps: int = MAX_STEPS) -> None:
        self.left, self.held = steps, 0

    def spend(self, steps: int) -> None:
        self.left -= steps
        need(self.left >= 0, f"more than {MAX_STEPS} steps, too large to check")

    def hold(self, size: int) -> None:
        self.held += size
        need(self.held <= MAX_HELD, f"values of more than {MAX_HELD} bytes on one input, too large to check")

    def text(self, length: int) -> None:
        """A string that is written."""
        self.spend(length // CHARACTERS)
        self.hold(4 * length)


def size_of(value: Any) -> int:
    """Bytes of a number, about; strings are counted where they are written."""
    if isinstance(value, Text):
        return size_of(value.number)
    if isinstance(value, Ratio):
        return sum(100 + 8 * len(m) + bits(c) // 8 for part in value for m, c in part.items())
    return 0 if isinstance(value, str) else 8 + bits(value) // 8


def bits(number: int | Fraction) -> int:
    return number.numerator.bit_length() + number.denominator.bit_length()
