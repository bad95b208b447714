"""The interpreter against plain Python on random programs, and the merging of common subexpressions."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from symut.rasp import core, evaluate, evaluate_all, read_program
from symut.rasp.sharing import shared
from tests.rasp.cases import CASES
from tests.rasp.generated import ALPHABET, Program, programs

SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]


@settings(deadline=None, max_examples=150, suppress_health_check=SLOW)
@given(program=programs(), tokens=st.text(alphabet=ALPHABET, min_size=1, max_size=6))
def test_random_program_equals_python(program: Program, tokens: str) -> None:
    text, function = program
    node = read_program(f"y = {text};").node("y")
    assert evaluate(node, tokens) == function(tokens)
    assert evaluate(shared([node])[0], tokens) == function(tokens)


def test_merging_keeps_every_case() -> None:
    for case in CASES:
        node = read_program(case.text).node("answer")
        for given_input, expected in case.runs:
            assert evaluate(shared([node])[0], given_input) == expected


def test_equal_subexpressions_become_one_node() -> None:
    program = read_program(
        "def s() { return select(tokens, tokens, ==); }\ny = selector_width(s()) + selector_width(s());"
    )
    (merged,) = shared([program.node("y")])
    kinds = [type(node) for node in core.order([merged])]
    assert kinds.count(core.Select) == kinds.count(core.SelectorWidth) == 1
    assert isinstance(merged, core.Map)
    assert merged.arguments[0] is merged.arguments[1]


def test_constants_of_different_types_stay_different() -> None:
    program = read_program("a = indices == 1;\nb = indices == True;\nc = [1, 0][indices];\nd = [True, False][indices];")
    nodes = [program.node(name) for name in "abcd"]
    merged = shared(nodes)
    assert len(set(merged)) == 4
    found = evaluate_all(merged, "ab")
    assert [type(values[0]) for values in found] == [bool, bool, int, bool]


def test_merging_two_programs_shares_between_them() -> None:
    first = read_program("y = selector_width(full_s) + 1;").node("y")
    second = read_program("y = length + 1;").node("y")
    one, other = shared([first, second])
    assert one is other
