"""Rule P: the width that matches the scores alone, against the definition and its why."""

import itertools
import json
import math
from typing import Any

import pytest

from tests.check import build, valid_bounds
from tests.check import build_bounds as bb
from tests.check.recompute_bounds import matches

SHAPES = [(1, 1), (1, 2), (1, 5), (2, 1), (2, 3), (3, 2), (4, 2), (5, 1)]


def accepted(H: int, L: int, forms: dict[str, Any]) -> bool:
    W = build.rule("widths").attention_width(build.rule("widths").Case(H, L), 0)
    try:
        build.rule("quadratic").rule_forms(H, L, W, forms)
    except build.rule("strict").Invalid:
        return False
    return True


@pytest.mark.parametrize(("H", "L"), SHAPES)
@pytest.mark.parametrize("seed", [None, 0, 1])
def test_any_relabelling_of_the_coordinates_is_accepted(H: int, L: int, seed: int | None) -> None:
    forms = bb.score_forms(H, L, seed)
    assert accepted(H, L, forms)
    assert matches(H, L, forms)


@pytest.mark.parametrize(("H", "L"), [(2, 2), (3, 1), (1, 3)])
def test_exchanging_two_slots_is_rejected(H: int, L: int) -> None:
    forms = bb.score_forms(H, L, 3)
    for i, j in itertools.combinations(range(len(forms["slots"])), 2):
        slots = [*forms["slots"]]
        slots[i], slots[j] = slots[j], slots[i]
        assert not accepted(H, L, forms | {"slots": slots})


def test_merging_moves_are_accepted() -> None:
    """Slots of h::p may move onto those of 1::p; nothing says that they stay where they are."""
    forms = bb.score_forms(2, 2)
    # S(1) = [z1, z2 | (1) z1, z2 | (2) z1, z2]: head 2 moves coordinates 4, 5 onto 2, 3
    merged = forms | {"values": [[[[2, 2, 2]], [[4, 2, 2]]], [[], []]]}
    for name in ("queries", "keys"):
        merged[name] = [forms[name][0], [[pair for pair in head if pair[0] < 4] for head in forms[name][1]]]
    assert accepted(2, 2, merged)
    assert matches(2, 2, merged)


def test_unfilled_coordinates_may_be_read() -> None:
    """After layer 1 coordinates 0 and 1 hold zero, so reading them changes nothing."""
    forms = bb.score_forms(2, 2)
    forms["queries"][1][0] = [*forms["queries"][1][0], [0, 2]]
    assert accepted(2, 2, forms)
    assert matches(2, 2, forms)


def test_wanted_products_take_every_value() -> None:
    """For q_1 real and q_2 != 0 there are z_1 != 0 and z_2 with z_1^2 - z_2^2 = q_1 and 2 z_1 z_2 = q_2."""
    for a, b in itertools.product((-3.0, -0.5, 0.0, 2.0), (-4.0, -1e-3, 0.25, 7.0)):
        r = math.hypot(a, b)
        # the larger of the two squares first: no cancellation
        x = math.sqrt((r + a) / 2) if a >= 0 else abs(b) / (2 * math.sqrt((r - a) / 2))
        y = b / (2 * x)
        assert x > 0
        assert math.isclose(x * x - y * y, a, abs_tol=1e-12)
        assert math.isclose(2 * x * y, b, rel_tol=1e-12)


@pytest.mark.parametrize(("H", "L"), SHAPES)
def test_wanted_combinations_are_those_of_the_specification(H: int, L: int) -> None:
    for layer in range(1, L + 1):
        pairs = [bb.wanted(H, L, layer - 1, h) for h in range(H)]
        expected = [sorted(A.items()) for A, _ in pairs] + [sorted(B.items()) for _, B in pairs]
        assert [sorted(c) for c in build.rule("quadratic").wanted(H, L, layer)] == expected


def test_work_is_bounded_for_hostile_files() -> None:
    """Identity moves and columns that read everything would cost W^2; a network with one head and many layers L W."""
    base = valid_bounds.valid()["attention-three"]

    def edit(_: Any, c: Any) -> None:
        W = len(c["forms"]["slots"])
        c["forms"]["values"] = [[[[0, 0, W]]] * 3] * 3
        for name in ("queries", "keys"):
            c["forms"][name] = [[[[i, 1] for i in range(W)]] * 3] * 3

    assert "more than two filled coordinates per path" in build.verdict(valid_bounds.edited(base, edit)).reason
    assert not accepted(1, 10**5, {"slots": list(range(10**5)), "queries": [], "keys": [], "values": []})


def test_smallest_shape_needs_two_coordinates() -> None:
    certificate = json.loads(valid_bounds.valid()["attention-smallest"]["certificate.json"])
    assert len(certificate["forms"]["slots"]) == 2
    assert (
        build.verdict(valid_bounds.valid()["attention-smallest"])
        .claims[0]
        .startswith("H = 1, L = 1, d = k = 1: no backbone of width m < 2 ")
    )
