"""`best` in comparisons of programs: along cases, over alphabets, by a solver, and what the checker does not state."""

from __future__ import annotations

import pytest

from symut.rasp.symbolic import Letters, Limits, Numbers, compare
from symut.rasp.symbolic.domain import UnsupportedError
from symut.rasp.symbolic.graph import graph_of
from symut.rasp.symbolic.smt import of_programs
from symut.rasp.symbolic.solver import ask
from tests.rasp.compiled import node_of

MAXIMUM = "y = aggregate(best(full_s, tokens_float), tokens_float);"
THREE = "y = max(max(tokens_float[0], tokens_float[1]), tokens_float[2]);"


def test_a_maximum_by_best_is_the_maximum_by_cases() -> None:
    found = compare(node_of(MAXIMUM), node_of(THREE), 3, Numbers(False), Limits(seconds=30))
    assert (found.equal, found.method) == (True, "cases")
    lower = node_of("y = -aggregate(best(full_s, -tokens_float), -tokens_float);")
    assert compare(lower, node_of(THREE), 3, Numbers(False), Limits(seconds=30)).equal is False


def test_all_inputs_over_an_alphabet_with_strings() -> None:
    one = node_of("y = aggregate(best(select(indices, indices, <=), tokens_asis), indices);")
    two = node_of("y = aggregate(best(select(indices, indices, <=), [tokens_asis, 1], [2, 3]), indices);")
    three = node_of("y = aggregate(best(select(indices, indices, <=), tokens_asis, -1), indices);")
    letters = Letters((1, 2, -3, "a"))
    found = compare(one, two, 3, letters, Limits())
    assert (found.equal, found.method, found.undefined) == (True, "exhaustive", 64 - 27)
    assert compare(one, three, 3, letters, Limits()).equal is False


def test_a_solver_reads_it_too() -> None:
    equal = of_programs(node_of(MAXIMUM), node_of(THREE), 3, Numbers(False), defined=False)
    assert ask(equal, 3, 30, 2**31).word == "unsat"
    other = of_programs(node_of(MAXIMUM), node_of("y = tokens_float;"), 3, Numbers(False), defined=False)
    assert ask(other, 3, 30, 2**31).word == "sat"


def test_the_checkers_graphs_do_not_state_it() -> None:
    with pytest.raises(UnsupportedError, match="best"):
        graph_of(node_of(MAXIMUM), node_of(THREE))
