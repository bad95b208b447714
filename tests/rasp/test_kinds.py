"""What is averaged: numbers only, and interpreter, checker, encoder and module agree on what that means.

A sequence of booleans alone, or of strings, has no mean of several values; one with numbers besides booleans has.
Where an encoder could not tell the two apart it is refused, with the place of the aggregate, before it is lowered.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from symut.rasp import RaspError, evaluate
from symut.rasp.encoder.run import run
from symut.rasp.lowering.lower import lower, prepare
from symut.rasp.symbolic import Letters, Limits, compare
from tests.rasp.compiled import encoder_of, module_of, node_of
from tests.rasp.test_check_certificate import by_the_checker

WORDS = ["".join(word) for n in (1, 2, 3) for word in product("ab", repeat=n)]
HALF = Fraction(1, 2)
FULL = "select(1, 1, ==)"
COMPILED = {
    "booleans alone": f'y = aggregate({FULL}, tokens == "a");',
    "booleans that are moved": 'y = aggregate(select(indices, 0, ==), tokens == "a");',
    "booleans that are moved twice": 'y = aggregate(select(indices, 0, ==), aggregate(select(tokens, "a", ==), '
    'tokens == "a", False));',
    "booleans as numbers": f'y = aggregate({FULL}, indicator(tokens == "a"));',
    "booleans in sums": f'y = aggregate({FULL}, (tokens == "a") + (tokens == "a"));',
    "booleans from a list": f"y = aggregate({FULL}, [True, True, False][indices]);",
    "a boolean default": f'y = aggregate({FULL}, aggregate(select(tokens, "a", ==), tokens == "a", False));',
    "strings alone": f"y = aggregate({FULL}, tokens);",
    "strings or one number": f"y = aggregate({FULL}, aggregate(select(tokens, tokens, <), tokens));",
    "strings or numbers": f'y = aggregate({FULL}, "x" if length > 2 else indices);',
    "strings or numbers or a default between": f'y = aggregate({FULL}, aggregate({FULL} and select(tokens, "a", ==), '
    '"x" if length > 2 else indices, 1 / 2));',
    "numbers moved beside strings": 'y = aggregate(select(tokens, tokens, <), "x" if tokens == "b" else indices, 7);',
}
REFUSED = {
    "booleans beside numbers": f'y = aggregate({FULL}, (tokens == "a") if indices == 0 else indices);',
    "booleans or numbers by input": f'y = aggregate({FULL}, (tokens == "a") if length > 1 else indices);',
    "a number as default of booleans": f'y = aggregate({FULL}, aggregate(select(tokens, "a", ==), tokens == "a"));',
    "booleans and numbers in a list": f"y = aggregate({FULL}, [True, 1, False][indices]);",
    "strings and several defaults": f"y = aggregate({FULL}, aggregate(select(tokens, tokens, <), "
    'aggregate(select(tokens, "a", ==), tokens, 5), 2));',
}


def or_none(function: Any, tokens: str) -> Any:
    try:
        return function(tokens)
    except (RaspError, ValueError):
        return None


@pytest.mark.parametrize("text", COMPILED.values(), ids=COMPILED)
def test_all_evaluators_agree_on_what_has_a_mean(text: str, tmp_path: Path) -> None:
    encoder, root = encoder_of(text, 3, "ab")
    module = module_of(encoder, root, tmp_path).load()
    found = [or_none(lambda w: evaluate(root, w), word) for word in WORDS]
    assert [by_the_checker(root, list(word)) for word in WORDS] == found
    assert [or_none(lambda w: run(encoder, w), word) for word in WORDS] == found
    assert [or_none(module, word) for word in WORDS] == found
    for n in (1, 2, 3):
        assert compare(root, root, n, Letters(("a", "b")), Limits()).equal


@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED)
def test_what_an_encoder_could_not_tell_apart_is_refused_with_its_place(text: str) -> None:
    found = prepare(node_of(text), n=3, alphabet="ab")
    (issue,) = found.issues
    assert issue.at is not None
    assert (issue.at.line, issue.at.column) == (1, 5)
    assert "on one input and" in issue.reason or "on some inputs and" in issue.reason
    assert "default" in issue.remedy
    with pytest.raises(RaspError, match="aggregate has no encoder"):
        lower(found)


def test_the_mean_of_booleans_depends_on_what_else_the_sequence_holds() -> None:
    node = node_of(REFUSED["booleans beside numbers"])
    assert evaluate(node, "ab") == [1, 1]
    assert evaluate(node, "bab") == [1, 1, 1]
    assert evaluate(node, "a") == [True]
    by_input = node_of(REFUSED["booleans or numbers by input"])
    assert evaluate(by_input, "a") == [0]
    with pytest.raises(RaspError, match="several values that are no numbers"):
        evaluate(by_input, "ab")


def test_strings_or_numbers_have_the_mean_of_the_numbers() -> None:
    encoder, _ = encoder_of(COMPILED["strings or numbers"], 3, "ab")
    assert run(encoder, "ab") == [HALF, HALF]
    with pytest.raises(RaspError, match="several values that are no numbers"):
        run(encoder, "abb")
