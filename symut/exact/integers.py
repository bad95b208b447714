"""Integer matrices, and exact kernel vectors that a prime has located.

Main definitions: `Integers`, `dependency`, `kernel_vector`.
Main result: columns that depend modulo a prime nearly always do so over the rationals; `kernel_vector` finds that
dependency exactly, and multiplying out decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd, log2
from typing import NamedTuple

import flint

from symut.exact.modular import Residues


class Integers:
    """A rows x columns matrix of integers with the operators of the backbone recursion (python-flint's `fmpz_mat`)."""

    __slots__ = ("inner",)

    def __init__(self, inner: flint.fmpz_mat) -> None:
        self.inner = inner

    @classmethod
    def from_rows(cls, rows: Sequence[Sequence[int]], columns: int) -> Integers:
        """From rows of integers (rows x columns)."""
        return cls(flint.fmpz_mat(len(rows), columns, [x for row in rows for x in row]))

    @classmethod
    def stack_columns(cls, parts: Sequence[Integers]) -> Integers:
        """Matrices of equal row count side by side."""
        tables = [part.inner.tolist() for part in parts]
        rows, width = parts[0].inner.nrows(), sum(part.inner.ncols() for part in parts)
        return cls(flint.fmpz_mat(rows, width, [x for i in range(rows) for table in tables for x in table[i]]))

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, columns)."""
        return self.inner.nrows(), self.inner.ncols()

    def __matmul__(self, other: Integers) -> Integers:
        return Integers(self.inner * other.inner)

    def annihilates(self, vector: Sequence[int]) -> bool:
        """Whether self . vector = 0."""
        return not any(x for (x,) in (self.inner * flint.fmpz_mat(len(vector), 1, list(vector))).tolist())


class Dependency(NamedTuple):
    """Columns with exactly one linear relation modulo a prime, and one row less that determine it."""

    columns: list[int]
    rows: list[int]


def _pivots(reduced: flint.nmod_mat, rank: int) -> list[int]:
    return [next(j for j, x in enumerate(row) if int(x)) for row in reduced.tolist()[:rank]]


def dependency(matrix: Residues) -> Dependency:
    """A relation between as few columns as the reduced echelon form shows; the rank must be below their number."""
    reduced, rank = matrix.inner.rref()
    pivots, table = _pivots(reduced, rank), [[int(x) for x in row] for row in reduced.tolist()[:rank]]
    free = sorted(set(range(matrix.shape[1])) - set(pivots))
    supports = ([p for p, row in zip(pivots, table, strict=True) if row[j]] + [j] for j in free)
    columns = sorted(min(supports, key=len))
    picked = [[int(row[j]) for row in matrix.inner.tolist()] for j in columns]
    transposed = flint.nmod_mat(
        len(columns), matrix.shape[0], [x for row in picked for x in row], matrix.inner.modulus()
    )
    return Dependency(columns, _pivots(*transposed.rref()))


def _square(matrix: Integers, found: Dependency) -> list[list[int]]:
    table = matrix.inner.tolist()
    return [[int(table[i][j]) for j in found.columns] for i in found.rows]


def predicted_digits(matrix: Integers, found: Dependency) -> int:
    """Hadamard's bounds, by rows and by columns, on the decimal digits of the minors that make up the kernel vector."""
    rows = _square(matrix, found)
    by_row = [_length_bits(row) for row in rows]
    by_column = [_length_bits(column) for column in zip(*rows, strict=True)] or [0]
    return int(min(sum(by_row), sum(by_column) - min(by_column)) / log2(10)) + 1


def _length_bits(vector: Sequence[int]) -> float:
    """The base-2 logarithm of a vector's length, rounded up."""
    return sum(x * x for x in vector).bit_length() / 2


def kernel_vector(matrix: Integers, found: Dependency) -> list[int] | None:
    """A vector x != 0 of coprime integers with matrix . x = 0, zero outside `found.columns`.

    None if the relation holds modulo the prime only.
    """
    size = len(found.columns)
    basis, nullity = flint.fmpz_mat(size - 1, size, [x for row in _square(matrix, found) for x in row]).nullspace()
    if nullity != 1:
        return None
    picked = [int(row[0]) for row in basis.tolist()]
    common = gcd(*picked)
    vector = [0] * matrix.shape[1]
    for j, x in zip(found.columns, picked, strict=True):
        vector[j] = x // common
    return vector if matrix.annihilates(vector) else None
