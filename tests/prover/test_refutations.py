"""Widths below N and singular backbones are refuted, with a counterexample and an artifact that proves the negation."""

import json

import numpy as np
import pytest

import symut
from symut.backbone.stored import serialize
from symut.cli import main
from symut.errors import UsageError
from symut.statement import PROVED, REFUTED, UNKNOWN

SHAPE = {"H": 2, "L": 2, "d": 3, "k": 3}


def refuted(outcome, goal):
    assert (outcome.verdict, outcome.exit_code, outcome.goal) == (REFUTED, 10, goal)
    assert outcome.counterexample
    checked = symut.check(outcome.artifact)[0]
    assert (checked["verdict"], checked["claims"]) == ("VALID", list(outcome.claims))
    return outcome


@pytest.mark.parametrize("theorem", ["sparse_universality", "random_universality"])
@pytest.mark.parametrize("m", [1, 11, 47])
def test_a_width_below_the_threshold_is_refuted(theorem, m, tmp_path):
    outcome = refuted(symut.prove(theorem, m=m, out=tmp_path, **SHAPE), "sharp_width")
    assert f"m = {m} < N = 48" in outcome.counterexample
    assert len(outcome.claims) == 1
    assert "for every backbone of width m there is a target" in outcome.claims[0]


def test_below_the_outputs_smaller_classes_of_attention_are_mentioned(tmp_path):
    def found(m):
        outcome = symut.prove("random_universality", m=m, out=tmp_path, **SHAPE)
        return {step.id: step for step in outcome.steps}

    assert "softmax" in found(11)
    assert "softmax_output_lower_bound" in found(11)["softmax"].method
    assert not {"outputs", "softmax"} & set(found(12))


def test_no_softmax_is_promised_where_its_theorem_is_out_of_reach(tmp_path):
    outcome = symut.prove("random_universality", H=2, L=6, d=1, k=1, m=5, out=tmp_path)
    assert {"outputs"} == {"outputs", "softmax"} & {step.id for step in outcome.steps}


def test_scores_only_is_proved_refuted_or_open_by_width(tmp_path):
    def ask(m):
        return symut.prove("random_universality", m=m, scores_only=True, out=tmp_path, **SHAPE)

    assert ask(48).verdict == PROVED
    assert ask(48).artifact.endswith("H2-L2-d3-k3-m48-scores-only")
    outcome = refuted(ask(11), "output_lower_bound")
    assert "ignore their arguments" in outcome.counterexample
    for m in (12, 29):
        assert "invertible WV" in refuted(ask(m), "score_matching_lower_bound").counterexample
    for m in (30, 47):
        assert (ask(m).verdict, ask(m).known) == (UNKNOWN, {"best_lower": 30, "best_width": 48})
        assert "open band" in ask(m).reason
        assert all(claim.endswith("all attention functions of the scores.") for claim in ask(m).claims)


def test_wide_heads_need_fewer_conditions_for_scores(tmp_path):
    """(k + d) (2 + 4) + 4 d = 50 for d = 2, k = 5, while N = 68."""

    def ask(m):
        return symut.prove("random_universality", H=2, L=2, d=2, k=5, m=m, scores_only=True, out=tmp_path)

    assert ask(49).known == ask(50).known == {"best_lower": 8, "best_width": 50}
    assert "open band" in ask(49).reason
    assert "open band" not in ask(50).reason


def test_scores_only_asks_about_almost_every_backbone(tmp_path):
    for stored in ({"seed": 0}, {"backbone": "x.safetensors"}):
        with pytest.raises(UsageError, match="exclude each other"):
            symut.prove("random_universality", scores_only=True, out=tmp_path, **SHAPE, **stored)


def test_the_sharp_width_refutes_itself_from_the_threshold_on(tmp_path):
    for m in (48, 60):
        outcome = refuted(symut.prove("sharp_width", m=m, out=tmp_path, **SHAPE), "random_universality")
        assert f"m = {m} is not below N = 48" in outcome.counterexample
    assert symut.prove("sharp_width", m=47, out=tmp_path, **SHAPE).verdict == PROVED


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"d": 3, "m": 12}, "--m is not below the bound"),
        ({"m": 2}, "--m needs --d"),
        ({"n": 2}, "--n needs --softmax"),
        ({"softmax": True, "n": 1}, "at least 2 tokens"),
        ({"softmax": True, "d": 3}, "covers all d and m"),
        ({"L": 3000}, "beyond any machine"),
    ],
)
def test_outputs_refuse_what_is_no_question(given, message, tmp_path):
    with pytest.raises(UsageError, match=message):
        symut.prove("output_lower_bound", out=tmp_path, **given)


def saved(path, m, damage=lambda tensors: None):
    generator = np.random.default_rng(0)
    draw = lambda *size: generator.standard_normal((1, 2, *size)).astype(np.float32)  # noqa: E731
    tensors = {"RQ": draw(m, 1), "RK": draw(m, 1), "RV": draw(m, m), "U": draw(m, 2)[0, 0]}
    damage(tensors)
    path.write_bytes(serialize(tensors, {}))
    return str(path)


def test_a_users_narrow_backbone_is_refuted_by_its_width(tmp_path):
    given = {"H": 2, "L": 1, "backbone": saved(tmp_path / "mine.safetensors", 7)}
    outcome = refuted(symut.prove("random_universality", out=tmp_path / "proofs", **given), "sharp_width")
    assert outcome.artifact.endswith("H2-L1-d2-k1-m7")


def test_a_users_singular_backbone_is_refuted_by_a_kernel_vector(tmp_path):
    def equal_keys(tensors):
        tensors["RK"][0, 1] = tensors["RK"][0, 0]

    path = saved(tmp_path / "mine.safetensors", 9, equal_keys)
    outcome = symut.prove("random_universality", H=2, L=1, backbone=path, out=tmp_path / "proofs")
    refuted(outcome, "singular_backbone")
    folder = tmp_path / "proofs" / "random_universality"
    (artifact,) = folder.iterdir()
    assert (artifact / "weights.safetensors").read_bytes() == (tmp_path / "mine.safetensors").read_bytes()
    kernel = json.loads((artifact / "certificate.json").read_text())["kernel"]
    assert sorted(map(abs, kernel)) == [0] * 6 + [1, 1]
    assert "counterexample" not in outcome.claims[0]


def test_a_seeded_backbone_that_is_singular_is_refuted(tmp_path, monkeypatch):
    def degenerate(shape, m, **law):
        zero = lambda *size: np.zeros((shape.L, shape.H, *size), np.float32)  # noqa: E731
        return {"RQ": zero(m, 1), "RK": zero(m, 1), "RV": zero(m, m), "U": np.zeros((m, 1), np.float32)}

    monkeypatch.setattr("constructions.generic.random_backbone", degenerate)
    outcome = symut.prove("random_universality", H=2, L=1, d=1, k=1, seed=0, out=tmp_path)
    refuted(outcome, "singular_backbone")


def test_a_kernel_vector_of_another_backbone_is_invalid(tmp_path):
    def no_values(tensors):
        tensors["RV"][:] = 0

    path = saved(tmp_path / "mine.safetensors", 9, no_values)
    outcome = symut.prove("random_universality", H=2, L=1, backbone=path, out=tmp_path / "proofs")
    certificate = tmp_path / "proofs" / "random_universality" / outcome.artifact.rsplit("/", 1)[1] / "certificate.json"
    fields = json.loads(certificate.read_text())
    fields["kernel"] = [1] + [0] * 7
    certificate.write_text(json.dumps(fields))
    assert symut.check(outcome.artifact)[0]["verdict"] == "INVALID"


def test_the_command_answers_with_exit_code_10_and_the_counterexample(tmp_path, capsys):
    arguments = [
        "prove",
        "random_universality",
        "--H",
        "2",
        "--L",
        "2",
        "--d",
        "3",
        "--k",
        "3",
        "--m",
        "47",
        "--json",
        "--out",
    ]
    assert main([*arguments, str(tmp_path)]) == 10
    answer = json.loads(capsys.readouterr().out)
    assert (answer["verdict"], answer["goal"]) == (REFUTED, "sharp_width")
    assert "lacks a program" in answer["counterexample"]


def test_the_line_names_the_flags_that_are_on(tmp_path, capsys):
    assert main(["prove", "output_lower_bound", "--softmax", "--L", "1", "--quiet", "--out", str(tmp_path)]) == 0
    assert "output_lower_bound (softmax_output_lower_bound) H=2 L=1 --softmax: m >= 2*d" in capsys.readouterr().out
