"""The numbers behind the rows: sums of powers, and the recursion of the score-matching bound.

Main definitions: `heads_sum`, `paths`, `score_matching`, `attention_alone`, `general_scores`, `rank_one_scores`.
Source: proofs/FORMAT.md, sections 10 (`s_j`, `G_j`) and 11.
"""

from __future__ import annotations

from symut.backbone.shape import Shape, slot_count


def paths(shape: Shape) -> int:
    """H^L, the number of full paths; raises UsageError if it has more than 1000 bits."""
    return slot_count(shape.H, shape.L).per_d


def heads_sum(shape: Shape) -> int:
    """H + H^2 + ... + H^L, the number of pairs of a path shorter than L and a head."""
    return slot_count(shape.H, shape.L).per_k // 2


def score_matching(shape: Shape, outputs: int) -> int:
    """s_L + G_L with s_j = o d + ceil(j H z / d), z = 2kd - k^2, G_0 = 0, G_{j+1} = H G_j + (H-1) s_j; needs k <= d.

    `outputs` is o: 1 with outputs, 0 for attention alone.
    """
    H, d, k = shape.H, shape.d, shape.k
    rank = 2 * k * d - k * k

    def level(j: int) -> int:
        return outputs * d - (-j * H * rank // d)

    peeled = 0
    for j in range(shape.L):
        peeled = H * peeled + (H - 1) * level(j)
    return level(shape.L) + peeled


def attention_alone(shape: Shape) -> int:
    """The exact width for attention alone at d = k = 1 over the reals: H + ... + H^L, but 2 at (H, L) = (1, 1)."""
    return max(heads_sum(shape), 2)


def general_scores(shape: Shape) -> int:
    """H^L + L H, and 1 more if H, L >= 2: what score matrices of any rank need at d = 1 (rule T)."""
    return paths(shape) + shape.L * shape.H + (shape.H >= 2 and shape.L >= 2)


def rank_one_scores(shape: Shape) -> int:
    """H + ... + H^L + H^L, but 3 at (H, L) = (1, 1): enough for score matrices of rank 1 at d = 1 (rule W)."""
    return max(heads_sum(shape) + paths(shape), 3)
