"""Matrices of residues as lists of rows."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from operator import mul
from typing import Any

Matrix = list[list[int]]  # rows


def field_bytes(terms: int, p: int) -> int:
    """The bytes of an inner product of this many residues."""
    return ((terms * (p - 1) ** 2).bit_length() + 7) // 8


def modular_product(A: Iterable[list[int]], B: Matrix, p: int) -> Matrix:
    """A B modulo p.  Each row of B is one long integer whose fields are wide enough for an inner product, so
    that an entry of A costs one multiplication and one addition.  The rows of A are taken one at a time."""
    width = field_bytes(len(B), p)
    size = width * len(B[0])
    packed = [int.from_bytes(b"".join(x.to_bytes(width, "little") for x in row), "little") for row in B]
    lines = (sum(map(mul, row, packed)).to_bytes(size, "little") for row in A)
    cuts = [slice(i, i + width) for i in range(0, size, width)]
    return [[int.from_bytes(line[cut], "little") % p for cut in cuts] for line in lines]


def beside(parts: Iterable[Iterable[list[Any]]]) -> list[list[Any]]:
    return [list(itertools.chain(*rows)) for rows in zip(*parts, strict=True)]
