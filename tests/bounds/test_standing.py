"""A row's status is what check.py says about the artifacts at hand now; nothing else makes it proved."""

import re

import pytest

from symut.api import bounds, prove
from symut.backbone.shape import Shape
from symut.bounds.constructions import CONSTRUCTIONS
from symut.bounds.lower import LOWER
from symut.bounds.standing import INSTANCE_NOT_RUN, INVALID, NOT_CERTIFIED, NOT_RUN, PROVED, standing
from symut.registry import theorems
from symut.theorem import resolve

SCALAR = {"d": 3, "k": 3}
CLAIMED = [
    ("sparse_universality", SCALAR, "sparse"),
    ("random_universality", SCALAR, "random"),
    ("looped_universality", SCALAR, "looped"),
    ("residual_universality", SCALAR, "residual"),
    ("residual_universality", {**SCALAR, "shared": True}, "shared_residual"),
    ("score_matching_universality", SCALAR, "shared_key"),
    ("score_matching_universality", {**SCALAR, "keys": "outputs"}, "readoff_key"),
    ("affine_universality", SCALAR, "affine"),
    ("affine_universality", {**SCALAR, "residual": True}, "affine_residual"),
    ("sharp_width", SCALAR, "sharp_width"),
    ("output_lower_bound", {"d": 3}, "output_bound"),
    ("attention_matching_lower_bound", SCALAR, "score_matching"),
    ("attention_matching_lower_bound", {"d": 3, "k": 2}, "score_matching"),
    ("attention_matching_lower_bound", {"d": 1, "k": 1}, "attention_output"),
    ("attention_matching_lower_bound", {"d": 1, "k": 1, "alone": True}, "attention_alone"),
]
"""Theorems with parameters, and the row of the same number."""
ROWS = {row.id: row for row in CONSTRUCTIONS}
HERE, ELSEWHERE = Shape(2, 2, 3, 3), Shape(3, 3, 2, 2)


@pytest.fixture
def proofs(tmp_path):
    prove("sparse_universality", H=2, L=2, out=tmp_path)
    return tmp_path


def test_without_artifacts_no_row_is_proved(tmp_path):
    (found,) = bounds(proofs=tmp_path)
    statuses = {entry.standing.status for entry in (*found.lower, *found.constructions)}
    assert statuses <= {NOT_RUN, NOT_CERTIFIED}


def test_a_block_artifact_proves_every_d_and_k_of_its_heads_and_layers(proofs):
    for d, k in ((3, 3), (1, 5)):
        found = standing(ROWS["sparse"], Shape(2, 2, d, k), proofs)
        assert (found.status, found.command) == (PROVED, "python -m symut prove sparse_universality --H 2 --L 2")
        assert found.artifact == str(proofs / "sparse_universality/H2-L2")


def test_other_sizes_name_the_command_that_asks_for_them(proofs):
    found = standing(ROWS["sparse"], ELSEWHERE, proofs)
    assert (found.status, found.command) == (
        INSTANCE_NOT_RUN,
        "python -m symut prove sparse_universality --H 3 --L 3",
    )


def test_an_artifact_of_one_size_proves_that_size(proofs):
    prove("sparse_universality", H=1, L=2, d=2, k=1, out=proofs)
    assert standing(ROWS["sparse"], Shape(1, 2, 2, 1), proofs).status == PROVED
    assert standing(ROWS["sparse"], Shape(1, 2, 2, 2), proofs).status == INSTANCE_NOT_RUN


def test_an_artifact_of_another_theorem_proves_nothing(proofs):
    assert standing(ROWS["random"], HERE, proofs).status == NOT_RUN


@pytest.mark.parametrize(("shape", "folder"), [(HERE, "H2-L2"), (ELSEWHERE, "H2-L2")])
def test_a_broken_certificate_is_invalid(proofs, shape, folder):
    certificate = proofs / "sparse_universality" / folder / "certificate.json"
    certificate.write_text(certificate.read_text().replace("[0,1,2", "[1,0,2", 1))
    assert standing(ROWS["sparse"], shape, proofs).status == INVALID


def test_an_artifact_of_another_statement_under_this_name_counts_for_nothing(proofs):
    prove("sparse_universality", H=1, L=1, out=proofs)
    target = proofs / "sparse_universality/H2-L2"
    for name in ("statement.json", "certificate.json"):
        (target / name).write_bytes((proofs / "sparse_universality/H1-L1" / name).read_bytes())
    assert standing(ROWS["sparse"], HERE, proofs).status == NOT_RUN


def test_rows_without_a_theorem_are_not_certified(proofs):
    for row in CONSTRUCTIONS:
        assert (standing(row, HERE, proofs).status == NOT_CERTIFIED) == (row.theorem is None)


def test_a_bound_for_some_sizes_is_listed_for_one_shape_where_it_is_proved(tmp_path):
    def listed(**sizes):
        return ["softmax_output_bound" in {entry.row.id for entry in t.lower} for t in bounds(**sizes, proofs=tmp_path)]

    assert listed(H=2, L=1) == [False]
    prove("output_lower_bound", H=2, L=1, softmax=True, out=tmp_path)
    assert listed(H=2, L=1) == [True]
    assert listed(H=3, L=1) == [False]
    assert listed(H=2, L=1, d="1..2") == [False, False]


def test_every_theorem_and_goal_that_a_row_names_is_registered():
    for row in (*LOWER, *CONSTRUCTIONS):
        if row.theorem is not None:
            found = theorems()[row.theorem]
            stated = {found.state(resolve(found, given)).goal for given in found.instances}
            assert row.goal in stated


@pytest.mark.parametrize(
    ("theorem", "given", "row_id"), CLAIMED, ids=lambda value: value if isinstance(value, str) else ""
)
def test_values_are_those_of_the_statements(theorem, given, row_id):
    """The theorem's own statement of width, derived elsewhere, has the row's number at H = L = 2, d = 3, k = 3 or 2."""
    found = theorems()[theorem]
    statement = found.state(resolve(found, {"H": 2, "L": 2, **given}))
    shape = Shape(2, 2, given.get("d", 3), given.get("k", 3))
    (row,) = {row.id: row for row in (*LOWER, *CONSTRUCTIONS) if row.id == row_id}.values()
    assert str(row.value(shape)) in re.findall(r"\d+", statement.width)
