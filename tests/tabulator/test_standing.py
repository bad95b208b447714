"""A row's status is what check.py says about the artifacts at hand now; nothing else makes it proved."""

import re
import shutil
from pathlib import Path

import pytest

from symut.api import bounds, prove
from symut.backbone.shape import Shape
from symut.registry import theorems
from symut.searcher.matching import search_matching
from symut.searcher.request import Request
from symut.tabulator.columns import COLUMNS, band_of
from symut.tabulator.constructions import CONSTRUCTIONS
from symut.tabulator.lower import LOWER
from symut.tabulator.rows import SEARCH
from symut.tabulator.standing import INSTANCE_NOT_RUN, INVALID, NOT_CERTIFIED, NOT_RUN, PROVED, standing
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
SEARCHED = {row.id: row for row in (*LOWER, *CONSTRUCTIONS) if row.theorem == SEARCH}
STORED = Path(__file__).resolve().parents[2] / "proofs"
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
        assert ("not certified, because check.py has no rule" in row.hypotheses) == (row.theorem is None)


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
        if row.theorem not in (None, SEARCH):
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


@pytest.mark.parametrize(
    ("row_id", "request_made"),
    [
        ("general_scores", Request(2, 1, 3, "general", "weak")),
        ("general_scores_all", Request(1, 1, 2, "general", "strong")),
        ("rank_one_scores", Request(2, 1, 4, "rank-one", "strong")),
    ],
)
def test_searched_rows_stand_on_an_artifact_of_their_own_size(tmp_path, row_id, request_made):
    row, shape = SEARCHED[row_id], Shape(request_made.H, request_made.L, 1, 1)
    before = standing(row, shape, tmp_path)
    assert (before.status, before.command, before.artifact) == (NOT_RUN, request_made.command, None)
    artifact = search_matching(request_made, tmp_path).artifact
    after = standing(row, shape, tmp_path)
    assert (after.status, after.command, after.artifact) == (PROVED, request_made.command, artifact)
    assert standing(row, Shape(3, 1, 1, 1), tmp_path).status == NOT_RUN


def test_any_certificate_of_a_searched_statement_counts_and_a_broken_one_alone_is_invalid(tmp_path):
    row, shape = SEARCHED["general_scores"], Shape(2, 1, 1, 1)
    for method in ("identity", "dimension"):
        search_matching(Request(2, 1, 3, "general", "weak", method=method), tmp_path)
    certificate = tmp_path / SEARCH / "H2-L1-m3-general-weak-identity/certificate.json"
    certificate.write_text(re.sub(r'"scale": ?\d+', '"scale":0', certificate.read_text()))
    assert standing(row, shape, tmp_path).status == PROVED
    shutil.rmtree(tmp_path / SEARCH / "H2-L1-m3-general-weak-dimension")
    assert standing(row, shape, tmp_path).status == INVALID


def test_an_artifact_of_another_width_or_of_finitely_many_targets_certifies_no_searched_row(tmp_path):
    made = Path(search_matching(Request(2, 1, 2, "general", "weak"), tmp_path).artifact)
    shutil.copytree(made, tmp_path / SEARCH / "H2-L1-m3-general-weak-identity")
    assert standing(SEARCHED["general_scores"], Shape(2, 1, 1, 1), tmp_path).status == NOT_RUN


@pytest.mark.parametrize(
    ("row_id", "sizes"), [("rank_one_scores", (2, 10)), ("rank_one_scores", (96, 96)), ("general_scores", (15, 14))]
)
def test_sizes_without_certificates_are_not_run_and_name_no_command(tmp_path, row_id, sizes):
    found = standing(SEARCHED[row_id], Shape(*sizes, 1, 1), tmp_path)
    assert (found.status, found.command) == (NOT_RUN, None)


def test_everything_behind_the_bands_of_small_scalar_networks_is_proved():
    for table in bounds(H="1..3", L="1..3", d=1, proofs=STORED):
        entries = {entry.row.id: entry for entry in (*table.lower, *table.constructions)}
        behind = {row_id for c in COLUMNS for b in [band_of(table, c.problem)] for row_id in (b.lower_id, b.width_id)}
        searched = {row_id for row_id in SEARCHED if row_id in entries}
        assert {entries[row_id].standing.status for row_id in behind | searched} == {PROVED}


def test_an_artifact_that_changes_is_judged_again(tmp_path):
    prove("sharp_width", H=1, L=1, out=tmp_path)
    row, shape = next(row for row in LOWER if row.id == "sharp_width"), Shape(1, 1, 2, 2)
    assert standing(row, shape, tmp_path).status == PROVED
    (tmp_path / "sharp_width" / "H1-L1" / "certificate.json").write_text("{}")
    assert standing(row, shape, tmp_path).status == INVALID
