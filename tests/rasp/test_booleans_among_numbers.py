"""Sequences that hold booleans and numbers: a boolean equals its number, and modules answer with numbers there."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from symut.rasp import evaluate
from symut.rasp import tracr as rasp
from symut.rasp.encoder.run import run
from symut.rasp.lowering.lower import lower, prepare
from tests.rasp.compiled import encoder_of, imported, module_of, node_of

MIXED = [
    ('y = aggregate(select(indices, indices + 1, ==), tokens == "a");', "ab"),
    ('y = aggregate(select(indices, indices + 1, ==), tokens == "a", -1);', "ab"),
    ('y = True if tokens == "a" else 0;', "ab"),
    ('y = 0 if tokens == "a" else False;', "ab"),
    ("y = [True, 0, 1][indices % 3];", "ab"),
    ("y = tokens_asis;", [1, True]),
    ("y = tokens_asis;", [True, False, 3]),
    ('y = aggregate(select(indices, indices + 1, ==), tokens == "a") + 1;', "ab"),
]
INPUTS = [[0], [1], [0, 1, 0], [1, 1, 0, 0], [1, 0, 1, 1]]


@pytest.mark.parametrize(("text", "alphabet"), MIXED)
def test_encoder_and_module_give_the_interpreters_values(text: str, alphabet: Any, tmp_path: Path) -> None:
    encoder, node = encoder_of(text, 4, alphabet)
    module = module_of(encoder, node, tmp_path)
    assert module.main() == 0
    for places in INPUTS:
        tokens = [alphabet[place] for place in places]
        found = module.load()(tokens)
        assert found == run(encoder, tokens) == evaluate(node, tokens)
        assert not any(isinstance(value, bool) for value in found)


def test_a_sequence_of_booleans_stays_one(tmp_path: Path) -> None:
    encoder, node = encoder_of('y = aggregate(select(indices, indices + 1, ==), tokens == "a", False);', 3, "ab")
    found = module_of(encoder, node, tmp_path).load()("aba")
    assert [str(value) for value in found] == ["False", "True", "False"]


def test_the_self_check_tells_a_boolean_from_a_number_that_should_be_none(tmp_path: Path) -> None:
    module = module_of(*encoder_of("y = tokens_asis;", 2, [0, 1]), tmp_path)
    assert module.close(1, True)
    assert module.close(1, 1)
    assert not module.close(True, 1)
    assert not module.close(0, True)


def test_tracr_means_of_booleans_are_numbers(tmp_path: Path) -> None:
    earlier = rasp.Select(rasp.indices, rasp.indices, rasp.Comparison.LEQ)
    shares = rasp.Aggregate(earlier, rasp.numerical(rasp.tokens == "x"), default=0)
    model = rasp.compile(shares, "xy", 3)
    for given in ("xyx", "yxx", "x"):
        assert [repr(value) for value in shares(given)] == [repr(value) for value in model(given)]
    assert [repr(value) for value in shares("xyx")] == ["1", repr(Fraction(1, 2)), repr(Fraction(2, 3))]
    assert imported(model.emit(tmp_path) / "model.py").main() == 0


def test_functions_of_tracr_programs_see_the_numbers_of_means() -> None:
    before = rasp.Aggregate(rasp.Select(rasp.indices, rasp.indices - 1, rasp.Comparison.EQ), rasp.tokens == "x", 0)
    named = rasp.Map(lambda value: type(value).__name__, before)
    assert named("xy") == rasp.compile(named, "xy", 3)("xy") == ["int", "int"]


@pytest.mark.parametrize("default", ["0", "7"])
def test_a_mean_of_booleans_alone_is_an_error_or_has_no_encoder(default: str) -> None:
    inner = f'aggregate(select(indices, indices, ==) and select(indices, 0, >), tokens == "a", {default})'
    (issue,) = prepare(node_of(f"y = aggregate(full_s, {inner});"), n=3, alphabet="ab").issues
    assert "only numbers have a mean" in issue.reason
    averaged = node_of(f"y = aggregate(full_s, indicator({inner}));")
    assert run(lower(prepare(averaged, n=3, alphabet="ab")), "aba") == evaluate(averaged, "aba")
