"""Programs of dense backbones: exact over the rationals, accurate in floats, refused when singular."""

import numpy as np
import pytest

from constructions.generic import random_backbone
from symut.backbone import (
    Backbone,
    Network,
    Shape,
    block_matrix,
    run,
    simulate,
    solve_program,
    solve_program_exactly,
    target_blocks,
)
from symut.errors import TargetError
from symut.exact import Matrix


def softmax(Q, K, layer, head):
    scores = np.exp(Q @ K.T - np.max(Q @ K.T, axis=-1, keepdims=True))
    return scores / scores.sum(axis=-1, keepdims=True)


def as_backbone(tensors):
    wide = {name: tensor.astype(np.float64) for name, tensor in tensors.items()}
    return Backbone(Network(*([list(layer) for layer in wide[name]] for name in ("RQ", "RK", "RV"))), wide["U"])


def target(shape, seed=0):
    generator = np.random.default_rng(seed)
    H, L, d, k = shape.H, shape.L, shape.d, shape.k
    draw = lambda *size: list(generator.standard_normal((L, H, *size)) / np.sqrt(d))  # noqa: E731
    return Network(draw(d, k), draw(d, k), draw(d, d))


@pytest.mark.parametrize("extra", [0, 5])
@pytest.mark.parametrize("distribution", ["gaussian", "uniform", "integer"])
@pytest.mark.parametrize("sizes", [(1, 1, 1, 1), (2, 2, 3, 3), (1, 3, 2, 1), (3, 2, 2, 1)])
def test_programmed_random_backbone_equals_a_softmax_target(sizes, distribution, extra):
    shape = Shape(*sizes)
    backbone = as_backbone(random_backbone(shape, shape.N + extra, seed=3, distribution=distribution))
    wanted = target(shape)
    M = block_matrix(backbone)
    E = solve_program(M, target_blocks(wanted))
    X = np.random.default_rng(1).standard_normal((6, shape.d))
    expected = run(wanted, X, softmax)
    error = np.max(np.abs(simulate(backbone, X, E, softmax) - expected)) / np.max(np.abs(expected))
    # rounding E alone costs eps * cond(M) in the columns scaled to norm 1, times the spread of the column norms;
    # cond stays below 1e5 at these sizes
    norms = np.linalg.norm(M, axis=0)
    assert error < np.finfo(float).eps * 1e5 * norms.max() / norms.min()


@pytest.mark.parametrize("m", [3, 48, 500])
def test_integer_entries_are_integers_over_a_power_of_two_with_the_variance_of_the_others(m):
    values = random_backbone(Shape(1, 1, 1, 1), m, distribution="integer")["RV"].astype(np.float64)
    exponent = next(e for e in range(40) if (values * 2.0**e == np.round(values * 2.0**e)).all())
    assert np.abs(values * 2.0**exponent).max() <= 1000
    assert 0.3 < values.var() * m < 3


@pytest.mark.parametrize("extra", [0, 3])
def test_rational_backbone_is_programmed_exactly(extra):
    shape = Shape(2, 2, 1, 1)
    tensors = random_backbone(shape, shape.N + extra, seed=1, distribution="integer")
    exact = {name: tensor.astype(object) for name, tensor in tensors.items()}
    parts = [
        [[Matrix.from_rows(head.tolist()) for head in layer] for layer in exact[name]] for name in ("RQ", "RK", "RV")
    ]
    backbone = Backbone(Network(*parts), Matrix.from_rows(exact["U"].tolist()))
    scalars = iter(range(1, 100))
    wanted = Network(*([[Matrix.from_rows([[next(scalars)]]) for _ in range(2)] for _ in range(2)] for _ in range(3)))
    M = block_matrix(backbone)
    E = solve_program_exactly(M, target_blocks(wanted))
    assert target_blocks(wanted) == E @ M
    attention = lambda Q, K, layer, head: Q @ K.transposed()  # noqa: E731
    X = Matrix.from_rows([[1], [-2], [3]])
    assert simulate(backbone, X, E, attention) == run(wanted, X, attention)


def test_singular_block_matrices_are_refused():
    with pytest.raises(TargetError, match="singular"):
        solve_program(np.ones((3, 2)), np.ones((1, 2)))
    with pytest.raises(TargetError, match="zero column"):
        solve_program(np.zeros((3, 2)), np.ones((1, 2)))
    with pytest.raises(TargetError, match="singular"):
        solve_program_exactly(Matrix.from_rows([[1, 1], [1, 1], [1, 1]]), Matrix.from_rows([[1, 1]]))
