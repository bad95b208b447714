"""One stored backbone, certified exactly: the rank of M(R) from the very bytes of its weights file.

Main definitions: `certify`, `Certified`.
Main result: entries are dyadic rationals; a left inverse of M(R) modulo an odd prime proves rank N over the reals
(proofs/FORMAT.md, section 6).  A determinant that is 0 modulo p proves nothing, so further primes are tried.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from symut.backbone import Backbone, Network, Shape, block_matrix
from symut.backbone.forms import FormShape
from symut.certificate import Inverse

if TYPE_CHECKING:
    import numpy as np

    from symut.exact import Residues

RECHECK_LIMIT, RECHECK_WORK = 512, 6 * 10**10
"""The independent checker re-checks inverses up to this N and this work (proofs/FORMAT.md, section 6); beyond them
python-flint's rank is reported as TRUSTED."""


@dataclass(frozen=True)
class Certified:
    """`rank` is the largest rank modulo a prime that was found, at `prime`; `inverse` is its witness if check.py can
    multiply it out."""

    rank: int
    prime: int
    inverse: Inverse | None


def is_rechecked(shape: Shape | FormShape, m: int, prime: int) -> bool:
    """Whether check.py multiplies out a left inverse of this size: N at most 512 and work at most 6 * 10^10."""
    if shape.N > RECHECK_LIMIT:
        return False
    digits, width = 1 + (prime >> 30), -(-(m * (prime - 1) ** 2).bit_length() // 8)
    layers = shape.stored_layers if isinstance(shape, FormShape) else shape.L
    columns = [shape.H * shape.state_width(layer + 1) for layer in range(1, shape.L + 1)]
    stored = layers * shape.H * m * (m + 2 * shape.k) + m * shape.d
    rows = shape.L * shape.H * m + shape.N
    products = 100 * rows + width * (m * sum(columns) + shape.N**2) * 7 // 10
    return 1000 * stored + digits * m * products <= RECHECK_WORK


def reduced_backbone(tensors: Mapping[str, np.ndarray], prime: int, repeat: int = 1) -> Backbone:
    """RQ, RK (L x H x m x k), RV (L x H x m x m) and U (m x d) modulo `prime`, with all layers `repeat` times."""
    from symut.exact import Residues, residues

    def matrix(block: np.ndarray) -> Residues:
        return Residues(residues(block, prime), prime)

    parts = [repeat * [[matrix(head) for head in layer] for layer in tensors[name]] for name in ("RQ", "RK", "RV")]
    return Backbone(Network(*parts), matrix(tensors["U"]))


def certify(tensors: Mapping[str, np.ndarray], shape: Shape | FormShape) -> Certified:
    """Try the primes in order until M(R) has rank N modulo one of them; the best rank found otherwise.

    A looped form has the tensors of one layer, used in every layer.
    """
    from symut.exact import PRIMES, left_inverse

    best = Certified(-1, PRIMES[0], None)
    repeat = shape.L // len(tensors["RQ"])
    for prime in PRIMES:
        matrix = block_matrix(reduced_backbone(tensors, prime, repeat))
        rank = matrix.rank()
        if rank == shape.N:
            rows = left_inverse(matrix) if is_rechecked(shape, matrix.shape[0], prime) else None
            return Certified(rank, prime, Inverse(prime, rows) if rows else None)
        best = max(best, Certified(rank, prime, None), key=lambda found: found.rank)
    return best
