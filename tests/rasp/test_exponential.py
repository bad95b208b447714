"""`exp`: a symbol in exact runs, a gate of base e in encoders, floats in emitted modules."""

from __future__ import annotations

import math
import random
from pathlib import Path

import pytest
import torch

from symut.rasp import RaspError, evaluate
from symut.rasp.encoder.cost import cost
from symut.rasp.encoder.run import run
from symut.rasp.lowering.lower import encode
from symut.rasp.validate import validate
from tests.rasp.compiled import encoder_of, module_of, node_of

SOFTMAX = "e = exp(tokens_float);\ny = e / (aggregate(full_s, e) * length);"
SHIFTED = (
    "e = exp(tokens_float - aggregate(best(full_s, tokens_float), tokens_float));\n"
    "y = e / (aggregate(full_s, e) * length);"
)


def test_exact_runs_know_exp_of_0_only() -> None:
    encoder, node = encoder_of("y = exp(tokens_float) + exp(0);", 3, None)
    assert evaluate(node, [0, 0]) == run(encoder, [0, 0]) == [2, 2]
    for evaluated in (lambda: evaluate(node, [0, 1]), lambda: run(encoder, [0, 1])):
        with pytest.raises(RaspError, match=r"no exact value at position 1.*got 1; run it with --floats") as caught:
            evaluated()
        assert caught.value.at is not None
        assert "\n" not in str(caught.value)


def test_floats_are_the_exponentials_of_python() -> None:
    assert evaluate(node_of("y = exp(tokens_float);"), [1, -2.5], floats=True) == [math.exp(1), math.exp(-2.5)]
    assert evaluate(node_of("y = exp(1) * indices;"), "ab", floats=True) == [0, math.e]
    with pytest.raises(RaspError, match="too large"):
        evaluate(node_of("y = exp(tokens_float);"), [1000], floats=True)


@pytest.mark.parametrize(("text", "said"), [("y = exp([1]);", "got a list"), ("y = exp(full_s);", "got a selector")])
def test_wrong_arguments(text: str, said: str) -> None:
    with pytest.raises(RaspError, match=said):
        node_of(text)


def test_it_is_one_gate_without_weights_and_powers_keep_their_base() -> None:
    encoder = encode(node_of("y = exp(tokens_float) + 2 ^ tokens_float + exp(tokens_float);"), n=2, alphabet=None)
    assert cost(encoder).gates == {"exp": 2}
    weights = [gate.weights for gate in encoder.layers[0].levels[0]]  # type: ignore[union-attr]
    assert sorted(weights) == [(), (2,)]


def test_over_an_alphabet_its_values_are_numbers_without_a_range(tmp_path: Path) -> None:
    encoder, node = encoder_of("y = exp(tokens_int) * exp(indices - indices);", 3, [0, 1, 2])
    assert run(encoder, [0, 0]) == [1, 1]
    module = module_of(encoder, node, tmp_path).load(dtype=torch.float64)
    assert module([0, 2, 1]) == pytest.approx([1, math.exp(2), math.e], rel=1e-14)
    assert "no number" in validate(node_of("y = exp(tokens);"), n=2, alphabet="ab")[0].reason
    assert "finite range" in validate(node_of("y = round(exp(tokens_int));"), n=2, alphabet=[1, 2])[0].reason


@pytest.mark.parametrize(("text", "layers"), [(SOFTMAX, 1), (SHIFTED, 2)])
def test_softmax(text: str, layers: int, tmp_path: Path) -> None:
    node, pick = node_of(text), random.Random(5)
    encoder = encode(node, n=7, alphabet=None)
    module = module_of(encoder, node, tmp_path)
    assert cost(encoder).attention_layers == layers
    assert module.EXACT + module.ROUNDED == ("float32", "float64")
    for dtype, error in ((torch.float32, 2e-6), (torch.float64, 1e-14)):
        for m in (1, 4, 7):
            x = torch.tensor([[pick.gauss(0, 3) for _ in range(m)] for _ in range(5)], dtype=dtype)
            assert torch.allclose(module.load(dtype=dtype).values(x), x.softmax(-1), rtol=error, atol=error)


def test_overflow_is_refused_and_avoided_by_subtracting_the_maximum(tmp_path: Path) -> None:
    modules = []
    for text in (SOFTMAX, SHIFTED):
        node = node_of(text)
        modules.append(module_of(encode(node, n=2, alphabet=None), node, tmp_path).load(dtype=torch.float32))
    x = torch.tensor([[1e4, 1e4 - 1]])
    with pytest.raises(ValueError, match="exponential is too large"):
        modules[0].values(x)
    assert torch.allclose(modules[1].values(x), x.softmax(-1))


def test_the_self_check_has_examples_in_floats(tmp_path: Path) -> None:
    node = node_of(SOFTMAX)
    module = module_of(encode(node, n=4, alphabet=None), node, tmp_path)
    assert len(module.EXAMPLES) > 3
    assert module.main() == 0


def test_a_choice_of_strings_by_exponentials_has_no_examples_in_floats(tmp_path: Path) -> None:
    encoder, node = encoder_of(
        "y = aggregate(best(full_s, [exp(tokens_int), indices], [1, 1]), tokens_str);", 3, [1, 2]
    )
    module = module_of(encoder, node, tmp_path)
    assert not module.EXAMPLES
    assert module.load(exact=False)([1, 2, 1]) == ["2"] * 3


def test_an_overflow_behind_the_end_of_an_input_changes_nothing(tmp_path: Path) -> None:
    node = node_of("y = aggregate(full_s, exp(300 * indices));")
    module = module_of(encode(node, n=4, alphabet=None), node, tmp_path).load(dtype=torch.float64)
    assert module.batch([[0], [0, 0, 0]])[0] == module([0]) == [1]
    with pytest.raises(ValueError, match="exponential is too large"):
        module([0, 0, 0, 0])
