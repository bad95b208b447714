"""The sentences that a statement about a form determines (FORMAT.md, section 9.2)."""

from __future__ import annotations

from .sizes import Sizes, linear
from .universality import UNIVERSAL

PER_LAYER = "(WQ, WK: d x k and WV: d x d, real, for each layer and head)"
EQUAL = "= T(X) for all n >= 1, all real X (n x d) and all attention functions"
PROGRAM = f"there is a program E (d x m) with UT(X, E) {EQUAL}"
BIASED = (
    "(WQ, WK: d x k, bQ, bK: k, WV: d x d, bV: d for each layer and head, C: d x d_out, c: d_out, all real) there is "
    f"a program E ((d + 1) x m) with UT([X, 1], E) {EQUAL}"
)
EMBEDDED = (
    ", and for every token embedding A (v x d) and position embedding P (t x d) a program E' ((v + t) x m) with "
    "UT(O, E') = T(O [A; P]) for all n >= 1, {} attention functions, and all O (n x (v + t)) whose rows have one 1 "
    "among the first v and one 1 among the last t columns and are 0 elsewhere"
)
UNIVERSAL_FORM = {
    "looped": UNIVERSAL,
    "residual": f"for every target with residual connections {PER_LAYER} {PROGRAM}",
    "shared_residual": (
        "for every target with residual connections that uses the same WQ, WK (d x k) and WV (d x d), real, of each "
        f"head in every layer {PROGRAM}"
    ),
    "shared_key": f"for every target {PER_LAYER} {PROGRAM} of the scores",
    "readoff_key": (
        f"for every target {PER_LAYER} in which WQ_{{l,h}} WK_{{l,h}}^T = F_{{l,h}} (WV_{{l,1}} ... WV_{{L,1}})^T for "
        f"some d x d matrices F_{{l,h}} (as when WV_{{1,1}}, ..., WV_{{L,1}} are invertible) {PROGRAM} of the scores"
    ),
    "affine": f"for every affine target {BIASED} whose rows sum to 1{EMBEDDED.format('these')}",
    "affine_residual": f"for every affine target with residual connections {BIASED}{EMBEDDED.format('all')}",
}
WITH = {
    "looped": " that uses the same RQ, RK and RV in every layer",
    "residual": " with residual connections",
    "shared_residual": " with residual connections that uses the same RQ, RK and RV in every layer",
    "shared_key": " and head width d that uses one RK per layer for all heads",
    "readoff_key": " and head width d with RK_l = RV_{l,1} ... RV_{L,1} U for all heads of layer l",
    "affine": "",
    "affine_residual": " with residual connections",
}
LAW = {
    "looped": "RQ, RK (m x k), RV (m x m) for each head and U (m x d)",
    "residual": "RQ, RK (m x k), RV (m x m) for each layer and head and U (m x d)",
    "shared_residual": "RQ, RK (m x k), RV (m x m) for each head and U (m x d)",
    "shared_key": "RQ (m x d), RV (m x m) for each layer and head, RK (m x d) for each layer and U (m x d)",
    "readoff_key": "RQ (m x d), RV (m x m) for each layer and head and U (m x d)",
    "affine": "RQ, RK (m x k), RV (m x m) for each layer and head and U (m x d_out)",
    "affine_residual": "RQ, RK (m x k), RV (m x m) for each layer and head and U (m x d_out)",
}


def form_claims(st: Sizes, N: tuple[int, int], D: tuple[int, int]) -> list[str]:
    name = st.goal.removesuffix("_universality")
    universal, having, law = UNIVERSAL_FORM[name], WITH[name], LAW[name]
    names = st.form.sizes
    values = ", ".join(f"{size} = {getattr(st, size)}" for size in names)
    start = f"H = {st.H}, L = {st.L}: for " + (f"all {', '.join(names)} >= 1" if st.d is None else values)
    generic = start + " and " + (f"every m >= {linear(st, N)}" if st.m is None else f"m = {st.m}")
    generic += f", for a backbone of width m{having}: "
    width = linear(st, N) if st.m is None else st.m
    stored = f"{start} and m = {st.m} it holds for the backbone stored in the file with SHA-256 {st.weights}"
    return [
        f"{start} there is a backbone of width m = {width}{having}, with all entries of RQ, RK, RV and U in {{0, 1}}, "
        f"such that {universal}.",
        f"{generic}under every joint law of the entries of {law} that is absolutely continuous with respect to "
        f"Lebesgue measure, with probability 1: {universal}.",
        f"{generic}if the entries of {law} are independent and uniform on s distinct real numbers, the following fails "
        f"with probability at most D/s, D = {linear(st, D)}: {universal}.",
        *([f"{stored}, used in every layer: {universal}."] if st.weights is not None else []),
    ]
