"""The searches whose artifacts are kept in proofs/: both sides of the minimal width for small shapes, without solvers.

Main definitions: `instances`.
"""

from __future__ import annotations

from symut.searcher.request import Request, proven_lower
from symut.statement.search import GENERAL, RANK_ONE, STRONG, WEAK

SHAPES = ((1, 1), (2, 1), (1, 2), (3, 1), (1, 3), (4, 1), (2, 2), (1, 4), (3, 2), (2, 3), (3, 3))


def instances() -> list[Request]:
    """General heads and weak targets from below, which excludes the other cases too; rank-one heads and strong targets
    from above; identities on the slice zero where they are small; both sides for strong and weak targets at (1,1)."""
    found = []
    for H, L in SHAPES:
        low = proven_lower(H, L, GENERAL, WEAK) - 1
        found.append(Request(H, L, low, GENERAL, WEAK))
        if 1 < H * L <= 3:
            found.append(Request(H, L, low, GENERAL, STRONG, method="identity"))
        wide = Request(H, L, 1, RANK_ONE, STRONG)
        found.append(Request(H, L, wide.upper, RANK_ONE, STRONG))
    return [*found, Request(1, 1, 2, GENERAL, STRONG), Request(1, 1, 2, RANK_ONE, WEAK)]
