"""The sentences that a statement of section 10 determines."""

from __future__ import annotations

from collections.abc import Callable

from .widths import Case, Width, attention_width, filtered_width, number_of_slots, output_width

TARGET = "(WQ, WK: d x k and WV: d x d, real, for each layer and head)"
NOT_UNIVERSAL = (
    f"there is a target {TARGET} without any program E (d x m) such that UT(X, E) = T(X) for all n >= 1, all real X "
    "(n x d) and all attention functions"
)
MATCH = (
    "for every target with nonzero real q_{l,h} = WQ_{l,h} WK_{l,h} and v_{l,h} = WV_{l,h} there is a real program e "
    "(1 x m) with (e R_p RQ_{l,h}) (e R_p' RK_{l,h}) = v_p q_{l,h} v_p' for all layers l, heads h and paths p, p' of "
    "length l - 1"
)
SCORES = (
    "E R_p RQ_{l,h} (E R_p' RK_{l,h})^T = W_p WQ_{l,h} WK_{l,h}^T W_p'^T for all layers l, heads h and paths p, p' of "
    "length l - 1"
)


def linear(st: Case, width: Width) -> str:
    """A width as a number, or as 28*k + 8*d if d is open."""
    if st.d is not None:
        return str(width.at(st.d, st.k or 1))
    return f"{width.per_k}*k + {width.per_d}*d" if width.per_k else f"{width.per_d}*d"


def sharp_width(st: Case) -> list[str]:
    N = linear(st, number_of_slots(st))
    sizes = "all d, k >= 1" if st.d is None else f"d = {st.d}, k = {st.k}"
    start = f"H = {st.H}, L = {st.L}: for {sizes} and"
    if st.m is not None:
        return [f"{start} m = {st.m}: for every backbone of width m {NOT_UNIVERSAL}."]
    return [
        f"{start} every m < {N}: for every backbone of width m {NOT_UNIVERSAL}.",
        f"{start} every m >= 1: a backbone of width m is universal if and only if its block matrix M(R) has rank {N}.",
    ]


def singular_backbone(st: Case) -> list[str]:
    return [
        f"H = {st.H}, L = {st.L}: for d = {st.d}, k = {st.k} and m = {st.m}, for the backbone stored in the file with "
        f"SHA-256 {st.weights} {NOT_UNIVERSAL}."
    ]


def output_lower_bound(st: Case) -> list[str]:
    sizes = "all d >= 1" if st.d is None else f"d = {st.d}"
    widths = f"every m < {linear(st, output_width(st))}" if st.m is None else f"m = {st.m}"
    start = (
        f"H = {st.H}, L = {st.L}: for {sizes} and {widths}: for every backbone of width m, whatever its head width, "
        "there is a target (WV: d x d, real, for each layer and head) without any"
    )
    return [
        f"{start} matrix E (d x m) such that E R_p U = W_p for all paths p of length {st.L}.",
        f"{start} program E (d x m) such that UT(X, E) = T(X) for all n >= 1, all real X (n x d) and all attention "
        "functions that ignore their arguments.",
    ]


def softmax_output_lower_bound(st: Case) -> list[str]:
    paths = output_width(st).per_d
    return [
        f"H = {st.H}, L = {st.L}: for all d, k >= 1 there are {paths} targets {TARGET} such that every backbone, of "
        f"any width m and head width, has m >= {paths}*d if for each of them there is a program E (d x m) with which, "
        f"for n = {st.n} tokens and all real X (n x d), backbone and target with the attention functions "
        "softmax(Q K^T) have the same attention matrices in every layer and head and UT(X, E) = T(X)."
    ]


def exact_width(st: Case, W: int, weights: str, entries: str, out: str) -> list[str]:
    start = f"H = {st.H}, L = {st.L}, d = k = 1:"
    return [
        f"{start} no backbone of width m < {W} and head width 1 with real {weights} satisfies: {MATCH}{out}.",
        f"{start} some backbone of width m = {W} and head width 1 with all entries of {weights} in {entries} satisfies"
        f": {MATCH}{out}.",
    ]


def attention_output_width(st: Case) -> list[str]:
    out = f" and e R_p U = v_p for all paths p of length {st.L}"
    return exact_width(st, attention_width(st, 1), "RQ, RK, RV and U", "{0, 1}", out)


def attention_alone_width(st: Case) -> list[str]:
    return exact_width(st, attention_width(st, 0), "RQ, RK and RV", "{-1, 0, 1, 2}", "")


def score_matching_lower_bound(st: Case) -> list[str]:
    start = f"H = {st.H}, L = {st.L}, d = {st.d}, k = {st.k}: every backbone of width m and head width {st.k} with real"
    program = (
        f"if for every target with WQ_{{l,h}}, WK_{{l,h}} of rank {st.k} and invertible WV_{{l,h}} there is a program "
        "E (d x m) with"
    )
    targets = f"{program} {SCORES}"
    universal = "UT(X, E) = T(X) for all n >= 1, all real X (n x d) and all attention functions of the scores"
    outputs = f"and E R_p U = W_p for all paths p of length {st.L}"
    return [
        f"{start} RQ, RK, RV and U has m >= {filtered_width(st, 1)} {targets} {outputs}.",
        f"{start} RQ, RK and RV has m >= {filtered_width(st, 0)} {targets}.",
        f"{start} RQ, RK, RV and U has m >= {filtered_width(st, 1)} {program} {universal}.",
    ]


def head_width_obstruction(st: Case) -> list[str]:
    return [
        f"H = L = d = 1, k = m = {st.m}: there are rational A, B ({st.m} x {st.m}) and r > 0 such that no backbone "
        "with |RQ - A| <= r and |RK - B| <= r in every entry has, for any target with WQ WK^T < 0 and WV != 0, a "
        f"program E (1 x {st.m}) with UT(X, E) = T(X) for all n >= 1, all real X (n x 1) and all attention functions "
        "of the scores."
    ]


CLAIMS: dict[str, Callable[[Case], list[str]]] = {
    "sharp_width": sharp_width,
    "singular_backbone": singular_backbone,
    "output_lower_bound": output_lower_bound,
    "softmax_output_lower_bound": softmax_output_lower_bound,
    "attention_output_width": attention_output_width,
    "attention_width": attention_alone_width,
    "score_matching_lower_bound": score_matching_lower_bound,
    "head_width_obstruction": head_width_obstruction,
}
