"""Statements of the search for widths at d = 1: excluded widths, backbones, conditional and finite answers.

Main definitions: `Width`, `SliceQuery`, `SliceModel`, `HEADS`, `TARGETS`.  Specification: proofs/FORMAT.md, section 11.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, ClassVar

from symut.statement.base import Statement

INFEASIBLE, BACKBONE_EXISTS = "matching_infeasible", "matching_backbone"
QUERY, MODEL = "matching_query", "matching_model"
GENERAL, RANK_ONE = HEADS = ("general", "rank-one")
STRONG, WEAK = TARGETS = ("strong", "weak")

_SCORES = {
    GENERAL: "real score matrices S_{l,h} (m x m)",
    RANK_ONE: "score matrices S_{l,h} = a_{l,h} b_{l,h}^T with real a_{l,h}, b_{l,h} (m x 1)",
}
_QUANTIFIED = {STRONG: "real q_{l,h} and v_{l,h}", WEAK: "nonzero real q_{l,h} and v_{l,h}"}
_MAPS = {
    (GENERAL, "ones"): "polynomials of degree at most 2",
    (GENERAL, "zero"): "quadratic forms",
    (RANK_ONE, "ones"): "products of two polynomials of degree at most 1",
    (RANK_ONE, "zero"): "products of two linear forms",
}


@dataclass(frozen=True, kw_only=True)
class Width(Statement):
    """Whether width m suffices for a class of targets; `goal` says which of the two answers is claimed."""

    goal: str
    H: int
    L: int
    m: int
    heads: str
    targets: str
    template: ClassVar[str] = "matching.md.j2"

    @property
    def parameters(self) -> dict[str, Any]:
        """H, L, m, heads and targets."""
        return {name: getattr(self, name) for name in ("H", "L", "m", "heads", "targets")}

    @property
    def start(self) -> str:
        """The sizes with which every claim begins."""
        return f"H = {self.H}, L = {self.L}, d = 1"

    @property
    def excluded(self) -> str:
        """The claim that no width up to m suffices, without the sizes."""
        return f"no backbone of any width m <= {self.m} {self._matching}"

    @property
    def _matching(self) -> str:
        return (
            f"with {_SCORES[self.heads]}, real RV_{{l,h}} (m x m) and real U (m x 1) satisfies: for every target with "
            f"{_QUANTIFIED[self.targets]} there is a real program e (1 x m) with e R_p S_{{l,h}} R_p'^T e^T = "
            "v_p q_{l,h} v_p' for all layers l, heads h and paths p, p' of length l - 1 and e R_p U = v_p for all "
            f"paths p of length {self.L}"
        )

    @property
    def claims(self) -> list[str]:
        """One sentence."""
        if self.goal == BACKBONE_EXISTS:
            return [f"{self.start}: some backbone of width m = {self.m} {self._matching}."]
        return [f"{self.start}: {self.excluded}."]

    @property
    def width(self) -> str:
        """The least width that is left, or the width that suffices."""
        return str(self.m + (self.goal != BACKBONE_EXISTS))

    @property
    def summary(self) -> str:
        """The bound on the minimal width."""
        return f"minimal width {'<=' if self.goal == BACKBONE_EXISTS else '>='} {self.width}"


@dataclass(frozen=True, kw_only=True)
class SliceQuery(Width):
    """Width m is excluded if the SMT-LIB query of a slice, with SHA-256 `digest`, has no solution."""

    slice: str = ""
    points: tuple[tuple[int, ...], ...] = ()
    seed: int = 0
    digest: str = ""

    @property
    def parameters(self) -> dict[str, Any]:
        """Those of the width, and slice, points and seed."""
        own = {"slice": self.slice, "points": [list(point) for point in self.points], "seed": self.seed}
        return super().parameters | own

    @property
    def claims(self) -> list[str]:
        """One conditional sentence."""
        condition = f"if the SMT-LIB query with SHA-256 {self.digest} has no real solution, then"
        return [f"{self.start}: {condition} {self.excluded}."]


@dataclass(frozen=True, kw_only=True)
class SliceModel(SliceQuery):
    """A map of the slice that takes the values of finitely many targets; says nothing about the others."""

    @property
    def parameters(self) -> dict[str, Any]:
        """Those of the query without its seed."""
        return {name: value for name, value in super().parameters.items() if name != "seed"}

    @property
    def claims(self) -> list[str]:
        """One sentence about finitely many points."""
        H, L, r = self.H, self.L, self.m - self.H**self.L
        values = json.dumps([list(point) for point in self.points])
        return [
            f"{self.start}: m = {self.m}, {self.targets} targets, slice {self.slice}: there are {L * H} "
            f"{_MAPS[self.heads, self.slice]} on R^{r} that take each of these tuples of values at some real point: "
            f"{values}."
        ]

    @property
    def width(self) -> str:
        """The width asked for."""
        return str(self.m)

    @property
    def summary(self) -> str:
        """What was found for the finite set."""
        return f"{len(self.points)} targets do not exclude width {self.m}"
