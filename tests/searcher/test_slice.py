"""The slice system of the prover and of the checker are one and the same, and solvers agree whatever the names are."""

import pytest

from symut.searcher.process import Limits, ask
from symut.searcher.slice import Slice, decisive, query, system, terms
from tests.check.build import rule

CASES = [
    (H, L, m, heads, targets)
    for H, L, m in ((1, 1, 1), (1, 1, 2), (2, 1, 3), (1, 2, 2), (3, 1, 5), (1, 3, 3), (2, 2, 6), (2, 1, 5))
    for heads in ("general", "rank-one")
    for targets in ("strong", "weak")
]


@pytest.mark.parametrize(("H", "L", "m", "heads", "targets"), CASES)
def test_query_and_equations_are_those_of_the_checker(H, L, m, heads, targets):
    chosen = decisive(H, L, m, heads, targets)
    checker = rule("matching_slice")
    points = [list(point) for point in chosen.points]
    theirs = checker.read_slice(H, L, m, heads, targets, chosen.kind, points, "test")
    assert query(chosen, 7) == checker.query(theirs, 7)
    built, expected = system(chosen), checker.system(theirs)
    assert list(built.names) == expected.names
    assert [{word: int(c) for word, c in terms(f)} for f in built.equations] == expected.equations


def test_number_of_unknowns_is_the_one_of_the_normal_form():
    built = system(Slice(2, 2, "ones", "general", ((1, 1), (2, 1), (3, 1), (1, 2))))
    # 6 coefficients for each score, and two coordinates for each of the two programs that are not pinned
    assert (built.scores, len(built.names), len(built.equations)) == (12, 16, 8)


@pytest.mark.parametrize("prefix", ["", "renamed_", "zz"])
@pytest.mark.parametrize("seed", [0, 1, 12345])
def test_renamed_and_reseeded_query_is_still_unsat(prefix, seed):
    text = query(decisive(2, 1, 3, "general", "strong"), seed, prefix)
    assert ask("z3", Limits.of(120, 2**32), text=text, simplify=[]).value == {"answer": "unsat"}


def test_query_with_fewer_targets_is_sat():
    chosen = decisive(2, 1, 3, "general", "strong")
    fewer = Slice(chosen.n, chosen.r, chosen.kind, chosen.heads, chosen.points[:1])
    answer = ask("z3", Limits.of(120, 2**32), text=query(fewer, 0), simplify=["c1_1_1", "c2_1_1"]).value
    assert answer == {"answer": "sat", "scores": ["1", "0"]}
