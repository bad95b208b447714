"""Targets: the attention layers that a program makes a backbone compute, and their plain evaluation.

Main definitions: `Target`, `allowed_pairs`.
Main result: biases are matrices once the tokens carry a constant 1, so `lifted` is again a target without biases,
provided that every row of every attention matrix sums to 1.
Source: Fixed Universal Transformers, section 2 (model class); affine lift: a constant feature carries all biases.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from symut.backbone import Network, Shape

Array = np.ndarray


@dataclass(frozen=True)
class Target:
    """L layers of H attention heads; float64, r x c matrices act on rows from the right.

    `query`, `key`: L x H x d x k; `value`: L x H x d x v; `output`: L x H x v x d, or None if v = d and the heads'
    values are summed as they are.  Biases, each None if absent: `query_bias`, `key_bias`: L x H x k;
    `value_bias`: L x H x v; `output_bias`: L x d.  `scale` multiplies Q K^T in every layer.  The read-out, `readout`
    (d x d_out, None for the identity) and `readout_bias` (d_out), follows the last layer.

        X_l = [X +] sum_h softmax(scale (X WQ_h + bQ_h)(X WK_h + bK_h)^T) (X WV_h + bV_h) WO_h + bO,   X = X_{l-1}

    with the bracket if `residual`, and T(X) = X_L C + c.
    """

    query: Array
    key: Array
    value: Array
    output: Array | None = None
    query_bias: Array | None = None
    key_bias: Array | None = None
    value_bias: Array | None = None
    output_bias: Array | None = None
    scale: float = 1.0
    residual: bool = False
    readout: Array | None = None
    readout_bias: Array | None = None

    @property
    def shape(self) -> Shape:
        """(H, L, d, k)."""
        L, H, d, k = self.query.shape
        return Shape(H, L, d, k)

    @property
    def has_biases(self) -> bool:
        """Whether tokens need a constant-1 feature, so that a program has r = d + 1 rows instead of r = d."""
        biases = (self.query_bias, self.key_bias, self.value_bias, self.output_bias, self.readout_bias)
        return any(bias is not None for bias in biases)

    @property
    def has_equal_layers(self) -> bool:
        """Whether every layer uses the same matrices and biases."""
        return all(bool((part == part[:1]).all()) for part in self.affine() if part is not None)

    def affine(self) -> tuple[Array, Array, Array, Array | None, Array | None, Array | None]:
        """WQ, WK (L x H x d x k), WV (L x H x d x d), bQ, bK (L x H x k), bV (L x H x d), absent biases None.

        Values and their biases are multiplied by the output projection; its own bias joins the first head's, which is
        the same for attention whose rows sum to 1.
        """
        value, value_bias = self._composed()
        return self.query, self.key, value, self.query_bias, self.key_bias, value_bias

    def lifted(self) -> Network:
        """The same target, without biases, on tokens [X | 1] if it had any; no residual connections and no read-out.

        With biases r = d + 1 (WQ, WK: r x k) and WQ_h = [WQ_h; bQ_h], WK_h = [WK_h; bK_h],
        WV_h = [WV_h WO_h; bV_h WO_h + (bO if h is the first head)].  In every layer but the last the first head's WV
        gets a column (0, .., 0, 1) and the others a zero column, so that WV is r x r; the last layer drops the
        constant: WV is r x d.  Hypothesis: **row-stochastic attention**, that is, every query row attends to at least
        one key; only then does the constant survive a layer.  Without biases r = d and nothing is assumed.
        """
        return Network(
            _by_head(_below(self.query, self.query_bias, self.has_biases)),
            _by_head(_below(self.key, self.key_bias, self.has_biases)),
            _by_head(_keep_constant(_below(*self._composed(), self.has_biases), self.has_biases)),
        )

    def _composed(self) -> tuple[Array, Array | None]:
        """WV WO (L x H x d x d), and bV WO plus the output bias in the first head (L x H x d)."""
        L, H, d, _ = self.query.shape
        weight, bias = self.value, self.value_bias
        if self.output is not None:
            weight = weight @ self.output
            bias = None if bias is None else (bias[..., None, :] @ self.output)[..., 0, :]
        if self.output_bias is None:
            return weight, bias
        total = np.zeros((L, H, d)) if bias is None else bias.copy()
        total[:, 0] += self.output_bias
        return weight, total

    def direct(
        self, X: Array, mask: Array | None = None, causal: bool = False, dtype: str | type = np.float64
    ) -> Array:
        """The target's output on X (..., n, d) from its own un-composed weights, in `dtype`; (..., n, d_out).

        `mask` (..., n): True for a real token, False for padding that no token attends to.  A row that may attend to
        nothing is 0 plus the output bias, before the read-out.  Shares no formula with `lifted` or the block matrices.
        """
        state, allowed = X.astype(dtype), allowed_pairs(mask, causal, X.shape[-2])
        for layer in range(len(self.query)):
            Q, K, V = (
                _affine(state[..., None, :, :], weight[layer], None if bias is None else bias[layer][:, None, :])
                for weight, bias in (
                    (self.query, self.query_bias),
                    (self.key, self.key_bias),
                    (self.value, self.value_bias),
                )
            )
            mixed = _softmax(state.dtype.type(self.scale) * (Q @ K.swapaxes(-1, -2)), allowed) @ V
            state = self._joined(mixed, layer) + (state if self.residual else 0)
        return self._read(state)

    def _read(self, state: Array) -> Array:
        """X_L C + c in X_L's precision: (..., n, d) to (..., n, d_out)."""
        if self.readout is not None:
            return _affine(state, self.readout, self.readout_bias)
        return state if self.readout_bias is None else state + self.readout_bias.astype(state.dtype)

    def _joined(self, heads: Array, layer: int) -> Array:
        """Heads (..., H, n, v) concatenated, times the output projection, plus its bias: (..., n, d)."""
        bias = None if self.output_bias is None else self.output_bias[layer]
        if self.output is None:
            total = heads.sum(axis=-3)
            return total if bias is None else total + bias.astype(heads.dtype)
        *batch, H, n, v = heads.shape
        side_by_side = heads.swapaxes(-3, -2).reshape(*batch, n, H * v)
        return _affine(side_by_side, self.output[layer].reshape(H * v, -1), bias)


def allowed_pairs(mask: Array | None, causal: bool, n: int) -> Array | None:
    """Which query row may attend to which key: bool, broadcastable to (..., H, n, n); None if all may."""
    keys = None if mask is None else mask.astype(bool)[..., None, None, :]
    if not causal:
        return keys
    order = np.tri(n, dtype=bool)
    return order if keys is None else keys & order


def _affine(X: Array, weight: Array, bias: Array | None) -> Array:
    product = X @ weight.astype(X.dtype)
    return product if bias is None else product + bias.astype(X.dtype)


def _softmax(scores: Array, allowed: Array | None) -> Array:
    """Softmax over the last axis, among the allowed keys only; rows without any key are zero."""
    if allowed is not None:
        scores = np.where(allowed, scores, scores.dtype.type(-np.inf))
    top = scores.max(axis=-1, keepdims=True)
    weights = np.exp(scores - np.where(np.isneginf(top), 0, top))
    total = weights.sum(axis=-1, keepdims=True)
    return weights / np.where(total == 0, 1, total)


def _by_head(layers: Iterable[Array]) -> list[list[Array]]:
    """Matrices indexed [layer][head] from arrays H x r x c."""
    return [list(layer) for layer in layers]


def _below(weight: Array, bias: Array | None, lift: bool) -> Array:
    """[weight; bias] (L x H x (d+1) x c) if `lift`, zero for an absent bias; else `weight` itself."""
    if not lift:
        return weight
    row = np.zeros((*weight.shape[:2], weight.shape[3])) if bias is None else bias
    return np.concatenate([weight, row[:, :, None, :]], axis=2)


def _keep_constant(values: Array, lift: bool) -> list[Array]:
    """Per layer H x r x c: in all layers but the last the first head carries the constant over in a last column."""
    if not lift:
        return list(values)
    kept = np.zeros((*values.shape[1:3], 1))
    kept[0, -1] = 1
    return [*(np.concatenate([layer, kept], axis=-1) for layer in values[:-1]), values[-1]]
