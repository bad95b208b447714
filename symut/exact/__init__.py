"""Exact linear algebra: rational matrices and residues, a thin facade over python-flint."""

from symut.exact.dyadic import residues
from symut.exact.matrix import Matrix
from symut.exact.modular import PRIMES, Residues, left_inverse

__all__ = ["PRIMES", "Matrix", "Residues", "left_inverse", "residues"]
