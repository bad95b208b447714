"""Ranges of sizes, and what is refused."""

import pytest

from symut.backbone.shape import Shape
from symut.errors import UsageError
from symut.tabulator.grid import MOST_SHAPES, shapes, sizes


@pytest.mark.parametrize(
    ("given", "listed"),
    [("2", [2]), ("1..3", [1, 2, 3]), ("1,2,4", [1, 2, 4]), ("1..2, 2..3", [1, 2, 3]), (5, [5]), ([1, 4], [1, 4])],
)
def test_sizes_are_listed_once_in_their_order(given, listed):
    assert sizes("H", given) == listed


@pytest.mark.parametrize(
    "given",
    ["", "0", "-1", "3..1", "1..", "..3", "1...3", "a", "1.5", "1..1000000", "99999999999", "٣", [], True, 0, [0]],
)
def test_anything_else_is_refused_by_name(given):
    with pytest.raises(UsageError, match="--H is no size or range"):
        sizes("H", given)


def test_k_follows_d_unless_it_is_given():
    assert shapes(2, 1, "1,3") == [Shape(2, 1, 1, 1), Shape(2, 1, 3, 3)]
    assert shapes(2, 1, "1,3", 2) == [Shape(2, 1, 1, 2), Shape(2, 1, 3, 2)]


def test_a_large_grid_is_refused_before_it_is_listed():
    with pytest.raises(UsageError, match="too many shapes"):
        shapes(f"1..{MOST_SHAPES}", f"1..{MOST_SHAPES}", f"1..{MOST_SHAPES}", f"1..{MOST_SHAPES}")
