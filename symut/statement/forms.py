"""Statements about the forms of proofs/FORMAT.md, section 9: looped, residual, score-matching and affine backbones.

Main definitions: `FormStatement`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from symut.backbone.forms import FORMS, RESIDUAL, SHARED_RESIDUAL, Count, Form, FormShape, form_count, form_degree
from symut.statement.base import Statement
from symut.statement.wording import BACKBONES, LAWS, UNIVERSAL


@dataclass(frozen=True)
class FormStatement(Statement):
    """A goal of section 9 with its parameters; the widths `d`, `k` and `d_out`, if the form has it, may be open (None).

    `weights` (a SHA-256) names a stored backbone, for looped backbones only.
    """

    goal: str
    H: int
    L: int
    d: int | None = None
    k: int | None = None
    m: int | None = None
    weights: str | None = None
    d_out: int | None = None
    template: ClassVar[str] = "form.md.j2"

    @property
    def form(self) -> Form:
        """The form that the goal is about."""
        return FORMS[self.goal]

    @property
    def units(self) -> FormShape:
        """The shape counted in columns, or in whole blocks (of width 1) in a block statement."""
        return FormShape(
            self.form, self.H, self.L, self.d or 1, self.k or 1, self.d_out or 1 if self.form.affine else None
        )

    def count(self, count: Count) -> str:
        """A count as text: an integer at fixed widths, else e.g. `12*k + 4*d_out`."""
        return str(count) if self.d is None or self.k is None else str(count.at(self.d, self.k, self.d_out))

    @property
    def N(self) -> str:
        """The number of slots, as text."""
        return self.count(form_count(self.form, self.H, self.L))

    @property
    def degree(self) -> str:
        """The degree bound D, as text."""
        return self.count(form_degree(self.form, self.H, self.L))

    @property
    def parameters(self) -> dict[str, Any]:
        """H, L, d, k, m and weights, and d_out for affine forms."""
        names = (
            ("H", "L", "d", "d_out", "k", "m", "weights") if self.form.affine else ("H", "L", "d", "k", "m", "weights")
        )
        return {name: getattr(self, name) for name in names}

    @property
    def width(self) -> str:
        """N, as text."""
        return self.N

    @property
    def summary(self) -> str:
        """N; for residual forms also the count of the other one, which has shared or own weights."""
        other = {RESIDUAL: SHARED_RESIDUAL, SHARED_RESIDUAL: RESIDUAL}.get(self.form)
        if other is None:
            return f"N = {self.N}"
        kind = "shared weights" if other.shared else "own weights per layer"
        return f"N = {self.N} (with {kind} {self.count(form_count(other, self.H, self.L))})"

    def _sizes(self) -> str:
        names = ("d", "k", "d_out") if self.form.affine else ("d", "k")
        if self.d is None:
            return f"all {', '.join(names)} >= 1"
        return ", ".join(f"{name} = {getattr(self, name)}" for name in names)

    @property
    def claims(self) -> list[str]:
        """The sentences claimed, in the order of FORMAT.md, section 9.2."""
        start, form = f"H = {self.H}, L = {self.L}: for {self._sizes()}", self.form
        backbones, law, universal = BACKBONES[form], LAWS[form], UNIVERSAL[form]
        widths = f"every m >= {self.N}" if self.m is None else f"m = {self.m}"
        every = f"{start} and {widths}, for a backbone of width m{backbones}:"
        claims = [
            f"{start} there is a backbone of width m = {self.m or self.N}{backbones}, with all entries of RQ, RK, RV "
            f"and U in {{0, 1}}, such that {universal}.",
            f"{every} under every joint law of the entries of {law} that is absolutely continuous with respect to "
            f"Lebesgue measure, with probability 1: {universal}.",
            f"{every} if the entries of {law} are independent and uniform on s distinct real numbers, the following "
            f"fails with probability at most D/s, D = {self.degree}: {universal}.",
        ]
        stored = (
            f"{start} and m = {self.m} it holds for the backbone stored in the file with SHA-256 {self.weights}, used "
            f"in every layer: {universal}."
        )
        return claims + ([stored] if self.weights else [])
