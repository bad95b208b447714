"""Exact rational matrices with the operators of the backbone recursion.

Main definitions: `Matrix` (over the rationals, python-flint's `fmpq_mat` inside; `fmpz_mat` for rank).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import flint


class Matrix:
    """A rows x columns matrix of rationals; immutable by convention, 0 x n shapes included.

    `@`, `+` and `==` are exact; `rank()` clears denominators and uses python-flint's integer rank.
    """

    __slots__ = ("inner",)

    def __init__(self, inner: flint.fmpq_mat) -> None:
        self.inner = inner

    @classmethod
    def from_rows(cls, rows: Sequence[Sequence[int | Fraction]], columns: int | None = None) -> Matrix:
        """From rows of integers or fractions; `columns` is needed only when there are no rows."""
        width = len(rows[0]) if rows else (columns or 0)
        entries = [flint.fmpq(Fraction(x).numerator, Fraction(x).denominator) for row in rows for x in row]
        return cls(flint.fmpq_mat(len(rows), width, entries))

    @classmethod
    def eye(cls, size: int) -> Matrix:
        """The size x size identity."""
        return cls.from_rows([[int(i == j) for j in range(size)] for i in range(size)], size)

    @classmethod
    def stack_columns(cls, parts: Sequence[Matrix]) -> Matrix:
        """Matrices of equal row count side by side."""
        rows, tables = parts[0].shape[0], [part.inner.tolist() for part in parts]
        width = sum(part.shape[1] for part in parts)
        return cls(flint.fmpq_mat(rows, width, [x for i in range(rows) for table in tables for x in table[i]]))

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, columns)."""
        return self.inner.nrows(), self.inner.ncols()

    def rows(self) -> list[list[Fraction]]:
        """The entries as Python fractions, row by row."""
        return [[Fraction(int(x.p), int(x.q)) for x in row] for row in self.inner.tolist()]

    def __matmul__(self, other: Matrix) -> Matrix:
        return Matrix(self.inner * other.inner)

    def __add__(self, other: Matrix) -> Matrix:
        return Matrix(self.inner + other.inner)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Matrix) and self.shape == other.shape and bool(self.inner == other.inner)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Matrix({self.inner.tolist()!r})"

    def transposed(self) -> Matrix:
        """The columns x rows transpose."""
        return Matrix(self.inner.transpose())

    def rank(self) -> int:
        """The rank over the rationals."""
        return int(self.inner.numer_denom()[0].rank())

    def solve_left(self, right: Matrix) -> Matrix:
        """An X (r x m) with X @ self == right, for self (m x N) of full column rank and right (r x N).

        Free unknowns are zero.  Raises ZeroDivisionError if the rank of self is below N.
        """
        m, N = self.shape
        r = right.shape[0]
        augmented = Matrix.stack_columns([self.transposed(), right.transposed()])
        reduced = augmented.inner.rref()[0].tolist()
        pivots = [next(j for j, x in enumerate(row[:m]) if x != 0) for row in reduced if any(row[:m])]
        if len(pivots) < N:
            raise ZeroDivisionError(f"rank {len(pivots)}")
        solution = [[Fraction(0)] * m for _ in range(r)]
        for pivot, row in zip(pivots, reduced, strict=True):
            for i in range(r):
                solution[i][pivot] = Fraction(int(row[m + i].p), int(row[m + i].q))
        return Matrix.from_rows(solution, m)
