"""How fast the emitted sparse module runs: ratios to its dense form and to the attention calls it cannot avoid.

Not part of the normal suite and asserts nothing about time:  python -m pytest tests/benchmarks -m slow -s
Each ratio is the median over rounds of times taken back to back, each the least of several repetitions.
"""

import statistics
import time

import pytest
import torch

from constructions.sparse import merging
from symut.backbone import Shape
from symut.emitter import emit
from symut.emitter.weights import routing_file

ROUNDS, REPETITIONS, BATCH, TOKENS = 5, 10, 16, 64
SHAPES = [Shape(2, 2, 60, 60), Shape(2, 4, 13, 13)]


def load(shape, folder):
    """The module, from source text executed under the path that its weights lie beside."""
    weights = routing_file(shape, merging(shape.H, shape.L, shape.d, shape.k))
    files = emit("sparse", shape, shape.N, weights=lambda: weights, command="benchmark")
    for name, content in files.items():
        (folder / name).write_bytes(content)
    names = {"__name__": "emitted_benchmark", "__file__": str(folder / "model.py")}
    exec(compile(files["model.py"], names["__file__"], "exec"), names)
    return names["load"]()


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


@pytest.mark.slow
@pytest.mark.parametrize("gradients", [False, True], ids=["forward", "forward and backward"])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_sparse_forward_against_dense_and_bare_attention(shape, gradients, tmp_path, capsys):
    threads = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        results = medians(contestants(shape, tmp_path, gradients))
    finally:
        torch.set_num_threads(threads)
    kind = "forward + backward" if gradients else "forward"
    with capsys.disabled():
        print(f"\n{shape}, n = {TOKENS}, batch {BATCH}, float32, 2 threads, {kind}")
        for name, (seconds, ratio) in results.items():
            print(f"  {name:8} {1e3 * seconds:9.3f} ms   module takes {ratio:6.3f} of it ({1 / ratio:.1f}x faster)")
