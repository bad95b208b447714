"""Statements are re-derived byte for byte by code that shares nothing with them."""

import hashlib
import json

import pytest

from symut.backbone import Routing, slot_count
from symut.certificate import Certificate, Inverse
from symut.prover.checker import check_bytes
from symut.statement import BACKBONE, RANDOM, SPARSE, Universality

HASH = "0123456789abcdef" * 4
STATEMENTS = [
    Universality(SPARSE, 2, 3),
    Universality(SPARSE, 1, 1),
    Universality(SPARSE, 3, 2, 4, 5),
    Universality(SPARSE, 2, 2, 3, 3, 50),
    Universality(RANDOM, 2, 3),
    Universality(RANDOM, 1, 4, 2, 7),
    Universality(RANDOM, 2, 2, 3, 3, 48),
    Universality(RANDOM, 2, 2, 3, 3, 48, HASH),
    Universality(BACKBONE, 2, 1, 2, 1, 9, HASH),
]


@pytest.mark.parametrize("statement", STATEMENTS)
def test_the_checker_derives_the_same_claims(statement):
    """With an empty certificate the checker must get past the statement: it then complains about the certificate."""
    result = check_bytes(statement.as_bytes(), b"{}", None)
    assert result.verdict == "INVALID"
    assert "certificate" in result.reason


@pytest.mark.parametrize("statement", STATEMENTS)
def test_any_other_wording_is_refused(statement):
    fields = json.loads(statement.as_bytes())
    for i, claim in enumerate(fields["claims"]):
        claims = list(fields["claims"])
        claims[i] = claim.replace("H =", "H >=")
        altered = json.dumps({**fields, "claims": claims}).encode()
        result = check_bytes(altered, empty_certificate(statement, altered), b"")
        assert result.verdict == "INVALID"
        assert "claim" in result.reason


def empty_certificate(statement, stated):
    """A certificate of the right form for these bytes; its witnesses prove nothing."""
    d, k = (1, 1) if statement.d is None else (statement.d, statement.k)
    slots = range(slot_count(statement.H, statement.L).at(d, k))
    routing = Routing(list(slots), [], [], [], []) if statement.goal != BACKBONE else None
    inverse = Inverse(3, [[0] * (statement.m or 0) for _ in slots]) if statement.weights else None
    return Certificate(hashlib.sha256(stated).hexdigest(), routing, None, inverse).as_bytes()


def test_counts_of_open_sizes_are_formulas_and_of_fixed_sizes_integers():
    assert (Universality(RANDOM, 2, 3).N, Universality(RANDOM, 2, 3).degree) == ("28*k + 8*d", "68*k + 32*d")
    assert (Universality(RANDOM, 2, 2, 3, 3).N, Universality(RANDOM, 2, 2, 3, 3).degree) == ("48", "96")
