"""The theorems about forms are proved for open and fixed sizes, and their options mean what they say."""

import hashlib
import json
import time
from pathlib import Path

import pytest

import constructions.affine
import constructions.layouts
import symut
from constructions.generic import random_backbone, weights_file
from symut.backbone import Shape
from symut.errors import InternalError, UsageError
from symut.registry import theorems
from symut.statement import PROVED, REFUTED, UNKNOWN

OWN = ("looped_universality", "residual_universality", "score_matching_universality", "affine_universality")
CASES = [(name, instance) for name in OWN for instance in theorems()[name].instances]
SHAPE = {"H": 2, "L": 2, "d": 3, "k": 3}


@pytest.mark.parametrize(("name", "instance"), CASES, ids=str)
def test_every_default_instance_is_proved_and_rechecked(name, instance, tmp_path):
    outcome = symut.prove(name, out=tmp_path, **instance)
    found = symut.check(tmp_path)
    assert (outcome.verdict, [entry["verdict"] for entry in found]) == (PROVED, ["VALID"])
    assert found[0]["claims"] == list(outcome.claims)
    assert found[0]["cited"] == list(outcome.trusted)


@pytest.mark.parametrize(
    ("name", "options", "width"),
    [
        ("looped_universality", {}, "2184*k + 729*d"),
        ("residual_universality", {}, "8190*k + 4096*d"),
        ("residual_universality", {"shared": True}, "2184*k + 1093*d"),
        ("score_matching_universality", {}, "2185*d"),
        ("score_matching_universality", {"keys": "outputs"}, "1821*d"),
        ("affine_universality", {"residual": True}, "8190*k + 4096*d_out"),
    ],
)
def test_six_layers_of_three_heads_take_seconds(name, options, width, tmp_path):
    begin = time.process_time()
    outcome = symut.prove(name, H=3, L=6, out=tmp_path, **options)
    assert time.process_time() - begin < 20
    assert outcome.verdict == PROVED
    assert outcome.width == width


def test_the_same_command_writes_the_same_bytes(tmp_path):
    given = {**SHAPE, "m": 50, "seed": 7, "distribution": "integer"}
    artifacts = [Path(symut.prove("looped_universality", out=tmp_path / side, **given).artifact or "") for side in "ab"]
    first, second = ({path.name: path.read_bytes() for path in artifact.iterdir()} for artifact in artifacts)
    assert first == second


def test_a_seed_certifies_the_weights_of_one_layer_used_in_all(tmp_path):
    outcome = symut.prove("looped_universality", out=tmp_path, seed=0, **SHAPE)
    stored = (Path(outcome.artifact or "") / "weights.safetensors").read_bytes()
    _, content = weights_file(Shape(**SHAPE), 48, 0, "gaussian", "float32", shared=True)
    assert stored == content
    assert hashlib.sha256(stored).hexdigest() in outcome.claims[3]


def test_shared_random_backbones_have_one_layer():
    tensors = random_backbone(Shape(**SHAPE), 50, shared=True)
    assert {name: tensor.shape for name, tensor in tensors.items()} == {
        "RQ": (1, 2, 50, 3),
        "RK": (1, 2, 50, 3),
        "RV": (1, 2, 50, 50),
        "U": (50, 3),
    }


def test_shared_matrices_for_all_residual_targets_are_refused_with_the_reason(tmp_path):
    with pytest.raises(UsageError, match=r"R_\(0,h\) = R_\(h,0\).*take --targets shared"):
        symut.prove("residual_universality", shared=True, targets="all", out=tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_with_one_layer_shared_matrices_serve_all_targets(tmp_path):
    outcome = symut.prove("residual_universality", L=1, shared=True, targets="all", out=tmp_path)
    assert (outcome.verdict, outcome.goal) == (PROVED, "shared_residual_universality")
    assert any(step.id == "targets" for step in outcome.steps)


@pytest.mark.parametrize(("options", "goal"), [({}, "residual"), ({"shared": True}, "shared_residual")])
def test_naming_the_targets_that_are_meant_anyway_changes_no_byte(options, goal, tmp_path):
    plain = symut.prove("residual_universality", out=tmp_path / "a", **options)
    named = symut.prove("residual_universality", targets="shared", out=tmp_path / "b", **options)
    assert plain.goal == named.goal == f"{goal}_universality"
    a, b = (sorted((tmp_path / side).rglob("*.*")) for side in "ab")
    assert [path.read_bytes() for path in a] == [path.read_bytes() for path in b]
    assert [path.parent.name for path in a] == [path.parent.name for path in b]


@pytest.mark.parametrize(
    ("sizes", "keys", "relation"),
    [
        ({"d": 3, "k": 3}, "shared", "below"),
        ({"d": 4, "k": 3}, "shared", "equal to"),
        ({"d": 3, "k": 2}, "shared", "above"),
        ({"d": 3, "k": 2}, "outputs", "below"),
        ({"d": 4, "k": 2}, "outputs", "equal to"),
        ({"d": 3, "k": 1}, "outputs", "above"),
    ],
)
def test_a_step_says_whether_matching_scores_is_narrower(sizes, keys, relation, tmp_path):
    outcome = symut.prove("score_matching_universality", keys=keys, out=tmp_path, **sizes)
    (step,) = [step for step in outcome.steps if step.id == "comparison"]
    assert f"is {relation} " in step.claim
    H, d, k = 2, sizes["d"], sizes["k"]
    narrower = 2 * k * H > d * (H + 1) if keys == "shared" else 2 * k > d
    assert narrower == (relation == "below")


@pytest.mark.parametrize("residual", [False, True])
def test_the_certificate_carries_the_constant_as_the_form_needs(residual, tmp_path):
    outcome = symut.prove("affine_universality", residual=residual, out=tmp_path)
    certificate = json.loads((Path(outcome.artifact or "") / "certificate.json").read_bytes())
    assert certificate["carry"] == 2 * [[0, 0] if residual else [1, 0]]


def test_the_outputs_are_as_wide_as_the_tokens_unless_said(tmp_path):
    outcome = symut.prove("affine_universality", d=3, k=2, out=tmp_path)
    assert outcome.width == "36"
    assert "d_out = 3" in outcome.claims[0]


def test_read_off_keys_are_no_field_of_the_certificate(tmp_path):
    outcome = symut.prove("score_matching_universality", keys="outputs", out=tmp_path)
    routing = json.loads((Path(outcome.artifact or "") / "certificate.json").read_bytes())["routing"]
    assert set(routing) == {"slots", "queries", "values", "readout"}


@pytest.mark.parametrize(
    ("name", "options", "verdict"),
    [
        ("looped_universality", {"m": 47}, REFUTED),
        ("score_matching_universality", {"m": 11}, REFUTED),
        ("score_matching_universality", {"m": 38}, UNKNOWN),
        ("score_matching_universality", {"m": 29}, REFUTED),
        ("score_matching_universality", {"m": 29, "keys": "outputs"}, REFUTED),
        ("residual_universality", {"m": 74}, UNKNOWN),
        ("residual_universality", {"m": 56, "shared": True}, UNKNOWN),
        ("affine_universality", {"m": 47}, UNKNOWN),
    ],
)
def test_widths_below_the_count_are_refuted_only_where_a_bound_is_proved(name, options, verdict, tmp_path):
    outcome = symut.prove(name, out=tmp_path, **SHAPE, **options)
    assert outcome.verdict == verdict
    assert (outcome.artifact is None) == (verdict == UNKNOWN)


@pytest.mark.parametrize("rows", [[[1, 1], [1, 0]], [[0, 0], [1, 0]], [[1, 0]], [[1], [1]]])
def test_a_constant_that_is_not_carried_is_never_proved(rows, tmp_path, monkeypatch):
    monkeypatch.setattr(constructions.affine, "carry", lambda H, L, residual: rows)
    with pytest.raises(InternalError, match="constant is not carried"):
        symut.prove("affine_universality", out=tmp_path)
    monkeypatch.setattr("symut.prover.forms._carry_step", lambda *given: symut.prover.forms.Step("carry", "", ""))
    with pytest.raises(InternalError, match=r"check\.py refuses"):
        symut.prove("affine_universality", out=tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_layout_of_another_form_is_never_proved(tmp_path, monkeypatch):
    monkeypatch.setattr(constructions.layouts, "shifting", constructions.layouts.merging)
    with pytest.raises(InternalError):
        symut.prove("looped_universality", out=tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "given", "message"),
    [
        ("looped_universality", {"seed": 0}, "--seed needs --d and --k"),
        ("looped_universality", {"dtype": "float64"}, "--dtype needs --seed"),
        ("looped_universality", {"d": 3}, "--d and --k go together"),
        ("looped_universality", {"H": 2, "L": 60}, "more memory"),
        ("looped_universality", {"H": 1, "L": 10**5}, "more memory"),
        ("looped_universality", {"d": 2000, "k": 2000, "seed": 0}, "more memory"),
        ("residual_universality", {"H": 10**6, "L": 10**6}, "beyond any machine"),
        ("residual_universality", {"m": 5}, "--m needs --d and --k"),
        ("residual_universality", {"targets": "some"}, "--targets out of range"),
        ("score_matching_universality", {"keys": "own"}, "--keys out of range"),
        ("affine_universality", {"d_out": 3}, "--d-out needs --d and --k"),
        ("affine_universality", {"d": 3, "k": 3, "d_out": 0}, "--d-out out of range"),
        ("affine_universality", {"H": 2, "L": 20, "residual": True}, "more memory"),
        ("affine_universality", {"H": 10**6, "L": 10**6}, "beyond any machine"),
    ],
)
def test_bad_parameters_are_one_line_and_write_nothing(name, given, message, tmp_path):
    with pytest.raises(UsageError, match=message) as caught:
        symut.prove(name, out=tmp_path, **given)
    assert "\n" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("name", "instance"), CASES[::3], ids=str)
def test_the_proof_for_people_is_complete_and_names_its_own_command(name, instance, tmp_path):
    outcome = symut.prove(name, out=tmp_path, **instance)
    text = (Path(outcome.artifact or "") / "proof.md").read_text()
    for lemma in outcome.trusted[1:]:
        assert f"`{lemma}`" in text
    command = text.split("Made by `", 1)[1].split("`", 1)[0]
    assert command.startswith(f"python -m symut prove {name} --H ")
    assert "{{" not in text
    assert "{%" not in text
    assert text.count("$$") % 2 == 0
