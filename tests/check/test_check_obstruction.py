"""Rule O: balls of backbones whose scores have one sign."""

import itertools
import random
from fractions import Fraction
from typing import Any

import pytest

from tests.check import build
from tests.check import build_bounds as bb
from tests.check.recompute_bounds import one_sign


def accepted(m: int, ball: dict[str, Any]) -> bool:
    try:
        build.rule("obstruction").rule_obstruction(m, ball)
    except build.rule("strict").Invalid:
        return False
    return True


def test_radius_at_the_edge_for_one_number() -> None:
    """m = 1: 2 (a b - r (a + b) - r^2) > 0 is a b > r (a + b) + r^2, which r = 2 meets for a = b = 5 and not for 4."""
    assert accepted(1, {"RQ": [[5]], "RK": [[5]], "denominator": 7, "radius": 2})
    assert not accepted(1, {"RQ": [[4]], "RK": [[5]], "denominator": 7, "radius": 2})
    assert not accepted(1, {"RQ": [[-5]], "RK": [[5]], "denominator": 7, "radius": 2})
    assert accepted(1, {"RQ": [[-5]], "RK": [[-5]], "denominator": 7, "radius": 2})


def test_accepted_random_balls_are_positive_definite_at_their_corners() -> None:
    source = random.Random(5)
    seen = 0
    for _ in range(300):
        m, radius = source.choice([2, 3]), source.randint(1, 2)
        tables = [[[20 * (i == j) + source.randint(-4, 4) for j in range(m)] for i in range(m)] for _ in range(2)]
        ball = {"RQ": tables[0], "RK": tables[1], "denominator": 10, "radius": radius}
        if accepted(m, ball):
            seen += 1
            assert one_sign(m, ball)
    assert 20 < seen < 300


def test_bound_on_the_entries_covers_all_corners() -> None:
    """|(A B^T - A0 B0^T)_ij| <= r (sum_t |A0_it| + |B0_jt|) + m r^2, by trying all corners for m = 2."""
    A0, B0, r = [[3, -1], [2, 5]], [[4, 1], [-2, 6]], Fraction(1, 2)
    for signs in itertools.product((-1, 0, 1), repeat=4):
        for other in itertools.product((-1, 1), repeat=4):
            A = [[A0[i][t] + r * signs[2 * i + t] for t in range(2)] for i in range(2)]
            B = [[B0[i][t] + r * other[2 * i + t] for t in range(2)] for i in range(2)]
            for i, j in itertools.product(range(2), repeat=2):
                moved = sum(A[i][t] * B[j][t] - A0[i][t] * B0[j][t] for t in range(2))
                assert abs(moved) <= r * sum(abs(A0[i][t]) + abs(B0[j][t]) for t in range(2)) + 2 * r * r


def test_scaling_all_numbers_changes_nothing() -> None:
    ball = bb.ball(3)
    scaled = {name: [[7 * x for x in row] for row in ball[name]] for name in ("RQ", "RK")}
    for radius in range(1, 6):
        small, large = ball | {"radius": radius}, scaled | {"radius": 7 * radius, "denominator": 7 * 16}
        assert accepted(3, small) == accepted(3, large)


@pytest.mark.parametrize("m", [201, 10**30])
def test_sizes_beyond_the_limit_are_refused(m: int) -> None:
    assert not accepted(m, {})
