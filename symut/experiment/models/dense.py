"""Backbones of dense matrices: random ones that stay as drawn, or trained ones of the same shape.

Main definitions: `Dense`, `gaussian`, `orthogonal`.
Entries come from numpy's PCG64, so that a seed means the same backbone on every machine.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor, nn

from symut.experiment.models.attention import per_head, summed, weights

Draw = Callable[[np.random.Generator, tuple[int, ...]], np.ndarray]


def gaussian(rng: np.random.Generator, size: tuple[int, ...]) -> np.ndarray:
    """Matrices (..., rows, columns) of independent normal entries of variance 1 / rows."""
    return rng.standard_normal(size) / size[-2] ** 0.5


def orthogonal(rng: np.random.Generator, size: tuple[int, ...]) -> np.ndarray:
    """Matrices (..., rows, columns) with orthonormal columns, Haar distributed; rows >= columns."""
    Q, R = np.linalg.qr(rng.standard_normal(size))
    return Q * np.sign(np.diagonal(R, axis1=-2, axis2=-1))[..., None, :]


DISTRIBUTIONS: dict[str, Draw] = {"gaussian": gaussian, "orthogonal": orthogonal}


def stored(module: nn.Module, name: str, matrix: np.ndarray, trained: bool) -> None:
    """Give the module a parameter if it is trained, else a buffer."""
    tensor = torch.from_numpy(matrix.astype(np.float32))
    if trained:
        module.register_parameter(name, nn.Parameter(tensor))
    else:
        module.register_buffer(name, tensor)


class Dense(nn.Module):
    """RQ, RK (l, H, m, k) and RV (l, H, m, m); l = 1 if all layers share one set, else L."""

    RQ: Tensor
    RK: Tensor
    RV: Tensor

    def __init__(
        self, H: int, L: int, k: int, m: int, *, draw: Draw, shared: bool, trained: bool, rng: np.random.Generator
    ) -> None:
        super().__init__()
        self.H, self.k, self.m, self.layers, self.read_width = H, k, m, L, m
        sets = 1 if shared else L
        for name, columns in (("RQ", k), ("RK", k), ("RV", m)):
            stored(self, name, draw(rng, (sets, H, m, columns)), trained)

    def _set(self, layer: int) -> tuple[Tensor, Tensor, Tensor]:
        """[RV_1 | ... | RV_H] (m, H m), [RQ_1 | ... | RQ_H] and [RK_1 | ... | RK_H] (m, H k) of a layer."""
        sets = (weight[layer % len(weight)] for weight in (self.RV, self.RQ, self.RK))
        RV, RQ, RK = (weight.transpose(0, 1).flatten(1) for weight in sets)
        return RV, RQ, RK

    def columns(self, layer: int, Z: Tensor) -> Tensor:
        """Z (..., m) times the matrices of layer 0..L-1: [values of H heads | queries | keys] (..., H m + 2 H k)."""
        return Z @ torch.cat(self._set(layer), dim=-1)

    def mixed(self, layer: int, columns: Tensor, bias: Tensor) -> Tensor:
        """sum_h A_h Z RV_h (B, n, m) from `columns` (B, n, c)."""
        values, reads = columns.split((self.H * self.m, 2 * self.H * self.k), dim=-1)
        Q, K = per_head(reads, 2 * self.H).split(self.H, dim=1)
        return summed(weights(Q, K, bias), per_head(values, self.H))

    def mixed_at(self, layer: int, Z: Tensor, at: Tensor, bias: Tensor) -> Tensor:
        """The same for one query per sequence, at (B, 1, m), to the tokens Z (B, n, m): (B, 1, m).

        A_h Z comes first: it has one row per sequence, and only that is multiplied by RV_h.
        """
        _, RQ, RK = self._set(layer)
        A = weights(per_head(at @ RQ, self.H), per_head(Z @ RK, self.H), bias)
        return (A.flatten(1, 2) @ Z).flatten(1).unsqueeze(1) @ self.RV[layer % len(self.RV)].flatten(0, 1)
