"""Rule G: the inequality, the recursion, and the lemma behind them on small grids."""

import itertools
import math
from fractions import Fraction
from typing import Any

import pytest

from tests.check import build, valid_bounds
from tests.check import build_bounds as bb
from tests.check.claims_bounds import score_width

filters, widths = build.rule("filter"), build.rule("widths")


def accepted(H: int, L: int, z: int, table: dict[str, Any]) -> bool:
    try:
        filters.rule_filter(H, L, z, table)
    except build.rule("strict").Invalid:
        return False
    return True


def test_products_compare_the_binomials() -> None:
    for degree in (1, 2, 3, 5, 17, 100):
        for n, left, right in filters.products(degree, 9):
            assert left == math.comb(degree + n, n) * math.factorial(n)
            assert right == math.comb(2 * degree + n - 1, n - 1) * math.factorial(n)


@pytest.mark.parametrize(("H", "L", "z"), [(1, 1, 1), (2, 1, 1), (2, 2, 1), (3, 1, 1), (1, 4, 1), (2, 1, 3), (1, 2, 4)])
def test_the_least_degree_is_accepted_and_no_smaller_one(H: int, L: int, z: int) -> None:
    table = bb.filtered(H, L, z)
    assert accepted(H, L, z, table)
    assert accepted(H, L, z, table | {"degree": table["degree"] + 1})
    for degree in range(1, table["degree"]):
        sizes = [j * H * z for j in range(1, L + 1)]
        assert any(math.comb(degree + n, n) <= math.comb(2 * degree + n - 1, n - 1) for n in sizes)
        assert not accepted(H, L, z, table | {"degree": degree})


def test_recursion_adds_up_to_the_closed_form_at_width_one() -> None:
    for H, L, o in itertools.product(range(1, 6), range(1, 6), (0, 1)):
        closed = sum(H**l for l in range(1, L + 1)) + o * H**L  # noqa: E741
        assert widths.filtered_width(widths.Case(H, L, 1, 1), o) == closed
        if (H, L, o) != (1, 1, 0):
            assert widths.attention_width(widths.Case(H, L), o) == closed


def test_recursion_is_at_least_the_bound_without_rounding_and_never_above_the_sparse_width() -> None:
    for H, L, d in itertools.product(range(1, 4), range(1, 4), range(1, 5)):
        for k, o in itertools.product(range(1, d + 1), (0, 1)):
            W = widths.filtered_width(widths.Case(H, L, d, k), o)
            assert score_width(H, L, d, k, o) == W
            layers = sum(H**l for l in range(1, L + 1))  # noqa: E741
            assert d * W >= (2 * k * d - k * k) * layers + o * d * d * H**L
            assert 2 * k * layers + o * d * H**L >= W
            if k == d:
                assert d * layers + o * d * H**L == W


def test_documented_rounding() -> None:
    assert score_width(2, 2, 3, 2, 1) == 29


def test_monomials_on_the_simplex_grid_are_independent() -> None:
    """The count on the left of the inequality: polynomials of degree n0 in n variables are told apart by the grid."""
    for n, degree in ((1, 4), (2, 3), (3, 2), (4, 2)):
        grid = [g for g in itertools.product(range(degree + 1), repeat=n) if sum(g) <= degree]
        rows = [[Fraction(math.prod(x**e for x, e in zip(g, mu, strict=True))) for mu in grid] for g in grid]
        assert len(grid) == math.comb(degree + n, n)
        assert build.rank(rows) == len(grid)


@pytest.mark.parametrize("o", [0, 1])
def test_attained_widths_do_not_lie_below_the_bound(o: int) -> None:
    """The backbones of rules R and P match the scores; a lower bound above their width would be wrong."""
    for H, L in ((1, 1), (1, 3), (2, 1), (2, 2), (3, 2)):
        files = bb.attention_artifact((bb.ALONE, bb.BOTH)[o], H, L)
        assert build.verdict(files).verdict == "VALID"
        assert widths.filtered_width(widths.Case(H, L, 1, 1), o) <= widths.attention_width(widths.Case(H, L), o)


def test_largest_admitted_number_of_scores_is_checked_quickly() -> None:
    table = bb.filtered(1, 1) | {"degree": 2**1012}
    assert accepted(1, 1000, 1, table)
    assert not accepted(1, 1001, 1, table)
    assert not accepted(1, 1000, 1, table | {"degree": 2**900})


@pytest.mark.parametrize("change", [{"L": 10**40}, {"H": 10**12}, {"d": 10**9}, {"d": 10**9, "k": 10**9}])
def test_astronomic_parameters_are_refused_at_once(change: dict[str, int]) -> None:
    base = valid_bounds.valid()["scores-smallest"]
    files = valid_bounds.edited(base, lambda s, _: s["parameters"].update(change))
    assert "too large" in build.verdict(files).reason
