"""All inputs of a finite alphabet at once, against the interpreter one by one."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from symut.rasp import RaspError, core, evaluate, load_program, read_program
from symut.rasp.symbolic.batch import Batch
from symut.rasp.symbolic.domain import UnsupportedError
from symut.rasp.symbolic.exhaustive import compare_all
from tests.rasp.cases import CASES
from tests.rasp.generated import ALPHABET, Program, programs

SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]


def interpreted(root: core.Node, word: tuple) -> list | None:
    try:
        return evaluate(root, list(word))
    except RaspError:
        return None


def require_same(root: core.Node, letters: tuple, n: int) -> None:
    words = list(product(range(len(letters)), repeat=n))
    result = Batch(letters, np.array(words, dtype=np.int64)).run(root)
    for i, word in enumerate(words):
        expected = interpreted(root, tuple(letters[j] for j in word))
        assert bool(result.failed[i]) == (expected is None), (word, expected)
        if expected is not None and result.table is not None:
            found = [result.table.values[j] for j in result.values[i]]
            assert [(type(v), v) for v in found] == [(type(v), v) for v in expected]
        elif expected is not None:
            assert result.values[i].tolist() == expected


@settings(deadline=None, max_examples=60, suppress_health_check=SLOW)
@given(program=programs())
def test_random_programs(program: Program) -> None:
    require_same(read_program(f"y = {program[0]};").node("y"), tuple(ALPHABET), 3)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_every_construct_of_the_language(case) -> None:
    root = read_program(case.text).node("answer")
    letters = (0, 1, -2) if case.numeric else ("a", "b", "1")
    require_same(root, letters, 2)
    require_same(root, letters, 3)


@pytest.mark.parametrize(
    "text",
    [
        "y = 1 / (selector_width(select(tokens, tokens, ==)) - 1);",
        'y = tokens_int if tokens == "1" else 0;',
        'y = aggregate(select(tokens, "a", ==), tokens, "-");',
        'y = aggregate(select(tokens, "a", ==), tokens == "a");',
        'y = aggregate(select(tokens, "a", ==), tokens == "a") or True;',
        "y = select(tokens, tokens, <);",
        'y = aggregate(select(tokens, "a", ==), tokens);',
        "y = aggregate(select(indices, tokens_asis, <), indices);",
        "y = 10 ^ (100 * indices) / 3;",
    ],
)
def test_inputs_on_which_a_program_stops(text: str) -> None:
    require_same(read_program(text).node("y"), ("a", "b", "1"), 3)


def test_a_token_alphabet_of_mixed_kinds() -> None:
    require_same(read_program("y = tokens_asis == True;").node("y"), (1, True, "1", 0), 2)


def test_the_first_input_that_separates_is_found() -> None:
    hist = read_program("y = hist;").node("y")
    rare = read_program('y = hist if not (tokens[0] == "b" and tokens[2] == "b") else 0 * indices;').node("y")
    found = compare_all(hist, rare, 3, "ab")
    assert found.separating == ["b", "a", "b"]


def test_two_ways_of_counting_are_equal() -> None:
    one = load_program("library").node("dyck1")
    other = load_program("library").node('dyck(["()"])')
    assert compare_all(one, other, 8, "()").separating is None


def test_exponentials_are_refused() -> None:
    root = read_program("y = exp(indices);").node("y")
    with pytest.raises(UnsupportedError):
        compare_all(root, root, 2, "ab")
