"""The claims of section 10 of FORMAT.md, spelt out once more for the tests."""

from __future__ import annotations

from typing import Any

NOT_UNIVERSAL = (
    "there is a target (WQ, WK: d x k and WV: d x d, real, for each layer and head) without any program E (d x m) such "
    "that UT(X, E) = T(X) for all n >= 1, all real X (n x d) and all attention functions"
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


def score_width(H: int, L: int, d: int, k: int, outputs: int) -> int:
    """W_o by the recursion of section 10.1."""
    z = 2 * k * d - k * k

    def s(j: int) -> int:
        return outputs * d + (j * H * z + d - 1) // d

    def G(j: int) -> int:
        return H * G(j - 1) + (H - 1) * s(j - 1) if j else 0

    return s(L) + G(L)


def claims(goal: str, p: dict[str, Any]) -> list[str]:
    if goal == "head_width_obstruction":
        m = p["m"]
        return [
            f"H = L = d = 1, k = m = {m}: there are rational A, B ({m} x {m}) and r > 0 such that no backbone with "
            "|RQ - A| <= r and |RK - B| <= r in every entry has, for any target with WQ WK^T < 0 and WV != 0, a "
            f"program E (1 x {m}) with UT(X, E) = T(X) for all n >= 1, all real X (n x 1) and all attention functions "
            "of the scores."
        ]
    H, L, d, k, m = p["H"], p["L"], p.get("d"), p.get("k"), p.get("m")
    layers, paths = sum(H**l for l in range(1, L + 1)), H**L  # noqa: E741
    return FAMILIES[goal](f"H = {H}, L = {L}", p, layers, paths, d, k, m)


def sharp(start: str, p: dict[str, Any], layers: int, paths: int, d: Any, k: Any, m: Any) -> list[str]:
    N = f"{2 * layers}*k + {paths}*d" if d is None else 2 * layers * k + paths * d
    sizes = "all d, k >= 1" if d is None else f"d = {d}, k = {k}"
    if m is not None:
        return [f"{start}: for {sizes} and m = {m}: for every backbone of width m {NOT_UNIVERSAL}."]
    return [
        f"{start}: for {sizes} and every m < {N}: for every backbone of width m {NOT_UNIVERSAL}.",
        f"{start}: for {sizes} and every m >= 1: a backbone of width m is universal if and only if its block matrix "
        f"M(R) has rank {N}.",
    ]


def singular(start: str, p: dict[str, Any], layers: int, paths: int, d: Any, k: Any, m: Any) -> list[str]:
    return [
        f"{start}: for d = {d}, k = {k} and m = {m}, for the backbone stored in the file with SHA-256 {p['weights']} "
        f"{NOT_UNIVERSAL}."
    ]


def outputs(start: str, p: dict[str, Any], layers: int, paths: int, d: Any, k: Any, m: Any) -> list[str]:
    B = f"{paths}*d" if d is None else paths * d
    sizes = "all d >= 1" if d is None else f"d = {d}"
    width = f"every m < {B}" if m is None else f"m = {m}"
    target = "there is a target (WV: d x d, real, for each layer and head) without any"
    where = f"{start}: for {sizes} and {width}: for every backbone of width m, whatever its head width, {target}"
    return [
        f"{where} matrix E (d x m) such that E R_p U = W_p for all paths p of length {p['L']}.",
        f"{where} program E (d x m) such that UT(X, E) = T(X) for all n >= 1, all real X (n x d) and all attention "
        "functions that ignore their arguments.",
    ]


def softmax(start: str, p: dict[str, Any], layers: int, paths: int, d: Any, k: Any, m: Any) -> list[str]:
    return [
        f"{start}: for all d, k >= 1 there are {paths} targets (WQ, WK: d x k and WV: d x d, real, for each layer and "
        f"head) such that every backbone, of any width m and head width, has m >= {paths}*d if for each of them there "
        f"is a program E (d x m) with which, for n = {p['n']} tokens and all real X (n x d), backbone and target with "
        "the attention functions softmax(Q K^T) have the same attention matrices in every layer and head and "
        "UT(X, E) = T(X)."
    ]


def both(start: str, p: dict[str, Any], layers: int, paths: int, d: Any, k: Any, m: Any) -> list[str]:
    out = f" and e R_p U = v_p for all paths p of length {p['L']}"
    return exact(start, layers + paths, "RQ, RK, RV and U", "{0, 1}", MATCH + out)


def alone(start: str, p: dict[str, Any], layers: int, paths: int, d: Any, k: Any, m: Any) -> list[str]:
    return exact(start, max(2, layers), "RQ, RK and RV", "{-1, 0, 1, 2}", MATCH)


def exact(start: str, W: int, weights: str, entries: str, match: str) -> list[str]:
    return [
        f"{start}, d = k = 1: no backbone of width m < {W} and head width 1 with real {weights} satisfies: {match}.",
        f"{start}, d = k = 1: some backbone of width m = {W} and head width 1 with all entries of {weights} in "
        f"{entries} satisfies: {match}.",
    ]


def scores(start: str, p: dict[str, Any], layers: int, paths: int, d: Any, k: Any, m: Any) -> list[str]:
    W_1, W_0 = (score_width(p["H"], p["L"], d, k, o) for o in (1, 0))
    backbone = f"{start}, d = {d}, k = {k}: every backbone of width m and head width {k} with real"
    targets = (
        f"if for every target with WQ_{{l,h}}, WK_{{l,h}} of rank {k} and invertible WV_{{l,h}} there is a program E "
        f"(d x m) with {SCORES}"
    )
    out = f" and E R_p U = W_p for all paths p of length {p['L']}"
    return [
        f"{backbone} RQ, RK, RV and U has m >= {W_1} {targets}{out}.",
        f"{backbone} RQ, RK and RV has m >= {W_0} {targets}.",
        f"{backbone} RQ, RK, RV and U has m >= {W_1} if for every target with WQ_{{l,h}}, WK_{{l,h}} of rank {k} and "
        "invertible WV_{l,h} there is a program E (d x m) with UT(X, E) = T(X) for all n >= 1, all real X (n x d) and "
        "all attention functions of the scores.",
    ]


FAMILIES = {
    "sharp_width": sharp,
    "singular_backbone": singular,
    "output_lower_bound": outputs,
    "softmax_output_lower_bound": softmax,
    "attention_output_width": both,
    "attention_width": alone,
    "score_matching_lower_bound": scores,
}
