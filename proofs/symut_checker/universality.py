"""The goals that claim universality of a 0/1 backbone, of almost every backbone, or of a stored one."""

from __future__ import annotations

import hashlib
from typing import Any

from .determinant import rule_determinant
from .goal import Goal, Weights, always
from .inverse import rule_inverse
from .routing import rule_routing
from .sizes import Sizes, counts, linear, read_sizes
from .strict import listing, need

MATCHING = "path-matching-suffices"


UNIVERSAL = (
    "for every target (WQ, WK: d x k and WV: d x d, real, for each layer and head) there is a program "
    "E (d x m) with UT(X, E) = T(X) for all n >= 1, all real X (n x d) and all attention functions"
)


def reader(goal: str) -> Any:
    def read(parameters: Any) -> Sizes:
        st = read_sizes(goal, parameters)
        where = "statement.parameters.weights"
        need(st.weights is None or goal != "sparse_universality", f"{where}: must be null for {goal}")
        need(st.weights is not None or goal != "backbone_universality", f"{where}: needed for {goal}")
        return st

    return read


def parts(st: Sizes) -> tuple[list[str], list[str]]:
    rules = ["routing"] * (st.goal != "backbone_universality") + ["inverse"] * (st.weights is not None)
    return rules, ["determinant"] * (st.goal == "random_universality")


def claims(st: Sizes, table: dict[str, Any]) -> list[str]:
    slots, degree = counts(st, listed_slots(table))
    N = slots[0] * st.q + slots[1] * st.u
    need(st.m is None or st.m >= N, f"statement.parameters.m: below N = {N}")
    return derived_claims(st, slots, degree)


def derived_claims(st: Sizes, N: tuple[int, int], D: tuple[int, int]) -> list[str]:
    sizes = "all d, k >= 1" if st.d is None else f"d = {st.d}, k = {st.k}"
    start = f"H = {st.H}, L = {st.L}: for {sizes}"
    if st.goal == "sparse_universality":
        width = linear(st, N) if st.m is None else st.m
        return [
            f"{start} there is a backbone of width m = {width} with all entries of RQ, RK, RV and U in "
            f"{{0, 1}} such that {UNIVERSAL}."
        ]
    start += " and " + (f"every m >= {linear(st, N)}" if st.m is None else f"m = {st.m}")
    generic = [
        f"{start}, under every joint law of the entries of RQ, RK (m x k), RV (m x m) and U (m x d) over "
        "all layers and heads that is absolutely continuous with respect to Lebesgue measure, with "
        f"probability 1: {UNIVERSAL}.",
        f"{start}, if the entries are independent and uniform on s distinct real numbers, the following fails "
        f"with probability at most D/s, D = {linear(st, D)}: {UNIVERSAL}.",
    ]
    stored = f"{start} it holds for the backbone stored in the file with SHA-256 {st.weights}: {UNIVERSAL}."
    return generic * (st.goal == "random_universality") + [stored] * (st.weights is not None)


def listed_slots(table: dict[str, Any]) -> int:
    """The number of slots that the certificate lists, an upper bound of N in every valid artifact."""
    name, key = ("routing", "slots") if "routing" in table else ("inverse", "rows")
    need(type(table[name]) is dict and key in table[name], f"{name}: expected an object with the field {key}")
    return len(listing(table[name][key], f"{name}.{key}"))


def rules(st: Sizes, table: dict[str, Any], weights: Weights) -> None:
    slots, degree = counts(st, listed_slots(table))
    N, D = (A * st.q + B * st.u for A, B in (slots, degree))
    if "routing" in table:
        rule_routing(st, N, table["routing"])
    if "determinant" in table:
        rule_determinant(st, N, D, table["determinant"])
    if st.weights is not None:
        rule_inverse(st, N, table["inverse"], named_bytes(st.weights, weights))


def named_bytes(digest: str, weights: Weights) -> bytes:
    """The bytes of weights.safetensors, which must have the SHA-256 that the statement names."""
    data = weights()
    need(type(data) is bytes, "weights.safetensors: missing")
    own = hashlib.sha256(data or b"").hexdigest() == digest
    need(own, "weights.safetensors: its SHA-256 is not the one in statement.parameters.weights")
    return data or b""


LEMMAS = {
    "sparse_universality": (MATCHING,),
    "random_universality": (MATCHING, "zero-set-of-a-nonzero-polynomial-is-null", "schwartz-zippel"),
    "backbone_universality": (MATCHING,),
}
GOALS = {goal: Goal(reader(goal), parts, claims, rules, always(*cited)) for goal, cited in LEMMAS.items()}
