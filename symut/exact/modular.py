"""Residues modulo a prime: matrix products, and left inverses as rank witnesses.

Main definitions: `Residues`, `left_inverse`, `PRIMES`.
Main result: a left inverse modulo one prime proves full column rank over the rationals (proofs/FORMAT.md, section 6).
A missing left inverse proves nothing: another prime may have one.
"""

from __future__ import annotations

from collections.abc import Sequence

import flint

PRIMES = (65521, 65519, 65497, 2147483629)
"""Tried in this order; small ones keep certificates short."""


class Residues:
    """A matrix over Z/p with the operators of the backbone recursion (python-flint's `nmod_mat` inside)."""

    __slots__ = ("inner",)

    def __init__(self, inner: flint.nmod_mat) -> None:
        self.inner = inner

    @classmethod
    def from_rows(cls, rows: Sequence[Sequence[int]], columns: int, prime: int) -> Residues:
        """From rows of integers (rows x columns), reduced modulo `prime`."""
        return cls(flint.nmod_mat(len(rows), columns, [x for row in rows for x in row], prime))

    @classmethod
    def stack_columns(cls, parts: Sequence[Residues]) -> Residues:
        """Matrices of equal row count side by side."""
        tables = [part.inner.tolist() for part in parts]
        rows, width = parts[0].inner.nrows(), sum(part.inner.ncols() for part in parts)
        entries = [int(x) for i in range(rows) for table in tables for x in table[i]]
        return cls(flint.nmod_mat(rows, width, entries, parts[0].inner.modulus()))

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, columns)."""
        return self.inner.nrows(), self.inner.ncols()

    def __matmul__(self, other: Residues) -> Residues:
        return Residues(self.inner * other.inner)

    def rank(self) -> int:
        """The rank over Z/p; at most the rank over the rationals."""
        return int(self.inner.rank())


def _pivot_rows(matrix: flint.nmod_mat) -> list[int]:
    reduced, rank = matrix.transpose().rref()
    table = reduced.tolist()[: int(rank)]
    return [next(j for j, x in enumerate(row) if int(x)) for row in table]


def left_inverse(matrix: Residues) -> list[list[int]] | None:
    """Rows (N x m) with rows @ matrix = identity modulo p for a matrix m x N, or None if its rank is below N."""
    m, N = matrix.shape
    chosen = _pivot_rows(matrix.inner)
    if len(chosen) < N:
        return None
    table = matrix.inner.tolist()
    square = flint.nmod_mat(N, N, [int(x) for i in chosen for x in table[i]], matrix.inner.modulus())
    rows = [[0] * m for _ in range(N)]
    for row, inverse_row in zip(rows, square.inv().tolist(), strict=True):
        for i, x in zip(chosen, inverse_row, strict=True):
            row[i] = int(x)
    return rows
