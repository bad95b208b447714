"""Counts: integers, formulas and enumerations agree; sizes out of range are refused."""

import pytest

from symut.backbone import (
    Shape,
    block_count,
    degree,
    degree_formula,
    size_symbols,
    slot_count,
    slots,
    width_formula,
)
from symut.errors import UsageError

SHAPES = [(1, 1, 1, 1), (1, 4, 2, 3), (2, 2, 3, 3), (2, 3, 1, 1), (3, 2, 2, 5), (4, 1, 1, 2)]


@pytest.mark.parametrize("sizes", SHAPES)
def test_slot_count_is_the_number_of_slots(sizes):
    H, L, d, k = sizes
    listed = slots(H, L, d, k)
    assert Shape(H, L, d, k).N == len(listed) == len(set(listed)) == slot_count(H, L).at(d, k)


@pytest.mark.parametrize("sizes", SHAPES)
def test_degree_is_the_sum_of_column_degrees(sizes):
    H, L, d, k = sizes
    assert Shape(H, L, d, k).degree == sum(len(slot.path) + 1 for slot in slots(H, L, d, k))


@pytest.mark.parametrize("sizes", SHAPES)
def test_sympy_formulas_give_the_counts(sizes):
    at = dict(zip(size_symbols(), sizes, strict=True))
    assert width_formula().subs(at) == Shape(*sizes).N
    assert degree_formula().subs(at) == Shape(*sizes).degree


def test_published_values():
    assert Shape(2, 2, 3, 3).N == 48
    assert Shape(2, 3, 1, 1).N == 36
    assert Shape(2, 2, 3, 3).degree == 96
    assert block_count(2, 8) == 5 * 2**8 - 4
    assert str(slot_count(2, 3)) == "28*k + 8*d"


def test_one_head_is_linear_in_depth():
    assert [slot_count(1, L).at(2, 3) for L in (1, 2, 3)] == [8, 14, 20]
    assert degree(1, 3).at(1, 1) == 2 * (1 + 2 + 3) + 4


@pytest.mark.parametrize("sizes", [(2, 2, 3, 3), (3, 3, 1, 2)])
def test_state_width_shrinks_by_the_merging_recursion(sizes):
    shape = Shape(*sizes)
    assert shape.state_width(1) == shape.N
    assert shape.state_width(shape.L + 1) == shape.d
    for layer in range(1, shape.L + 1):
        own = 2 * shape.k * shape.H
        assert shape.state_width(layer) == own + shape.H * shape.state_width(layer + 1)
    with pytest.raises(UsageError, match="layer out of range"):
        shape.state_width(0)


@pytest.mark.parametrize("bad", [0, -1, True, 1.0])
@pytest.mark.parametrize("place", range(4))
def test_sizes_below_one_and_non_integers_are_refused(bad, place):
    sizes = [2, 2, 3, 3]
    sizes[place] = bad
    with pytest.raises(UsageError, match="out of range"):
        Shape(*sizes)


def test_astronomic_sizes_are_refused_before_counting():
    with pytest.raises(UsageError, match="beyond any machine"):
        slot_count(10**6, 10**6)
