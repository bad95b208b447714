"""How much work a certificate of section 11 may cost: one budget for all its rules (FORMAT.md, section 11.7).

A unit is about a microsecond.  It is spent before the work is done, so that nothing refused takes longer than what is
accepted.
"""

from __future__ import annotations

from collections.abc import Iterable

from .strict import need

MAX_WORK = 10**6
MAX_BITS = 2**14  # of one number


class Budget:
    def __init__(self, where: str, units: int = MAX_WORK) -> None:
        self.where, self.left = where, units

    def spend(self, units: int) -> None:
        self.left -= units
        need(self.left >= 0, f"{self.where}: too much work, the certificate is too large")

    def number(self, value: int) -> None:
        """A number that was read."""
        need(value.bit_length() <= MAX_BITS, f"{self.where}: a number of more than {MAX_BITS} bits is too large")
        self.spend(1 + value.bit_length() // 64)


def bits(numbers: Iterable[int]) -> int:
    """The length of the longest number."""
    return max((x.bit_length() for x in numbers), default=0)
