"""Identities are true as polynomials, and systems with a solution have none."""

import pytest
import sympy

from symut.searcher.groebner import Derived, constant_of
from symut.searcher.identity import find_identity
from symut.searcher.slice import Slice, decisive, system

FOUND = [
    (1, 1, 1, "general", "weak"),
    (1, 1, 2, "general", "strong"),
    (1, 1, 2, "rank-one", "strong"),
    (2, 1, 3, "general", "strong"),
    (2, 1, 3, "general", "weak"),
    (1, 2, 2, "general", "weak"),
    (3, 1, 5, "general", "strong"),
]


def as_sympy(polynomial, names):
    return sympy.sympify(str(polynomial).replace("^", "**"), locals={name: sympy.Symbol(name) for name in names})


@pytest.mark.parametrize("case", FOUND)
def test_identity_holds_by_sympy(case):
    built = system(decisive(*case))
    found = find_identity(built)
    assert found is not None
    left = found.scale + sum(w * as_sympy(s, built.names) ** 2 for w, s in found.squares)
    pairs = zip(found.cofactors, built.equations, strict=True)
    right = sum(as_sympy(c, built.names) * as_sympy(f, built.names) for c, f in pairs)
    assert sympy.expand(left - right) == 0
    assert found.scale >= 1
    assert all(w >= 1 for w, _ in found.squares)


def test_opposite_scores_need_a_square():
    assert find_identity(system(decisive(1, 1, 2, "general", "strong"))).squares
    assert not find_identity(system(decisive(2, 1, 3, "general", "strong"))).squares


@pytest.mark.parametrize("points", [((1,), (4,)), ((1,), (2,), (3,))])
def test_solvable_system_has_no_identity(points):
    assert find_identity(system(Slice(1, 1, "zero", "general", points))) is None


def test_buchberger_keeps_the_cofactors():
    built = system(decisive(2, 1, 3, "general", "weak"))
    one = built.equations[0] * 0 + 1
    found = constant_of([Derived(f, {i: one}) for i, f in enumerate(built.equations)])
    assert found is not None
    assert sum(c * built.equations[i] for i, c in found.cofactors.items()) == found.polynomial != 0
