"""The rows count what ranks of dense random matrices say: which conditions are independent, and which are forced."""

from itertools import product

import pytest

from symut.backbone.shape import Shape
from symut.tabulator.constructions import CONSTRUCTIONS
from symut.tabulator.lower import LOWER
from tests.tabulator.dense import Weights, entries, side_by_side, stacked

LOWER_ROWS = {row.id: row for row in LOWER}
WIDTHS = {row.id: row for row in CONSTRUCTIONS}
SHAPES = [
    Shape(*sizes) for sizes in ((1, 2, 2, 1), (2, 1, 2, 2), (2, 2, 1, 1), (2, 2, 2, 1), (3, 1, 1, 2), (1, 1, 2, 3))
]


def targets(shape, count):
    """Random targets; modulo a large prime their values are invertible, so they are generic."""
    return [Weights(shape.H, shape.L, shape.d, shape.k, shape.d, seed) for seed in range(count)]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_generic_targets_already_force_the_sharp_width(shape):
    """Rows of B(W) over generic targets span N dimensions, so E M(R) = B(W) for all of them needs rank N."""
    N = LOWER_ROWS["sharp_width"].value(shape)
    blocks = [
        side_by_side([*target.reads(target.queries), *target.reads(target.keys), *target.outputs()])
        for target in targets(shape, N + 2)
    ]
    assert LOWER_ROWS["sharp_width"].linear
    assert stacked(blocks).rank() == N


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_generic_targets_already_force_the_output_bound(shape):
    bound = LOWER_ROWS["output_bound"].value(shape)
    blocks = [side_by_side(target.outputs()) for target in targets(shape, bound + 2)]
    assert LOWER_ROWS["output_bound"].linear
    assert stacked(blocks).rank() == bound


def conditions(row_id, shape, m):
    """The columns that a program must hit in a random backbone of width m, for the two rows that nothing certifies."""
    import random

    backbone = Weights(shape.H, shape.L, m, shape.k, shape.d, seed=7)
    if row_id == "attention_slots":
        return [*backbone.reads(backbone.queries), *backbone.reads(backbone.keys)]
    fixed = entries(random.Random(3), shape.d, shape.k)
    keys = [read * fixed.transpose() for read in backbone.reads(backbone.keys)]
    return [*backbone.reads(backbone.queries), *keys, *backbone.outputs()]


@pytest.mark.parametrize(
    ("row_id", "shape"),
    [pair for pair in product(("attention_slots", "fewer_conditions"), SHAPES) if WIDTHS[pair[0]].applies(pair[1])],
    ids=str,
)
def test_uncertified_widths_make_all_conditions_independent(row_id, shape):
    width = WIDTHS[row_id].value(shape)
    matrix = side_by_side(conditions(row_id, shape, width))
    assert (matrix.nrows(), matrix.ncols(), matrix.rank()) == (width, width, width)
