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
import numpy as np

from symut.exact.modular import Residues, pivots


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


def dependency(matrix: Residues) -> Dependency:
    """A relation between as few columns as the reduced echelon form shows; the rank must be below their number."""
    reduced, rank = matrix.inner.rref()
    pivot = pivots(reduced, rank)
    free = sorted(set(range(matrix.shape[1])) - set(pivot))
    supports = ([p for i, p in enumerate(pivot) if int(reduced[i, j])] + [j] for j in free)
    columns = sorted(min(supports, key=len))
    transposed = Residues(matrix.entries[:, columns].T, matrix.prime)
    return Dependency(columns, pivots(*transposed.inner.rref()))


def _square(matrix: Integers, found: Dependency) -> list[list[int]]:
    table = matrix.inner.tolist()
    return [[int(table[i][j]) for j in found.columns] for i in found.rows]


def predicted_digits(logarithms: np.ndarray) -> int:
    """Hadamard's bounds, by rows and by columns, on the decimal digits of an integer matrix's largest minors.

    `logarithms` (one row less than columns) are log2 of the absolute values of the entries, -inf for 0.
    """
    by_row, by_column = (np.maximum(_log_lengths(logarithms, axis), 0) for axis in (1, 0))
    bits = min(float(by_row.sum()), float(by_column.sum() - by_column.min()))
    return int(bits / log2(10)) + 1


def _log_lengths(logarithms: np.ndarray, axis: int) -> np.ndarray:
    """log2 of the lengths of the rows (axis 1) or columns (axis 0)."""
    largest = np.maximum(logarithms.max(axis=axis, initial=-1e18), -1e18)
    relative = np.exp2(2 * (logarithms - np.expand_dims(largest, axis))).sum(axis=axis)
    return largest + np.log2(np.maximum(relative, 1)) / 2


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
