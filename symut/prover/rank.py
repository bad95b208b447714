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

RECHECK_LIMIT = 512
"""The independent checker re-checks inverses up to this N; above it python-flint's rank is reported as TRUSTED."""


@dataclass(frozen=True)
class Certified:
    """`rank` is the largest rank modulo a prime that was found, at `prime`; `inverse` is its witness when N <= 512."""

    rank: int
    prime: int
    inverse: Inverse | None


def reduced_backbone(tensors: Mapping[str, np.ndarray], prime: int, repeat: int = 1) -> Backbone:
    """RQ, RK (L x H x m x k), RV (L x H x m x m) and U (m x d) modulo `prime`, with all layers `repeat` times."""
    from symut.exact import Residues, residues

    def matrix(block: np.ndarray) -> Residues:
        return Residues.from_rows(residues(block, prime).tolist(), block.shape[1], prime)

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
            rows = left_inverse(matrix) if shape.N <= RECHECK_LIMIT else None
            return Certified(rank, prime, Inverse(prime, rows) if rows else None)
        best = max(best, Certified(rank, prime, None), key=lambda found: found.rank)
    return best
