"""Exact linear systems: a point or a combination, on systems whose answer is known by construction."""

from __future__ import annotations

from flint import fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from symut.rasp.symbolic.linear import solve, value_at

ENTRY = st.integers(-4, 4)
SYSTEM = st.integers(1, 4).flatmap(
    lambda width: st.tuples(
        st.lists(ENTRY, min_size=width, max_size=width),
        st.lists(st.lists(ENTRY, min_size=width, max_size=width), min_size=1, max_size=8),
    )
)


def rows_below(point: list[int], forms: list[list[int]], slack: list[int]) -> list:
    """Rows a . x + b with the values -slack at the point."""
    values = [sum(a * x for a, x in zip(form, point, strict=True)) for form in forms]
    return [(tuple(map(fmpq, form)), fmpq(-value - s)) for form, value, s in zip(forms, values, slack, strict=True)]


@settings(deadline=None, max_examples=150)
@given(system=SYSTEM, slack=st.lists(st.integers(1, 5), min_size=8, max_size=8))
def test_a_system_with_a_known_point_has_a_point(system: tuple, slack: list[int]) -> None:
    point, forms = system
    rows = rows_below(point, forms, slack[: len(forms)])
    answer = solve(rows, len(point))
    assert answer.point is not None
    assert all(value_at(row, answer.point) < 0 for row in rows)


@settings(deadline=None, max_examples=150)
@given(system=SYSTEM, weights=st.lists(st.integers(1, 3), min_size=8, max_size=8), excess=st.integers(0, 3))
def test_a_system_with_a_known_contradiction_has_multipliers(system: tuple, weights: list[int], excess: int) -> None:
    point, forms = system
    rows = rows_below(point, forms, [2] * len(forms))
    total = [sum(w * row[0][j] for w, row in zip(weights, rows, strict=False)) for j in range(len(point))]
    constant = sum((w * row[1] for w, row in zip(weights, rows, strict=False)), fmpq(0))
    answer = solve([*rows, (tuple(-t for t in total), excess - constant)], len(point))
    assert answer.point is None
    assert min(answer.multipliers) >= 0
    assert any(answer.multipliers)


def test_an_empty_system_has_the_origin() -> None:
    assert solve([], 2).point == (0, 0)


def test_a_strict_inequality_excludes_its_boundary() -> None:
    one = (fmpq(1),)
    assert solve([(one, fmpq(0)), ((fmpq(-1),), fmpq(0))], 1).point is None
