"""Statements of lower bounds: the independent checker derives the same sentences, and the widths are the known ones."""

import hashlib
import json
from pathlib import Path

import pytest

import symut
from symut.statement import (
    ALONE,
    WITH_OUTPUTS,
    AttentionWidth,
    OutputBound,
    SharpWidth,
    SoftmaxOutputBound,
    score_bound,
    score_ranks,
)

ASKED = [
    ("sharp_width", {"H": 2, "L": 3}),
    ("sharp_width", {"H": 1, "L": 1}),
    ("sharp_width", {"d": 3, "k": 2}),
    ("sharp_width", {"d": 3, "k": 3, "m": 47}),
    ("output_lower_bound", {"H": 2, "L": 3}),
    ("output_lower_bound", {"H": 3, "L": 1, "d": 5}),
    ("output_lower_bound", {"d": 3, "m": 11}),
    ("output_lower_bound", {"L": 1, "softmax": True, "n": 3}),
    ("attention_matching_lower_bound", {"H": 2, "L": 2}),
    ("attention_matching_lower_bound", {"H": 3, "L": 2, "alone": True}),
    ("attention_matching_lower_bound", {"H": 1, "L": 1, "alone": True}),
    ("attention_matching_lower_bound", {"d": 3, "k": 2}),
    ("head_width_obstruction", {"m": 3}),
]


def reworded(folder, claims):
    """The artifact with other claims, and a certificate for exactly these bytes."""
    stated = folder / "statement.json"
    stated.write_text(json.dumps({**json.loads(stated.read_text()), "claims": claims}))
    certificate = folder / "certificate.json"
    fields = json.loads(certificate.read_text())
    fields["statement"] = hashlib.sha256(stated.read_bytes()).hexdigest()
    certificate.write_text(json.dumps(fields))
    return symut.check(folder)[0]


@pytest.mark.parametrize(("theorem", "given"), ASKED)
def test_the_checker_derives_the_same_claims_and_refuses_any_other(theorem, given, tmp_path):
    outcome = symut.prove(theorem, out=tmp_path, **given)
    assert outcome.verdict == "PROVED"
    folder, claims = Path(outcome.artifact), list(outcome.claims)
    assert reworded(folder, claims)["verdict"] == "VALID"
    for i, claim in enumerate(claims):
        result = reworded(folder, [*claims[:i], claim + " ", *claims[i + 1 :]])
        assert result["verdict"] == "INVALID"
        assert "claim" in result["reason"]


@pytest.mark.parametrize("H", [1, 2, 3])
@pytest.mark.parametrize("L", [1, 2, 4])
def test_exact_widths_are_the_geometric_sums(H, L):
    heads = sum(H**layer for layer in range(1, L + 1))
    assert AttentionWidth(WITH_OUTPUTS, H, L).minimum == heads + H**L == score_bound(H, L, 1, 1, True)
    assert AttentionWidth(ALONE, H, L).minimum == (2 if H == L == 1 else heads)
    assert score_bound(H, L, 1, 1, False) == heads


def test_full_rank_scores_need_the_read_off_width():
    assert score_bound(2, 3, 4, 4, True) == 4 * (2 + 4 + 8 + 8)
    assert score_bound(2, 3, 4, 4, False) == 4 * (2 + 4 + 8)


def test_rounding_in_every_layer_improves_the_dimension_count():
    """2kd - k^2 = 8 per head: 8 (2 + 4) / 3 + 3 * 4 = 28 without rounding."""
    assert score_ranks(2, 2, 3, 2, True) == [3, 9, 14]
    assert score_bound(2, 2, 3, 2, True) == 29


def test_widths_are_shown_with_what_they_bound():
    assert SharpWidth(2, 3).width == "28*k + 8*d"
    assert OutputBound(2, 2, 3).summary == "m >= 12"
    assert OutputBound(2, 2).summary == "m >= 4*d"
    assert SoftmaxOutputBound(2, 3).summary == "m >= 8*d"
