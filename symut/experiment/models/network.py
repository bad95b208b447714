"""The trained ends E, P and U around a backbone, in three architectures.

Main definitions: `Network`, `ARCHITECTURES`.
attention: Z_l = attn(Z_{l-1}); residual: Z_l = Z_{l-1} + attn(norm(Z_{l-1})) with a last norm before U; mlp: the same
followed by Z + relu(norm(Z) W1) W2, with random W1 and W2 that stay frozen unless the whole network is trained.
norm is layer normalisation without gain and shift.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import embedding

from symut.experiment.models.attention import bias_at, score_bias
from symut.experiment.models.dense import Dense, gaussian, stored
from symut.experiment.models.sparse import Sparse

ATTENTION, RESIDUAL, MLP = ARCHITECTURES = ("attention", "residual", "mlp")


class FeedForward(nn.Module):
    """relu(Z W1) W2 with Gaussian W1 (m x f) of variance 2 / m and W2 (f x m) of variance 1 / f."""

    W1: Tensor
    W2: Tensor

    def __init__(self, m: int, f: int, trained: bool, rng: np.random.Generator) -> None:
        super().__init__()
        stored(self, "W1", gaussian(rng, (m, f)) * 2**0.5, trained)
        stored(self, "W2", gaussian(rng, (f, m)), trained)

    def forward(self, Z: Tensor) -> Tensor:
        """(..., m) to (..., m)."""
        return torch.relu(Z @ self.W1) @ self.W2


class Network(nn.Module):
    """Logits U^T Z_L of Z_0 = E[token] + P[position].

    Trained: E (vocabulary x m), P (n x m) and U (r x classes), r the coordinates that the backbone leaves to read; of
    the backbone and of `feed_forward`, whose entries are one per layer or none, exactly what they hold as parameters.
    """

    E: Tensor
    P: Tensor
    U: Tensor

    def __init__(
        self,
        backbone: Sparse | Dense,
        *,
        vocabulary: int,
        classes: int,
        length: int,
        padding: int | None,
        architecture: str,
        causal: bool,
        feed_forward: list[FeedForward],
        init: float,
        rng: np.random.Generator,
    ) -> None:
        super().__init__()
        self.backbone, self.feed_forward = backbone, nn.ModuleList(feed_forward)
        self.residual, self.causal, self.padding = architecture != ATTENTION, causal, padding
        stored(self, "E", init * rng.standard_normal((vocabulary, backbone.m)), trained=True)
        stored(self, "P", init * rng.standard_normal((length, backbone.m)), trained=True)
        stored(self, "U", gaussian(rng, (backbone.read_width, classes)), trained=True)

    def forward(self, tokens: Tensor, scored: Tensor | None = None) -> Tensor:
        """Logits (B, n, classes) of tokens (B, n), or (s, classes) of the s positions that `scored` (B, n) marks.

        If one position per sequence is scored, the last layer answers only there.
        """
        bias, last = score_bias(tokens, self.causal, self.padding, self.E.dtype), self.backbone.layers - 1
        Z = self._first_layer(tokens, bias)
        positions = _single(scored) if last else None
        for layer in range(1, last + (positions is None)):
            columns = self.backbone.columns(layer, self._normed(Z))
            Z = self._after(layer, Z, self.backbone.mixed(layer, columns, bias))
        if positions is None:
            return self._normed(Z if scored is None else Z[scored]) @ self.U
        at = Z[scored].unsqueeze(1)
        update = self.backbone.mixed_at(last, self._normed(Z), self._normed(at), bias_at(bias, positions))
        return self._normed(self._after(last, at, update).squeeze(1)) @ self.U

    def _first_layer(self, tokens: Tensor, bias: Tensor) -> Tensor:
        """Z_1: what layer 1 reads of a token depends on the token and its position alone, so it is a table of pairs."""
        n = tokens.shape[1]
        pairs, table = tokens * n + torch.arange(n, device=tokens.device), (self.E[:, None] + self.P[:n]).flatten(0, 1)
        columns = embedding(pairs, self.backbone.columns(0, self._normed(table)))
        Z = embedding(pairs, table) if self.residual else columns
        return self._after(0, Z, self.backbone.mixed(0, columns, bias))

    def _after(self, layer: int, Z: Tensor, update: Tensor) -> Tensor:
        """What the layer makes of the stream Z and the sum of its heads."""
        if not self.residual:
            return update
        Z = _added(Z, update)
        return Z + self.feed_forward[layer](self._normed(Z)) if len(self.feed_forward) else Z

    def _normed(self, Z: Tensor) -> Tensor:
        return nn.functional.layer_norm(Z, Z.shape[-1:]) if self.residual else Z


def _single(scored: Tensor | None) -> Tensor | None:
    """The scored position of every sequence (B), if each has exactly one."""
    if scored is None or not bool((scored.sum(dim=1) == 1).all()):
        return None
    return scored.int().argmax(dim=1)


def _added(Z: Tensor, update: Tensor) -> Tensor:
    """Z plus an update of its first coordinates."""
    width = update.shape[-1]
    if width == Z.shape[-1]:
        return Z + update
    return torch.cat([Z[..., :width] + update, Z[..., width:]], dim=-1)
