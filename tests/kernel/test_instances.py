"""instance.v is a function of the statement, and says at these numbers what the claims say."""

import re
from dataclasses import replace

import pytest

from symut.errors import UsageError
from symut.kernel.counterparts import COUNTERPARTS, key_of
from symut.kernel.instances import instance_of
from symut.kernel.run import audit, read_assumptions
from symut.statement import RANDOM, HeadWidthObstruction, ScoreMatchingBound, SharpWidth, Universality
from tests.kernel.statements import STATEMENTS


@pytest.mark.parametrize("name", STATEMENTS)
def test_an_instance_is_the_same_bytes_again(name):
    assert instance_of(STATEMENTS[name]).text == instance_of(STATEMENTS[name]).text


@pytest.mark.parametrize("name", STATEMENTS)
def test_an_instance_has_the_claims_in_words_and_ends_with_the_question_what_its_last_theorem_assumes(name):
    statement, instance = STATEMENTS[name], instance_of(STATEMENTS[name])
    words = " ".join(instance.text.partition("*)\n")[0].split())
    assert statement.sha256 in words
    assert all(" ".join(claim.replace('"', "'").split()) in words for claim in statement.claims)
    assert instance.text.endswith(f"Print Assumptions {instance.theorems[-1]}.\n")
    assert instance.theorems[-1] != "width"
    assert all(len(line) <= 200 and line == line.rstrip() for line in instance.text.splitlines())


@pytest.mark.parametrize("name", STATEMENTS)
def test_every_theorem_of_an_instance_is_asked_for_and_nothing_is_assumed(name):
    instance = instance_of(STATEMENTS[name])
    assert audit().source_faults("instance.v", instance.text) == []
    assert audit().theorems(instance.text) == instance.theorems
    closed = "Closed under the global context\n" * len(instance.theorems)
    assert read_assumptions(instance, closed) == {theorem: {} for theorem in instance.theorems}


@pytest.mark.parametrize("name", STATEMENTS)
def test_an_instance_names_the_theorems_that_it_applies(name):
    head, _, body = instance_of(STATEMENTS[name]).text.partition("*)\n")
    named = re.findall(r"\b(?:measure/)?[A-Z]\w+\.(\w+)", head.partition("by theorems for all sizes:")[2])
    applied = {theorem.partition(".")[2] for theorem in instance_of(STATEMENTS[name]).counterpart.theorems}
    assert named
    assert set(named) == {theorem for theorem in applied if re.search(rf"\b{theorem}\b", body)}


@pytest.mark.parametrize("name", [name for name in STATEMENTS if STATEMENTS[name].H])
def test_the_number_of_the_claim_is_what_the_kernel_computes(name):
    statement, text = STATEMENTS[name], instance_of(STATEMENTS[name]).text
    if key_of(statement) == "score_matching_lower_bound":
        assert "Lemma dimensions :" in text
        return
    stated = " ".join(statement.width.replace("*", " * ").split())
    assert re.search(rf"^Lemma width.* = {re.escape(stated)}\)%N\.$", text, re.MULTILINE)


def test_every_counterpart_has_a_statement_here():
    assert {key_of(statement) for statement in STATEMENTS.values()} == set(COUNTERPARTS)


def test_a_given_width_is_a_number_and_an_open_one_a_variable():
    fixed = instance_of(Universality(RANDOM, 2, 2, 3, 3, 48)).text
    opened = instance_of(Universality(RANDOM, 2, 3)).text
    assert "exists (P : weights R heads 3 (50))" in instance_of(STATEMENTS["sparse-m50"]).text
    assert "'M[R]_(3, 48)" in fixed
    assert "(m : nat)" not in fixed
    assert "Theorem claim_1 (k d m : nat) (R : realType)" in opened
    assert "(28 * k + 8 * d <= m)%N" in opened


def test_what_is_not_proved_is_said():
    assert "the rank of M(R) of the stored backbone" in " ".join(instance_of(STATEMENTS["stored"]).missing)
    assert instance_of(STATEMENTS["sparse-m50"]).missing == ()
    assert "feed-forward" not in " ".join(instance_of(STATEMENTS["attention"]).missing)
    with_feed_forward = replace(STATEMENTS["attention"], sizes={"n": 2, "d": 3, "k": 2, "f": 4})
    assert "feed-forward" in " ".join(instance_of(with_feed_forward).missing)
    assert instance_of(STATEMENTS["sharp"]).missing == ()


def test_a_bound_that_rounds_in_every_layer_stays_cited():
    exact, rounded = instance_of(ScoreMatchingBound(2, 2, 3, 3)), instance_of(STATEMENTS["scores-rounded"])
    assert exact.missing == ()
    assert "filtered-rank" in exact.lemmas
    assert rounded.missing
    assert "filtered-rank" not in rounded.lemmas


@pytest.mark.parametrize("sizes", [(0, 3, 1, 1), (2, 0, 1, 1), (2, 2, 0, 1), (2, 2, 1, 0), (2, 2, True, 1)])
def test_empty_sizes_are_refused(sizes):
    with pytest.raises(UsageError, match="out of range: expected an integer from 1 on"):
        instance_of(SharpWidth(*sizes))


def test_a_goal_without_counterpart_is_refused_with_the_page_that_lists_them():
    expected = r"head_width_obstruction has no Coq counterpart: expected a goal of the table in docs/coq\.md"
    with pytest.raises(UsageError, match=expected):
        instance_of(HeadWidthObstruction(2))
