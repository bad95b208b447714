"""A limit of the implementation is no fact about a program: comparisons that meet one answer UNKNOWN, or INVALID."""

from __future__ import annotations

import json

import pytest

from symut.prover.checker import check_bytes
from symut.rasp import RaspError, evaluate, read_program
from symut.rasp.errors import LimitError
from symut.rasp.symbolic import Letters, Limits, Numbers, compare
from symut.statement.rasp import RATIONAL, Equality

ONES = "1" * 1001


def compared(first: str, second: str, domain, n: int = 1, *, defined: bool = False):
    one, other = (read_program(f"y = {text};").node("y") for text in (first, second))
    return compare(one, other, n, domain, Limits(seconds=5), defined=defined)


@pytest.mark.parametrize("integers", [True, False])
@pytest.mark.parametrize("text", [ONES, "1/" + "3" * 1001, "0." + "5" * 1001])
def test_long_strings_of_numbers_are_not_taken_for_other_strings(text, integers):
    assert compared(f'tokens_str == "{text}"', "indices == -1", Numbers(integers)).equal is None


@pytest.mark.parametrize(("digits", "reason"), [(1000, "differ"), (1001, "too large to check")])
def test_the_checker_does_not_take_long_strings_of_numbers_for_other_strings(digits, reason):
    nodes = [["tokens", "str"], ["constant", "1" * digits], ["map", "eq", [0, 1]], ["constant", False]]
    result = judged(nodes, 2, 3, [[]])
    assert result.verdict == "INVALID"
    assert reason in result.reason or "determine" in result.reason


def judged(nodes: list, first: int, second: int, cases: list, n: int = 1, letters: list | None = None):
    statement = Equality(
        least=n,
        most=n,
        tokens="letters" if letters else RATIONAL,
        letters=letters or [],
        nodes=nodes,
        first=first,
        second=second,
        defined=False,
        programs=("0" * 64, "0" * 64),
    )
    certificate = {"format": "symut-certificate-1", "statement": statement.sha256}
    certificate |= {} if letters else {"cases": cases}
    return check_bytes(statement.as_bytes(), json.dumps(certificate).encode(), None)


def repeated(operation: str, start: list, times: int) -> list:
    nodes = [start]
    for number in range(times):
        nodes.append(["map", operation, [number, number]])
    return nodes


@pytest.mark.parametrize(
    "nodes",
    [repeated("mul", ["constant", 3], 24), repeated("add", ["constant", "ab"], 24)],
    ids=["squares", "doubled-strings"],
)
def test_large_values_end_the_check(nodes):
    nodes = [*nodes, ["constant", 0], ["map", "mul", [len(nodes), len(nodes)]]]
    root = len(nodes) - 3
    result = judged(nodes, root, len(nodes) - 1, [[]])
    assert result.verdict == "INVALID"
    assert result.reason.endswith("too long")


def test_large_polynomials_end_the_check():
    nodes = [["tokens", "float"], ["constant", 1], ["select", "eq", 1, 1], ["aggregate", 2, 0, 0]]
    nodes += [["constant", 16], ["map", "pow", [3, 4]], ["map", "sub", [5, 5]], ["constant", 0]]
    result = judged(nodes, 6, 7, [[]], 12)
    assert result.verdict == "INVALID"
    assert result.reason.endswith("too large to check")


def test_many_inputs_end_the_check():
    nodes = repeated("add", ["indices"], 30)
    result = judged([*nodes, ["constant", 0]], 30, 31, [], 16, letters=["a", "b"])
    assert result.reason.endswith("too large to check")


LETTERS = Letters((2,))


@pytest.mark.parametrize(
    ("first", "second", "domain", "defined"),
    [
        ("tokens_int ^ 20000", "tokens_int / 0", LETTERS, False),
        ("tokens_int ^ 20000", "tokens_int ^ 20000 + 1", LETTERS, True),
        ("tokens_int ^ 20000 * 0", "tokens_int * 0", LETTERS, False),
        ("tokens_int ^ 20000 * 0", "tokens_int * 0", Numbers(True), False),
        ('tokens_str * 60000 * 2 == "x"', 'tokens_str == "x"', Letters(("ab",)), False),
    ],
)
def test_numbers_and_strings_that_are_too_long_decide_nothing(first, second, domain, defined):
    assert compared(first, second, domain, defined=defined).equal is None


def test_text_repeated_a_negative_number_of_times_is_empty():
    assert evaluate(read_program("y = tokens_str * (0 - 10 ^ 30);").node("y"), ["ab"]) == [""]


def test_limits_are_errors_of_their_own():
    with pytest.raises(LimitError):
        evaluate(read_program("y = 3 ^ 20000;").node("y"), ["a"])
    assert issubclass(LimitError, RaspError)


def test_an_empty_list_has_no_entry_whatever_the_tokens_are():
    found = compared("[][tokens_float]", "round(tokens_float) / 0", Numbers(False))
    assert found.equal is None or found.equal
