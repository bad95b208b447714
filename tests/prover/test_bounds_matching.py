"""Exact widths of score matching: the backbones match on every path, and the counting inequality holds."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest

import symut
from constructions.scores import routing
from symut.backbone import paths
from symut.errors import UsageError
from symut.prover.bounds.filter import filter_degree, grows_faster
from symut.prover.bounds.obstruction import largest_radius
from symut.prover.bounds.quadratic import quadratic_forms
from symut.statement import ALONE, AttentionWidth

SIZES = [(1, 1), (1, 2), (1, 4), (2, 1), (2, 3), (3, 2), (4, 2)]


def form(width, pairs):
    column = np.zeros(width, object)
    for coordinate, coefficient in pairs:
        column[coordinate] += coefficient
    return column


def value_matrix(width, moves):
    matrix = np.zeros((width, width), object)
    for source, target, length in moves:
        for i in range(length):
            matrix[source + i, target + i] = 1
    return matrix


def program(H, L, z, v, tables):
    """e from the meaning of the slots: v_p z_{l,s} for H >= 2, and z_s for H = 1."""
    if H == 1:
        return np.array([z[0][s] for s in tables["slots"]], object)
    listed = []

    def walk(path, product):
        if len(path) < L:
            listed.extend(product * z[len(path)][s] for s in range(H))
            for h in range(H):
                walk((*path, h), product * v[len(path)][h])

    walk((), Fraction(1))
    return np.array([listed[s] for s in tables["slots"]], object)


def products(index, z):
    """What query times key must be for head (or layer) `index`, from 0."""
    x, y = z[0], z[1]
    return [x * x - y * y, 2 * x * y, *(x * t for t in z[2:])][index]


@pytest.mark.parametrize(("H", "L"), [sizes for sizes in SIZES if sizes != (1, 1)])
def test_quadratic_forms_match_every_score_on_every_path(H, L):
    generator = np.random.default_rng(5)
    draw = lambda *size: [[Fraction(int(a), 7) for a in row] for row in generator.integers(1, 30, size)]  # noqa: E731
    z, v = draw(L, H) if H > 1 else draw(1, L), draw(L, H)
    tables = quadratic_forms(H, L)
    width = AttentionWidth(ALONE, H, L).minimum
    e = program(H, L, z, v, tables)
    for layer in range(L):
        for h in range(H):
            query, key = (form(width, tables[name][layer][h]) for name in ("queries", "keys"))
            for p in paths(H, layer):
                for other in paths(H, layer):
                    found = follow(e, tables, p) @ query * (follow(e, tables, other) @ key)
                    expected = products(h, z[layer]) * along(v, p) * along(v, other) if H > 1 else products(layer, z[0])
                    assert found == expected


def follow(e, tables, path):
    for layer, head in enumerate(path):
        e = e @ value_matrix(len(tables["slots"]), tables["values"][layer][head - 1])
    return e


def along(v, path):
    return np.prod([Fraction(1), *(v[layer][head - 1] for layer, head in enumerate(path))])


@pytest.mark.parametrize(("a", "b"), [(1, 1), (-5, 2), (0, -3), (-1, -1e-6)])
def test_two_real_variables_give_both_products(a, b):
    root = np.sqrt(complex(a, b))
    x, y = root.real, root.imag
    assert x != 0
    assert (x - y) * (x + y) == pytest.approx(a, abs=1e-12)
    assert 2 * x * y == pytest.approx(b)


@pytest.mark.parametrize(("H", "L"), SIZES)
@pytest.mark.parametrize("alone", [False, True])
def test_exact_widths_are_proved_and_rechecked(H, L, alone, tmp_path):
    outcome = symut.prove("attention_matching_lower_bound", H=H, L=L, alone=alone, out=tmp_path)
    assert outcome.verdict == "PROVED"
    assert symut.check(outcome.artifact)[0]["claims"] == list(outcome.claims)
    assert len(routing(H, L, 1, "outputs").slots) == sum(H**i for i in range(1, L + 1)) + H**L


@pytest.mark.parametrize("sizes", [[1], [2, 4], [3, 6, 9], [16, 32]])
def test_the_filter_degree_satisfies_every_inequality(sizes):
    degree = filter_degree(sizes)
    assert all(comb(degree + n, n) > comb(2 * degree + n - 1, n - 1) for n in sizes)


def test_a_degree_below_one_column_more_is_not_enough():
    """(n0 + 2 choose 2) = 15 against 2 n0 + 1 = 9 at n0 = 4, but 3 against 3 at n0 = 1."""
    assert grows_faster(4, 2)
    assert not grows_faster(1, 2)


def test_the_papers_bound_is_named_as_weaker(tmp_path):
    outcome = symut.prove("attention_matching_lower_bound", H=2, L=2, out=tmp_path)
    comparison = outcome.steps[-1]
    assert "m >= H^L / 2 = 2, which is weaker" in comparison.claim
    assert "6 for the attention alone" in comparison.claim
    assert "10 with outputs" in comparison.claim


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"d": 3}, "--d and --k go together"),
        ({"d": 2, "k": 3}, "--k is above --d"),
        ({"d": 2, "k": 1, "alone": True}, "--alone is for d = k = 1"),
        ({"H": 2, "L": 150}, "more memory"),
        ({"H": 2, "L": 3000}, "beyond any machine"),
        ({"H": 1, "L": 10**6}, r"too large for check\.py"),
        ({"H": 2, "L": 3, "d": 64, "k": 64}, r"too large for check\.py"),
        ({"H": 10**6, "L": 1, "alone": True}, "more memory"),
    ],
)
def test_bad_sizes_are_refused_in_one_line(given, message, tmp_path):
    with pytest.raises(UsageError, match=message) as caught:
        symut.prove("attention_matching_lower_bound", out=tmp_path, **given)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("m", [1, 2, 3, 10])
def test_the_radius_is_the_largest_that_dominance_allows(m):
    a, b = largest_radius(m)
    allowed = lambda r: m * (2 * r + m * r * r) < 1  # noqa: E731
    assert allowed(Fraction(a, b))
    assert not allowed(Fraction(a + 1, b))


@pytest.mark.parametrize("m", [1, 2, 4])
def test_backbones_in_the_ball_have_scores_of_one_sign(m):
    generator = np.random.default_rng(0)
    a, b = largest_radius(m)
    for _ in range(200):
        RQ, RK = (np.eye(m) + generator.choice([-1, 1], (m, m)) * a / b for _ in range(2))
        assert np.linalg.eigvalsh((RQ @ RK.T + RK @ RQ.T) / 2).min() > 0


def test_a_head_width_beyond_the_checker_is_refused(tmp_path):
    with pytest.raises(UsageError, match="--m is too large"):
        symut.prove("head_width_obstruction", m=1000, out=tmp_path)
    assert symut.prove("head_width_obstruction", out=tmp_path).artifact.endswith("m2")
