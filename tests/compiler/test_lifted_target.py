"""Targets: the direct evaluation against a loop by hand, and the affine lift against the direct evaluation."""

import numpy as np
import pytest

from symut.backbone import run
from symut.compiler.target import Target

N = 5


def soft(scores, keep):
    scores = np.where(keep, scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)


def make(numbers, H, L, d, k, v, output=True, biases=("query", "key", "value", "output")):
    sizes = {"query": (L, H, k), "key": (L, H, k), "value": (L, H, v), "output": (L, d)}
    return Target(
        query=numbers(L, H, d, k),
        key=numbers(L, H, d, k),
        value=numbers(L, H, d, v),
        output=numbers(L, H, v, d) if output else None,
        scale=0.7,
        **{f"{name}_bias": numbers(*sizes[name]) for name in biases},
    )


def by_hand(target, X, keep):
    """One token and one head at a time."""
    zero = [None] * 9
    L, H = target.query.shape[:2]
    for layer in range(L):
        total = np.zeros_like(X)
        for h in range(H):
            parts = []
            for weight, bias in (
                (target.query, target.query_bias),
                (target.key, target.key_bias),
                (target.value, target.value_bias),
            ):
                bias = zero if bias is None else bias[layer]
                parts.append(X @ weight[layer, h] + (0 if bias[h] is None else bias[h]))
            Q, K, V = parts
            head = soft(target.scale * Q @ K.T, keep) @ V
            total += head if target.output is None else head @ target.output[layer, h]
        X = total + (0 if target.output_bias is None else target.output_bias[layer])
    return X


def keep_of(causal, mask):
    keep = np.tri(N, dtype=bool) if causal else np.ones((N, N), dtype=bool)
    return keep if mask is None else keep & mask


CASES = [
    pytest.param(1, ("query", "key", "value", "output"), True, id="one-layer"),
    pytest.param(2, ("query", "key", "value", "output"), True, id="two-layers"),
    pytest.param(3, ("query", "value"), True, id="three-layers-without-key-and-output-bias"),
    pytest.param(2, ("output",), True, id="output-bias-alone"),
    pytest.param(2, ("value",), False, id="composed-values"),
    pytest.param(2, (), True, id="no-bias"),
]


@pytest.mark.parametrize(("L", "biases", "output"), CASES)
@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("mask", [None, np.array([1, 1, 0, 1, 0], dtype=bool)])
def test_direct_evaluation_and_lift_agree_with_a_loop_by_hand(numbers, L, biases, output, causal, mask):
    target = make(numbers, 3, L, 4, 2, 2 if output else 4, output, biases)
    X, keep = numbers(N, 4), keep_of(causal, mask)
    expected = by_hand(target, X, keep)
    assert np.abs(target.direct(X, mask, causal) - expected).max() < 1e-13

    tokens = np.concatenate([X, np.ones((N, 1))], axis=1) if biases else X
    lifted = run(target.lifted(), tokens, lambda Q, K, layer, head: soft(target.scale * Q @ K.T, keep))
    assert np.abs(lifted - expected).max() < 1e-13


def test_exactly_one_head_keeps_the_constant_and_the_last_layer_drops_it(numbers):
    lifted = make(numbers, 3, 3, 4, 2, 2).lifted()
    for layer in lifted.WV[:-1]:
        assert [value.shape for value in layer] == [(5, 5)] * 3
        assert [value[:, -1].tolist() for value in layer] == [[0, 0, 0, 0, 1], [0] * 5, [0] * 5]
    assert [value.shape for value in lifted.WV[-1]] == [(5, 4)] * 3


def test_without_biases_nothing_is_lifted(numbers):
    target = make(numbers, 2, 2, 4, 2, 4, False, ())
    assert not target.has_biases
    assert target.lifted().WQ[0][0].shape == (4, 2)


def test_batches_are_independent(numbers):
    target, X = make(numbers, 2, 2, 4, 2, 2), numbers(3, N, 4)
    mask = np.array([[1, 1, 1, 1, 1], [1, 1, 0, 0, 0], [0, 1, 1, 0, 0]], dtype=bool)
    together = target.direct(X, mask)
    for sequence in range(3):
        alone = target.direct(X[sequence], mask[sequence])
        assert np.abs(together[sequence] - alone).max() < 1e-14


def test_dtype_is_kept_throughout(numbers):
    target, X = make(numbers, 2, 2, 4, 2, 2), numbers(N, 4)
    single = target.direct(X, dtype="float32")
    assert single.dtype == np.float32
    assert 0 < np.abs(single - target.direct(X)).max() < 1e-5


def test_row_without_keys_is_the_output_bias(numbers):
    target, X = make(numbers, 2, 1, 4, 2, 2), numbers(2, 4)
    rows = target.direct(X, np.array([False, True]), causal=True)
    assert np.array_equal(rows[0], target.output_bias[0])
