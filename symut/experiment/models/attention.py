"""Softmax attention by plain products, with the order of tokens and the padding as one term to add to the scores.

Main definitions: `score_bias`, `per_head`, `weights`, `summed`.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor


def score_bias(tokens: Tensor, causal: bool, padding: int | None, dtype: torch.dtype) -> Tensor:
    """What to add to scores (B, H, n, n), in a shape (B or 1, 1, n or 1, n): -inf where a token may not attend.

    In causal order padding, which follows all else, needs no mask.  Without it no token attends to padding.
    """
    n = tokens.shape[-1]
    if causal:
        return torch.full((1, 1, n, n), -math.inf, dtype=dtype, device=tokens.device).triu(1)
    bias = torch.zeros(tokens.shape, dtype=dtype, device=tokens.device)
    if padding is not None:
        bias = bias.masked_fill(tokens == padding, -math.inf)
    return bias[:, None, None, :]


def bias_at(bias: Tensor, positions: Tensor) -> Tensor:
    """The rows of `score_bias` for one query per sequence, at positions (B): (B, 1, 1, n)."""
    return bias if bias.shape[-2] == 1 else bias[0, 0, positions][:, None, None, :]


def per_head(columns: Tensor, heads: int) -> Tensor:
    """(B, n, heads w) as the view (B, heads, n, w)."""
    return columns.unflatten(-1, (heads, -1)).transpose(-3, -2)


def weights(Q: Tensor, K: Tensor, bias: Tensor) -> Tensor:
    """softmax(Q K^T / sqrt(k) + bias) (B, H, s, n) of Q (B, H, s, k) and K (B, H, n, k)."""
    return torch.softmax((Q * Q.shape[-1] ** -0.5) @ K.mT + bias, dim=-1)


def summed(A: Tensor, V: Tensor) -> Tensor:
    """sum_h A_h V_h (B, s, v) of A (B, H, s, n) and V (B, H, n, v), as one product over heads and tokens."""
    return A.transpose(1, 2).flatten(2) @ V.flatten(1, 2)
