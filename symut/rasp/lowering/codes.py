"""Numbers that stand for values in a coordinate: numbers for themselves, strings and other values for codes.

Main definitions: `Codes`, `fresh`, `extended`, `agree`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from fractions import Fraction

from symut.rasp.arithmetic import Value
from symut.rasp.encoder.model import Number
from symut.rasp.lowering.ranges import place

Codes = dict[Value, Number]


def fresh(values: Iterable[Value], ranks: Mapping[Value, int]) -> Codes:
    """Numbers and booleans as they are; other values by their rank in the program, above the numbers."""
    every = list(values)
    numbers = [value for value in every if isinstance(value, (int, Fraction))]
    above = math.floor(max(numbers)) + 1 if numbers else 0
    return {value: int(value) if isinstance(value, bool) else value for value in numbers} | {
        value: above + ranks[value] for value in every if not isinstance(value, (int, Fraction))
    }


def extended(codes: Codes, value: Value) -> Codes:
    """The same codes with one more value; numbers stay below the codes of other values."""
    if value in codes:
        return codes
    if isinstance(value, (int, Fraction)) and all(isinstance(known, (int, Fraction)) for known in codes):
        return codes | {value: value if not isinstance(value, bool) else int(value)}
    if isinstance(value, (int, Fraction)):
        return codes | {value: math.ceil(min(codes.values(), default=1)) - 1}
    return codes | {value: math.floor(max(codes.values(), default=-1)) + 1}


def ranks(values: Iterable[Value]) -> dict[Value, int]:
    """A number for every value that is none, in their order."""
    others = {value for value in values if not isinstance(value, (int, Fraction))}
    return {value: rank for rank, value in enumerate(sorted(others, key=place))}


def agree(left: Codes, right: Codes) -> bool:
    """Whether values of two sequences are equal exactly if their codes are."""
    back = {code: value for value, code in right.items()}
    same = all(right[value] == code for value, code in left.items() if value in right)
    return same and all(back[code] == value for value, code in left.items() if code in back)
