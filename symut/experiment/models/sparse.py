"""The sparse 0/1 backbone in block form: a layer is a split, one attention call of value width m_{l+1}, a sum.

Main definitions: `Sparse`, `sparse_width`.
Main result: the same network as the literal 0/1 matrices, whose products with m x m matrices it never forms.
Source: Fixed Universal Transformers, Theorem 3.1; the residual form is symut's own.
"""

from __future__ import annotations

from torch import Tensor, nn

from symut.backbone.forms import LAYERED, RESIDUAL, FormShape
from symut.experiment.models.attention import per_head, summed, weights


def _shape(H: int, L: int, d: int, k: int, residual: bool) -> FormShape:
    return FormShape(RESIDUAL if residual else LAYERED, H, L, d, k)


def sparse_width(H: int, L: int, d: int, k: int, residual: bool) -> int:
    """N, the width m of the backbone: one coordinate per slot."""
    return _shape(H, L, d, k, residual).N


class Sparse(nn.Module):
    """The backbone with H heads, L layers, head width k and d outputs; it has no weights to store.

    The slots before layer l are the first m_l coordinates, [tail_0 | tail_1 | ... | tail_H | queries | keys], each tail
    of length m_{l+1} laid out like the slots before layer l+1; without residual connections there is no tail_0.
    Head h moves tail_h onto the first m_{l+1} coordinates, a prefix.
    """

    def __init__(self, H: int, L: int, d: int, k: int, residual: bool) -> None:
        super().__init__()
        shape = _shape(H, L, d, k, residual)
        self.H, self.m, self.layers = H, shape.N, L
        self.read_width = self.m if residual else d
        widths = [shape.state_width(layer) for layer in range(1, L + 2)]
        skipped = widths[1:] if residual else [0] * L
        self.used = [slice(first, last) for first, last in zip(skipped, widths[:-1], strict=True)]
        self.own = 2 * H * k

    def columns(self, layer: int, Z: Tensor) -> Tensor:
        """What layer 0..L-1 reads of Z (..., m): [values of H heads | queries | keys], a view (..., c)."""
        return Z[..., self.used[layer]]

    def mixed(self, layer: int, columns: Tensor, bias: Tensor) -> Tensor:
        """sum_h A_h Z RV_h of `columns` (B, n, c): those of its columns that are not zero, (B, n, m_{l+1})."""
        values, Q, K = self._parts(columns)
        return summed(weights(Q, K, bias), values)

    def mixed_at(self, layer: int, Z: Tensor, at: Tensor, bias: Tensor) -> Tensor:
        """The same for one query per sequence, at (B, 1, m), to the tokens Z (B, n, m): (B, 1, m_{l+1})."""
        values, _, K = self._parts(self.columns(layer, Z))
        return summed(weights(self._parts(self.columns(layer, at))[1], K, bias), values)

    def _parts(self, columns: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        values, reads = columns[..., : -self.own], columns[..., -self.own :]
        Q, K = per_head(reads, 2 * self.H).split(self.H, dim=1)
        return per_head(values, self.H), Q, K
