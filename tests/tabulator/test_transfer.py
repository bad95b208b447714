"""Bounds transfer between problems in one direction only, and the bands that result are consistent."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from symut.backbone.shape import Shape
from symut.tabulator.best import PROBLEMS, bands, bounds_problem, serves_problem
from symut.tabulator.constructions import CONSTRUCTIONS
from symut.tabulator.lower import LOWER
from symut.tabulator.problem import (
    ALL,
    ANY,
    BOTH,
    FREE,
    GENERIC,
    MATCHED,
    OUTPUTS,
    SCORE_ONLY,
    SCORES,
    D,
    K,
    Problem,
    implies,
    serves,
)

SHAPE = Shape(2, 2, 3, 2)
UNIVERSAL = Problem(ANY, ALL)
LOWER_ROWS = {row.id: row for row in LOWER}
WIDTHS = {row.id: row for row in CONSTRUCTIONS}


@pytest.mark.parametrize(
    ("stronger", "weaker"),
    [
        (Problem(ANY, ALL), Problem(SCORE_ONLY, ALL)),
        (Problem(SCORE_ONLY, ALL), Problem(MATCHED, GENERIC)),
        (Problem(SCORE_ONLY, GENERIC), Problem(MATCHED, GENERIC)),
        (Problem(ANY, ALL), Problem(MATCHED, ALL, FREE, OUTPUTS)),
        (Problem(MATCHED, ALL), Problem(MATCHED, GENERIC)),
        (Problem(ANY, ALL), Problem(ANY, GENERIC)),
        (Problem(SCORE_ONLY, ALL), Problem(SCORE_ONLY, ALL, FREE)),
        (Problem(SCORE_ONLY, ALL, D), Problem(SCORE_ONLY, ALL, FREE)),
        (Problem(SCORE_ONLY, ALL, K), Problem(SCORE_ONLY, ALL, D)),
        (Problem(MATCHED, GENERIC, K, BOTH), Problem(MATCHED, GENERIC, K, SCORES)),
        (Problem(MATCHED, GENERIC, K, BOTH), Problem(MATCHED, GENERIC, K, OUTPUTS)),
    ],
)
def test_a_stronger_demand_implies_a_weaker_one_and_not_the_reverse(stronger, weaker):
    assert implies(stronger, weaker, SHAPE)
    assert not implies(weaker, stronger, SHAPE)


def test_heads_of_width_d_serve_head_width_k_from_k_equal_to_d_on():
    wide, narrow = Problem(SCORE_ONLY, ALL, D), Problem(SCORE_ONLY, ALL, K)
    assert not implies(wide, narrow, Shape(2, 2, 3, 2))
    assert implies(wide, narrow, Shape(2, 2, 3, 3))
    assert implies(wide, narrow, Shape(2, 2, 3, 4))


def test_a_lower_bound_for_head_width_k_says_nothing_about_other_head_widths():
    row = LOWER_ROWS["score_matching"]
    assert bounds_problem(row, Problem(SCORE_ONLY, GENERIC, K), SHAPE)
    assert not bounds_problem(row, Problem(SCORE_ONLY, GENERIC, FREE), SHAPE)


def test_lower_bounds_climb_and_widths_descend():
    assert bounds_problem(LOWER_ROWS["score_matching"], Problem(ANY, ALL), SHAPE)
    assert not bounds_problem(LOWER_ROWS["sharp_width"], Problem(SCORE_ONLY, ALL), SHAPE)
    assert serves_problem(WIDTHS["sparse"], Problem(MATCHED, GENERIC, K, SCORES), SHAPE)
    assert not serves_problem(WIDTHS["readoff_key"], Problem(ANY, ALL), SHAPE)
    assert not serves_problem(WIDTHS["readoff_key"], Problem(SCORE_ONLY, ALL, FREE), SHAPE)


@pytest.mark.parametrize("attention", [ANY, SCORE_ONLY])
@pytest.mark.parametrize("matches", [BOTH, SCORES])
def test_universality_for_all_targets_matches_the_scores_of_generic_targets_only(attention, matches):
    """A target with value 0 answers 0 whatever its score, so its score need not be matched."""
    assert not implies(Problem(attention, ALL), Problem(MATCHED, ALL, K, matches), SHAPE)
    assert implies(Problem(attention, ALL), Problem(MATCHED, GENERIC, K, matches), SHAPE)


def test_constructions_match_path_by_path_whatever_the_targets():
    for attention, targets in product((ANY, SCORE_ONLY, MATCHED), (ALL, GENERIC)):
        assert serves(Problem(attention, targets), Problem(MATCHED, targets), SHAPE)
        assert serves(Problem(attention, targets), Problem(MATCHED, targets, K, SCORES), SHAPE)
    assert not serves(Problem(MATCHED, ALL), Problem(SCORE_ONLY, ALL), SHAPE)
    assert not serves(Problem(SCORE_ONLY, GENERIC), Problem(MATCHED, ALL), SHAPE)


def test_lower_bounds_for_the_matched_scores_of_all_targets_stay_in_their_class():
    """3 at H = L = d = k = 1 uses values 0, where outputs do not force scores."""
    row, unit = LOWER_ROWS["general_scores_all"], Shape(1, 1, 1, 1)
    bounded = [problem for problem in PROBLEMS if bounds_problem(row, problem, unit)]
    assert bounded == [Problem(MATCHED, ALL, K), Problem(MATCHED, ALL, FREE)]
    found = {band.problem: (band.lower, band.width) for band in bands(unit)}
    assert found[Problem(MATCHED, ALL)] == found[Problem(MATCHED, ALL, FREE)] == (3, 3)
    assert found[Problem(SCORE_ONLY, ALL)] == found[Problem(SCORE_ONLY, ALL, FREE)] == (2, 3)


def test_width_two_serves_all_scalar_targets_of_one_head_and_layer_without_matching_scores():
    """e = (v, q / v), or 0 if v = 0: why the bound 3 holds for matched attention only."""
    X, U = np.array([[1.0], [-2.0], [0.5]]), np.array([[1.0], [0.0]])
    for q, v in product((-1.5, 0.0, 2.0), (-1.0, 0.0, 3.0)):
        Z = X @ np.array([[v, q / v] if v else [0.0, 0.0]])
        for attention in (np.exp, np.tanh, lambda scores: scores + 1):
            answer = attention(np.outer(Z[:, 0], Z[:, 1])) @ Z @ U
            assert np.allclose(answer, attention(q * X @ X.T) @ X * v)


@pytest.mark.parametrize(
    ("sizes", "problem", "expected"),
    [
        ((2, 1), Problem(SCORE_ONLY, ALL), (4, 4)),
        ((1, 2), Problem(SCORE_ONLY, ALL, FREE), (3, 3)),
        ((2, 2), Problem(SCORE_ONLY, ALL), (10, 10)),
        ((2, 2), Problem(SCORE_ONLY, GENERIC, FREE), (9, 10)),
        ((3, 1), Problem(MATCHED, ALL, FREE), (6, 6)),
        ((2, 3), Problem(SCORE_ONLY, ALL, FREE), (15, 22)),
        ((2, 2), Problem(MATCHED, ALL, K, SCORES), (6, 10)),
    ],
    ids=str,
)
def test_searched_widths_enter_the_bands_of_scalar_networks(sizes, problem, expected):
    found = {band.problem: (band.lower, band.width) for band in bands(Shape(*sizes, 1, 1))}
    assert found[problem] == expected


def test_matched_lower_bounds_reach_functions_of_the_scores_by_invertible_values_or_outputs_alone():
    for row in LOWER:
        problem = row.problem
        reaches = problem.attention == ANY or problem.targets == GENERIC or problem.matches == OUTPUTS
        assert bounds_problem(replace(row, superseded="", applies=lambda shape: True), UNIVERSAL, SHAPE) is reaches


def test_other_networks_never_enter_the_bands():
    for row in CONSTRUCTIONS:
        if row.problem.targets not in (ALL, GENERIC):
            assert not any(serves_problem(row, problem, SHAPE) for problem in PROBLEMS)


@pytest.mark.parametrize("sizes", list(product((1, 2, 3, 5), (1, 2, 3, 4), (1, 2, 3, 7), (1, 2, 3, 8))), ids=str)
def test_no_lower_bound_exceeds_a_width_of_its_own_problem(sizes):
    for band in bands(Shape(*sizes)):
        assert band.lower is None or 1 <= band.lower <= band.width


def test_a_lower_bound_of_one_class_may_exceed_a_width_of_another():
    found = {band.problem: band for band in bands(Shape(2, 2, 3, 3))}
    assert found[Problem(ANY, GENERIC)].lower == 48
    assert found[Problem(SCORE_ONLY, GENERIC)].width == 30


@pytest.mark.parametrize("sizes", list(product((1, 2, 3), (1, 2, 3), (1, 2, 4), (1, 2, 4))), ids=str)
def test_the_certified_width_is_the_smallest_that_a_theorem_states(sizes):
    shape = Shape(*sizes)
    for band in bands(shape):
        stated = {
            row.id: row.value(shape)
            for row in CONSTRUCTIONS
            if row.theorem and serves_problem(row, band.problem, shape)
        }
        assert band.certified == min(stated.values()) == stated[band.certified_id]
        assert band.width <= band.certified
        assert band.is_certified == (WIDTHS[band.width_id].theorem is not None) == (band.width == band.certified)


def test_bands_shrink_with_the_demand():
    for sizes in product((1, 2, 3), (1, 2, 3), (1, 3), (1, 2, 4)):
        shape = Shape(*sizes)
        found = {band.problem: band for band in bands(shape)}
        for strong, weak in product(PROBLEMS, repeat=2):
            if serves(strong, weak, shape):
                assert found[strong].width >= found[weak].width
                assert found[strong].certified >= found[weak].certified
            if implies(strong, weak, shape):
                assert (found[strong].lower or 0) >= (found[weak].lower or 0)


def test_a_superseded_row_is_never_the_best():
    shape = Shape(2, 2, 1, 1)
    row = LOWER_ROWS["paper_theorem_4_1"]
    assert not bounds_problem(row, Problem(MATCHED, ALL, K, SCORES), shape)
    assert bounds_problem(replace(row, superseded=""), Problem(MATCHED, ALL, K, SCORES), shape)


def run(values, reads, program, X, attention):
    """Two layers, two heads, scalar networks seen through a program; `reads` gives queries and keys per head."""
    state = X @ program
    for layer in (0, 1):
        scores = [np.outer(state @ q, state @ k) for q, k in reads[layer]]
        state = sum(attention(layer, head, scores[head]) @ state @ values[layer][head] for head in (0, 1))
    return state


def test_a_wrong_score_is_found_by_an_attention_function_of_the_scores():
    """The probe of LEMMAS.md: outputs match, the score of paths (1), (2) differs, and so do the answers."""
    v = [[2.0, 3.0], [5.0, 7.0]]
    target = [[np.array([[x]]) for x in layer] for layer in v]
    target_reads = [[(np.array([1.0]), np.array([1.0]))] * 2] * 2
    # The backbone keeps path 1 in coordinate 0 and path 2 in coordinate 1 and reads only the first for queries.
    first = [np.array([[v[0][0], 0.0], [0.0, 0.0]]), np.array([[0.0, 0.0], [0.0, v[0][1]]])]
    second = [np.eye(2) * v[1][0], np.eye(2) * v[1][1]]
    both, wrong = np.array([1.0, 1.0]), np.array([1.0, 0.0])
    reads = [[(np.array([1.0, 0.0]), np.array([1.0, 0.0]))] * 2, [(both, wrong)] * 2]
    X, E, U = np.array([[1.0], [1.0]]), np.array([[1.0, 1.0]]), np.array([[1.0], [1.0]])
    mismatched = np.outer([2.0, 3.0], [2.0, 0.0])  # rows: tokens on paths (1) and (2); the target has [2, 3] for keys

    def probe(layer, head, scores):
        if layer == 0:
            return np.diag([1.0, 0.0]) if head == 0 else np.diag([0.0, 1.0])
        return np.eye(2) * (head == 0 and np.allclose(scores, mismatched))

    assert np.all(run(target, target_reads, np.eye(1), X, probe) == 0)
    answer = run([first, second], reads, E, X, probe) @ U
    assert answer.ravel().tolist() == [v[0][0] * v[1][0], v[0][1] * v[1][0]]
