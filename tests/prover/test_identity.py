"""The prover's own matching accepts every correct routing and refuses every broken one that the definition refuses."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from constructions.sparse import FORMS, moved
from symut.backbone import Move, Routing, block_count, block_matrix, dense
from symut.backbone.forms import LAYERED, FormShape
from symut.errors import InternalError
from symut.prover.identity import check_block_sizes, match_paths

SHAPES = [(1, 1, 1, 1), (1, 3, 2, 1), (2, 2, 3, 2), (3, 2, 1, 2), (2, 4, 1, 1)]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("sizes", SHAPES)
def test_both_forms_match_every_slot(form, sizes):
    routing = FORMS[form](*sizes)
    assert match_paths(routing, FormShape(LAYERED, *sizes)) == routing.width


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("H", "L"), [(1, 1), (1, 5), (2, 3), (3, 2)])
def test_both_forms_keep_the_sizes_of_blocks(form, H, L):
    routing = FORMS[form](H, L, 1, 1)
    shape = FormShape(LAYERED, H, L, 1, 1)
    check_block_sizes(routing, shape)
    assert match_paths(routing, shape) == block_count(H, L)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("sizes", SHAPES)
def test_the_number_of_moved_coordinates_is_known_beforehand(form, sizes):
    routing = FORMS[form](*sizes)
    assert moved(form, *sizes) == sum(m.length for layer in routing.values for head in layer for m in head)


@pytest.mark.parametrize("form", FORMS)
def test_padding_coordinates_hold_zero(form):
    routing = FORMS[form](2, 2, 3, 3, 50)
    assert routing.width == 50
    assert match_paths(routing, FormShape(LAYERED, 2, 2, 3, 3)) == 48


def test_a_move_between_blocks_of_different_size_is_refused():
    routing = FORMS["merging"](2, 2, 1, 1)
    compressed = replace(routing, values=[[[Move(4, 0, 6)], [Move(10, 0, 6)]], routing.values[1]])
    with pytest.raises(InternalError, match="changes its size"):
        check_block_sizes(compressed, FormShape(LAYERED, 2, 2, 1, 1))


def holds(routing: Routing, H: int, L: int, d: int, k: int) -> bool:
    """E M(R) = B(W) in words, from the dense matrices: the rows that hold slots form the identity in slot order."""
    M = block_matrix(dense(routing, lambda r, c: np.zeros((r, c), int)))
    placed = [(slot, row) for slot, row in zip(routing.slots, M, strict=True) if slot >= 0]
    return all((row == np.eye(M.shape[1], dtype=int)[slot]).all() for slot, row in placed)


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_broken_routings_are_refused_exactly_when_the_dense_identity_fails(data):
    sizes = data.draw(st.sampled_from([(1, 2, 1, 2), (2, 2, 1, 1), (2, 1, 2, 1)]))
    routing = FORMS[data.draw(st.sampled_from(sorted(FORMS)))](*sizes)
    broken = data.draw(st.sampled_from([_swap_slots, _drop_move, _shift_read]))(routing, data)
    try:
        accepted = match_paths(broken, FormShape(LAYERED, *sizes)) == broken.width
    except InternalError:
        accepted = False
    assert accepted == holds(broken, *sizes)


def _swap_slots(routing, data):
    slots = list(routing.slots)
    i, j = (data.draw(st.integers(0, len(slots) - 1)) for _ in range(2))
    slots[i], slots[j] = slots[j], slots[i]
    return replace(routing, slots=slots)


def _drop_move(routing, data):
    values = [[list(head) for head in layer] for layer in routing.values]
    layer, head = data.draw(st.integers(0, len(values) - 1)), data.draw(st.integers(0, len(values[0]) - 1))
    values[layer][head].pop(data.draw(st.integers(0, len(values[layer][head]) - 1)))
    return replace(routing, values=values)


def _shift_read(routing, data):
    queries = [[[list(column) for column in head] for head in layer] for layer in routing.queries]
    column = queries[-1][-1][-1]
    column[0] = data.draw(st.integers(0, routing.width - 1).filter(lambda c: c not in column[1:]))
    return replace(routing, queries=queries)
