"""From one witness to almost every backbone: degrees, the determinant polynomial, and the probability bound.

Main definitions: `check_formulas`, `determinant_polynomial`, `symbolic_backbone`.
Main result: an N x N minor of M(R) is an integer polynomial of degree at most D with a nonzero value at the sparse
witness, so it vanishes on a null set and, for entries uniform on s numbers, with probability at most D/s.
Source: Fixed Universal Transformers, Theorem 3.2; the degree count is in proofs/README.md.
"""

from __future__ import annotations

from itertools import count
from math import factorial
from typing import TYPE_CHECKING, Any

from symut.backbone import (
    Backbone,
    Network,
    Shape,
    block_matrix,
    degree,
    degree_formula,
    size_symbols,
    slot_count,
    width_formula,
)
from symut.certificate import Polynomial
from symut.errors import InternalError

if TYPE_CHECKING:
    import sympy

TERM_LIMIT = 2000
"""A determinant is written out only if N! m^(D-N), its terms before cancellation, are no more (FORMAT.md 5)."""


def check_formulas(H: int, L: int) -> None:
    """Compare sympy's closed forms of N and D with the counts at (H, L), as polynomials in d and k.

    Raises InternalError if they differ.
    """
    import sympy

    symbols = size_symbols()
    d, k = symbols[2:]
    for formula, counted in ((width_formula(), slot_count(H, L)), (degree_formula(), degree(H, L))):
        at = formula.subs(symbols[0], H).subs(symbols[1], L)
        if sympy.expand(at - counted.per_k * k - counted.per_d * d) != 0:
            raise InternalError("closed form differs from the count", expected=str(counted), got=str(at))


def written_out(shape: Shape) -> bool:
    """Whether the determinant at m = N is small enough to be shown."""
    return shape.N <= 8 and factorial(shape.N) * shape.N ** (shape.degree - shape.N) <= TERM_LIMIT


def symbolic_backbone(shape: Shape) -> tuple[Backbone, list[sympy.Symbol]]:
    """A backbone of width N with one sympy symbol per entry, and the symbols as FORMAT.md, section 5, numbers them."""
    import sympy

    numbering = count()
    names: list[sympy.Symbol] = []

    def matrix(name: str, rows: int, columns: int) -> Any:
        entries = [sympy.Symbol(f"{name}_{next(numbering)}") for _ in range(rows * columns)]
        names.extend(entries)
        return sympy.Matrix(rows, columns, entries)

    def heads(name: str, columns: int) -> list[list[Any]]:
        return [[matrix(name, shape.N, columns) for _ in range(shape.H)] for _ in range(shape.L)]

    inner = Network(heads("q", shape.k), heads("k", shape.k), heads("v", shape.N))
    return Backbone(inner, matrix("u", shape.N, shape.d)), names


def determinant_polynomial(shape: Shape) -> Polynomial:
    """det M(R) for m = N as a polynomial in all entries of the backbone (sympy DomainMatrix over ZZ[entries])."""
    from sympy.polys.matrices import DomainMatrix

    backbone, names = symbolic_backbone(shape)
    matrix = DomainMatrix.from_Matrix(block_matrix(backbone))
    number = {symbol: i for i, symbol in enumerate(names)}
    generators = [number[symbol] for symbol in matrix.domain.symbols]
    terms = [
        (
            int(coefficient),
            tuple(sorted(g for g, power in zip(generators, powers, strict=True) for _ in range(power))),
        )
        for powers, coefficient in matrix.det().terms()
    ]
    return Polynomial(len(names), sorted(terms, key=lambda term: term[1]))
