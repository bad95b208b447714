"""The literal recursion with dense matrices, and small networks: what the fast paths are compared with."""

import math

import numpy as np
import torch

from symut.backbone import dense
from symut.backbone.forms import LAYERED, RESIDUAL, FormShape
from symut.experiment.models import Dense, Network, Sparse
from symut.experiment.models.dense import gaussian
from symut.experiment.models.network import FeedForward


def network(kind, architecture, *, H=2, L=2, d=3, k=2, m=10, n=6, causal=True, padding=None, trained=False, seed=0):
    """A small network in float64 with 4 tokens and 3 classes."""
    rng, residual = np.random.default_rng(seed), architecture != "attention"
    if kind == "sparse":
        backbone = Sparse(H, L, d, k, residual)
    else:
        backbone = Dense(H, L, k, m, draw=gaussian, shared=kind == "shared", trained=trained, rng=rng)
    blocks = [FeedForward(backbone.m, 7, trained, rng) for _ in range(L)] if architecture == "mlp" else []
    ends = {"vocabulary": 4, "classes": 3, "length": n, "padding": padding}
    options = {"architecture": architecture, "causal": causal, "feed_forward": blocks, "init": 1.0, "rng": rng}
    return Network(backbone, **ends, **options).double()


def prefix_order(shape, layer=1, first=0):
    """The canonical slots in the order of `Sparse`: tails before queries and keys, at every level."""
    if layer > shape.L:
        return list(range(first, first + shape.output_width))
    own, tail = shape.own_width, shape.state_width(layer + 1)
    letters = range(len(shape.form.alphabet(shape.H)))
    tails = [prefix_order(shape, layer + 1, first + own + letter * tail) for letter in letters]
    return [slot for part in tails for slot in part] + list(range(first, first + own))


def literal_matrices(routing, order):
    """RQ, RK, RV, U of a routing with its coordinates in another order, and U's columns."""
    backbone = dense(routing, lambda rows, columns: np.zeros((rows, columns)))
    rows = np.array(order)
    inner = backbone.inner
    RQ, RK = (torch.tensor(np.array([[q[rows] for q in layer] for layer in part])) for part in (inner.WQ, inner.WK))
    RV = torch.tensor(np.array([[v[np.ix_(rows, rows)] for v in layer] for layer in inner.WV]))
    return RQ, RK, RV, torch.tensor(backbone.U[rows])


def form_shape(residual, H, L, d, k):
    return FormShape(RESIDUAL if residual else LAYERED, H, L, d, k)


def literal(net, tokens, matrices, readout):
    """Logits (B, n, classes) by the definition, token by token, head by head, with the literal matrices."""
    RQ, RK, RV = matrices
    n = tokens.shape[1]
    allowed = torch.ones(n, n).tril().bool().expand(len(tokens), n, n)
    if not net.causal:
        padding = -1 if net.padding is None else net.padding
        allowed = (tokens != padding)[:, None, :].expand(len(tokens), n, n)
    norm = (
        (lambda Z: (Z - Z.mean(-1, keepdim=True)) / (Z.var(-1, correction=0, keepdim=True) + 1e-5).sqrt())
        if (net.residual)
        else (lambda Z: Z)
    )
    Z = net.E[tokens] + net.P[:n]
    for layer in range(net.backbone.layers):
        X, total = norm(Z), 0
        for Q, K, V in zip(*(part[layer % len(part)] for part in (RQ, RK, RV)), strict=True):
            scores = (X @ Q) @ (X @ K).mT / math.sqrt(Q.shape[-1])
            total = total + torch.softmax(scores.masked_fill(~allowed, -math.inf), -1) @ X @ V
        Z = Z + total if net.residual else total
        if len(net.feed_forward):
            block = net.feed_forward[layer]
            Z = Z + torch.relu(norm(Z) @ block.W1) @ block.W2
    return norm(Z) @ readout @ net.U
