"""`root`: exact where the root is rational, a gate with its exponent in encoders, floats in emitted modules."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
import torch

from symut.rasp import RaspError, evaluate
from symut.rasp.builder import root, tokens
from symut.rasp.encoder.cost import cost
from symut.rasp.encoder.exported import cost_text, exported
from symut.rasp.encoder.run import run
from symut.rasp.errors import LimitError
from symut.rasp.lowering.lower import encode
from symut.rasp.symbolic.compare import Limits, compare
from symut.rasp.symbolic.domain import Letters, Numbers
from symut.rasp.symbolic.exhaustive import compare_all
from symut.rasp.validate import validate
from tests.rasp.compiled import encoder_of, module_of, node_of

HALF, SEVENTHS = "y = root(tokens_float, 1 / 2);", "y = root(tokens_float, 3 / 7);"
LARGE = Fraction(3**700, 2**700)


@pytest.mark.parametrize(
    ("text", "given", "values"),
    [
        (HALF, [0, 1, Fraction(1, 4), 9, Fraction(2, 8)], [0, 1, Fraction(1, 2), 3, Fraction(1, 2)]),
        ("y = root(tokens_float, 2 / 3);", [8, Fraction(27, 64), 0], [4, Fraction(9, 16), 0]),
        (SEVENTHS, [LARGE], [Fraction(3**300, 2**300)]),
        ("y = root(4, 1 / 2) * tokens_float;", [5], [10]),
        ("y = root(tokens_bool, 1 / 2);", [1, 0], [1, 0]),
    ],
)
def test_rational_roots_are_exact_in_the_interpreter_and_in_the_encoder(text: str, given: list, values: list) -> None:
    assert evaluate(node_of(text), given) == values
    if "bool" not in text:
        assert run(encoder_of(text, len(given), None)[0], given) == values


@pytest.mark.parametrize(
    "number", [2, Fraction(1, 8), Fraction(4, 3), LARGE + 1, 2**13000 - 1], ids=["2", "1-8", "4-3", "long", "whole"]
)
def test_a_root_that_is_not_rational_is_refused_in_exact_runs(number: Fraction) -> None:
    encoder, node = encoder_of(HALF, 2, None)
    for evaluated in (lambda: evaluate(node, [1, number]), lambda: run(encoder, [1, number])):
        with pytest.raises(LimitError, match=r"no exact value at position 1.*--floats") as caught:
            evaluated()
        assert caught.value.at is not None
        assert "\n" not in str(caught.value)


def test_a_negative_number_has_no_root_in_any_run(tmp_path: Path) -> None:
    encoder, node = encoder_of(HALF, 2, None)
    for evaluated in (
        lambda: evaluate(node, [1, -1]),
        lambda: evaluate(node, [1, -0.25], floats=True),
        lambda: run(encoder, [1, -1]),
    ):
        with pytest.raises(RaspError, match=r":1:5: a root of a negative number at position 1") as caught:
            evaluated()
        assert not isinstance(caught.value, LimitError)
    module = module_of(encoder, node, tmp_path).load(dtype=torch.float64)
    with pytest.raises(ValueError, match="position 1: expected a value, got a root of a negative number"):
        module([1, -1])
    assert module([4]) == [2]  # what lies behind the end of an input is none


@pytest.mark.parametrize(
    ("text", "said"),
    [
        *((f"y = root(tokens_float, {exponent});", "exponent of root") for exponent in ("0", "1", "3 / 2", "-1 / 2")),
        ("y = root(tokens_float, indices);", "exponent of root"),
        ('y = root(tokens_float, "a");', "exponent of root"),
        ("y = root(tokens_float);", r"expected root\(seq, exponent\)"),
        ("y = root([1], 1 / 2);", "got a list"),
        ("y = root(full_s, 1 / 2);", "got a selector"),
    ],
)
def test_wrong_arguments(text: str, said: str) -> None:
    with pytest.raises(RaspError, match=said):
        node_of(text)


def test_a_string_has_no_root_in_runs_and_is_an_issue_of_the_compiler() -> None:
    node = node_of("y = root(tokens, 1 / 2);")
    with pytest.raises(RaspError, match="cannot take a root"):
        evaluate(node, "a")
    assert "no number" in validate(node, n=2, alphabet="ab")[0].reason
    assert "finite range" in validate(node_of("y = round(root(tokens_int, 1 / 2));"), n=2, alphabet=[1, 2])[0].reason


def test_it_is_one_gate_for_each_exponent_with_an_exact_description() -> None:
    text = "y = root(tokens_float, 1 / 2) + root(tokens_float, 2 / 4) + root(tokens_float, 2 / 5) + root(9, 1 / 2);"
    encoder = encode(node_of(text), n=2, alphabet=None)
    assert cost(encoder).gates == {"root": 2}
    described = exported(encoder)
    gates = described["layers"][0]["levels"][0]
    assert sorted(gate[:3] for gate in gates) == [
        ["root", [[described["number"], 1]], [1, 2]],
        ["root", [[described["number"], 1]], [2, 5]],
    ]
    assert "2 gates per token of depth 1" in cost_text(described)


def test_the_builder_has_it() -> None:
    assert root(tokens, Fraction(1, 3))([8, 0]) == [2, 0]
    with pytest.raises(RaspError, match="exponent of root"):
        root(tokens, 2)  # type: ignore[arg-type]


@pytest.mark.parametrize(("dtype", "error"), [(torch.float32, 1e-6), (torch.float64, 1e-15)])
def test_modules_take_roots_in_floats_and_their_gradients_are_finite(
    dtype: torch.dtype, error: float, tmp_path: Path
) -> None:
    text = "y = root(tokens_float, 1 / 2) + 3 * root(2 * tokens_float, 2 / 7);"
    encoder, node = encoder_of(text, 5, None)
    module = module_of(encoder, node, tmp_path)
    assert module.EXACT == ()
    assert module.ROUNDED == ("float32", "float64")
    assert module.main() == 0
    assert len(module.EXAMPLES) > 0
    x = torch.tensor([0.0, 1e-9, 0.3, 1, 1e9], dtype=dtype, requires_grad=True)
    found = module.load(dtype=dtype).values(x)
    assert torch.allclose(found, x**0.5 + 3 * (2 * x) ** (2 / 7), rtol=error, atol=0)
    found.sum().backward()
    assert x.grad is not None
    assert x.grad[0] == 0
    assert torch.allclose(x.grad[1:], (0.5 * x**-0.5 + 12 / 7 * (2 * x) ** (-5 / 7))[1:].detach(), rtol=10 * error)


def test_over_an_alphabet_it_is_a_gate(tmp_path: Path) -> None:
    encoder, node = encoder_of("y = root(tokens_int, 1 / 2) + root(indices, 1 / 2);", 3, [0, 1, 4])
    assert run(encoder, [4, 0]) == evaluate(node, [4, 0]) == [2, 1]
    module = module_of(encoder, node, tmp_path).load(dtype=torch.float64)
    assert module([0, 4, 1]) == pytest.approx([0, 3, 1 + 2**0.5], rel=1e-14)


def test_comparisons_do_not_decide_about_roots_of_symbols() -> None:
    one, other = node_of("y = root(tokens_float ^ 2, 1 / 2);"), node_of("y = max(tokens_float, -tokens_float);")
    found = compare(one, other, 2, Numbers(), Limits())
    assert found.equal is None
    assert found.separation is None


def test_comparisons_find_an_input_with_rational_roots() -> None:
    one, other = node_of("y = root(tokens_float ^ 2, 1 / 2);"), node_of("y = tokens_float;")
    found = compare(one, other, 1, Numbers(), Limits())
    assert found.equal in (None, False)
    if found.separation:
        assert evaluate(one, found.separation.input) != evaluate(other, found.separation.input)


def test_over_an_alphabet_rational_roots_are_compared_and_others_decide_nothing() -> None:
    square, plain = node_of("y = root(tokens_int * tokens_int, 1 / 2);"), node_of("y = tokens_int;")
    assert compare_all(square, plain, 2, [0, 1, 5]).separating is None
    assert compare_all(square, plain, 1, [0, -1]).separating == [-1]
    found = compare(node_of("y = root(tokens_int, 1 / 2);"), plain, 1, Letters((2, 3)), Limits())
    assert found.equal is None
    assert found.separation is None
