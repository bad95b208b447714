"""The slots of every form: their number, their order and their degrees are those of FORMAT.md, section 9.1."""

import pytest

from symut.backbone import slots
from symut.backbone.forms import (
    AFFINE,
    AFFINE_RESIDUAL,
    FORMS,
    LAYERED,
    LOOPED,
    READOFF_KEY,
    RESIDUAL,
    SHARED_KEY,
    SHARED_RESIDUAL,
    FormShape,
    form_count,
    form_degree,
    form_slots,
)
from symut.errors import UsageError

SIZES = [(1, 1, 1, 1), (1, 3, 2, 1), (2, 2, 3, 2), (3, 2, 1, 2), (2, 3, 2, 3)]


def written_count(form, H, L, d, k):
    """N as the table of section 9.1 writes it, with d for d_out."""
    layers, skips = range(1, L + 1), range(L)
    return {
        LAYERED: 2 * k * sum(H**i for i in layers) + d * H**L,
        LOOPED: 2 * k * sum(H**i for i in layers) + d * H**L,
        RESIDUAL: 2 * k * H * sum((H + 1) ** j for j in skips) + d * (H + 1) ** L,
        SHARED_RESIDUAL: 2 * k * sum(H**i for i in layers) + d * sum(H**j for j in range(L + 1)),
        SHARED_KEY: d * (sum(H**i + H ** (i - 1) for i in layers) + H**L),
        READOFF_KEY: d * (sum(H**i for i in layers) + H**L),
        AFFINE: 2 * k * sum(H**i for i in layers) + d * H**L,
        AFFINE_RESIDUAL: 2 * k * H * sum((H + 1) ** j for j in skips) + d * (H + 1) ** L,
    }[form]  # fmt: skip


def recursive_slots(form, H, L, d, k):
    """S(1) by its recursion from S(L+1), as (role, path, head, column)."""
    read = d if form.scores_only else k
    outputs = [("U", (), 0, column) for column in range(d)]
    keys = {"heads": range(1, H + 1), "layer": [0], "outputs": []}[form.keys]
    own = [("Q", (), head, column) for head in range(1, H + 1) for column in range(read)]
    own += [("K", (), head, column) for head in keys for column in range(read)]
    own += outputs if form == SHARED_RESIDUAL else []
    letters = range(0 if form in (RESIDUAL, AFFINE_RESIDUAL) else 1, H + 1)
    found = outputs
    for _ in range(L):
        found = own + [(role, (g, *path), head, column) for g in letters for role, path, head, column in found]
    return found


@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize("form", FORMS.values(), ids=list(FORMS))
def test_slots_are_listed_in_canonical_order(form, sizes):
    shape = FormShape(form, *sizes)
    listed = form_slots(shape)
    assert listed == recursive_slots(form, *sizes)
    assert len(set(listed)) == len(listed) == shape.N == shape.state_width(1)


@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize("form", FORMS.values(), ids=list(FORMS))
def test_counts_are_those_of_the_specification(form, sizes):
    assert written_count(form, *sizes) == FormShape(form, *sizes).N


@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize("form", FORMS.values(), ids=list(FORMS))
def test_the_degree_counts_one_and_the_letters_that_are_no_skip(form, sizes):
    shape = FormShape(form, *sizes)
    assert shape.degree == sum(1 + sum(map(bool, slot.path)) for slot in form_slots(shape))


def test_layered_slots_are_those_of_the_definition():
    assert form_slots(FormShape(LAYERED, 2, 3, 2, 3)) == slots(2, 3, 2, 3)


def test_known_widths():
    at = {form: FormShape(form, 2, 2, 3, 3).N for form in FORMS.values()}
    assert (at[SHARED_KEY], at[READOFF_KEY], at[RESIDUAL], at[SHARED_RESIDUAL], at[LOOPED]) == (39, 30, 75, 57, 48)
    assert FormShape(AFFINE, 2, 2, 3, 3, 4).N == 52
    assert FormShape(AFFINE, 2, 2, 3, 3).N == 48


def test_counts_leave_out_what_a_form_does_not_have():
    assert str(form_count(SHARED_KEY, 2, 2)) == "13*d"
    assert str(form_count(AFFINE, 2, 2)) == "12*k + 4*d_out"
    assert str(form_degree(LOOPED, 1, 1)) == "2*k + 2*d"
    assert str(form_count(RESIDUAL, 1, 1)) == "2*k + 2*d"
    assert str(form_count(LOOPED, 1, 1)) == "2*k + 1*d"


@pytest.mark.parametrize(("form", "H", "L"), [(LOOPED, 10**6, 10**6), (RESIDUAL, 1, 1001), (SHARED_KEY, 2, 10**7)])
def test_counts_beyond_any_machine_are_refused(form, H, L):
    for count in (form_count, form_degree):
        with pytest.raises(UsageError, match="beyond any machine"):
            count(form, H, L)


def test_one_head_without_skips_has_few_paths_however_deep():
    assert form_count(LOOPED, 1, 5000).at(1, 1) == 10001


def test_sizes_below_one_are_refused():
    with pytest.raises(UsageError, match="--d-out out of range"):
        FormShape(AFFINE, 1, 1, 1, 1, 0)
    with pytest.raises(UsageError, match="--L out of range"):
        FormShape(LOOPED, 1, 0, 1, 1)
