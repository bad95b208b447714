"""Widths that matching the attention scores needs: exact ones at d = k = 1, bounds beyond, and the head width's part.

Main definitions: `AttentionWidth`, `ScoreMatchingBound`, `HeadWidthObstruction`, `score_ranks`, `score_bound`.
Specification: proofs/FORMAT.md, section 10.  Source: Fixed Universal Transformers, Theorem 4.1, sharpened by symut.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from symut.backbone.shape import slot_count
from symut.statement.bounds import Bound

WITH_OUTPUTS, ALONE = "attention_output_width", "attention_width"
SCORES, HEAD_WIDTH = "score_matching_lower_bound", "head_width_obstruction"

_SCALAR_MATCH = (
    "for every target with nonzero real q_{l,h} = WQ_{l,h} WK_{l,h} and v_{l,h} = WV_{l,h} there is a real program e "
    "(1 x m) with (e R_p RQ_{l,h}) (e R_p' RK_{l,h}) = v_p q_{l,h} v_p' for all layers l, heads h and paths p, p' of "
    "length l - 1"
)
_SCORES = (
    "E R_p RQ_{l,h} (E R_p' RK_{l,h})^T = W_p WQ_{l,h} WK_{l,h}^T W_p'^T for all layers l, heads h and paths p, p' of "
    "length l - 1"
)


@dataclass(frozen=True)
class AttentionWidth(Bound):
    """The exact width at d = k = 1 and head width 1 for the scores, with the outputs (WITH_OUTPUTS) or ALONE."""

    goal: str
    H: int
    L: int
    d: ClassVar[int] = 1  # type: ignore[misc]
    k: ClassVar[int] = 1  # type: ignore[misc]
    names = ("H", "L")
    template = "attention_width.md.j2"

    @property
    def minimum(self) -> int:
        """sum_l H^l, plus H^L with outputs; 2 instead of 1 for the scores alone at (H, L) = (1, 1)."""
        count = slot_count(self.H, self.L)
        if self.goal == WITH_OUTPUTS:
            return count.per_k // 2 + count.per_d
        return max(2, count.per_k // 2)

    @property
    def width(self) -> str:
        """The exact minimum, as text."""
        return str(self.minimum)

    @property
    def summary(self) -> str:
        """The exact minimum."""
        what = "with outputs" if self.goal == WITH_OUTPUTS else "attention alone"
        return f"minimal m = {self.width} ({what})"

    @property
    def claims(self) -> list[str]:
        """The lower bound, then the backbone that attains it."""
        outputs = self.goal == WITH_OUTPUTS
        weights = "RQ, RK, RV and U" if outputs else "RQ, RK and RV"
        entries = "{0, 1}" if outputs else "{-1, 0, 1, 2}"
        wanted = _SCALAR_MATCH + (f" and e R_p U = v_p for all paths p of length {self.L}" if outputs else "")
        start = f"{self.start}, d = k = 1:"
        return [
            f"{start} no backbone of width m < {self.width} and head width 1 with real {weights} satisfies: {wanted}.",
            f"{start} some backbone of width m = {self.width} and head width 1 with all entries of {weights} in "
            f"{entries} satisfies: {wanted}.",
        ]


def score_ranks(H: int, L: int, d: int, k: int, outputs: bool) -> list[int]:
    """s_0 .. s_L with s_j = o d + ceil(j H (2kd - k^2) / d): what j layers of scores need in one branch."""
    freedom = 2 * k * d - k * k
    return [outputs * d - (-j * H * freedom // d) for j in range(L + 1)]


def score_bound(H: int, L: int, d: int, k: int, outputs: bool) -> int:
    """W = s_L + G_L with G_0 = 0 and G_{j+1} = H G_j + (H - 1) s_j."""
    ranks, gathered = score_ranks(H, L, d, k, outputs), 0
    for rank in ranks[:-1]:
        gathered = H * gathered + (H - 1) * rank
    return ranks[-1] + gathered


@dataclass(frozen=True)
class ScoreMatchingBound(Bound):
    """Lower bounds for targets of score rank k <= d and a backbone of head width k, with outputs and without."""

    H: int
    L: int
    d: int
    k: int
    goal: ClassVar[str] = SCORES  # type: ignore[misc]
    names = ("H", "L", "d", "k")
    template = "score_matching_lower_bound.md.j2"

    def bound(self, outputs: bool) -> int:
        """W_1 or W_0."""
        return score_bound(self.H, self.L, self.d, self.k, outputs)

    @property
    def width(self) -> str:
        """W_1, the bound with outputs, as text."""
        return str(self.bound(True))

    @property
    def summary(self) -> str:
        """Both bounds."""
        return f"m >= {self.width}, attention alone m >= {self.bound(False)}"

    @property
    def claims(self) -> list[str]:
        """With outputs, then the scores alone, then universality for attention functions of the scores."""
        start = f"{self.start}, d = {self.d}, k = {self.k}: every backbone of width m and head width {self.k} with real"
        program = (
            f"if for every target with WQ_{{l,h}}, WK_{{l,h}} of rank {self.k} and invertible WV_{{l,h}} there is a "
            "program E (d x m) with"
        )
        targets = f"{program} {_SCORES}"
        universal = "UT(X, E) = T(X) for all n >= 1, all real X (n x d) and all attention functions of the scores"
        return [
            f"{start} RQ, RK, RV and U has m >= {self.bound(True)} {targets} and E R_p U = W_p for all paths p of "
            f"length {self.L}.",
            f"{start} RQ, RK and RV has m >= {self.bound(False)} {targets}.",
            f"{start} RQ, RK, RV and U has m >= {self.bound(True)} {program} {universal}.",
        ]


@dataclass(frozen=True)
class HeadWidthObstruction(Bound):
    """At H = L = d = 1 and k = m an open set of backbones gives scores of one sign only."""

    m: int
    H: ClassVar[int] = 1  # type: ignore[misc]
    L: ClassVar[int] = 1  # type: ignore[misc]
    d: ClassVar[int] = 1  # type: ignore[misc]
    goal: ClassVar[str] = HEAD_WIDTH  # type: ignore[misc]
    names = ("m",)
    template = "head_width_obstruction.md.j2"

    @property
    def width(self) -> str:
        """m, as text."""
        return str(self.m)

    @property
    def summary(self) -> str:
        """The size of the matrices."""
        return f"k = m = {self.m}"

    @property
    def claims(self) -> list[str]:
        """One sentence."""
        return [
            f"H = L = d = 1, k = m = {self.m}: there are rational A, B ({self.m} x {self.m}) and r > 0 such that no "
            "backbone with |RQ - A| <= r and |RK - B| <= r in every entry has, for any target with WQ WK^T < 0 and "
            f"WV != 0, a program E (1 x {self.m}) with UT(X, E) = T(X) for all n >= 1, all real X (n x 1) and all "
            "attention functions of the scores."
        ]
