"""Lower bounds on the width of a backbone: the sharp threshold N, one singular backbone, and the outputs alone.

Main definitions: `Bound`, `SharpWidth`, `SingularBackbone`, `OutputBound`, `SoftmaxOutputBound`, `ScoresQuestion`.
Specification: proofs/FORMAT.md, section 10.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from symut.backbone.shape import slot_count
from symut.statement.base import Statement
from symut.statement.universality import Universality

SHARP, SINGULAR = "sharp_width", "singular_backbone"
OUTPUTS, SOFTMAX_OUTPUTS = "output_lower_bound", "softmax_output_lower_bound"

NOT_UNIVERSAL = (
    "there is a target (WQ, WK: d x k and WV: d x d, real, for each layer and head) without any program E (d x m) "
    "such that UT(X, E) = T(X) for all n >= 1, all real X (n x d) and all attention functions"
)


class Bound(Statement):
    """A statement of section 10; `names` are its parameters."""

    names: ClassVar[tuple[str, ...]]

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters by name, as section 10 lists them."""
        return {name: getattr(self, name) for name in self.names}

    @property
    def start(self) -> str:
        """The beginning of every claim."""
        return f"H = {self.H}, L = {self.L}"


@dataclass(frozen=True)
class SharpWidth(Bound):
    """No backbone of a width below N is universal; with `m`, none of width m (then m < N)."""

    H: int
    L: int
    d: int | None = None
    k: int | None = None
    m: int | None = None
    goal: ClassVar[str] = SHARP  # type: ignore[misc]
    names = ("H", "L", "d", "k", "m")
    template = "sharp_width.md.j2"

    @property
    def width(self) -> str:
        """N, as text."""
        count = slot_count(self.H, self.L)
        return str(count) if self.d is None or self.k is None else str(count.at(self.d, self.k))

    @property
    def summary(self) -> str:
        """The threshold."""
        return f"m >= {self.width} is needed"

    @property
    def claims(self) -> list[str]:
        """Two sentences if `m` is open, one for a given `m`."""
        if self.m is not None:
            sizes = f"for d = {self.d}, k = {self.k} and m = {self.m}"
            return [f"{self.start}: {sizes}: for every backbone of width m {NOT_UNIVERSAL}."]
        sizes = "for all d, k >= 1" if self.d is None else f"for d = {self.d}, k = {self.k}"
        return [
            f"{self.start}: {sizes} and every m < {self.width}: for every backbone of width m {NOT_UNIVERSAL}.",
            f"{self.start}: {sizes} and every m >= 1: a backbone of width m is universal if and only if its block "
            f"matrix M(R) has rank {self.width}.",
        ]


@dataclass(frozen=True)
class SingularBackbone(Bound):
    """The backbone in the file with SHA-256 `weights` is not universal."""

    H: int
    L: int
    d: int
    k: int
    m: int
    weights: str
    goal: ClassVar[str] = SINGULAR  # type: ignore[misc]
    names = ("H", "L", "d", "k", "m", "weights")
    template = "singular_backbone.md.j2"

    @property
    def width(self) -> str:
        """N, which the rank of M(R) does not reach, as text."""
        return str(slot_count(self.H, self.L).at(self.d, self.k))

    @property
    def summary(self) -> str:
        """What the rank misses."""
        return f"rank M(R) < N = {self.width}"

    @property
    def claims(self) -> list[str]:
        """One sentence."""
        return [
            f"{self.start}: for d = {self.d}, k = {self.k} and m = {self.m}, for the backbone stored in the file with "
            f"SHA-256 {self.weights} {NOT_UNIVERSAL}."
        ]


@dataclass(frozen=True)
class OutputBound(Bound):
    """Outputs alone need m >= d H^L, also if all attention functions ignore their arguments."""

    H: int
    L: int
    d: int | None = None
    m: int | None = None
    goal: ClassVar[str] = OUTPUTS  # type: ignore[misc]
    names = ("H", "L", "d", "m")
    template = "output_lower_bound.md.j2"

    @property
    def width(self) -> str:
        """d H^L, as text."""
        paths = slot_count(self.H, self.L).per_d
        return f"{paths}*d" if self.d is None else str(paths * self.d)

    @property
    def summary(self) -> str:
        """The bound."""
        return f"m >= {self.width}"

    @property
    def claims(self) -> list[str]:
        """One sentence about products along paths, one about networks."""
        below = f"every m < {self.width}" if self.m is None else f"m = {self.m}"
        sizes = "all d >= 1" if self.d is None else f"d = {self.d}"
        start = (
            f"{self.start}: for {sizes} and {below}: for every backbone of width m, whatever its head width, there is "
            "a target (WV: d x d, real, for each layer and head) without any"
        )
        return [
            f"{start} matrix E (d x m) such that E R_p U = W_p for all paths p of length {self.L}.",
            f"{start} program E (d x m) such that UT(X, E) = T(X) for all n >= 1, all real X (n x d) and all attention "
            "functions that ignore their arguments.",
        ]


@dataclass(frozen=True)
class SoftmaxOutputBound(Bound):
    """The same bound for one fixed attention function, softmax, if the attention matrices agree as well."""

    H: int
    L: int
    n: int = 2
    goal: ClassVar[str] = SOFTMAX_OUTPUTS  # type: ignore[misc]
    names = ("H", "L", "n")
    template = "softmax_output_lower_bound.md.j2"

    @property
    def width(self) -> str:
        """d H^L, as text."""
        return f"{slot_count(self.H, self.L).per_d}*d"

    @property
    def summary(self) -> str:
        """The bound."""
        return f"m >= {self.width}"

    @property
    def claims(self) -> list[str]:
        """One sentence."""
        paths = slot_count(self.H, self.L).per_d
        return [
            f"{self.start}: for all d, k >= 1 there are {paths} targets (WQ, WK: d x k and WV: d x d, real, for each "
            f"layer and head) such that every backbone, of any width m and head width, has m >= {paths}*d if for each "
            f"of them there is a program E (d x m) with which, for n = {self.n} tokens and all real X (n x d), "
            "backbone and target with the attention functions softmax(Q K^T) have the same attention matrices in every "
            "layer and head and UT(X, E) = T(X)."
        ]


@dataclass(frozen=True)
class ScoresQuestion(Universality):
    """Universality for attention functions of the scores: a question that has no goal of its own and no certificate."""

    @property
    def claims(self) -> list[str]:
        """The sentences of universality, about fewer attention functions."""
        return [claim.removesuffix(".") + " of the scores." for claim in super().claims]
