"""Modules whose answers carry rounding errors say so, and none gives what no float holds."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import torch

from symut.cli import main
from symut.rasp import RaspError, evaluate
from symut.rasp.emission.emit import emit
from symut.rasp.encoder.extent import constants, fits
from tests.rasp.compiled import encoder_of, module_of

ROUNDED = [
    ('y = num_prevs(tokens, "a") / length;', 64, "ab"),
    ('y = average(frac(tokens, "a") * frac_prevs(tokens, "b"));', 33, "ab"),
    ("y = tokens_float;", 3, None),
    ("y = tokens_int * 3;", 3, None),
]


@pytest.mark.parametrize(("text", "n", "alphabet"), ROUNDED)
def test_answers_without_a_list_of_values_are_called_rounded(text: str, n: int, alphabet: Any, tmp_path: Path) -> None:
    encoder, node = encoder_of(text, n, alphabet)
    made = emit(encoder, node, name="y", title="A test.", command="none")
    assert (made.exact, made.rounded) == ((), ("float32", "float64"))
    module = module_of(encoder, node, tmp_path)
    assert (module.EXACT, module.ROUNDED) == ((), ("float32", "float64"))
    header = " ".join(str(module.__doc__).split())
    assert "rounded in float32, float64" in header
    assert "carry the rounding errors" in header
    assert "nearest of finitely many" not in header
    assert module.load().dtype == torch.float32
    assert module.main() == 0


def test_exact_answers_are_not_called_rounded(tmp_path: Path) -> None:
    module = module_of(*encoder_of('y = frac(tokens, "a");', 5, "ab"), tmp_path)
    assert (module.EXACT, module.ROUNDED) == (("float32", "float64"), ())
    header = " ".join(str(module.__doc__).split())
    assert "exact in float32, float64" in header
    assert "rounded in" not in header


def test_emit_prints_what_is_rounded(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["rasp", "emit", "library", "--name", "tokens_float * 2", "--n", "2", "--numeric", "--out", str(tmp_path)]
    assert main(words) == 0
    error = capsys.readouterr().err
    assert "rounded in        float32, float64" in error
    assert "exact in" not in error
    assert main([*words, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["exact"], answer["rounded"]) == ([], ["float32", "float64"])


@pytest.mark.parametrize("tokens", [[1e200], [2, 1e200], [-1e160, 1]])
def test_answers_that_are_not_finite_are_refused(tokens: list, tmp_path: Path) -> None:
    module = module_of(*encoder_of("y = tokens_float * tokens_float;", 3, None), tmp_path).load(dtype=torch.float64)
    with pytest.raises(ValueError, match="the answer is not finite"):
        module(tokens)
    with pytest.raises(ValueError, match="the answer is not finite"):
        module.values(torch.tensor(tokens, dtype=torch.float64))
    assert module([3, 1e150]) == pytest.approx([9, 1e300])


def test_numbers_beyond_all_floats_are_refused_before_anything_is_written() -> None:
    encoder, node = encoder_of("y = tokens_asis * tokens_asis;", 3, [10**300, 2])
    assert evaluate(node, [10**300]) == [10**600]
    with pytest.raises(RaspError, match="too large for a float; give smaller tokens"):
        emit(encoder, node, name="y", title="A test.", command="none")


@pytest.mark.parametrize("letters", [[10**300, 2], [Fraction(1, 10**60), 2], [-(10**39), 10**38]])
def test_numbers_beyond_float32_leave_float64(letters: list, tmp_path: Path) -> None:
    encoder, node = encoder_of("y = tokens_asis;", 3, letters)
    assert not fits(constants(encoder), "float32")
    module = module_of(encoder, node, tmp_path)
    assert (module.EXACT, module.ROUNDED) == (("float64",), ())
    assert "too large or too small for float32" in module.INEXACT["float32"]
    assert module.load()(letters) == letters
