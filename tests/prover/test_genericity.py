"""Degrees and the determinant polynomial agree with direct evaluation; the sparse backbone gives the value one."""

from itertools import count

import numpy as np
import pytest
import sympy

from constructions.sparse import FORMS
from symut.backbone import (
    Backbone,
    Network,
    Shape,
    block_matrix,
    degree_formula,
    dense,
    size_symbols,
    width_formula,
)
from symut.backbone.forms import FORMS as FORM_TABLE
from symut.backbone.forms import LAYERED
from symut.errors import InternalError
from symut.exact import Matrix
from symut.prover.genericity import (
    check_formulas,
    closed_forms,
    determinant_polynomial,
    symbolic_backbone,
    written_out,
)

TINY = [(1, 1, 1, 1), (1, 1, 2, 1), (1, 1, 1, 2)]


def entries(backbone, sizes):
    """All entries in the numbering of FORMAT.md section 5."""
    parts = [
        matrix
        for part in (backbone.inner.WQ, backbone.inner.WK, backbone.inner.WV)
        for layer in part
        for matrix in layer
    ]
    return [int(x) for matrix in [*parts, backbone.U] for x in np.asarray(matrix).ravel()]


def evaluate(polynomial, values):
    return sum(c * int(np.prod([values[v] for v in variables], dtype=object)) for c, variables in polynomial.terms)


@pytest.mark.parametrize("sizes", TINY)
@pytest.mark.parametrize("form", FORMS)
def test_determinant_is_one_at_the_sparse_backbone(sizes, form):
    backbone = dense(FORMS[form](*sizes), lambda r, c: np.zeros((r, c), int))
    assert evaluate(determinant_polynomial(Shape(*sizes)), entries(backbone, sizes)) == 1


@pytest.mark.parametrize("sizes", TINY)
@pytest.mark.parametrize("seed", range(5))
def test_determinant_polynomial_evaluates_to_the_determinant(sizes, seed):
    H, L, d, k = sizes
    N = Shape(*sizes).N
    generator = np.random.default_rng(seed)
    draw = lambda *size: list(generator.integers(-3, 4, (L, H, *size)))  # noqa: E731
    backbone = Backbone(Network(draw(N, k), draw(N, k), draw(N, N)), generator.integers(-3, 4, (N, d)))
    expected = sympy.Matrix(block_matrix(backbone).tolist()).det()
    assert evaluate(determinant_polynomial(Shape(*sizes)), entries(backbone, sizes)) == expected


@pytest.mark.parametrize("sizes", TINY)
def test_determinant_is_homogeneous_of_the_degree_bound(sizes):
    shape = Shape(*sizes)
    assert {len(variables) for _, variables in determinant_polynomial(shape).terms} == {shape.degree}


def test_only_tiny_determinants_are_written_out():
    assert [written_out(Shape(*sizes)) for sizes in TINY] == [True] * 3
    assert not written_out(Shape(2, 2, 3, 3))
    assert not written_out(Shape(1, 2, 1, 1))


@pytest.mark.parametrize(("H", "L"), [(1, 1), (1, 9), (2, 7), (5, 4)])
@pytest.mark.parametrize("form", FORM_TABLE.values(), ids=list(FORM_TABLE))
def test_closed_forms_are_compared_with_the_counts(form, H, L, monkeypatch):
    check_formulas(form, H, L)
    N, D = closed_forms(form)
    for wrong in ((N + 1, D), (N, D - sympy.Symbol("d"))):
        monkeypatch.setattr("symut.prover.genericity.closed_forms", lambda form, wrong=wrong: wrong)
        with pytest.raises(InternalError, match="closed form differs"):
            check_formulas(form, H, L)


def test_closed_forms_of_layered_backbones_are_the_public_ones():
    H = size_symbols()[0]
    for mine, public in zip(closed_forms(LAYERED), (width_formula(), degree_formula()), strict=True):
        assert sympy.simplify((mine - public).subs(H, 4)) == 0


def test_generic_rank_of_the_symbolic_block_matrix_is_full():
    backbone, symbols = symbolic_backbone(Shape(1, 1, 1, 1))
    numbers = count(2)
    M = block_matrix(backbone).subs({symbol: next(numbers) ** 2 for symbol in symbols})
    assert Matrix.from_rows([[int(x) for x in M.row(i)] for i in range(3)]).rank() == 3
