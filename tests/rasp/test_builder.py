"""Programs built in Python mean what the same programs mean as text."""

from __future__ import annotations

import operator
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symut.rasp import RaspError, evaluate, read_program
from symut.rasp.builder import (
    aggregate,
    elementwise,
    full_s,
    indices,
    length,
    select,
    selector_width,
    tokens,
    where,
)

BUILT = {
    "2 - (indices + 1) * 3 / 4": 2 - (indices + 1) * 3 / 4,
    "1 + indices % 2": 1 + indices % 2,
    "7 % (indices + 1)": 7 % (indices + 1),
    "(indices + 1) ^ 2 + 2 ^ indices": (indices + 1) ** 2 + 2**indices,
    "5 * (1 / (indices + 1))": 5 * (1 / (indices + 1)),
    "round(-(+indices) / 2)": round(-(+indices) / 2),
    "indices == 1 or not (indices < length - 1)": (indices == 1) | ~(indices < length - 1),
    "indices >= 1 and indices != 2": (indices >= 1) & (indices != 2),
    'indicator(tokens in ["a", "b"])': tokens.isin(["a", "b"]).indicator(),
    'tokens if indices > 1 else "z"': where(indices > 1, tokens, "z"),
    'tokens + "!"': tokens + "!",
    '"<" + tokens': "<" + tokens,
    "aggregate(select(indices, length - 1 - indices, ==), tokens)": aggregate(
        select(indices, length - 1 - indices, "=="), tokens
    ),
    "selector_width(select(tokens, tokens, ==) and not select(indices, indices, <=))": selector_width(
        select(tokens, tokens, operator.eq) & ~select(indices, indices, "<=")
    ),
    "aggregate(select(indices, 1, ==) or select(indices, indices, ==), indices)": aggregate(
        select(indices, 1, "==") | select(indices, indices, "=="), indices
    ),
    'aggregate(select(indices + 1, indices, ==), tokens, "-")': aggregate(
        select(indices + 1, indices, "=="), tokens, "-"
    ),
}


@pytest.mark.parametrize("text", BUILT)
@settings(deadline=None, max_examples=20)
@given(letters=st.text(alphabet="abc", min_size=1, max_size=6))
def test_built_program_equals_the_text(text: str, letters: str) -> None:
    assert BUILT[text](letters) == evaluate(read_program(f"y = {text};").node("y"), letters)


def test_functions_of_python_are_applied_position_by_position() -> None:
    assert elementwise(lambda a, b: f"{a}{b}", tokens, indices)("ab") == ["a0", "b1"]
    assert elementwise(lambda a: a / 4, indices)("abc") == [0, Fraction(1, 4), Fraction(1, 2)]


def test_predicates_of_python_take_key_and_query() -> None:
    before_double = select(indices, indices, lambda key, query: 2 * key <= query)
    assert before_double("abc") == [[True, False, False], [True, False, False], [True, True, False]]
    assert selector_width(before_double)("abc") == [1, 1, 2]


def test_lists_of_any_tokens_are_inputs() -> None:
    assert aggregate(full_s, tokens)([1, 2, 0.5]) == [Fraction(7, 6)] * 3
    assert (tokens * 2)((1, 2), floats=True) == [2, 4]


@pytest.mark.parametrize(
    ("build", "words"),
    [
        (lambda: select(full_s, indices, "=="), "expected a sequence, got a selector"),
        (lambda: aggregate(indices, indices), "expected a selector, got a sequence"),  # type: ignore[arg-type]
        (lambda: aggregate(full_s, full_s), "expected a sequence, got a selector"),
        (lambda: selector_width(tokens), "expected a selector, got a sequence"),  # type: ignore[arg-type]
        (lambda: full_s & tokens, "expected a selector, got a sequence"),  # type: ignore[operator]
        (lambda: select(indices, indices, "~"), "unknown predicate"),
        (lambda: indices * [1], "expected a sequence or a single value"),
        (lambda: not indices, "no truth value"),
        (lambda: indices and tokens, "combine them by &"),
    ],
)
def test_misuse_is_refused_when_it_is_built(build, words: str) -> None:
    with pytest.raises(RaspError, match=words):
        build()


def test_errors_of_python_functions_are_reported() -> None:
    with pytest.raises(RaspError, match="division by zero at position 0"):
        elementwise(lambda a: 1 // a, indices)("ab")
