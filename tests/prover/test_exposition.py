"""proof.md: one meaning for each letter, no letter 0 where there is none, and no factor 1."""

import re
from functools import cache
from pathlib import Path

import pytest

import symut
from symut.backbone.forms import FORMS
from symut.prover.exposition.words import latex_count, times
from symut.registry import theorems

FACTOR_ONE = re.compile(r"(?<![\d.{^/])1\\,")


@pytest.fixture(scope="module")
def proof(tmp_path_factory):
    """proof(theorem, **values) -> the text of proof.md and the form of its statement (None if it has none)."""

    @cache
    def make(name, values):
        outcome = symut.prove(name, out=tmp_path_factory.mktemp("proofs"), **dict(values))
        text = (Path(outcome.artifact or "") / "proof.md").read_text()
        return text, FORMS.get(outcome.goal)

    return lambda name, **values: make(name, tuple(values.items()))


FORMED = ("looped_universality", "residual_universality", "score_matching_universality", "affine_universality")
SMALL = [
    (name, values)
    for name in FORMED
    for values in theorems()[name].instances
    if values.get("L", 2) <= 2 and values.get("seed") is None
]


@pytest.mark.parametrize(("name", "values"), SMALL, ids=str)
def test_the_letter_0_is_named_only_by_forms_that_have_it(proof, name, values):
    text, form = proof(name, **values)
    assert ("letters of $p$ that are not $0$" in text) == form.letters
    assert ("the letters of p that are not 0" in text) == form.letters
    assert "number of letters of $p$" in text


@pytest.mark.parametrize(("name", "values"), SMALL, ids=str)
def test_the_generic_matrix_of_an_affine_proof_is_not_the_read_out(proof, name, values):
    text, form = proof(name, **values)
    lemma = text.split("**Path matching suffices**")[1].split("\n\n")[0]
    assert ("$\\Gamma = C'$" in lemma) == form.affine
    assert bool(re.search(r"(?<![\w'])C(?![\w'])", lemma)) != form.affine


@pytest.mark.parametrize(
    ("count", "text"), [("48", "48"), ("2*k + 1*d", r"2\,k + d"), ("12*k + 4*d_out", r"12\,k + 4\,d_{out}")]
)
def test_counts_in_latex_leave_out_the_factor_1(count, text):
    assert latex_count(count) == text


BOUNDS = [
    (name, values)
    for name in ("attention_matching_lower_bound", "output_lower_bound", "sharp_width")
    for values in theorems()[name].instances
    if values.get("L", 2) <= 2
]


@pytest.mark.parametrize(("name", "values"), BOUNDS, ids=str)
def test_bounds_show_no_factor_1_and_no_term_with_factor_0(proof, name, values):
    text, _ = proof(name, **values)
    assert not FACTOR_ONE.search(text), FACTOR_ONE.findall(text)
    assert not re.search(r"(?<![\d.{^/])0\\,", text)
    assert " 1 maps" not in text
    assert "1 times" not in text


@pytest.mark.parametrize(("H", "recursion"), [(1, "G_j"), (2, r"2\,G_j + s_j"), (3, r"3\,G_j + 2\,s_j")])
def test_the_recursion_of_the_filter_is_written_with_its_own_factors(proof, H, recursion):
    text, _ = proof("attention_matching_lower_bound", H=H, L=2, d=1, k=1)
    assert f"$G_{{j+1}} = {recursion}$" in text


@pytest.mark.parametrize(("factor", "text"), [(0, ""), (1, "j"), (12, r"12\,j")])
def test_products_leave_out_the_factor_1(factor, text):
    assert times(factor, "j") == text
