"""Programs of random backbones near N = 2000: compile time, error against the target's definition, conditioning."""

import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import torch

import symut
from symut.backbone import Network, run
from tests.benchmarks.row import Row, at_most, report, wall_seconds
from tests.emitter.emission import import_folder

SHAPES = [(2, 4, 26, 26), (2, 7, 3, 2)]
TOKENS = 32


def softmax(Q, K, layer, head):
    return torch.softmax(Q @ K.mT, dim=-1)


def relative_error(module, target, X, dtype):
    """Of the programmed backbone in `dtype`, against the target run by its definition in float64."""
    expected = run(Network(*target), X, softmax)
    module = module.to(dtype)
    E = module.compile_program(*target)
    got = module(X.to(dtype), E.to(dtype)).double()
    return float((got - expected).abs().max() / expected.abs().max())


def measure() -> Iterator[Row]:
    torch.manual_seed(0)
    for H, L, d, k in SHAPES:
        with tempfile.TemporaryDirectory() as folder:
            path = symut.emit("random", H=H, L=L, d=d, k=k, out=folder).path
            module = import_folder(Path(path)).load(dtype=torch.float64)
        target = [torch.randn(L, H, d, width, dtype=torch.float64) / d**0.5 for width in (k, k, d)]
        X = torch.randn(TOKENS, d, dtype=torch.float64)
        name = f"random ({H},{L},{d},{k}), N = {module.N}"
        yield report(
            f"{name}: compile E, factorization included", wall_seconds(partial(module.compile_program, *target), 1), "s"
        )
        yield at_most(f"{name}: relative error, float64", relative_error(module, target, X, torch.float64), "", 1e-9)
        yield report(f"{name}: relative error, float32", relative_error(module, target, X, torch.float32), "")
        yield report(f"{name}: condition number, columns scaled", float(module.condition_number()), "")
