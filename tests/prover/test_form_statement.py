"""Statements of forms are derived again, word for word, by the checker."""

import hashlib
import json

import pytest

from constructions.affine import carry
from constructions.layouts import merging, shifting
from symut.backbone.forms import FORMS, LAYERED
from symut.certificate import Certificate
from symut.prover.checker import check_bytes
from symut.statement import FormStatement

HASH = "0123456789abcdef" * 4
GOALS = [goal for goal, form in FORMS.items() if form != LAYERED]


def fixed(goal, m=None, weights=None):
    return FormStatement(goal, 2, 2, 3, 2, m, weights, d_out=4 if FORMS[goal].affine else None)


STATEMENTS = [FormStatement(goal, H, L) for goal in GOALS for H, L in ((1, 1), (2, 3))]
STATEMENTS += [fixed(goal, m) for goal in GOALS for m in (None, 100)]
STATEMENTS.append(fixed("looped_universality", 40, HASH))


@pytest.mark.parametrize("statement", STATEMENTS, ids=lambda s: f"{s.goal}-{s.d}-{s.m}-{bool(s.weights)}")
def test_the_checker_derives_the_same_claims(statement):
    """With an empty certificate the checker must get past the statement: it then complains about the certificate."""
    result = check_bytes(statement.as_bytes(), b"{}", None)
    assert result.verdict == "INVALID"
    assert "certificate" in result.reason


def certificate(statement, stated):
    """The witness of a scalar statement, bound to these bytes."""
    shape = statement.units
    parts = {"carry": carry(shape.H, shape.L, shape.form.residual)} if shape.form.affine else {}
    routing = (shifting if shape.form.shared else merging)(shape)
    return Certificate(hashlib.sha256(stated).hexdigest(), routing, parts=parts).as_bytes()


@pytest.mark.parametrize("goal", GOALS)
def test_the_witness_is_valid_for_the_right_wording_only(goal):
    statement = fixed(goal)
    right = statement.as_bytes()
    assert check_bytes(right, certificate(statement, right), None).verdict == "VALID"
    fields = json.loads(right)
    for i, claim in enumerate(fields["claims"]):
        claims = [*fields["claims"][:i], claim.replace("real", "complex"), *fields["claims"][i + 1 :]]
        wrong = json.dumps({**fields, "claims": claims}).encode()
        result = check_bytes(wrong, certificate(statement, wrong), None)
        assert result.verdict == "INVALID"
        assert "claim" in result.reason


def test_counts_of_open_widths_are_formulas():
    assert FormStatement("affine_universality", 2, 2).N == "12*k + 4*d_out"
    assert FormStatement("shared_key_universality", 2, 2).N == "13*d"
    assert fixed("affine_universality").N == "40"


def test_residual_summaries_state_both_counts():
    assert FormStatement("residual_universality", 2, 2).summary == "N = 16*k + 9*d (with shared weights 12*k + 7*d)"
    assert "own weights per layer 75" in FormStatement("shared_residual_universality", 2, 2, 3, 3).summary


def test_units_are_blocks_if_the_widths_are_open():
    assert FormStatement("residual_universality", 2, 2).units.N == 25
    assert fixed("affine_residual_universality").units.N == 16 * 2 + 9 * 4
