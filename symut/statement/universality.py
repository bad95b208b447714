"""Statements about universal backbones: a 0/1 one, almost every one, a stored one.

Main definitions: `Universality`, and the goals SPARSE, RANDOM, BACKBONE.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from symut.backbone.forms import LAYERED, FormShape
from symut.backbone.shape import Linear, degree, slot_count
from symut.statement.base import Statement

SPARSE, RANDOM, BACKBONE = "sparse_universality", "random_universality", "backbone_universality"

_UNIVERSAL = (
    "for every target (WQ, WK: d x k and WV: d x d, real, for each layer and head) there is a program E (d x m) "
    "with UT(X, E) = T(X) for all n >= 1, all real X (n x d) and all attention functions"
)


@dataclass(frozen=True)
class Universality(Statement):
    """A goal about universality with its parameters; `d`, `k`, `m` and `weights` (a SHA-256) may be open (None)."""

    goal: str
    H: int
    L: int
    d: int | None = None
    k: int | None = None
    m: int | None = None
    weights: str | None = None

    @property
    def units(self) -> FormShape:
        """The shape counted in columns, or in whole blocks (of width 1) in a block statement."""
        return FormShape(LAYERED, self.H, self.L, self.d or 1, self.k or 1)

    def count(self, linear: Linear) -> str:
        """A linear count as text: an integer at fixed d and k, else `A*k + B*d`."""
        return str(linear) if self.d is None or self.k is None else str(linear.at(self.d, self.k))

    @property
    def N(self) -> str:
        """The number of slots, as text."""
        return self.count(slot_count(self.H, self.L))

    @property
    def degree(self) -> str:
        """The degree bound D, as text."""
        return self.count(degree(self.H, self.L))

    @property
    def claims(self) -> list[str]:
        """The sentences claimed, in the order of FORMAT.md."""
        start = f"H = {self.H}, L = {self.L}: "
        sizes = "all d, k >= 1" if self.d is None else f"d = {self.d}, k = {self.k}"
        stored = (
            f"{start}for {sizes} and m = {self.m} it holds for the backbone stored in the file with "
            f"SHA-256 {self.weights}: {_UNIVERSAL}."
        )
        if self.goal == BACKBONE:
            return [stored]
        if self.goal == SPARSE:
            width = self.N if self.m is None else self.m
            return [
                f"{start}for {sizes} there is a backbone of width m = {width} with all entries of RQ, RK, RV and U "
                f"in {{0, 1}} such that {_UNIVERSAL}."
            ]
        widths = f"every m >= {self.N}" if self.m is None else f"m = {self.m}"
        almost = (
            f"{start}for {sizes} and {widths}, under every joint law of the entries of RQ, RK (m x k), RV (m x m) and "
            f"U (m x d) over all layers and heads that is absolutely continuous with respect to Lebesgue measure, "
            f"with probability 1: {_UNIVERSAL}."
        )
        discrete = (
            f"{start}for {sizes} and {widths}, if the entries are independent and uniform on s distinct real numbers, "
            f"the following fails with probability at most D/s, D = {self.degree}: {_UNIVERSAL}."
        )
        return [almost, discrete] + ([stored] if self.weights else [])

    @property
    def parameters(self) -> dict[str, Any]:
        """H, L, d, k, m and weights."""
        return {name: getattr(self, name) for name in ("H", "L", "d", "k", "m", "weights")}

    @property
    def width(self) -> str:
        """N, as text."""
        return self.N
