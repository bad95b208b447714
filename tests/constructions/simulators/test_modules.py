"""Emitted simulators against numpy and torch: all sizes of the default instances, both dtypes, batches, long logits."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from torch.nn.functional import scaled_dot_product_attention

from constructions.simulators import MACHINES
from symut.theorem import resolve
from tests.constructions.simulators.references import REFERENCES

BY_ID = {machine.id: machine for machine in MACHINES}
CASES = [(machine.id, given) for machine in MACHINES for given in machine.instances]
NAMES = [f"{name}-{'-'.join(map(str, given.values()))}" for name, given in CASES]
BOUNDS = {torch.float32: 1e-5, torch.float64: 1e-9}
DEVICES = [
    "cpu",
    pytest.param("cuda", marks=pytest.mark.skipif(not torch.cuda.is_available(), reason="torch sees no CUDA device")),
]


def far(found: torch.Tensor, expected) -> float:
    """The largest error, relative to the largest number expected."""
    expected = torch.as_tensor(np.asarray(expected), dtype=torch.float64)
    return ((found.detach().cpu().double() - expected).abs().max() / expected.abs().max().clamp(min=1e-300)).item()


def inputs(emission, sizes: dict, seed: int) -> tuple[dict[str, np.ndarray], list[torch.Tensor]]:
    """One random input: as matrices for the reference, and as encode takes it; of a hierarchy with 1 + seed rows."""
    given = {name: tensor[0] for name, tensor in emission.drawn(seed).items()}
    if "N" in sizes:
        n = 1 + seed % sizes["N"]
        given |= {"n": torch.tensor(n), "X": given["X"][:n]}
    matrices = {block.name: given[block.name].reshape(-1, block.columns).numpy() for block in emission.BLOCKS}
    return matrices, [given[name] for name in emission.GIVEN]


@pytest.mark.parametrize("dtype", BOUNDS, ids=["float32", "float64"])
@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize(("name", "given"), CASES, ids=NAMES)
def test_module_computes_what_numpy_computes(emitted, name, given, device, dtype):
    sizes = BY_ID[name].sizes(resolve(BY_ID[name], given))
    emission = emitted(name, **given)
    module = emission.load(device=device, dtype=dtype)
    for seed in range(4):
        matrices, blocks = inputs(emission, sizes, seed)
        expected, found = REFERENCES[name](matrices, sizes), module.simulate(*blocks)
        if name == "inverse":
            found, invertible = found
            assert invertible.item() is True
        known = ~np.isnan(expected)
        assert far(found.cpu().reshape(expected[known].shape), expected[known]) <= BOUNDS[dtype]


@pytest.mark.parametrize("device", DEVICES)
def test_float32_attention_is_torchs_own_on_random_weights(emitted, device):
    module = emitted("attention_simulator", n=16, d=8, k=8).load(device=device)
    generator = torch.Generator().manual_seed(0)
    WQ, WK, WV = (torch.randn(5, 1, 8, 8, generator=generator) / 8**0.5 for _ in range(3))
    X = torch.randn(7, 16, 8, generator=generator)
    found = module.simulate(WQ, WK, WV, 8**-0.5, X)
    assert found.shape == (5, 7, 16, 8)
    assert far(found, scaled_dot_product_attention(X @ WQ, X @ WK, X @ WV)) <= 1e-5


def test_logits_of_ten_thousand_do_not_overflow_in_float32(emitted):
    WQ = WK = WV = torch.eye(3)
    X = torch.tensor([[100.0, 0, 0], [0, 100, 0], [100, 100, 0], [-100, 0, 0]])
    logits = X @ X.T
    assert logits.abs().max() == 20000
    module = emitted("attention_simulator", n=4, d=3, k=3).load(dtype=torch.float32)
    assert far(module.simulate(WQ, WK, WV, 1.0, X), torch.softmax(logits, -1) @ X) <= 1e-6
    softmax = emitted("softmax", r=3, c=4).load(dtype=torch.float32)
    A = torch.tensor([[1e4, 1e4 - 1, 0, -1e4], [0.0, 1, 2, 3], [-1e4, -1e4, -1e4, -1e4]])
    assert far(softmax.simulate(A), torch.softmax(A.double(), -1)) <= 1e-6


def test_one_encoder_serves_many_targets_in_one_batch(emitted):
    emission = emitted("attention_simulator", n=4, d=3, k=2)
    module = emission.load(dtype=torch.float64)
    blocks = emission.drawn(0)
    tokens = module.encode(*(blocks[name] for name in emission.GIVEN))
    values = module(tokens)
    assert tokens.shape == values.shape == (16, emission.N)
    one = torch.stack([module.simulate(*(blocks[name][i] for name in emission.GIVEN)) for i in range(16)])
    torch.testing.assert_close(module.decode(values), one, rtol=1e-12, atol=1e-12)
    assert list(module.parameters()) == []


def test_leading_dimensions_broadcast_and_nested_lists_are_taken(emitted):
    module = emitted("matmul", r=2, k=2, c=1).load(dtype=torch.float64)
    A = torch.randn(3, 1, 2, 2, dtype=torch.float64)
    B = torch.randn(4, 2, 1, dtype=torch.float64)
    torch.testing.assert_close(module.simulate(A, B), A @ B)
    assert module.simulate([[1, 2], [3, 4]], [[5], [6]]).tolist() == [[17], [39]]
    assert module.simulate(A[:0], B).shape == (0, 4, 2, 1)


def test_the_same_weights_serve_every_length_of_a_hierarchy(emitted):
    emission = emitted("hierarchy", N=4, d=3, k=2)
    module = emission.load(dtype=torch.float64)
    blocks = emission.drawn(1)
    before = {name: tensor.clone() for name, tensor in module.named_buffers()}
    for n in range(1, 5):
        X = blocks["X"][:, :n]
        found = module.simulate(blocks["WQ"], blocks["WK"], blocks["WV"], blocks["b"], X)
        assert found.shape == (16, n, 3)
        assert far(found, emission.head(X, blocks["WQ"], blocks["WK"], blocks["WV"], blocks["b"])) <= 1e-12
        tokens = module.encode(blocks["WQ"], blocks["WK"], blocks["WV"], blocks["b"], X)
        torch.testing.assert_close(module.decode(module(tokens), n), found)
    assert all(torch.equal(before[name], tensor) for name, tensor in module.named_buffers())


def test_heads_one_after_the_other_give_what_heads_side_by_side_give(emitted):
    parallel = emitted("multihead_simulator", n=4, d=3, k=2, H=2)
    step = emitted("multihead_simulator", n=4, d=3, k=2, sequential=True)
    blocks = parallel.drawn(2)
    expected = parallel.load(dtype=torch.float64).simulate(*(blocks[name] for name in parallel.GIVEN))
    module, Y = step.load(dtype=torch.float64), torch.zeros(16, 4, 3, dtype=torch.float64)
    for h in (1, 2):
        WO = blocks["WO"][:, 2 * (h - 1) : 2 * h]
        Y = module.simulate(blocks[f"WQ{h}"], blocks[f"WK{h}"], blocks[f"WV{h}"], WO, blocks["b"], blocks["X"], Y)
    torch.testing.assert_close(Y, expected, rtol=1e-10, atol=1e-10)


def test_gradients_reach_the_blocks(emitted):
    emission = emitted("attention_simulator", n=4, d=3, k=2)
    blocks = [tensor.requires_grad_() for tensor in emission.drawn(3).values()]
    emission.load(dtype=torch.float64).simulate(*blocks).square().sum().backward()
    found = [tensor.grad.clone() for tensor in blocks]
    emission.reference(dict(zip(emission.GIVEN, blocks, strict=True))).square().sum().backward()
    for tensor, gradient in zip(blocks, found, strict=True):
        torch.testing.assert_close(tensor.grad - gradient, gradient, rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("name", BY_ID)
def test_a_module_run_as_a_script_checks_itself(emitted, name):
    folder = Path(emitted(name).__file__).parent
    done = subprocess.run([sys.executable, "-W", "error", folder / "model.py"], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1] == "equal up to rounding"


def test_a_module_of_other_weights_does_not_pass_its_own_check(emitted, monkeypatch, capsys):
    emission = emitted("softmax")
    right = emission.reference
    monkeypatch.setattr(emission, "reference", lambda blocks: right(blocks) * 1.0001)
    assert emission.main() == 1
    assert capsys.readouterr().out.splitlines()[-1] == "DIFFERENT"
