"""The interpreter against a direct reading of the definitions, on random graphs and on special values."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symut.errors import UsageError
from symut.rasp import RaspError, core, evaluate, evaluate_all, load_program, read_program
from symut.rasp.operations import Operation

COMPARE = {"eq": "__eq__", "ne": "__ne__", "lt": "__lt__", "le": "__le__", "gt": "__gt__", "ge": "__ge__"}
values = st.integers(-3, 3) | st.fractions(-2, 2, max_denominator=3)


def _compared(name: str, key: Fraction, query: Fraction) -> bool:
    return getattr(Fraction(key), COMPARE[name])(Fraction(query))


@settings(deadline=None)
@given(tokens=st.lists(values, min_size=1, max_size=7), name=st.sampled_from(sorted(COMPARE)), default=values)
def test_aggregate_is_the_mean_over_selected_keys(tokens: list, name: str, default: Fraction) -> None:
    keys, queries = core.Tokens("asis"), core.Indices()
    selector = core.Select(keys, queries, Operation(name))
    matrix, means, widths = evaluate_all(
        [selector, core.Aggregate(selector, keys, default), core.SelectorWidth(selector)], tokens
    )
    chosen = [[k for k in tokens if _compared(name, k, Fraction(q))] for q in range(len(tokens))]
    assert matrix == [[_compared(name, k, Fraction(q)) for k in tokens] for q in range(len(tokens))]
    assert widths == [len(row) for row in chosen]
    assert means == [Fraction(sum(row), 1) / len(row) if row else default for row in chosen]


@settings(deadline=None)
@given(st.integers(1, 6), st.integers(-1, 6), st.sampled_from(sorted(COMPARE)), st.sampled_from(sorted(COMPARE)))
def test_selector_combinations_work_entry_by_entry(n: int, c: int, first: str, second: str) -> None:
    a = core.Select(core.Indices(), core.Indices(), Operation(first))
    b = core.Select(core.Indices(), core.Constant(c), Operation(second))
    nodes = [a, b, core.Combine("and", (a, b)), core.Combine("or", (a, b)), core.Combine("not", (a,))]
    of_a, of_b, both, either, negated = evaluate_all(nodes, "x" * n)
    cells = [(q, k) for q in range(n) for k in range(n)]
    assert all(both[q][k] == (of_a[q][k] and of_b[q][k]) for q, k in cells)
    assert all(either[q][k] == (of_a[q][k] or of_b[q][k]) for q, k in cells)
    assert all(negated[q][k] == (not of_a[q][k]) for q, k in cells)


def test_whole_rationals_are_integers() -> None:
    found = evaluate(read_program("y = (indices + 1) / 2 * 2;").node("y"), "abc")
    assert found == [1, 2, 3]
    assert {type(value) for value in found} == {int}


def test_floats_on_request() -> None:
    node = read_program("y = 0.1 * (indices + 1) / 3;").node("y")
    assert evaluate(node, "ab", floats=True) == [0.1 / 3, 0.2 / 3]
    assert evaluate(node, "ab") == [Fraction(1, 30), Fraction(1, 15)]


def test_tables_and_equality_work_in_floats() -> None:
    text = (
        "y = indicator(tokens_float in [0.1, 5]) + indicator(tokens_float == 0.1) + {0.1: 7, 5: 8, 2: 9}[tokens_float];"
    )
    assert evaluate(read_program(text).node("y"), ["0.1", "5", "2"], floats=True) == [9, 9, 9]
    assert evaluate(read_program(text).node("y"), ["0.1", "5", "2"]) == [9, 9, 9]


def test_python_floats_are_taken_exactly() -> None:
    assert evaluate(core.Tokens("asis"), [0.1, 0.5]) == [Fraction(0.1), Fraction(1, 2)]
    assert evaluate(core.Tokens("str"), [0.5, -0.25, 3, True, Fraction(1, 3)]) == ["0.5", "-0.25", "3", "True", "1/3"]


def test_a_node_used_twice_is_computed_once() -> None:
    seen: list[int] = []
    counted = core.Map(Operation("python", function=lambda v: seen.append(v) or v), (core.Indices(),))
    assert evaluate(core.Map(Operation("add"), (counted, counted)), "ab") == [0, 2]
    assert seen == [0, 1]


def test_long_chains_of_nodes_need_no_stack() -> None:
    node: core.Sequence = core.Indices()
    for _ in range(20_000):
        node = core.Map(Operation("add"), (node, core.Constant(1)))
    assert evaluate(node, "ab") == [20_000, 20_001]


def test_kinds_mix_and_booleans_are_averaged_only_if_not_strict() -> None:
    mixed = core.Map(Operation("python", function=lambda i: [None, "a", 1][i]), (core.Indices(),))
    assert evaluate(mixed, "abc", strict=False) == [None, "a", 1]
    with pytest.raises(RaspError, match="different kinds"):
        evaluate(mixed, "abc")
    first = core.Map(Operation("eq"), (core.Indices(), core.Constant(0)))
    assert evaluate(core.Aggregate(core.FULL, first), "ab", strict=False) == [Fraction(1, 2)] * 2
    with pytest.raises(RaspError, match="averaged"):
        evaluate(core.Aggregate(core.FULL, first), "ab")


def test_the_default_is_taken_as_it_is() -> None:
    nothing = core.Combine("not", (core.FULL,))
    for default in (0, -1, Fraction(1, 3), "none", False):
        assert evaluate(core.Aggregate(nothing, core.Indices(), default), "ab") == [default, default]


def test_inputs_beyond_memory_are_refused_before_they_are_run() -> None:
    with pytest.raises(UsageError, match="would need more memory"):
        evaluate(load_program("library").node("dyck3"), "()" * 100_000)


def test_a_run_in_floats_indexes_lists_by_whole_numbers():
    node = read_program("y = [5, 6, 7][indices % 3];").node("y")
    assert evaluate(node, "abcd", floats=True) == [5, 6, 7, 5]
    with pytest.raises(RaspError, match="no whole number"):
        evaluate(read_program("y = [5, 6][indices / 2];").node("y"), "ab", floats=True)
