"""From one witness to almost every backbone: degrees, the determinant polynomial, and the probability bound.

Main definitions: `closed_forms`, `check_formulas`, `determinant_polynomial`, `symbolic_backbone`.
Main result: an N x N minor of M(R) is an integer polynomial of degree at most D with a nonzero value at the 0/1
witness, so it vanishes on a null set and, for entries uniform on s numbers, with probability at most D/s.
Source: Fixed Universal Transformers, Theorem 3.2; the degree count is in proofs/README.md.
"""

from __future__ import annotations

from itertools import count
from math import factorial
from typing import TYPE_CHECKING, Any

from symut.backbone import Backbone, Network, Shape, block_matrix, size_symbols
from symut.backbone.forms import HEADS, LAYER, OUTPUTS, Form, form_count, form_degree
from symut.certificate import Polynomial
from symut.errors import InternalError

if TYPE_CHECKING:
    import sympy

TERM_LIMIT = 2000
"""A determinant is written out only if N! m^(D-N), its terms before cancellation, are no more (FORMAT.md 5)."""


def _sums(base: Any, L: Any) -> tuple[Any, Any]:
    """Closed forms of sum_{l=1..L} b^l and sum_{l=1..L} l b^l for b >= 1."""
    import sympy

    at_one = sympy.Eq(base, 1)
    geometric = sympy.Piecewise((L, at_one), (base * (base**L - 1) / (base - 1), True))
    weighted = base * (1 - (L + 1) * base**L + L * base ** (L + 1)) / (1 - base) ** 2
    return geometric, sympy.Piecewise((L * (L + 1) / 2, at_one), (weighted, True))


def _block_formulas(form: Form) -> tuple[tuple[Any, Any], tuple[Any, Any]]:
    """((query and key blocks, read-out blocks), the same weighted by the degree of a block's columns)."""
    H, L = size_symbols()[:2]
    if form.letters:
        base = H + 1
        moving = L * H * base ** (L - 1)
        return (2 * (base**L - 1), base**L), (2 * moving, base**L + moving)
    geometric, weighted = _sums(H, L)
    factor = {HEADS: 2, LAYER: 1 + 1 / H, OUTPUTS: 1}[form.keys]
    if form.outputs_everywhere:
        return (2 * geometric, 1 + geometric), (2 * weighted, 1 + geometric + weighted)
    return (factor * geometric, H**L), (factor * weighted, (L + 1) * H**L)


def closed_forms(form: Form) -> tuple[sympy.Expr, sympy.Expr]:
    """N and D of a form as sympy expressions in `size_symbols()` and d_out (FORMAT.md, section 9.1)."""
    import sympy

    d, k = size_symbols()[2:]
    read = d if form.scores_only else k
    output = sympy.Symbol("d_out", positive=True, integer=True) if form.affine else d
    N, D = ((reads * read + outputs * output) for reads, outputs in _block_formulas(form))
    return N, D


def check_formulas(form: Form, H: int, L: int) -> None:
    """Compare sympy's closed forms of N and D with the counts at (H, L), as polynomials in d, k and d_out.

    Raises InternalError if they differ.
    """
    import sympy

    symbols = size_symbols()
    widths = (symbols[3], symbols[2], sympy.Symbol("d_out", positive=True, integer=True))
    for formula, counted in zip(closed_forms(form), (form_count(form, H, L), form_degree(form, H, L)), strict=True):
        at = formula.subs(symbols[0], H).subs(symbols[1], L)
        if sympy.expand(at - sum(number * width for number, width in zip(counted, widths, strict=True))) != 0:
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
