"""Emitted modules on tensors of numbers: values, gradients, copies by position, and what is refused."""

from __future__ import annotations

import random
import time
from itertools import pairwise
from pathlib import Path

import pytest
import torch

from symut.rasp import evaluate
from symut.rasp.emission.emit import emit
from symut.rasp.encoder.cost import cost
from symut.rasp.lowering.lower import encode
from tests.rasp.compiled import encoder_of, module_of, node_of

MIXED = """
moved = aggregate(select(indices, indices + 1, ==), tokens_float, 9);
fixed = aggregate(select(indices, 2, ==), tokens_float * tokens_float + 1, 5) / 3;
y = moved * fixed + aggregate(select(indices, indices, <=), tokens_float) - exp(moved / 8) + max(moved, fixed);
"""


def matmul(r: int, k: int, c: int) -> str:
    """A (r x k) and B (k x c) row by row; the product at the first r c positions."""
    row, col = f"round((indices - indices % {c}) / {c})", f"(indices % {c})"
    terms = (
        f"aggregate(select(indices, {row} * {k} + {j}, ==), tokens_float)"
        f" * aggregate(select(indices, {r * k + j * c} + {col}, ==), tokens_float)"
        for j in range(k)
    )
    return f"y = {' + '.join(terms)};"


def test_values_equal_the_interpreter_and_the_list_interface(tmp_path: Path) -> None:
    encoder, node = encoder_of(MIXED, 6, None)
    module, pick = module_of(encoder, node, tmp_path).load(dtype=torch.float64), random.Random(2)
    for m in range(1, 7):
        x = [[pick.randint(-3, 3) / 2 for _ in range(m)] for _ in range(4)]
        found = module.values(torch.tensor(x, dtype=torch.float64))
        assert found.tolist() == module(x) == module(torch.tensor(x, dtype=torch.float64)).tolist()
        for line, values in zip(x, found.tolist(), strict=True):
            assert values == pytest.approx(evaluate(node, line, floats=True), rel=1e-12)
            assert module.values(torch.tensor(line, dtype=torch.float64)).tolist() == pytest.approx(values, rel=1e-12)


def test_lists_of_different_lengths_copy_no_padding(tmp_path: Path) -> None:
    encoder, node = encoder_of(MIXED, 5, None)
    module = module_of(encoder, node, tmp_path).load(dtype=torch.float64)
    inputs = [[1.0], [2.0, -1.0, 0.5], [1.0, 2.0, 3.0, 4.0, 5.0]]
    assert module.batch(inputs) == [module(line) for line in inputs]


def test_gradients_pass_through_heads_and_gates(tmp_path: Path) -> None:
    encoder, node = encoder_of(MIXED, 4, None)
    module = module_of(encoder, node, tmp_path).load(dtype=torch.float64)
    torch.manual_seed(0)
    x = torch.randn(3, 4, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(module.values, (x,))
    with torch.no_grad():
        assert not module.values(x).requires_grad


def test_float32_inputs_give_outputs_in_the_dtype_of_the_module(tmp_path: Path) -> None:
    encoder, node = encoder_of(MIXED, 4, None)
    module = module_of(encoder, node, tmp_path)
    x = torch.tensor([[1.0, 2.0]])
    assert module.load().values(x.double()).dtype == torch.float32
    assert module.load(dtype=torch.float64).values(x).dtype == torch.float64


@pytest.mark.parametrize(
    ("x", "said"),
    [
        (torch.tensor([[1.0, float("nan")]]), "position 1.*not finite"),
        (torch.tensor([float("inf"), 1.0]), "position 0.*not finite"),
        (torch.zeros(2, 5), r"1 to 4 numbers, got torch.float32 of shape \(2, 5\)"),
        (torch.zeros(2, 0), "shape"),
        (torch.zeros(2, 2, 2), "shape"),
        (torch.tensor([[1, 2]]), "int64"),
    ],
)
def test_tensors_that_are_refused(x: torch.Tensor, said: str, tmp_path: Path) -> None:
    encoder, node = encoder_of(MIXED, 4, None)
    with pytest.raises(ValueError, match=said) as caught:
        module_of(encoder, node, tmp_path).load().values(x)
    assert "\n" not in str(caught.value)


def test_encoders_of_letters_and_of_integers_refuse_other_numbers(tmp_path: Path) -> None:
    letters = module_of(*encoder_of("y = indices;", 3, "ab"), tmp_path).load()
    with pytest.raises(ValueError, match="tokens of the alphabet"):
        letters.values(torch.zeros(1, 2))
    whole = module_of(*encoder_of("y = tokens_int * 2;", 3, None), tmp_path).load()
    assert whole.values(torch.tensor([3.0])).tolist() == [6]
    with pytest.raises(ValueError, match="no integer"):
        whole.values(torch.tensor([0.5]))


@pytest.mark.parametrize("token", [float("nan"), float("inf"), "nan", 1e400])
def test_lists_refuse_what_is_not_finite(token: object, tmp_path: Path) -> None:
    encoder, node = encoder_of(MIXED, 4, None)
    with pytest.raises(ValueError, match="finite number"):
        module_of(encoder, node, tmp_path).load()([1, token])


@pytest.mark.parametrize("sizes", [(2, 3, 2), (4, 4, 4), (3, 2, 3)])
def test_matrix_products_are_copies_and_products_in_one_layer(sizes: tuple[int, int, int], tmp_path: Path) -> None:
    r, k, c = sizes
    encoder, node = encoder_of(matmul(r, k, c), r * k + k * c, None)
    found = cost(encoder).as_json()["layers"]
    assert found == [{"heads": 0, "gates": 0, "depth": 0}, {"heads": 2 * k, "gates": k, "depth": 1}]
    module = module_of(encoder, node, tmp_path)
    assert len(module.LAYERS[1].copies.out) == 2 * k
    assert not module.LAYERS[1].heads
    a, b = torch.randn(7, r, k, dtype=torch.float64), torch.randn(7, k, c, dtype=torch.float64)
    x = torch.cat([a.flatten(1), b.flatten(1)], dim=1)
    product = module.load(dtype=torch.float64).values(x)[:, : r * c].unflatten(1, (r, c))
    assert torch.allclose(product, a @ b)


def test_copies_are_stored_by_their_keys_and_not_by_masks() -> None:
    sizes = []
    for n in (64, 128):
        encoder, node = encoder_of("y = aggregate(select(indices, (indices * 3) % 64, ==), tokens_float);", n, None)
        made = emit(encoder, node, name="y", title="A test.", command="none")
        sizes.append(len(made.files["weights.safetensors"]))
    assert sizes[1] - sizes[0] < 64 * 30


def test_a_thousand_tokens_compile_and_run_in_seconds(tmp_path: Path) -> None:
    node = node_of(matmul(16, 32, 16))
    start = time.process_time()
    encoder = encode(node, n=1024, alphabet=None)
    assert time.process_time() - start < 5
    module = module_of(encoder, node, tmp_path).load(dtype=torch.float64)
    x = torch.randn(2, 1024, dtype=torch.float64)
    a, b = x[:, :512].unflatten(1, (16, 32)), x[:, 512:].unflatten(1, (32, 16))
    assert torch.allclose(module.values(x)[:, :256].unflatten(1, (16, 16)), a @ b)


def test_layers_of_copies_are_much_faster_than_products_over_all_pairs(tmp_path: Path) -> None:
    """Eight copies a layer at 256 tokens against eight means of two keys, which attend to all pairs."""
    times = []
    for select in ("select(indices, (indices + {}) % 256, ==)", "select(indices % 128, (indices + {}) % 128, ==)"):
        text = "x = tokens_float;" + "".join(
            f"x = ({' + '.join(f'aggregate({select.format(7 * j + layer)}, x)' for j in range(8))}) / 8;"
            for layer in range(2)
        )
        node = node_of(text + "y = x;")
        module = module_of(encode(node, n=256, alphabet=None), node, tmp_path).load(dtype=torch.float32)
        x, found = torch.randn(8, 256), []
        for _ in range(5):
            start = time.perf_counter()
            module.values(x)
            found.append(time.perf_counter() - start)
        times.append(min(found))
    assert all(slow > 4 * fast for fast, slow in pairwise(times))
