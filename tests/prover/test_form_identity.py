"""The matching of forms accepts a routing exactly if the form's own identity E M(R) = B(W) holds for its matrices."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from constructions.layouts import merging, shifting
from symut.backbone import Move
from symut.backbone.forms import AFFINE, FORMS, LOOPED, RESIDUAL, SHARED_KEY, FormShape, form_slots
from symut.errors import InternalError
from symut.prover.identity import check_block_sizes, match_paths
from tests.constructions.networks import dense_columns, dense_moves

SIZES = [(1, 2, 1, 2), (2, 2, 1, 1), (2, 1, 2, 1)]


def witness(shape):
    return (shifting if shape.form.shared else merging)(shape)


def block_matrix(routing, shape):
    """M(R), w x N, slot by slot from the dense matrices, by the definition in FORMAT.md, section 9."""
    w, form = len(routing.slots), shape.form
    at = lambda table, layer: table[0 if form.shared else layer]  # noqa: E731
    found = []
    for slot in form_slots(shape):
        R, layer = np.eye(w), len(slot.path)
        for i, letter in enumerate(slot.path):
            R = R @ dense_moves(w, at(routing.values, i)[letter - 1]) if letter else R
        if slot.role == "U":
            columns = routing.readout
        elif slot.role == "Q":
            columns = at(routing.queries, layer)[slot.head - 1]
        else:
            columns = at(routing.keys, layer)[max(slot.head - 1, 0)]
        found.append((R @ dense_columns(w, columns))[:, slot.column])
    return np.column_stack(found)


def holds(routing, shape):
    """The rows of M(R) at the coordinates that hold slots are the rows of the identity."""
    M = block_matrix(routing, shape)
    return all((row == np.eye(shape.N)[slot]).all() for slot, row in zip(routing.slots, M, strict=True) if slot >= 0)


def swap_slots(routing, data):
    slots = list(routing.slots)
    i, j = (data.draw(st.integers(0, len(slots) - 1)) for _ in range(2))
    slots[i], slots[j] = slots[j], slots[i]
    return replace(routing, slots=slots)


def change_moves(routing, data):
    """Drop one move, or send its first coordinate elsewhere if that stays a partial permutation."""
    values = [[list(head) for head in layer] for layer in routing.values]
    moves = data.draw(st.sampled_from([head for layer in values for head in layer if head]))
    index = data.draw(st.integers(0, len(moves) - 1))
    source, target, length = moves.pop(index)
    free = set(range(len(routing.slots))) - {t + i for _, t, n in moves for i in range(n)}
    free -= set(range(target, target + length))
    if free and data.draw(st.booleans()):
        moves.append(Move(source, data.draw(st.sampled_from(sorted(free))), 1))
        if length > 1:
            moves.append(Move(source + 1, target + 1, length - 1))
    return replace(routing, values=values)


def shift_read(routing, data):
    queries = [[[list(column) for column in head] for head in layer] for layer in routing.queries]
    column = data.draw(st.sampled_from([column for layer in queries for head in layer for column in head]))
    column[0] = data.draw(st.integers(0, len(routing.slots) - 1))
    return replace(routing, queries=queries)


@settings(max_examples=400, deadline=None)
@given(st.data())
def test_routings_are_accepted_exactly_if_the_dense_identity_holds(data):
    shape = FormShape(data.draw(st.sampled_from(sorted(FORMS.values(), key=str))), *data.draw(st.sampled_from(SIZES)))
    change = data.draw(st.sampled_from([swap_slots, change_moves, shift_read]))
    broken = change(witness(shape), data)
    try:
        accepted = match_paths(broken, shape) == shape.N
    except InternalError:
        accepted = False
    assert accepted == holds(broken, shape)


@pytest.mark.parametrize("form", FORMS.values(), ids=list(FORMS))
def test_the_identity_of_the_witness_is_the_whole_identity_matrix(form):
    shape = FormShape(form, 2, 2, 2, 1)
    assert (block_matrix(witness(shape), shape) == np.eye(shape.N)).all()


def test_a_routing_of_another_form_is_refused():
    looped, residual = (FormShape(form, 2, 2, 1, 1) for form in (LOOPED, RESIDUAL))
    with pytest.raises(InternalError, match="tables of other layers"):
        match_paths(shifting(looped), FormShape(AFFINE, 2, 2, 1, 1))
    with pytest.raises((InternalError, IndexError)):
        match_paths(merging(residual), FormShape(AFFINE, 2, 2, 1, 1))


def test_progress_ends_with_all_slots():
    seen = []
    shape = FormShape(RESIDUAL, 2, 2, 1, 1)
    match_paths(merging(shape), shape, lambda done, total: seen.append((done, total)))
    assert seen[-1] == (shape.N, shape.N)


def test_score_blocks_all_have_the_size_d():
    shape = FormShape(SHARED_KEY, 2, 2, 1, 1)
    routing = merging(shape)
    crossed = replace(routing, readout=[[0]])
    check_block_sizes(crossed, shape)
    with pytest.raises(InternalError, match="changes its size"):
        check_block_sizes(replace(merging(FormShape(AFFINE, 2, 2, 1, 1)), readout=[[0]]), FormShape(AFFINE, 2, 2, 1, 1))
