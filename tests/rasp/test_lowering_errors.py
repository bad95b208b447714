"""What has no encoder, all of it with places and reasons, and inputs that an encoder does not take."""

from __future__ import annotations

import pytest

from symut.errors import UsageError
from symut.rasp import RaspError, core, evaluate, read_program
from symut.rasp.encoder.run import run
from symut.rasp.lowering.lower import encode
from symut.rasp.validate import validate
from tests.rasp.compiled import encoder_of, node_of

UNBOUNDED = (
    "a = select(tokens_int, tokens_int, ==);\n"
    "b = round(tokens_float);\n"
    "y = aggregate(a, b) + indicator(tokens_int == 2) + indices;\n"
)


def test_all_issues_are_listed_with_their_places() -> None:
    issues = validate(node_of(UNBOUNDED), n=4, alphabet=None)
    places = sorted((issue.at.line, issue.at.column) for issue in issues if issue.at)
    assert places == [(1, 5), (2, 5), (3, 44)]
    assert all(issue.reason and issue.remedy for issue in issues)
    assert not validate(node_of(UNBOUNDED), n=4, alphabet=[1, 2])


def test_the_first_issue_is_the_error_of_compiling() -> None:
    with pytest.raises(RaspError, match=r"has no encoder.*\(and 2 more\)") as caught:
        encode(node_of(UNBOUNDED), n=4, alphabet=None)
    assert caught.value.at is not None


@pytest.mark.parametrize(
    ("text", "alphabet", "reason"),
    [
        ("y = tokens;", None, "not bounded"),
        ("y = tokens + 1;", "ab", "no letter"),
        ("y = selector_width(select(tokens, indices, <));", "ab", "strings with numbers"),
        ("y = select(1 / (indices * 0), 1, ==);\ny = selector_width(y);", "ab", "defined for no value"),
        ("y = max(tokens_int, 2) > 3;", None, "finite range"),
        ('y = aggregate(select(tokens_asis, 1, ==), tokens_int, "-");', None, "finite range"),
        ('y = aggregate(select(indices, indices, <), tokens_int, "-");', None, "default is no number"),
    ],
)
def test_reason(text: str, alphabet: str | None, reason: str) -> None:
    issues = validate(node_of(text), n=4, alphabet=alphabet)
    assert issues
    assert reason in issues[0].reason


def test_a_table_that_is_too_large_is_an_issue() -> None:
    text = "y = (length * 200 + indices) % 7 + (hist * hist * hist * 300) % (length * 50);"
    issues = validate(node_of(text), n=40, alphabet="ab")
    assert issues
    assert "too many values" in issues[0].reason


@pytest.mark.parametrize("n", [0, -1, 10**6])
def test_lengths_that_no_encoder_has(n: int) -> None:
    with pytest.raises(UsageError, match="--n of 1 to"):
        encode(node_of("y = indices;"), n=n, alphabet="a")


@pytest.mark.parametrize(
    ("alphabet", "match"), [("", "alphabet is empty"), ("aa", "stands twice"), ([float("nan")], "finite")]
)
def test_alphabets_that_no_encoder_has(alphabet: object, match: str) -> None:
    with pytest.raises((UsageError, RaspError), match=match):
        encode(node_of("y = indices;"), n=3, alphabet=alphabet)  # type: ignore[arg-type]


def test_a_selector_has_no_encoder() -> None:
    with pytest.raises(RaspError, match="only sequences"):
        encode(core.FULL, n=3, alphabet="a")


@pytest.mark.parametrize(
    ("tokens", "match"),
    [("abx", "position 2 is not in the alphabet.*a, b.*x"), ("ababa", "too long.*at most 4 tokens.*5"), ("", "empty")],
)
def test_inputs_that_an_encoder_does_not_take(tokens: str, match: str) -> None:
    encoder = encode(node_of("y = tokens;"), n=4, alphabet="ab")
    with pytest.raises(RaspError, match=match) as caught:
        run(encoder, tokens)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("token", ["x", None])
def test_tokens_that_are_no_numbers(token: object) -> None:
    encoder = encode(node_of("y = tokens_int + 1;"), n=4, alphabet=None)
    with pytest.raises((RaspError, TypeError)):
        run(encoder, [1, token])
    with pytest.raises(RaspError, match="no integer"):
        run(encoder, [0.5])
    with pytest.raises(RaspError, match="finite"):
        run(encoder, [float("inf")])


UNDEFINED = (
    ("y = 1 / (indices - 2);", "abc", "division by zero"),
    ("y = 0 * (1 / (hist - 2));", "aab", "division by zero"),
    ("y = [7, 8][indices];", "abc", "out of range"),
    ('y = {"a": 1}[tokens];', "ab", "no such key"),
    ("y = tokens_int + 1;", "1a", "no integer"),
    ("y = aggregate(full_s, tokens);", "aa", "no numbers"),
    ('y = aggregate(full_s, tokens == "a");', "ab", "no numbers"),
    (
        'y = aggregate(select(tokens, "a", ==) and select(indices, indices, <), tokens);',
        "ba a"[:2] + "b",
        "different kinds",
    ),
    ("y = selector_width(select(1 / (indices - 1), indices, ==));", "ab", "division by zero"),
)


@pytest.mark.parametrize(("text", "tokens", "match"), UNDEFINED)
def test_undefined_values_are_errors_and_never_answers(text: str, tokens: str, match: str) -> None:
    encoder, root = encoder_of(text, 4, sorted({*tokens, "a", "b", "1"}))
    for evaluated in (lambda: evaluate(root, tokens), lambda: run(encoder, tokens)):
        with pytest.raises(RaspError, match=match):
            evaluated()


def test_partial_programs_answer_where_they_are_defined() -> None:
    encoder, root = encoder_of("y = 1 / (hist - 2) + aggregate(full_s, [7, 8, 9][indices]);", 5, "ab")
    for tokens in ("a", "ab", "bbb", "aaa"):
        assert run(encoder, tokens) == evaluate(root, tokens)


def test_booleans_and_numbers_are_different_letters() -> None:
    encoder = encode(read_program("y = tokens_asis;").node("y"), n=2, alphabet=[True, 0])
    assert run(encoder, [True, 0]) == [True, 0]
    with pytest.raises(RaspError, match="not in the alphabet"):
        run(encoder, [1])
