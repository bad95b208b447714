"""One recursion on every kind of matrix, compared exactly; simulation by the sparse backbones is exact."""

import numpy as np
import pytest
import sympy
import torch

from constructions.sparse import FORMS
from symut.backbone import Backbone, Network, block_matrix, dense, run, simulate, slots, target_blocks
from symut.errors import UsageError
from symut.exact import Matrix

KINDS = {
    "sympy": lambda a: sympy.Matrix(a.shape[0], a.shape[1], [int(x) for x in a.ravel()]),
    "exact": lambda a: Matrix.from_rows(a.astype(object).tolist(), a.shape[1]),
    "numpy": lambda a: a.astype(np.float64),
    "torch": lambda a: torch.tensor(a, dtype=torch.float64),
}
TRANSPOSE = {
    "sympy": lambda a: a.T,
    "exact": lambda a: a.transposed(),
    "numpy": lambda a: a.T,
    "torch": lambda a: a.T,
}


def rows(matrix):
    """Any kind of matrix as nested lists of numbers."""
    return matrix.rows() if isinstance(matrix, Matrix) else matrix.tolist()


def integers(seed, H, L, width, k):
    generator = np.random.default_rng(seed)
    draw = lambda *size: generator.integers(-2, 3, size)  # noqa: E731
    return draw(L, H, width, k), draw(L, H, width, k), draw(L, H, width, width)


def network(kind, seed, H, L, width, k):
    return Network(
        *([[KINDS[kind](head) for head in layer] for layer in part] for part in integers(seed, H, L, width, k))
    )


def linear_attention(kind):
    """alpha(Q, K) = Q K^T: integers stay integers, so that all kinds agree with ==."""
    return lambda Q, K, layer, head: Q @ TRANSPOSE[kind](K)


SHAPES = [(1, 1, 1, 1), (1, 3, 2, 1), (2, 2, 3, 2), (3, 2, 1, 2)]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("sizes", SHAPES)
def test_every_kind_of_matrix_gives_the_integers_of_plain_python(kind, sizes):
    H, L, d, _k = sizes
    X = np.random.default_rng(9).integers(-2, 3, (3, d))
    WQ, WK, WV = integers(1, *sizes)
    state = X.astype(object)
    for layer in range(L):
        terms = [
            (state @ WQ[layer, h]) @ (state @ WK[layer, h]).T @ state @ WV[layer, h].astype(object) for h in range(H)
        ]
        state = sum(terms[1:], terms[0])
    answer = run(network(kind, 1, *sizes), KINDS[kind](X), linear_attention(kind))
    assert rows(answer) == state.tolist()


@pytest.mark.parametrize("kind", KINDS)
def test_no_tokens_are_no_problem(kind):
    answer = run(network(kind, 1, 2, 2, 3, 2), KINDS[kind](np.zeros((0, 3), int)), linear_attention(kind))
    assert tuple(answer.shape) == (0, 3)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("sizes", SHAPES)
def test_sparse_backbone_programmed_with_the_target_blocks_equals_the_target(kind, form, sizes):
    _H, _L, d, _k = sizes
    target = network(kind, 3, *sizes)
    backbone = dense(FORMS[form](*sizes), lambda r, c: np.zeros((r, c), int))
    inner = Network(
        *(
            [[KINDS[kind](a) for a in layer] for layer in part]
            for part in (backbone.inner.WQ, backbone.inner.WK, backbone.inner.WV)
        )
    )
    X = KINDS[kind](np.random.default_rng(5).integers(-2, 3, (2, d)))
    programmed = simulate(Backbone(inner, KINDS[kind](backbone.U)), X, target_blocks(target), linear_attention(kind))
    assert rows(programmed) == rows(run(target, X, linear_attention(kind)))


@pytest.mark.parametrize("sizes", SHAPES)
def test_block_matrix_is_the_definition_path_by_path(sizes):
    H, L, d, k = sizes
    m = 5
    parts = integers(4, H, L, m, k)
    WQ, WK, WV = (part.astype(object) for part in parts)
    U = np.random.default_rng(6).integers(-2, 3, (m, d)).astype(object)
    backbone = Backbone(Network(*([list(layer) for layer in part] for part in (WQ, WK, WV))), U)
    columns = []
    for role, path, head, column in slots(*sizes):
        R = np.eye(m, dtype=object).astype(int).astype(object)
        for layer, letter in enumerate(path):
            R = R @ WV[layer, letter - 1]
        last = U if role == "U" else (WQ if role == "Q" else WK)[len(path), head - 1]
        columns.append((R @ last)[:, column])
    assert (block_matrix(backbone) == np.stack(columns, axis=1)).all()


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("sizes", SHAPES)
def test_block_matrix_of_the_sparse_backbone_is_the_identity(form, sizes):
    M = block_matrix(dense(FORMS[form](*sizes), lambda r, c: np.zeros((r, c), int)))
    assert (np.eye(len(M), dtype=int) == M).all()


def test_weights_with_different_head_counts_are_refused():
    matrix = np.eye(2)
    with pytest.raises(UsageError, match="differ in layers or heads"):
        Network([[matrix]], [[matrix, matrix]], [[matrix]])
    with pytest.raises(UsageError, match="differ in layers or heads"):
        Network([], [], [])
