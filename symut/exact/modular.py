"""Residues modulo a prime: matrix products, and left inverses as rank witnesses.

Main definitions: `Residues`, `left_inverse`, `PRIMES`.
Main result: a left inverse modulo one prime proves full column rank over the rationals (proofs/FORMAT.md, section 6).
A missing left inverse proves nothing: another prime may have one.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import flint
import numpy as np

PRIMES = (65521, 65519, 65497, 2147483629)
"""Tried in this order; small ones keep certificates short."""


def _product(A: np.ndarray, B: np.ndarray, prime: int) -> np.ndarray:
    """A B modulo a prime below 2^31 by floating-point products of integers below 2^53, which are exact.

    A large prime needs A and B in halves of 16 bits.
    """
    if (prime - 1) ** 2 * A.shape[1] < 2**53:
        return (A.astype(np.float64) @ B.astype(np.float64)).astype(np.int64) % prime
    (A1, A0), (B1, B0) = (((X >> 16).astype(np.float64), (X & 0xFFFF).astype(np.float64)) for X in (A, B))
    high, middle, low = (X.astype(np.int64) for X in (A1 @ B1, A1 @ B0 + A0 @ B1, A0 @ B0))
    return ((((high % prime << 16) + middle) % prime << 16) + low) % prime


class Residues:
    """A matrix over Z/p with the operators of the backbone recursion; `entries` are integers in 0..p-1.

    Products have at most 2^20 terms.  Elimination is python-flint's (`inner` is its `nmod_mat`).
    """

    def __init__(self, entries: np.ndarray, prime: int) -> None:
        self.entries, self.prime = entries.astype(np.uint32), prime

    @classmethod
    def from_rows(cls, rows: Sequence[Sequence[int]], columns: int, prime: int) -> Residues:
        """From rows of integers (rows x columns), reduced modulo `prime`."""
        reduced = [x % prime for row in rows for x in row]
        return cls(np.array(reduced, dtype=np.uint32).reshape(len(rows), columns), prime)

    @classmethod
    def stack_columns(cls, parts: Sequence[Residues]) -> Residues:
        """Matrices of equal row count side by side."""
        return cls(np.concatenate([part.entries for part in parts], axis=1), parts[0].prime)

    @cached_property
    def inner(self) -> flint.nmod_mat:
        """The same matrix for python-flint."""
        return flint.nmod_mat(*self.shape, self.entries.ravel().tolist(), self.prime)

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, columns)."""
        return self.entries.shape[0], self.entries.shape[1]

    def __matmul__(self, other: Residues) -> Residues:
        return Residues(_product(self.entries, other.entries, self.prime), self.prime)

    def rank(self) -> int:
        """The rank over Z/p; at most the rank over the rationals."""
        return int(self.inner.rank())


def pivots(reduced: flint.nmod_mat, rank: int) -> list[int]:
    """The first column that is not 0 in each of the first `rank` rows of an echelon form."""
    found: list[int] = []
    for i in range(rank):
        start = found[-1] + 1 if found else 0
        found.append(next(j for j in range(start, reduced.ncols()) if int(reduced[i, j])))
    return found


def left_inverse(matrix: Residues) -> list[list[int]] | None:
    """Rows (N x m) with rows @ matrix = identity modulo p for a matrix m x N, or None if its rank is below N."""
    m, N = matrix.shape
    chosen = pivots(*matrix.inner.transpose().rref())
    if len(chosen) < N:
        return None
    square = Residues(matrix.entries[chosen], matrix.prime).inner
    rows = [[0] * m for _ in range(N)]
    for row, inverse_row in zip(rows, square.inv().tolist(), strict=True):
        for i, x in zip(chosen, inverse_row, strict=True):
            row[i] = int(x)
    return rows
