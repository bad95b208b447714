"""Strings of numbers, and how tokens are read (FORMAT.md, section 12, "Tokens")."""

from __future__ import annotations

import re
from fractions import Fraction

from .strict import need

WHOLE = re.compile(r"[+-]?[0-9]{1,1000}")
DECIMAL = re.compile(r"[+-]?[0-9]{1,1000}(\.[0-9]{1,1000})?([eE][+-]?[0-9]{1,3})?")
RATIO = re.compile(r"-?[0-9]+/[1-9][0-9]*")
DIGITS = re.compile(r"-?[0-9]+(\.[0-9]+)?")
LONGEST = 1000  # a limit of this program for strings that are compared with the strings of numbers


def written(value: Fraction) -> str:
    """An integer or a terminating decimal of at most 59 places in decimal notation, p/q otherwise."""
    if value.denominator == 1:
        return str(value.numerator)
    places = next((k for k in range(1, 60) if 10**k % value.denominator == 0), None)
    if places is None:
        return f"{value.numerator}/{value.denominator}"
    digits = str(abs(value.numerator) * (10**places // value.denominator)).rjust(places + 1, "0")
    return "-" * (value < 0) + digits[:-places] + "." + digits[-places:]


def number(text: str) -> Fraction | None:
    """The number whose string is `text`, None if it is no number's."""
    if not (RATIO.fullmatch(text) or DIGITS.fullmatch(text)):
        return None
    need(len(text) <= LONGEST, f"a string of more than {LONGEST} digits is compared with numbers: too large to check")
    value = Fraction(text)
    return value if written(value) == text else None
