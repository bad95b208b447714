"""How much one certificate of section 13 may cost (FORMAT.md, section 13.7)."""

from __future__ import annotations

from typing import Any

from .strict import need

MAX_WORK = 10**7  # terms multiplied, added or compared, of one certificate
MAX_TERMS = 1_500_000  # terms kept at one time
MAX_BITS = 256  # of a numerator or a denominator
MAX_DEGREE = 32  # of a product of atoms
MAX_STAGES = 64  # layers and levels
MAX_TEXT = 2**24  # characters of the encoder
MAX_BYTES = 2**25  # of certificate.json


class Work:
    """One budget for all runs of a certificate; it is spent before the work is done."""

    def __init__(self, units: int = MAX_WORK) -> None:
        self.left = units

    def spend(self, units: int) -> None:
        self.left -= units
        need(self.left >= 0, "the values of the encoder are too large to check")


def need_small_numbers(value: Any) -> None:
    """All integers in a JSON value are within the limits."""
    waiting = [value]
    while waiting:
        part = waiting.pop()
        if type(part) is int:
            need_bits(part, 1)
        elif isinstance(part, (list, dict)):
            waiting.extend(part.values() if isinstance(part, dict) else part)


def need_bits(numerator: int, denominator: int) -> None:
    small = numerator.bit_length() <= MAX_BITS and denominator.bit_length() <= MAX_BITS
    need(small, f"a number of more than {MAX_BITS} bits is too large to check")
