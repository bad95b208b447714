"""The standard library against plain Python: exact at many lengths, on balanced strings, and on random inputs."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symut.rasp import evaluate, evaluate_all, load_program, read_program
from tests.rasp.references import REFERENCES, dyck, shuffle_dyck

LENGTHS = (1, 2, 8, 10, 16, 32, 64, 128)
BRACKETS = "(){}[]"
library = load_program("library")


def balanced(length: int, pairs: str, seed: int) -> str:
    """A balanced string of even length, of the given bracket pairs."""
    pick, stack, found = random.Random(seed), [], []
    for left in range(length, 0, -1):
        if not stack or (len(stack) < left and pick.random() < 0.5):
            kind = 2 * pick.randrange(len(pairs) // 2)
            stack.append(pairs[kind + 1])
            found.append(pairs[kind])
        else:
            found.append(stack.pop())
    return "".join(found)


def _inputs(name: str, length: int) -> list[str]:
    pick = random.Random(length)
    if "dyck" not in name:
        return ["".join(pick.choices("abcdefgz", k=length)), "".join(pick.choices("ab", k=length)), "a" * length]
    pairs = {"dyck1": "()", "dyck3": BRACKETS}.get(name, "(){}")
    whole = [balanced(length - length % 2, pairs, seed) for seed in range(3)]
    flipped = [text[:-2] + text[-1] + text[-2] for text in whole if len(text) > 1]
    return [text + pairs[0] * (length % 2) for text in whole + flipped] + ["".join(pick.choices(pairs, k=length))]


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("name", REFERENCES)
def test_program_is_exact_at_every_length(name: str, length: int) -> None:
    for tokens in _inputs(name, length):
        assert evaluate(library.node(name), tokens) == REFERENCES[name](tokens)


def test_balanced_strings_are_balanced() -> None:
    for length in (2, 16, 64):
        text = balanced(length, BRACKETS, seed=length)
        assert len(text) == length
        assert evaluate(library.node("dyck3"), text)[-1] == "T"


def test_every_public_sequence_of_the_library_has_a_reference() -> None:
    aliases = {"tokens"}
    assert set(library.sequences) - aliases == set(REFERENCES)


@settings(deadline=None)
@given(tokens=st.text(alphabet="abcz§", min_size=1, max_size=12))
def test_programs_on_letters_equal_their_references(tokens: str) -> None:
    names = [name for name in REFERENCES if "dyck" not in name and name != "most_freq"]
    found = evaluate_all([library.node(name) for name in names], tokens)
    assert dict(zip(names, found, strict=True)) == {name: REFERENCES[name](tokens) for name in names}


@settings(deadline=None)
@given(tokens=st.text(alphabet=BRACKETS + "a", min_size=1, max_size=14))
def test_dyck_programs_equal_their_references(tokens: str) -> None:
    names = [name for name in REFERENCES if "dyck" in name]
    found = evaluate_all([library.node(name) for name in names], tokens)
    assert dict(zip(names, found, strict=True)) == {name: REFERENCES[name](tokens) for name in names}


@settings(deadline=None)
@given(seed=st.integers(0, 10**6), half=st.integers(1, 10), flip=st.integers(0, 19), pair=st.sampled_from(BRACKETS))
def test_dyck_programs_on_nearly_balanced_strings(seed: int, half: int, flip: int, pair: str) -> None:
    text = list(balanced(2 * half, BRACKETS, seed))
    text[flip % len(text)] = pair
    kinds = ["()", "{}", "[]"]
    found = evaluate(library.node('dyck(["()", "{}", "[]"])'), text)
    assert found == dyck(text, kinds)
    assert evaluate(library.node('shuffle_dyck(["()", "{}", "[]"])'), text) == shuffle_dyck(text, kinds)


numbers = st.lists(st.integers(-5, 5) | st.fractions(-3, 3, max_denominator=7), min_size=1, max_size=9)


@settings(deadline=None)
@given(values=numbers)
def test_sort_is_stable_and_exact_on_rationals(values: list) -> None:
    found = evaluate(library.node("sort(indices, tokens_float)"), values)
    assert found == sorted(range(len(values)), key=lambda i: values[i])


@settings(deadline=None)
@given(values=numbers, n=st.integers(-3, 3))
def test_numeric_functions_equal_python(values: list, n: int) -> None:
    length = len(values)
    expected = {
        "average(tokens_float)": [Fraction(sum(values), length)] * length,
        "max(tokens_float, 0)": [max(v, 0) for v in values],
        "min(tokens_float, indices)": [min(v, i) for i, v in enumerate(values)],
        f"shift(tokens_float, {n}, 99)": [values[i - n] if 0 <= i - n < length else 99 for i in range(length)],
        "reversed(tokens_float)": values[::-1],
        "count(tokens_float, 1)": [values.count(1)] * length,
        "contains(tokens_float, 1)": [1 in values] * length,
        "num_prevs(tokens_float, 1)": [values[: i + 1].count(1) for i in range(length)],
        "frac_prevs(tokens_float, 1)": [Fraction(values[: i + 1].count(1), i + 1) for i in range(length)],
        "has_prev(tokens_float)": [v in values[:i] for i, v in enumerate(values)],
    }
    found = evaluate_all([library.node(text) for text in expected], values)
    assert dict(zip(expected, found, strict=True)) == expected


@settings(deadline=None)
@given(tokens=st.text(alphabet="ab", min_size=1, max_size=9))
def test_instances_are_the_first_the_last_and_the_next(tokens: str) -> None:
    program = read_program(
        'first = mark_first_instance(tokens, "a");\n'
        'last = mark_last_instance(tokens, "a");\n'
        'from_first = aggregate(select_from_first(tokens, "a"), indices, -1);\n'
        'from_last = aggregate(select_from_last(tokens, "a"), indices, -1);\n'
        "next = aggregate(select_next_identical(tokens), indices, -1);\n"
    )
    every = range(len(tokens))
    expected = {
        "first": [i == tokens.find("a") for i in every],
        "last": [i == tokens.rfind("a") for i in every],
        "from_first": [tokens.find("a")] * len(tokens),
        "from_last": [tokens.rfind("a")] * len(tokens),
        "next": [tokens.find(token, i + 1) for i, token in enumerate(tokens)],
    }
    assert {name: evaluate(program.node(name), tokens) for name in expected} == expected


@settings(deadline=None)
@given(tokens=st.text(alphabet="abc", min_size=1, max_size=9), bos=st.booleans())
def test_selector_width_from_aggregates_equals_the_built_in_one(tokens: str, bos: bool) -> None:
    program = read_program("s = select(tokens, tokens, ==) and not select(indices, indices, >);")
    for of in ("s", "full_s", "not full_s", "select(indices, 0, ==)"):
        by_heads = program.node(f"selector_width_by_heads({of}, assume_bos={bos})")
        assert evaluate(by_heads, tokens) == evaluate(program.node(f"selector_width({of}, assume_bos={bos})"), tokens)


@settings(deadline=None)
@given(tokens=st.text(alphabet="abc", max_size=9))
def test_programs_with_a_beginning_mark_ignore_it(tokens: str) -> None:
    marked = "§" + tokens
    counts = evaluate(library.node("histogram(tokens, assume_bos=True)"), marked)
    doubles = evaluate(library.node("double_histogram(tokens, assume_bos=True)"), marked)
    in_order = evaluate(library.node("sort(tokens, tokens, assume_bos=True)"), marked)
    frequent = evaluate(library.node('most_frequent(tokens, "-", assume_bos=True)'), marked)
    assert counts[1:] == REFERENCES["hist"](tokens)
    assert doubles[1:] == REFERENCES["hist2"](tokens)
    assert in_order == ["§", *sorted(tokens)]
    assert frequent == ["§", *(token.replace("§", "-") for token in REFERENCES["most_freq"](tokens))]
