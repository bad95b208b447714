"""Programs with Tracr's names: lengths of constants, None among numbers, and arguments that are refused in one line."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

from symut.errors import UsageError
from symut.rasp import RaspError
from symut.rasp import tracr as rasp
from tests.rasp.compiled import imported

EQ, LT, TRUE = rasp.Comparison.EQ, rasp.Comparison.LT, rasp.Comparison.TRUE
tokens, indices = rasp.tokens, rasp.indices
EVERYWHERE = rasp.Select(indices, indices, TRUE)


@pytest.mark.parametrize(
    "program",
    [
        rasp.ConstantSOp([1, 2, 3]) + indices,
        rasp.SelectorWidth(rasp.ConstantSelector([[True, False, True]] * 3)),
        rasp.Aggregate(EVERYWHERE, rasp.ConstantSOp([5, 6, 7])),
    ],
)
def test_modules_ask_for_the_length_of_constants(program: rasp.SOp, tmp_path: Path) -> None:
    model = rasp.compile(program, "ab", 3)
    module = imported(model.emit(tmp_path) / "model.py")
    loaded = module.load()
    assert module.SHORTEST == 3
    assert module.main() == 0
    assert loaded("aba") == model("aba") == program("aba")
    for given in ("a", "ab"):
        for run in (program, model):
            with pytest.raises(RaspError, match="a constant of another length: expected 3 tokens"):
                run(given)
        with pytest.raises(ValueError, match="expected 3 to 3 tokens"):
            loaded(given)
    with pytest.raises(ValueError, match="3 or more tokens"):
        loaded(torch.tensor([[0, 1, -1]]))


def test_constants_without_a_length_leave_modules_free(tmp_path: Path) -> None:
    model = rasp.compile(rasp.ConstantSOp([1, 2, 3], check_length=False), "ab", 3)
    assert imported(model.emit(tmp_path) / "model.py").load()("ab") == [1, 2]


@pytest.mark.parametrize("outer", [EVERYWHERE, rasp.Select(indices, indices, rasp.Comparison.LEQ)])
def test_numbers_that_may_be_none_are_averaged_where_they_are_numbers(outer: rasp.Selector, tmp_path: Path) -> None:
    inner = rasp.Aggregate(rasp.Select(tokens, rasp.Full("a"), EQ), indices)
    program = rasp.Aggregate(outer, inner)
    model = rasp.compile(program, "ab", 3)
    loaded = imported(model.emit(tmp_path) / "model.py").load()
    for given in ("".join(word) for m in (1, 2, 3) for word in itertools.product("ab", repeat=m)):
        try:
            expected = program(given)
        except RaspError:
            with pytest.raises(RaspError, match="no numbers"):
                model(given)
            with pytest.raises(ValueError, match="no numbers"):
                loaded(given)
        else:
            assert model(given) == loaded(given) == expected
    assert program("ba") == [1, 1]


def test_means_beside_none_compile_at_every_length() -> None:
    others = rasp.Select(tokens, tokens, rasp.Comparison.NEQ)
    for n in (16, 33):
        program = rasp.Aggregate(others, indices)
        model = rasp.compile(program, "ab", n)
        for given in ("a", "ab", "ab" * (n // 2), "a" * n):
            assert model(given) == program(given)


@pytest.mark.parametrize("length", ["3", None, 0, 2.0, True, 10**9])
def test_a_length_that_no_encoder_has_is_refused(length: Any) -> None:
    with pytest.raises(UsageError, match=r"max_seq_len .* expected an integer from 1 to 1024"):
        rasp.compile(tokens, "ab", length)


@pytest.mark.parametrize("vocab", [None, [], "", 3])
def test_a_vocabulary_without_tokens_is_refused(vocab: Any) -> None:
    with pytest.raises(UsageError, match="the vocabulary is empty"):
        rasp.compile(tokens, vocab, 3)


def test_true_and_one_are_two_tokens() -> None:
    model = rasp.compile(rasp.SelectorWidth(rasp.Select(tokens, tokens, EQ)), [1, True], 3)
    assert model.encoder.alphabet == (1, True)
    assert model([1, True, 1]) == [3, 3, 3]


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: rasp.Select(tokens, tokens, "=="),  # type: ignore[arg-type]
        lambda: rasp.Map(3, tokens),  # type: ignore[arg-type]
        lambda: rasp.SequenceMap(None, tokens, tokens),  # type: ignore[arg-type]
        lambda: rasp.ConstantSelector(3),  # type: ignore[arg-type]
        lambda: rasp.ConstantSelector([1]),  # type: ignore[list-item]
        lambda: rasp.ConstantSOp(3),  # type: ignore[arg-type]
        lambda: rasp.Full([1]),
        lambda: tokens(3),  # type: ignore[arg-type]
        lambda: rasp.compile(tokens, "ab", 2)(None),  # type: ignore[arg-type]
        lambda: rasp.compile(tokens, "ab", 2, bos="B")(None),  # type: ignore[arg-type]
    ],
)
def test_arguments_of_the_wrong_type_are_refused_when_they_are_given(wrong: Callable) -> None:
    with pytest.raises(RaspError, match="of the wrong type: expected"):
        wrong()


@pytest.mark.parametrize("pair", [(None, 1), (1, None), (None, None), ("a", 1)])
def test_comparisons_by_an_order_refuse_what_has_none(pair: tuple) -> None:
    with pytest.raises(RaspError, match="cannot compare by <"):
        LT(*pair)
    assert EQ(*pair) == (pair[0] == pair[1])


def test_refusals_do_not_speak_of_the_command_line() -> None:
    mean = rasp.Aggregate(rasp.Select(tokens, tokens, EQ), indices)
    made = rasp.SequenceMap(lambda a, b: a * b, mean, rasp.Aggregate(EVERYWHERE, mean * mean))
    with pytest.raises(RaspError, match="has no encoder") as caught:
        rasp.compile(made, "ab", 64)
    assert "max_seq_len" in str(caught.value)
    assert "--" not in str(caught.value)
    with pytest.raises(RaspError, match="at most max_seq_len = 2 tokens"):
        rasp.compile(tokens, "ab", 2)("aba")
