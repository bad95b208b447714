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


STOCHASTIC = {name: ATTENTIONS[name] for name in ("hard", "rotary", "softmax")}
"""Those whose rows sum to 1."""
SCORES = {name: ATTENTIONS[name] for name in ("linear", "hard", "softmax")}
"""Those that depend on Q K^T only."""


def attentions_of(kind):
    """The attention functions that a kind of backbone promises."""
    return {"affine": STOCHASTIC, "shared_key": SCORES, "readoff_key": SCORES}.get(kind, ATTENTIONS)


def form_target(kind, H, L, d, k, d_out=None, batch=(), seed=0, dtype=torch.float64):
    """The arguments of compile_program: WQ, WK, WV and for affine kinds bQ, bK, bV, C, c."""
    target = random_target(H, 1 if kind == "shared_residual" else L, d, k, batch=batch, seed=seed, dtype=dtype)
    if kind == "readoff_key":
        target[2] = target[2] / 4 + torch.eye(d, dtype=dtype)
    if not kind.startswith("affine"):
        return target
    generator = torch.Generator().manual_seed(seed + 1)
    outputs = d if d_out is None else d_out
    sizes = ((*batch, L, H, k), (*batch, L, H, k), (*batch, L, H, d), (*batch, d, outputs), (*batch, outputs))
    return target + [torch.randn(size, generator=generator, dtype=dtype) / d**0.5 for size in sizes]


def evaluate(target, X, attention, residual=False, layers=None):
    """T(X): X_l = [X_{l-1} +] sum_h alpha(X WQ + bQ, X WK + bK) (X WV + bV), read by C, c; heads before tokens."""
    WQ, WK, WV, *rest = target
    bQ, bK, bV, C, c = (*rest, *[None] * (5 - len(rest)))
    for layer in range(WQ.shape[-4] if layers is None else layers):
        index = 0 if WQ.shape[-4] == 1 else layer
        Q, K, V = (
            X.unsqueeze(-3) @ W[..., index, :, :, :] + (0 if b is None else b[..., index, :, None, :])
            for W, b in ((WQ, bQ), (WK, bK), (WV, bV))
        )
        following = attention(Q, K, V, layer + 1).sum(-3)
        X = X + following if residual else following
    return X if C is None else X @ C + c.unsqueeze(-2)


def evaluate_form(kind, target, X, attention, L):
    """T(X) for a target of the kind; `shared_residual` uses its one layer L times."""
    return evaluate(target, X, attention, "residual" in kind, L)


def simulate_densely(weights, X, E, attention, kind="sparse", L=None):
    """UT(X, E) by the literal recursion on RQ, RK, RV, U; a key for all heads is repeated."""
    RQ, RK, RV, U = weights
    RK = RK.expand(*RK.shape[:-3], RQ.shape[-3], *RK.shape[-2:])
    if kind.startswith("affine"):
        X = torch.cat([X, X.new_ones(*X.shape[:-1], 1)], -1)
    return evaluate((RQ, RK, RV), X @ E, attention, "residual" in kind, L) @ U
