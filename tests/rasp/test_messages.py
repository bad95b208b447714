"""Refusals in the words of the language, at their place: syntax, arguments, inputs, and programs without values."""

from __future__ import annotations

import re

import pytest

from symut.rasp import RaspError, Source, evaluate, read_program
from symut.rasp.encoder.run import run
from symut.rasp.lowering.lower import prepare
from symut.rasp.parse import _parser, parse
from tests.rasp.compiled import encoder_of, node_of

PROGRAM = 'def f(a, b=1) { for x, y in [[1, 2]] { z = {1: "a"}[x]; } return (a if z == "a" else b)[0], -1.5; }\n'
PROGRAM += (
    'load "p"; draw(f, "a"); a, b = range(1, 3); set example "ab"\ns = select(a, b, <=) and not c; show example\n'
)


def _refused(text: str) -> RaspError:
    with pytest.raises(RaspError) as caught:
        read_program(text)
    return caught.value


def test_syntax_errors_never_use_the_names_of_the_parser() -> None:
    written = {"and", "or", "not", "in", "if", "else", "for", "def", "load", "draw", "return", "round", "indicator"}
    internal = {terminal.name.lower() for terminal in _parser().terminals} - written - {"string"}
    said = set()
    for end in range(len(PROGRAM)):
        for text in (PROGRAM[:end], PROGRAM[:end] + " 7 7 ", PROGRAM[:end] + " ) ", PROGRAM[:end] + " else "):
            try:
                parse(Source("p", text))
            except RaspError as error:
                said.add(error.expected)
    words = {word for text in said for word in re.findall(r"[\w$]+", text)}
    assert len(said) > 20
    assert words & internal == set()
    assert not any("$" in word or word.startswith("_") for word in words)


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("def f(a) { return a; }\nx = f(a=1, a=2);", 2, "an argument is named twice: a"),
        ("\nset example [1, [2]]", 2, "a token of the wrong type at position 1"),
        ("\n\nx = indices;\nx([1, {}]);", 4, "a token of the wrong type at position 1"),
        ("x = selector_width(full_s, indices == 0);", 1, "assume_bos of selector_width is no constant"),
        ("x = selector_width(full_s, assume_bos=full_s);", 1, "assume_bos of selector_width is no constant"),
        ('x = selector_width(full_s, "a");', 1, "assume_bos of selector_width is no constant"),
        ("x = exp([1]);", 1, "an argument of exp is of the wrong type"),
        ("x = exp({1: 2});", 1, "an argument of exp is of the wrong type"),
        ("x = exp(full_s);", 1, "is of the wrong type"),
        ("x = best(full_s, [[1]]);", 1, "an argument of best is of the wrong type"),
        ("x = best(full_s, max);", 1, "an argument of best is of the wrong type"),
        ("x = best([full_s], 1);", 1, "the first argument of best is of the wrong type"),
    ],
)
def test_arguments_are_refused_at_their_place(text: str, line: int, words: str) -> None:
    error = _refused(text)
    assert words in str(error)
    assert error.at is not None
    assert error.at.line == line


@pytest.mark.parametrize(("before", "width"), [('"ab"', 4), ('"日本"', 6), ('"ｱ"', 3), ('"e\u0301"', 3), ('"é"', 3)])
def test_the_caret_stands_under_the_place_on_a_terminal(before: str, width: int) -> None:
    excerpt, caret = _refused(f"x = {before} + ;").excerpt()
    assert excerpt.endswith(f"| x = {before} + ;")
    assert caret.index("^") == caret.index("|") + 2 + len("x = ") + width + len(" + ")


NEVER = "aggregate(full_s, 1 / indices)"


@pytest.mark.parametrize(
    "text",
    [
        NEVER,
        f"indices + {NEVER}",
        f"-{NEVER} / length",
        f"selector_width(select({NEVER}, indices, <))",
        f"aggregate(select({NEVER}, 0, ==) and select(tokens, tokens, ==), indices)",
        f"1 if {NEVER} == 0 else 2",
        f"aggregate(best(full_s, {NEVER}), indices)",
        f"exp({NEVER})",
        "aggregate(select(indices, 0, ==), 1 / indices) + 1 / (indices - 1)",
    ],
)
def test_what_never_has_a_value_is_an_issue_at_its_place(text: str) -> None:
    issues = prepare(node_of(f"y = {text};"), n=3, alphabet="ab").issues
    assert any("no value" in issue.reason for issue in issues)
    assert all(issue.at is not None for issue in issues)


def test_values_that_exclude_each_other_are_an_issue() -> None:
    (issue,) = prepare(node_of("y = 1 / indices + 1 / (indices - 1);"), n=2, alphabet="ab").issues
    assert "never have values together" in issue.reason


def test_means_beside_a_default_that_is_no_number() -> None:
    encoder, node = encoder_of('y = aggregate(select(tokens, tokens, !=), indices, "x");', 64, "ab")
    for given in ("a", "aaa"):
        assert run(encoder, given) == evaluate(node, given)
    for given in ("ab", "ab" * 32, "a" * 63 + "b"):
        assert run(encoder, given) == evaluate(node, given)
