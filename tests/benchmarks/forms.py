"""How fast the emitted modules of the forms run: ratios to the literal recursion with their dense matrices."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import torch

from symut.emitter.kinds import KINDS
from tests.benchmarks.forward import BATCH, TOKENS, medians, softmax
from tests.benchmarks.row import Row, at_least
from tests.emitter.emission import FORMS, emitted_files, import_folder, write
from tests.emitter.targets import form_target

SIZES = {"H": 2, "L": 3, "d": 13, "k": 13}


def dense(weights, X, E, residual):
    """The recursion with the literal matrices; a matrix stored once serves every layer or head."""
    RQ, RK, RV, U = weights
    if X.shape[-1] < E.shape[-2]:
        X = torch.cat([X, torch.ones_like(X[..., :1])], -1)
    Z = X @ E
    for layer in range(SIZES["L"]):
        Q, K, V = (W[layer % len(W)] for W in (RQ, RK, RV))
        heads = softmax(Z.unsqueeze(-3) @ Q, Z.unsqueeze(-3) @ K, Z.unsqueeze(-3) @ V)
        Z = heads.sum(dim=-3) + (Z if residual else 0)
    return Z @ U


def measure() -> Iterator[Row]:
    """One row per form, float32, two threads."""
    threads = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        for kind in FORMS:
            with tempfile.TemporaryDirectory() as folder:
                module = import_folder(write(Path(folder), emitted_files(kind, **SIZES))).load()
            E = module.compile_program(*form_target(kind, **SIZES, dtype=torch.float32))
            X, weights = torch.randn(BATCH, TOKENS, SIZES["d"]), module.dense_weights()
            residual = KINDS[kind].form.residual
            runs = {
                "module": lambda module=module, X=X, E=E: module(X, E),
                "dense": lambda weights=weights, X=X, E=E, residual=residual: dense(weights, X, E, residual),
            }
            torch.testing.assert_close(runs["module"](), runs["dense"](), rtol=1e-3, atol=1e-3)
            faster = 1 / medians(runs)["dense"][1]
            yield at_least(f"{kind} (2,3,13,13) forward: times faster than dense m x m", faster, "x", 15)
    finally:
        torch.set_num_threads(threads)
