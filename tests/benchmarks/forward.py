"""How fast the emitted sparse module runs: ratios to its dense form and to the attention calls it cannot avoid.

Each ratio is the median over rounds of times taken back to back, each the least of several repetitions.
"""

import itertools
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import torch

from constructions.sparse import merging
from symut.backbone import Shape
from symut.emitter import emit
from symut.emitter.weights import routing_file
from tests.benchmarks.row import Row, at_least, at_most, report
from tests.emitter.emission import import_folder

ROUNDS, REPETITIONS, BATCH, TOKENS = 5, 10, 16, 64
SHAPES = [Shape(2, 2, 60, 60), Shape(2, 4, 13, 13)]


def load(shape, folder):
    """The emitted module, imported from its folder."""
    weights = routing_file(shape, merging(shape.H, shape.L, shape.d, shape.k))
    files = emit("sparse", shape, shape.N, weights=lambda: weights, command="benchmark")
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return import_folder(folder).load()


def softmax(Q, K, V):
    return torch.softmax(Q @ K.mT, dim=-1) @ V


def dense(weights, X, E):
    """The literal recursion, as fast as products allow: one for queries and keys, one for the values, per layer."""
    RQK, RV, U = weights
    Z = X @ E
    for QK, V in zip(RQK, RV, strict=True):
        H = V.shape[1] // V.shape[0]
        Q, K = (Z @ QK).unflatten(-1, (2, H, -1)).movedim(-3, 0).transpose(-3, -2)
        Z = softmax(Q, K, (Z @ V).unflatten(-1, (H, -1)).transpose(-3, -2)).sum(dim=-3)
    return Z @ U


def dense_weights(module):
    """[RQ | RK] (m x 2Hk) and RV (m x Hm) per layer, and U."""
    RQ, RK, RV, U = module.dense_weights()
    side = lambda W: W.transpose(-3, -2).flatten(-2)  # noqa: E731
    return [torch.cat([side(q), side(k)], -1) for q, k in zip(RQ, RK, strict=True)], [side(v) for v in RV], U


def attention_calls(shape):
    """Ready contiguous Q, K (B, H, n, k) and V (B, H, n, m_{l+1}) per layer."""
    sizes = [(shape.k, shape.k, shape.state_width(layer + 1)) for layer in range(1, shape.L + 1)]
    return [[torch.randn(BATCH, shape.H, TOKENS, width) for width in layer] for layer in sizes]


def unavoidable(calls, X, E):
    """X @ E and the bare attention calls; returns everything it computed."""
    attend = torch.nn.functional.scaled_dot_product_attention
    return [X @ E, *(attend(Q, K, V, scale=1.0) for Q, K, V in calls)]


def backward(outputs):
    for output in outputs if isinstance(outputs, list) else [outputs]:
        output.sum().backward()


def least(run):
    times = []
    for _ in range(REPETITIONS):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return min(times)


def medians(contestants):
    """Name -> (median time, median ratio of the first contestant's time to it)."""
    for run in contestants.values():
        run()
    rounds = [{name: least(run) for name, run in contestants.items()} for _ in range(ROUNDS)]
    first = next(iter(contestants))
    return {
        name: (statistics.median(r[name] for r in rounds), statistics.median(r[first] / r[name] for r in rounds))
        for name in contestants
    }


def contestants(shape, folder, gradients):
    module = load(shape, folder)
    target = [torch.randn(shape.L, shape.H, shape.d, width) / shape.d**0.5 for width in (shape.k, shape.k, shape.d)]
    X, E = torch.randn(BATCH, TOKENS, shape.d), module.compile_program(*target).requires_grad_(gradients)
    weights, calls = dense_weights(module), attention_calls(shape)
    for call in calls:
        for tensor in call:
            tensor.requires_grad_(gradients)
    runs = {
        "module": lambda: module(X, E),
        "dense": lambda: dense(weights, X, E),
        "bare": lambda: unavoidable(calls, X, E),
    }
    torch.testing.assert_close(runs["module"](), runs["dense"](), rtol=1e-3, atol=1e-3)
    return {name: (lambda run=run: backward(run())) for name, run in runs.items()} if gradients else runs


def measure() -> Iterator[Row]:
    """Forward times at both shapes as ratios, and forward + backward for information; 2 threads."""
    threads = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        for shape, gradients in itertools.product(SHAPES, (False, True)):
            with tempfile.TemporaryDirectory() as folder:
                results = medians(contestants(shape, Path(folder), gradients))
            sizes = f"({shape.H},{shape.L},{shape.d},{shape.k})"
            name = f"sparse {sizes} {'forward + backward' if gradients else 'forward'}"
            faster, of_bare = 1 / results["dense"][1], results["bare"][1]
            if gradients:
                yield report(f"{name}: times faster than dense m x m", faster, "x")
                yield report(f"{name}: over X E + bare attention calls", of_bare, "x")
            else:
                yield at_least(f"{name}: times faster than dense m x m", faster, "x", 15)
                yield at_most(f"{name}: over X E + bare attention calls", of_bare, "x", 1.75)
    finally:
        torch.set_num_threads(threads)
