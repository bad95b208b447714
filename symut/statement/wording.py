"""How FORMAT.md, section 9.2, words what the backbones of a form are, how they are drawn, and what they can do.

Main definitions: `BACKBONES`, `LAWS`, `UNIVERSAL`.
"""

from __future__ import annotations

from symut.backbone.forms import (
    AFFINE,
    AFFINE_RESIDUAL,
    LOOPED,
    READOFF_KEY,
    RESIDUAL,
    SHARED_KEY,
    SHARED_RESIDUAL,
)

_SAME = "that uses the same RQ, RK and RV in every layer"

BACKBONES = {
    LOOPED: f" {_SAME}",
    RESIDUAL: " with residual connections",
    SHARED_RESIDUAL: f" with residual connections {_SAME}",
    SHARED_KEY: " and head width d that uses one RK per layer for all heads",
    READOFF_KEY: " and head width d with RK_l = RV_{l,1} ... RV_{L,1} U for all heads of layer l",
    AFFINE: "",
    AFFINE_RESIDUAL: " with residual connections",
}
"""WITH: what follows "a backbone of width m"."""

_LAYERED_LAW = "RQ, RK (m x k), RV (m x m) for each layer and head and U (m x {})"
_SHARED_LAW = "RQ, RK (m x k), RV (m x m) for each head and U (m x d)"

LAWS = {
    LOOPED: _SHARED_LAW,
    RESIDUAL: _LAYERED_LAW.format("d"),
    SHARED_RESIDUAL: _SHARED_LAW,
    SHARED_KEY: "RQ (m x d), RV (m x m) for each layer and head, RK (m x d) for each layer and U (m x d)",
    READOFF_KEY: "RQ (m x d), RV (m x m) for each layer and head and U (m x d)",
    AFFINE: _LAYERED_LAW.format("d_out"),
    AFFINE_RESIDUAL: _LAYERED_LAW.format("d_out"),
}
"""LAW: the free entries of a backbone of the form."""

_EVERY = "(WQ, WK: d x k and WV: d x d, real, for each layer and head)"
_PROGRAM = "there is a program E (d x m) with UT(X, E) = T(X) for all n >= 1, all real X (n x d) and"
_ALL = "all attention functions"
_AFFINE = (
    "(WQ, WK: d x k, bQ, bK: k, WV: d x d, bV: d for each layer and head, C: d x d_out, c: d_out, all real) there is a "
    "program E ((d + 1) x m) with UT([X, 1], E) = T(X) for all n >= 1, all real X (n x d) and"
)
_EMBEDDED = (
    "for every token embedding A (v x d) and position embedding P (t x d) a program E' ((v + t) x m) with "
    "UT(O, E') = T(O [A; P]) for all n >= 1,"
)
_ONE_HOT = (
    "all O (n x (v + t)) whose rows have one 1 among the first v and one 1 among the last t columns and are 0 elsewhere"
)

UNIVERSAL = {
    LOOPED: f"for every target {_EVERY} {_PROGRAM} {_ALL}",
    RESIDUAL: f"for every target with residual connections {_EVERY} {_PROGRAM} {_ALL}",
    SHARED_RESIDUAL: (
        "for every target with residual connections that uses the same WQ, WK (d x k) and WV (d x d), real, of each "
        f"head in every layer {_PROGRAM} {_ALL}"
    ),
    SHARED_KEY: f"for every target {_EVERY} {_PROGRAM} {_ALL} of the scores",
    READOFF_KEY: (
        f"for every target {_EVERY} in which WQ_{{l,h}} WK_{{l,h}}^T = F_{{l,h}} (WV_{{l,1}} ... WV_{{L,1}})^T for "
        "some d x d matrices F_{l,h} (as when WV_{1,1}, ..., WV_{L,1} are invertible) "
        f"{_PROGRAM} {_ALL} of the scores"
    ),
    AFFINE: (
        f"for every affine target {_AFFINE} {_ALL} whose rows sum to 1, and {_EMBEDDED} these attention functions, "
        f"and {_ONE_HOT}"
    ),
    AFFINE_RESIDUAL: (
        f"for every affine target with residual connections {_AFFINE} {_ALL}, and {_EMBEDDED} {_ALL}, and {_ONE_HOT}"
    ),
}
"""UNIV: what a backbone of the form can do."""
