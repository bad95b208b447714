"""Rules G and S: what the lower bounds on matched scores rest on (FORMAT.md, section 10; LEMMAS.md)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from .spanning import invertible, square
from .strict import Invalid, fields, integers, listing, need

# limits of this program, not of the format: products of scores, and bits of the products compared
MAX_SCORES = 1000
MAX_BITS = 2 * 10**6


def rule_filter(H: int, L: int, z: int, value: Any) -> None:
    """A basis with its inverse, and a degree at which the monomials in n = j H z scores are too many to be
    polynomials of twice the degree in n - 1 variables, for every j = 1..L."""
    table = fields(value, "filter", ("basis", "inverse", "scale", "degree"))
    need(L * H * z <= MAX_SCORES, f"filter: L H z exceeds {MAX_SCORES}, too large to check")
    basis, inverse = (square(table[name], f"filter.{name}", H) for name in ("basis", "inverse"))
    invertible(basis, inverse, table["scale"], "filter")
    (degree,) = integers([table["degree"]], "filter.degree", 1, math.inf)
    need(L * H * z * degree.bit_length() <= MAX_BITS, "filter.degree: too large to check")
    for n, left, right in products(degree, L * H * z):
        if n % (H * z) == 0 and left <= right:
            raise Invalid(f"filter.degree: too small for n = {n}: C(n0 + n, n) is not above C(2 n0 + n - 1, n - 1)")


def products(degree: int, most: int) -> Iterator[tuple[int, int, int]]:
    """(n, left, right) for n = 1..most, where C(degree + n, n) > C(2 degree + n - 1, n - 1) says left > right:
    both binomials are multiplied by n!."""
    left = right = 1  # (degree + 1) ... (degree + n) and (2 degree + 1) ... (2 degree + n - 1)
    for n in range(1, most + 1):
        left *= degree + n
        right *= 1 if n == 1 else 2 * degree + n - 1
        yield n, left, n * right


def rule_signs(value: Any) -> None:
    """The products 1 and -1, of which e^2 RQ RK has at most one."""
    need(integers(listing(value, "signs", 2), "signs", -1, 1) == [1, -1], "signs: expected [1, -1]")
