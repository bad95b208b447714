"""The block matrix M(R), the target blocks B(W), and the program that solves E M(R) = B(W).

Main definitions: `block_matrix`, `target_blocks`, `solve_program`, `solve_program_exactly`.
Main result: any E with E M(R) = B(W) satisfies UT(X, E) = T(X) for all n, X and attention functions
(path matching suffices; proofs/README.md).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from symut.backbone.algebra import identity_like, stack_columns
from symut.backbone.network import Backbone, Network
from symut.errors import TargetError

if TYPE_CHECKING:
    import numpy as np

    from symut.exact import Matrix


def _blocks(network: Network, readout: Any) -> Any:
    columns = readout
    for layer in reversed(range(network.L)):
        moved = [value @ columns for value in network.WV[layer]]
        columns = stack_columns([*network.WQ[layer], *network.WK[layer], *moved])
    return columns


def block_matrix(backbone: Backbone) -> Any:
    """M(R), m x N: columns R_p RQ_{l,h}, R_p RK_{l,h} (|p| = l-1) and R_p U (|p| = L) in canonical slot order.

    Computed right to left, C_{L+1} = U and C_l = [RQ_l | RK_l | RV_{l,1} C_{l+1} | ... | RV_{l,H} C_{l+1}], so that
    a layer costs H products of m x m by m x m_{l+1} and no path is walked twice.
    """
    return _blocks(backbone.inner, backbone.U)


def target_blocks(target: Network, readout: Any = None) -> Any:
    """B(W), d x N: the same columns for the target, with the identity (or `readout`, d x d_out) at the end."""
    if readout is None:
        first = target.WV[-1][0]
        readout = identity_like(first, first.shape[-1])
    return _blocks(target, readout)


def solve_program_exactly(M: Matrix, B: Matrix) -> Matrix:
    """A program E (d x m) with E M = B over the rationals, from M (m x N) and B (d x N).

    Raises TargetError if the rank of M is below N.
    """
    try:
        return M.solve_left(B)
    except ZeroDivisionError as error:
        raise TargetError("block matrix is singular", expected="rank N", got=str(error)) from None


def solve_program(M: np.ndarray, B: np.ndarray) -> np.ndarray:
    """The program E (d x m) of least norm with E M = B in float64, from M (m x N) and B (d x N).

    Columns are scaled to unit norm before the QR factorization M = Q R, and one step of iterative refinement follows.
    Raises TargetError if M is numerically singular (rank certification is exact and lives in `symut.prove`).
    """
    import numpy as np

    scale = np.linalg.norm(M, axis=0)
    if not np.all(scale > 0):
        raise TargetError("block matrix has a zero column", remedy="use another seed or a wider backbone")
    Q, R = np.linalg.qr(M / scale)
    if np.min(np.abs(np.diag(R))) <= M.shape[0] * np.finfo(M.dtype).eps:
        raise TargetError("block matrix is numerically singular", remedy="use another seed or a wider backbone")
    E = np.zeros((B.shape[0], M.shape[0]))
    for _ in range(2):
        E += np.linalg.solve(R.T, ((B - E @ M) / scale).T).T @ Q.T
    return E
