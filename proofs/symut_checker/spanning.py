"""Rule K: integer bases of path values, one for each layer (FORMAT.md, section 10).

The matrix of all path values is the Kronecker product of the bases, so it is invertible; it is never formed.
"""

from __future__ import annotations

from operator import mul
from typing import Any

from .matrices import Matrix
from .strict import fields, integers, listing, need

# limits of this program, not of the format
MAX_ENTRY = 2**128
MAX_PRODUCTS = 5 * 10**7


def rule_spanning(H: int, L: int, value: Any) -> list[Matrix]:
    """basis[l] inverse[l] = scale[l] I with no zero entry and no zero scale; returns the bases."""
    table = fields(value, "spanning", ("basis", "inverse", "scale"))
    need(L * H**3 <= MAX_PRODUCTS, f"spanning: L H^3 exceeds {MAX_PRODUCTS}, too large to check")
    listing(table["scale"], "spanning.scale", L)
    both = [(name, listing(table[name], f"spanning.{name}", L)) for name in ("basis", "inverse")]
    bases, inverses = ([square(x, f"spanning.{name}[{i}]", H) for i, x in enumerate(listed)] for name, listed in both)
    for layer in range(L):
        invertible(bases[layer], inverses[layer], table["scale"][layer], f"spanning: layer {layer}")
    return bases


def square(value: Any, where: str, size: int) -> Matrix:
    return [integers(row, where, -MAX_ENTRY, MAX_ENTRY, size) for row in listing(value, where, size)]


def invertible(basis: Matrix, inverse: Matrix, scale: Any, where: str) -> None:
    """No entry of basis is 0, and basis inverse = scale I with scale != 0."""
    (factor,) = integers([scale], f"{where}: scale", -MAX_ENTRY, MAX_ENTRY)
    need(factor != 0, f"{where}: the scale is 0")
    need(all(x != 0 for row in basis for x in row), f"{where}: an entry of the basis is 0")
    columns = list(zip(*inverse, strict=True))
    for i, row in enumerate(basis):
        product = [sum(map(mul, row, column)) for column in columns]
        unit = [factor * (i == j) for j in range(len(basis))]
        need(product == unit, f"{where}: row {i} of basis . inverse is not row {i} of {factor} times the identity")
