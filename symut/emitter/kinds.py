"""The kinds of emitted backbones: the form of each, the command that makes it, and what its module says it is.

Main definitions: `Kind`, `KINDS`.
The sentences follow proofs/FORMAT.md, sections 2 and 9; the exact claim is the statement whose hash the module names.
"""

from __future__ import annotations

from dataclasses import dataclass

from symut.backbone.forms import (
    AFFINE,
    AFFINE_RESIDUAL,
    LAYERED,
    LOOPED,
    READOFF_KEY,
    RESIDUAL,
    SHARED_KEY,
    SHARED_RESIDUAL,
    Form,
)

_SAME = "UT runs the same recursion with RQ, RK, RV from Z_0 = X E and answers Z_L U."
_PLAIN = (
    f"T runs X_l = sum_h alpha_{{l,h}}(X_{{l-1}} WQ, X_{{l-1}} WK) X_{{l-1}} WV from X_0 = X and answers X_L; {_SAME}"
)
_RESIDUAL = (
    "T runs X_l = X_{l-1} + sum_h alpha_{l,h}(X_{l-1} WQ, X_{l-1} WK) X_{l-1} WV from X_0 = X and answers X_L; " + _SAME
)
_SCORES = (
    "T runs X_l = sum_h alpha_{l,h}(X_{l-1} WQ (X_{l-1} WK)^T) X_{l-1} WV from X_0 = X and answers X_L, where alpha is "
    "a function of the scores, one n x n matrix; " + _SAME
)
_BIASED = (
    "sum_h alpha_{l,h}(X_{l-1} WQ + 1 bQ, X_{l-1} WK + 1 bK) (X_{l-1} WV + 1 bV) from X_0 = X and answers X_L C + 1 c, "
    "with 1 a column of ones; UT runs the same recursion with RQ, RK, RV and without biases from Z_0 = [X, 1] E and "
    "answers Z_L U."
)
_TARGETS = "(WQ, WK: d x k and WV: d x d for each layer and head)"
_SOLVED = "there is a program E (d x m) with UT(X, E) = T(X) for all n, all X (n x d) and all attention functions"
_ZERO_ONE = "All entries of the fixed weights RQ, RK (m x k), RV (m x m) and U (m x d) are 0 or 1. "
_OWN_KEYS = "All entries of the fixed weights RQ, RK (m x d), RV (m x m) and U (m x d) are 0 or 1; "
_AFFINE = (
    "All entries of the fixed weights RQ, RK (m x k), RV (m x m) and U (m x d_out) are 0 or 1. For every such target "
    "(WQ, WK: d x k, bQ, bK: k, WV: d x d, bV: d for each layer and head, C: d x d_out, c: d_out) there is a program "
    "E ((d + 1) x m) with UT([X, 1], E) = T(X) for all n, all X (n x d) and all attention functions"
)
_RANDOM = (
    "The fixed weights RQ, RK (m x k), RV (m x m) and U (m x d) are random numbers{same}. For every target "
    f"{_TARGETS} {_SOLVED}, if the block matrix M(R) of these weights has rank N; for m >= N that has probability 1 "
    "when the entries are drawn from a density."
)


@dataclass(frozen=True)
class Kind:
    """One template of modules.

    `form`: what the backbone simulates; `construction` and `options`: the `symut emit` command that makes it; `label`:
    its name in a title; `statement`: recursion and claim in words; `slots`: the formula of N.
    """

    form: Form
    construction: str
    options: str
    label: str
    statement: str
    slots: str = "2k (H + H^2 + ... + H^L) + d H^L"

    @property
    def random(self) -> bool:
        """Whether the backbone has dense random matrices, not tables."""
        return self.construction == "random"

    @property
    def class_name(self) -> str:
        """The name of the torch module's class."""
        return "".join(word.capitalize() for word in self.label.replace("-", " ").split()) + "Backbone"


KINDS = {
    "sparse": Kind(LAYERED, "sparse", "", "sparse", f"{_PLAIN} {_ZERO_ONE}For every target {_TARGETS} {_SOLVED}."),
    "random": Kind(LAYERED, "random", "", "random", f"{_PLAIN} {_RANDOM.format(same='')}"),
    "shared_random": Kind(
        LOOPED,
        "random",
        " --shared",
        "shared random",
        f"{_PLAIN} {_RANDOM.format(same=', the same in every layer')}",
    ),
    "looped": Kind(
        LOOPED,
        "looped",
        "",
        "looped",
        f"{_PLAIN} {_ZERO_ONE}RQ, RK and RV are the same in every layer. For every target {_TARGETS}, whose layers may "
        f"differ, {_SOLVED}.",
    ),
    "residual": Kind(
        RESIDUAL,
        "residual",
        "",
        "residual",
        f"{_RESIDUAL} {_ZERO_ONE}For every target {_TARGETS} {_SOLVED}.",
        "2k H (1 + (H+1) + ... + (H+1)^(L-1)) + d (H+1)^L",
    ),
    "shared_residual": Kind(
        SHARED_RESIDUAL,
        "residual",
        " --shared",
        "shared residual",
        f"{_RESIDUAL} {_ZERO_ONE}RQ, RK and RV are the same in every layer. For every target that uses the same WQ, "
        f"WK (d x k) and WV (d x d) of each head in every layer {_SOLVED}.",
        "2k (H + H^2 + ... + H^L) + d (1 + H + ... + H^L)",
    ),
    "shared_key": Kind(
        SHARED_KEY,
        "scores",
        " --keys shared",
        "shared-key",
        f"{_SCORES} {_OWN_KEYS}a layer has one RK for all its heads. For every target {_TARGETS} {_SOLVED} of the "
        "scores; the target's head width k may be any.",
        "d (H + H^2 + ... + H^L) + d (1 + H + ... + H^(L-1)) + d H^L",
    ),
    "readoff_key": Kind(
        READOFF_KEY,
        "scores",
        " --keys outputs",
        "read-off-key",
        f"{_SCORES} {_OWN_KEYS}RK_l = RV_{{l,1}} ... RV_{{L,1}} U for all heads of layer l. For every target "
        f"{_TARGETS} in which WQ_{{l,h}} WK_{{l,h}}^T = F_{{l,h}} (WV_{{l,1}} ... WV_{{L,1}})^T for some d x d "
        f"matrices F_{{l,h}}, as when WV_{{1,1}}, ..., WV_{{L,1}} are invertible, {_SOLVED} of the scores; the "
        "target's head width k may be any.",
        "d (H + H^2 + ... + H^L) + d H^L",
    ),
    "affine": Kind(
        AFFINE,
        "affine",
        "",
        "affine",
        f"T runs X_l = {_BIASED} {_AFFINE} whose rows sum to 1.",
        "2k (H + H^2 + ... + H^L) + d_out H^L",
    ),
    "affine_residual": Kind(
        AFFINE_RESIDUAL,
        "affine",
        " --residual",
        "affine residual",
        f"T runs X_l = X_{{l-1}} + {_BIASED} {_AFFINE}.",
        "2k H (1 + (H+1) + ... + (H+1)^(L-1)) + d_out (H+1)^L",
    ),
}
"""By name, which the weights' metadata carry as `kind` where it is not the construction itself."""
