"""Targets and attention functions for the tests, written from the definitions (X W on rows, heads summed)."""

import torch


def random_target(H, L, d, k, rows=None, batch=(), seed=0, dtype=torch.float64):
    """WQ, WK (..., L, H, r, k) and WV (..., L, H, r, d) that keep tokens at about their size."""
    r = d if rows is None else rows
    generator = torch.Generator().manual_seed(seed)
    sizes = ((*batch, L, H, r, k), (*batch, L, H, r, k), (*batch, L, H, r, d))
    return [torch.randn(size, generator=generator, dtype=dtype) / r**0.5 for size in sizes]


def tokens(*size, seed=1, dtype=torch.float64):
    return torch.randn(size, generator=torch.Generator().manual_seed(seed), dtype=dtype)


def softmax(causal=False, scale=1.0, mask=None):
    """alpha(Q, K) V with rows of an empty mask equal to zero; mask (..., H, n, n), bool or float."""

    def attention(Q, K, V, layer):
        if Q.shape[-2] == 0:
            return V
        scores = scale * Q @ K.transpose(-1, -2)
        n = scores.shape[-1]
        allowed = torch.ones(n, n, dtype=torch.bool)
        if causal:
            allowed = allowed.tril()
        if mask is not None and mask.dtype == torch.bool:
            allowed = allowed & mask
        elif mask is not None:
            allowed = allowed & (mask > -torch.inf)
            scores = scores + mask.nan_to_num(neginf=0.0)
        weights = torch.where(allowed, (scores - scores.detach().amax(-1, keepdim=True)).exp(), 0.0)
        return weights / weights.sum(-1, keepdim=True).clamp(min=1e-300) @ V

    return attention


def linear(Q, K, V, layer):
    return Q @ K.transpose(-1, -2) @ V


def hard(Q, K, V, layer):
    """Every token attends to the first key of maximal score."""
    scores = Q @ K.transpose(-1, -2)
    return torch.nn.functional.one_hot(scores.argmax(-1), scores.shape[-1]).to(V) @ V


def rotary(Q, K, V, layer):
    """Softmax after rotating pairs of columns by angles that depend on the position and the layer."""

    def rotate(W):
        half = W.shape[-1] // 2
        angles = torch.arange(W.shape[-2], dtype=W.dtype).unsqueeze(-1) / (layer + torch.arange(half, dtype=W.dtype))
        a, b, rest = W[..., :half], W[..., half : 2 * half], W[..., 2 * half :]
        return torch.cat([a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos(), rest], -1)

    return torch.softmax(rotate(Q) @ rotate(K).transpose(-1, -2) / layer, -1) @ V


ATTENTIONS = {"linear": linear, "hard": hard, "rotary": rotary, "softmax": softmax()}


def evaluate(target, X, attention):
    """T(X): X_l = sum_h alpha(X WQ, X WK) X WV, with heads as a dimension before the tokens'."""
    WQ, WK, WV = target
    for layer in range(WQ.shape[-4]):
        Q, K, V = (X.unsqueeze(-3) @ W[..., layer, :, :, :] for W in (WQ, WK, WV))
        X = attention(Q, K, V, layer + 1).sum(-3)
    return X


def simulate_densely(weights, X, E, attention):
    """UT(X, E) by the literal recursion on RQ, RK, RV, U."""
    RQ, RK, RV, U = weights
    return evaluate((RQ, RK, RV), X @ E, attention) @ U
