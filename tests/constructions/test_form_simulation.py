"""The 0/1 backbone of every form reproduces random targets in floating point, with several attention functions."""

import numpy as np
import pytest

from constructions import affine, looped, residual, scores
from symut.backbone.forms import (
    AFFINE,
    AFFINE_RESIDUAL,
    LOOPED,
    READOFF_KEY,
    RESIDUAL,
    SHARED_KEY,
    SHARED_RESIDUAL,
    FormShape,
)
from tests.constructions.networks import (
    centred,
    dense_backbone,
    hard,
    lifted,
    linear,
    program,
    rotated,
    run,
    scores_hard,
    scores_linear,
    scores_softmax,
    softmax,
)

SIZES = [(1, 1, 2, 3), (2, 2, 3, 2), (2, 3, 2, 1), (3, 2, 2, 2), (1, 4, 3, 1)]
TOKENS = 7
TOLERANCE = 1e-11
"""Of the largest entry: sums have fewer than 1000 terms, and a layer multiplies relative rounding by a small factor."""


def target(H, L, d, k, shared=False, seed=0):
    """Q, K, V indexed [layer][head]; variances that keep states of order one."""
    generator = np.random.default_rng(seed)
    layers = 1 if shared else L
    draw = lambda *size: generator.standard_normal((layers, H, *size)) / np.sqrt(H * d)  # noqa: E731
    return [(L if shared else 1) * list(part) for part in (draw(d, k), draw(d, k), draw(d, d))]


def tokens(d, seed=1):
    return np.random.default_rng(seed).standard_normal((TOKENS, d))


def error(routing, shape, target, X, alpha):
    form, (Q, K, V) = shape.form, target
    backbone = dense_backbone(routing, shape)
    E = program(routing, shape, Q, K, V, np.eye(shape.d))
    how = {"residual": form.residual, "scores": form.scores_only}
    expected = run(X, Q, K, V, alpha, **how)
    got = run(X @ E, *backbone[:3], alpha, **how) @ backbone[3]
    return relative(got, expected)


def relative(got, expected):
    return np.abs(got - expected).max() / np.abs(expected).max()


@pytest.mark.parametrize("alpha", [softmax, linear, rotated, hard])
@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize(("form", "routing"), [(LOOPED, looped.routing), (RESIDUAL, residual.routing)])
def test_one_backbone_reproduces_targets_whose_layers_differ(form, routing, sizes, alpha):
    shape = FormShape(form, *sizes)
    padded = routing(*sizes, shape.N + 3)
    assert error(padded, shape, target(*sizes), tokens(sizes[2]), alpha) < TOLERANCE


@pytest.mark.parametrize("alpha", [softmax, linear, rotated])
@pytest.mark.parametrize("sizes", SIZES)
def test_shared_residual_backbones_reproduce_shared_residual_targets(sizes, alpha):
    shape = FormShape(SHARED_RESIDUAL, *sizes)
    routing = residual.routing(*sizes, shared=True)
    assert error(routing, shape, target(*sizes, shared=True), tokens(sizes[2]), alpha) < TOLERANCE


@pytest.mark.parametrize("alpha", [scores_softmax, scores_linear, scores_hard])
@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize(("form", "keys"), [(SHARED_KEY, "shared"), (READOFF_KEY, "outputs")])
def test_score_matching_backbones_reproduce_targets_of_any_head_width(form, keys, sizes, alpha):
    H, L, d, _ = sizes
    shape = FormShape(form, *sizes)
    routing = scores.routing(H, L, d, keys)
    assert len(routing.slots) == shape.N
    bound = 1e-9 if form == READOFF_KEY else TOLERANCE
    assert error(routing, shape, target(*sizes), tokens(d), alpha) < bound


def test_score_matching_fails_for_attention_that_sees_more_than_scores():
    shape = FormShape(SHARED_KEY, 2, 2, 3, 3)
    Q, K, V = target(2, 2, 3, 3)
    routing = scores.routing(2, 2, 3)
    *inner, U = dense_backbone(routing, shape)
    X = tokens(3)
    simulated = run(X @ program(routing, shape, Q, K, V, np.eye(3)), *inner, rotated) @ U
    assert relative(simulated, run(X, Q, K, V, rotated)) > 1e-3


def affine_parts(H, L, d, k, d_out, seed=3):
    generator = np.random.default_rng(seed)
    row = lambda size: generator.standard_normal((L, H, size)) / 2  # noqa: E731
    return (row(k), row(k), row(d)), generator.standard_normal((d, d_out)), generator.standard_normal(d_out)


def affine_case(sizes, d_out, with_residual):
    """The target as a function of X and alpha, and the backbone's answer as one of [X, 1] and alpha."""
    H, L, d, k = sizes
    shape = FormShape(AFFINE_RESIDUAL if with_residual else AFFINE, *sizes, d_out)
    Q, K, V = target(*sizes)
    biases, C, c = affine_parts(*sizes, d_out)
    routing = affine.routing(H, L, d_out, k, with_residual, shape.N + 2)
    *letters, readout = lifted(Q, K, V, biases, C, c, affine.carry(H, L, with_residual))
    E = program(routing, shape, *letters, readout)
    assert E.shape == (d + 1, shape.N + 2)
    *inner, U = dense_backbone(routing, shape)
    expected = lambda X, alpha: run(X, Q, K, V, alpha, with_residual, biases=biases) @ C + c  # noqa: E731
    got = lambda tokens, alpha: run(tokens, *inner, alpha, with_residual) @ U  # noqa: E731
    return E, expected, got


@pytest.mark.parametrize(
    ("with_residual", "alpha"),
    [(False, softmax), (False, hard), (False, centred), (True, softmax), (True, linear), (True, rotated)],
)
@pytest.mark.parametrize(("sizes", "d_out"), [((2, 2, 3, 2), 4), ((2, 3, 2, 2), 1), ((1, 2, 2, 1), 3)])
def test_affine_backbones_reproduce_biases_and_a_read_out_of_another_width(sizes, d_out, with_residual, alpha):
    E, expected, got = affine_case(sizes, d_out, with_residual)
    X = tokens(sizes[2])
    ones = np.column_stack([X, np.ones(TOKENS)])
    assert relative(got(ones @ E, alpha), expected(X, alpha)) < TOLERANCE


def test_without_residual_connections_the_constant_needs_rows_that_sum_to_one():
    E, expected, got = affine_case((2, 2, 3, 2), 4, False)
    X = tokens(3)
    ones = np.column_stack([X, np.ones(TOKENS)])
    assert relative(got(ones @ E, linear), expected(X, linear)) > 1e-3


@pytest.mark.parametrize(("with_residual", "alpha"), [(False, softmax), (True, linear)])
def test_a_program_absorbs_token_and_position_embeddings(with_residual, alpha):
    sizes, vocabulary, positions = (2, 2, 3, 2), 5, TOKENS
    E, expected, got = affine_case(sizes, 4, with_residual)
    generator = np.random.default_rng(5)
    A, P = generator.standard_normal((vocabulary, 3)), generator.standard_normal((positions, 3))
    one_hot = np.hstack([np.eye(vocabulary)[generator.integers(vocabulary, size=TOKENS)], np.eye(positions)])
    embedded = np.vstack([np.column_stack([A, np.ones(vocabulary)]), np.column_stack([P, np.zeros(positions)])]) @ E
    assert embedded.shape == (vocabulary + positions, E.shape[1])
    X = one_hot @ np.vstack([A, P])
    assert relative(got(one_hot @ embedded, alpha), expected(X, alpha)) < TOLERANCE


def test_shared_residual_backbones_miss_targets_whose_layers_differ():
    """R_(0,h) = R_(h,0): the words that such a target needs do not fit, whatever the program."""
    shape = FormShape(SHARED_RESIDUAL, 2, 2, 2, 2)
    routing = residual.routing(2, 2, 2, 2, shared=True)
    assert error(routing, shape, target(2, 2, 2, 2), tokens(2), softmax) > 1e-3
