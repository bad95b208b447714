"""The kernel's answers are believed only if there is one for each theorem and every axiom is allowed."""

import pytest

from symut.errors import InternalError
from symut.kernel.instances import instance_of
from symut.kernel.run import allowed_axioms, audit, read_assumptions
from tests.kernel.statements import STATEMENTS

CLOSED = "Closed under the global context\n"
EXTENSIONALITY = "Axioms:\npropositional_extensionality : forall P Q : Prop, P <-> Q -> P = Q\n"


def test_the_allowed_axioms_are_those_of_the_audit():
    assert allowed_axioms(instance_of(STATEMENTS["sharp"])) == {}
    assert allowed_axioms(instance_of(STATEMENTS["random"])) == audit().AXIOMS_OF_ANALYSIS
    assert len(audit().AXIOMS_OF_ANALYSIS) == 3


def test_axioms_of_analysis_are_kept_by_theorem():
    found = read_assumptions(instance_of(STATEMENTS["random"]), EXTENSIONALITY + CLOSED)
    assert list(found["claim_1"]) == ["propositional_extensionality"]
    assert found["claim_2"] == {}


@pytest.mark.parametrize(
    ("name", "output"),
    [
        ("sharp", EXTENSIONALITY + CLOSED),
        ("sharp", CLOSED),
        ("sharp", CLOSED * 3),
        ("sharp", ""),
        ("sharp", "nonsense\n" + CLOSED * 2),
        ("random", "Axioms:\nfalse : False\n" + CLOSED),
        ("random", "Axioms:\npropositional_extensionality : False\n" + CLOSED),
    ],
)
def test_other_answers_are_a_bug(name, output):
    with pytest.raises(InternalError, match="not those of a proof"):
        read_assumptions(instance_of(STATEMENTS[name]), output)
