"""Networks and the one recursion that runs them: targets, backbones, and their simulation.

Main definitions: `Network`, `Backbone`, `run`, `simulate`.
`run` is written once and works on sympy matrices, exact matrices, numpy arrays and torch tensors, batched where the
library batches `@`.  Source: Fixed Universal Transformers, section 2 (definition of the model class).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import Any

from symut.errors import UsageError

Heads = Sequence[Sequence[Any]]
"""Matrices indexed [layer - 1][head - 1]."""

Attention = Callable[[Any, Any, int, int], Any]
"""alpha(queries, keys, layer, head) -> n x n, with queries and keys n x k; layers and heads count from 1."""


@dataclass(frozen=True)
class Network:
    """A target (width d) or the inner part of a backbone (width m).

    `WQ[l][h]`, `WK[l][h]`: width x k; `WV[l][h]`: width x width (value and output maps composed).
    Raises UsageError if the three do not have the same number of layers and heads.
    """

    WQ: Heads
    WK: Heads
    WV: Heads

    def __post_init__(self) -> None:
        counts = [tuple(len(layer) for layer in part) for part in (self.WQ, self.WK, self.WV)]
        if not counts[0] or not counts[0][0] or len(set(counts[0])) > 1 or len(set(counts)) > 1:
            raise UsageError("weights differ in layers or heads", expected="equal counts >= 1", got=str(counts))

    @property
    def L(self) -> int:
        """Number of layers."""
        return len(self.WQ)

    @property
    def H(self) -> int:
        """Number of heads per layer."""
        return len(self.WQ[0])


@dataclass(frozen=True)
class Backbone:
    """Fixed inner weights `inner` (width m) and a fixed read-out `U` (m x d)."""

    inner: Network
    U: Any


def run(network: Network, X: Any, attention: Attention) -> Any:
    """X_L of the recursion X_l = sum_h alpha_{l,h}(X_{l-1} WQ, X_{l-1} WK) X_{l-1} WV, from X_0 = X (n x width)."""
    state = X
    for layer in range(1, network.L + 1):
        state = reduce(add, (_head(network, state, attention, layer, head) for head in range(1, network.H + 1)))
    return state


def _head(network: Network, state: Any, attention: Attention, layer: int, head: int) -> Any:
    WQ, WK, WV = (part[layer - 1][head - 1] for part in (network.WQ, network.WK, network.WV))
    return attention(state @ WQ, state @ WK, layer, head) @ (state @ WV)


def simulate(backbone: Backbone, X: Any, E: Any, attention: Attention) -> Any:
    """UT(X, E) = Z_L U from Z_0 = X E, with X (n x d), the program E (d x m); n x d."""
    return run(backbone.inner, X @ E, attention) @ backbone.U
