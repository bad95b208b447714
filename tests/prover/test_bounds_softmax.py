"""Path functions of softmax networks: balls contain the float values, and dependent functions are never certified."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

import symut
from symut.backbone import Network, run
from symut.exact.balls import inverts, pivot_rows, precision, scaled_inverse
from symut.prover.bounds.softmax import PRECISIONS, candidate_points, evaluate, layer_queries, path_products
from symut.statement import UNKNOWN

VALUES = [[2, 1], [1, 2]]


def softmax(scores):
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True)


def float_products(queries, values, point):
    """A_p x along every path, in float64, from the attention matrices of the definition."""
    x = np.array([float(t) for t in point])
    along = [x]
    for q, v in zip(queries, values, strict=True):
        attention = [softmax(float(a) * np.outer(x, x)) for a in q]
        along = [A @ y for y in along for A in attention]
        x = sum(b * (A @ x) for b, A in zip(v, attention, strict=True))
    return along


@pytest.mark.parametrize("n", [2, 3])
def test_balls_contain_the_float_values(n):
    queries = layer_queries(2, 2)
    for point in candidate_points(n, 5):
        with precision(100):
            found = path_products(queries, VALUES, point)
        expected = float_products(queries, VALUES, point)
        assert np.allclose([[float(y) for y in vector] for vector in found], expected, rtol=1e-9, atol=1e-9)


def test_the_scalar_network_is_the_target_with_one_column():
    """sum_p v_p A_p x is the answer of the scalar target, run by the definition."""
    queries, point = layer_queries(2, 2), candidate_points(3, 4)[-1]
    matrix = lambda x: np.array([[float(x)]])  # noqa: E731
    layers = [[matrix(q) for q in layer] for layer in queries]
    target = Network(layers, [[matrix(1)] * 2] * 2, [[matrix(v) for v in layer] for layer in VALUES])
    X = np.array([[float(x)] for x in point])
    answer = run(target, X, lambda Q, K, layer, head: softmax(Q @ K.T))
    weights = [a * b for a, b in product(*VALUES)]
    with precision(100):
        found = path_products(queries, VALUES, point)
    assert np.allclose(
        sum(w * np.array([float(y) for y in v]) for w, v in zip(weights, found, strict=True)), answer[:, 0]
    )


def test_a_certified_evaluation_is_inverted_by_its_integers():
    queries = layer_queries(2, 2)
    found = evaluate(queries, VALUES, 2, PRECISIONS[0])
    assert found is not None
    F = [[v[token] for v in float_products(queries, VALUES, x)] for x, token in found.points]
    defect = np.eye(4) - np.array(found.inverse, float) @ np.array(F) / found.scale
    assert np.abs(defect).sum(axis=1).max() < 0.5


def test_equal_queries_make_the_functions_dependent_and_are_never_certified():
    same = [[Fraction(1), Fraction(1)], [Fraction(1, 9), Fraction(2, 9)]]
    assert all(evaluate(same, VALUES, 2, bits) is None for bits in PRECISIONS[:2])


def test_a_wrong_inverse_and_wide_balls_are_refused():
    with precision(100):
        rows = [
            [vector[0] for vector in path_products(layer_queries(2, 1), [[2, 1]], x)] for x in candidate_points(2, 2)
        ]
        inverse = scaled_inverse(rows, 20)
        assert inverse is not None
        assert inverts(inverse, 2**20, rows)
        assert not inverts([inverse[1], inverse[0]], 2**20, rows)
        assert not inverts(inverse, 2**20, [[x + x.rad() + (x - x).union(x) for x in row] for row in rows])


def test_pivoting_prefers_independent_rows():
    with precision(60):
        from symut.exact.balls import ball

        rows = [[ball(x) for x in row] for row in ([1, 1], [2, 2], [1, -1], [0, 0])]
    assert set(pivot_rows(rows, 2)) == {1, 2}
    assert len(pivot_rows(rows[:2], 2)) == 1


@pytest.mark.parametrize(("H", "L"), [(2, 1), (2, 2), (3, 1), (1, 2)])
def test_small_sizes_are_proved(H, L, tmp_path):
    outcome = symut.prove("output_lower_bound", H=H, L=L, softmax=True, out=tmp_path)
    assert (outcome.verdict, outcome.goal) == ("PROVED", "softmax_output_lower_bound")
    assert outcome.summary == f"m >= {H**L}*d"
    assert symut.check(outcome.artifact)[0]["claims"] == list(outcome.claims)


@pytest.mark.parametrize("given", [{"H": 2, "L": 6}, {"H": 2, "L": 3, "n": 64}, {"H": 1, "L": 300}, {"H": 2, "L": 200}])
def test_sizes_out_of_reach_are_unknown_with_what_was_tried(given, tmp_path):
    outcome = symut.prove("output_lower_bound", softmax=True, out=tmp_path, **given)
    assert outcome.verdict == UNKNOWN
    assert "not tried" in outcome.reason
    assert outcome.steps[0].verdict == UNKNOWN
    assert list(tmp_path.iterdir()) == []


def test_a_target_that_no_precision_certifies_is_unknown(tmp_path, monkeypatch):
    monkeypatch.setattr("symut.prover.bounds.softmax.PRECISIONS", (3, 4))
    outcome = symut.prove("output_lower_bound", H=2, L=2, softmax=True, out=tmp_path)
    assert outcome.verdict == UNKNOWN
    assert "3 or 4 bits" in outcome.reason
