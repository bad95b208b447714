"""Both layouts match every slot of every form that they serve, in blocks and in columns, with and without padding."""

import numpy as np
import pytest

from constructions import affine, looped, residual, scores
from constructions.layouts import joined, merging, moved, shifting
from symut.backbone import Move
from symut.backbone.forms import FORMS, FormShape
from symut.prover.identity import check_block_sizes, match_paths
from tests.constructions.networks import dense_moves

SIZES = [(1, 1, 1, 1), (1, 4, 2, 1), (2, 3, 2, 3), (3, 2, 1, 2), (2, 1, 1, 1)]
PARTS = [pytest.param(form, id=goal) for goal, form in FORMS.items()]


def layout(form):
    return shifting if form.shared else merging


@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize("form", PARTS)
def test_the_layout_of_a_form_matches_every_slot(form, sizes):
    shape = FormShape(form, *sizes, 4 if form.affine else None)
    routing = layout(form)(shape, shape.N + 2)
    assert list(routing.slots) == [*range(shape.N), -1, -1]
    assert match_paths(routing, shape) == shape.N


@pytest.mark.parametrize(("H", "L"), [(1, 1), (1, 5), (2, 3), (3, 2)])
@pytest.mark.parametrize("form", PARTS)
def test_blocks_keep_their_sizes(form, H, L):
    shape = FormShape(form, H, L, 1, 1)
    check_block_sizes(layout(form)(shape), shape)


@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize("form", PARTS)
def test_the_number_of_moved_coordinates_is_known_beforehand(form, sizes):
    shape = FormShape(form, *sizes)
    routing = layout(form)(shape)
    assert moved(shape) == sum(move.length for layer in routing.values for head in layer for move in head)


def test_joined_moves_move_the_same_coordinates():
    moves = [Move(0, 3, 1), Move(1, 4, 2), Move(5, 0, 1), Move(6, 2, 1)]
    assert joined(moves) == [Move(0, 3, 3), Move(5, 0, 1), Move(6, 2, 1)]
    assert (dense_moves(8, joined(moves)) == dense_moves(8, moves)).all()


def test_shared_tables_are_stored_once_and_keys_once_per_layer_or_not_at_all():
    count = lambda routing: tuple(map(len, (routing.queries, routing.keys, routing.values)))  # noqa: E731
    assert count(looped.routing(2, 3, 1, 1)) == (1, 1, 1)
    assert count(residual.routing(2, 3, 1, 1, shared=True)) == (1, 1, 1)
    assert count(residual.routing(2, 3, 1, 1)) == (3, 3, 3)
    assert [len(layer) for layer in scores.routing(2, 3, 2).keys] == [1, 1, 1]
    assert count(scores.routing(2, 3, 2, "outputs")) == (3, 0, 3)


def test_widths_of_the_named_routings():
    assert looped.routing(2, 2, 3, 3, 50).width == 50
    assert residual.routing(2, 2, 3, 3).width == 75
    assert residual.routing(2, 2, 3, 3, shared=True).width == 57
    assert (scores.routing(2, 2, 3).width, scores.routing(2, 2, 3, "outputs").width) == (39, 30)
    assert (affine.routing(2, 2, 4, 3).width, affine.routing(2, 2, 4, 3, True).width) == (52, 84)


@pytest.mark.parametrize("routing", [looped.routing(3, 3, 2, 1), residual.routing(3, 3, 2, 1, shared=True)])
def test_every_head_moves_by_a_partial_permutation(routing):
    for moves in routing.values[0]:
        matrix = dense_moves(routing.width, moves)
        assert matrix.max() == 1
        assert np.all(matrix.sum(axis=0) <= 1)
        assert np.all(matrix.sum(axis=1) <= 1)
