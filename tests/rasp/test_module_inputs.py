"""What an emitted module takes as tokens, numbers and ids, as the interpreter does, and what it refuses in one line."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import torch

from symut.rasp import RaspError, evaluate
from symut.rasp.encoder.run import run
from tests.rasp.compiled import encoder_of, module_of

WRITTEN = ["1", "-3", "+2", "007", " 4 ", "1_0", "1e5", "1e-2", "1.5", ".5", "1.", "1/3", "１", "0x1", "nan", "inf", ""]


@pytest.fixture(scope="module")
def letters(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    text = 'y = 1 / indicator(not (tokens == "c"));'
    return module_of(*encoder_of(text, 3, "abc"), tmp_path_factory.mktemp("letters"))


@pytest.mark.parametrize("kind", ["int", "float"])
def test_texts_are_read_as_numbers_as_the_interpreter_reads_them(kind: str, tmp_path: Path) -> None:
    encoder, node = encoder_of(f"y = tokens_{kind};", 2, None)
    module = module_of(encoder, node, tmp_path).load(dtype=torch.float64)
    for text in WRITTEN:
        try:
            expected = evaluate(node, [text])
        except RaspError:
            with pytest.raises(ValueError, match="the token at position 0"):
                module([text])
            with pytest.raises(RaspError):
                run(encoder, [text])
        else:
            assert run(encoder, [text]) == expected
            assert module([text]) == pytest.approx([float(value) for value in expected], rel=1e-15)


@pytest.mark.parametrize("token", [10**400, -(10**400), Fraction(10**400, 3), float("nan"), None, "x", [1], {}])
def test_tokens_that_no_float_holds_are_refused_in_one_line(token: Any, tmp_path: Path) -> None:
    module = module_of(*encoder_of("y = tokens_float;", 2, None), tmp_path).load()
    with pytest.raises(ValueError, match="the token at position 1") as caught:
        module([1, token])
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("given", [None, 3, [None], [["a"], 3], object()])
def test_what_is_no_list_of_tokens_is_refused_in_one_line(given: Any, letters: ModuleType) -> None:
    with pytest.raises(ValueError, match="expected") as caught:
        letters.load()(given)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("ids", "said"),
    [
        (torch.zeros(1, 2, dtype=torch.bool), "integers of batch x 1 to 3, got torch.bool"),
        (torch.zeros(1, 2, dtype=torch.complex64), "integers"),
        (torch.zeros(1, 2), "values: expected tokens of the alphabet"),
        (torch.tensor([0, 1]), r"shape \(2,\)"),
        (torch.zeros(1, 4, dtype=torch.long), r"shape \(1, 4\)"),
        (torch.zeros(1, 0, dtype=torch.long), r"shape \(1, 0\)"),
        (torch.zeros(0, 2, dtype=torch.long), r"shape \(0, 2\)"),
        (torch.tensor([[0, 3]]), "0 to 2, or -1, got 0 to 3"),
        (torch.tensor([[0, -2]]), "got -2 to 0"),
        (torch.tensor([[0, -1, 1]]), "-1 behind them only"),
        (torch.tensor([[0, 1], [-1, -1]]), "1 or more tokens"),
        (torch.tensor([[0, 2]]), "tokens with a value, got 2: division by zero"),
    ],
)
def test_ids_that_are_none_are_refused_in_one_line(ids: torch.Tensor, said: str, letters: ModuleType) -> None:
    with pytest.raises(ValueError, match=said) as caught:
        letters.load()(ids)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("dtype", [torch.int64, torch.int32, torch.int8])
def test_ids_of_every_integer_type_are_taken(dtype: torch.dtype, letters: ModuleType) -> None:
    found = letters.load()(torch.tensor([[0, 1, 1], [1, -1, -1]], dtype=dtype))
    assert found[0].tolist() == [1, 1, 1]
    assert found[1, 0] == 1
    assert letters.load()(torch.tensor([[0, 1]], dtype=torch.uint8)).tolist() == [[1, 1]]


def test_a_float_stands_for_the_letter_to_which_it_is_nearest(tmp_path: Path) -> None:
    encoder, node = encoder_of("y = tokens_asis;", 3, [Fraction(1, 10), Fraction(1, 5), 2])
    module = module_of(encoder, node, tmp_path).load()
    exact = [Fraction(1, 10), Fraction(1, 5), 2]
    assert module([0.1, 0.2, 2.0]) == run(encoder, [0.1, 0.2, 2.0]) == module(exact) == exact
    for token in (0.3, 0.1 + 2**-56, Fraction(1, 3)):
        with pytest.raises(ValueError, match="the token at position 0"):
            module([token])
        with pytest.raises(RaspError, match="not in the alphabet"):
            run(encoder, [token])


@pytest.mark.parametrize("dtype", ["half", "bfloat16", "double"])
def test_a_module_in_another_dtype_than_its_own_is_refused(dtype: str, letters: ModuleType) -> None:
    with pytest.raises(ValueError, match="weights: expected float32, got torch"):
        getattr(letters.load(), dtype)()("ab")
