"""The goals about other forms of networks: looped, residual, with other keys, affine (FORMAT.md, section 9)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from .form_claims import form_claims
from .goal import Goal, Table, Weights, always
from .inverse import rule_inverse
from .routing import rule_routing
from .sizes import Sizes, counts, read_sizes
from .strict import integers, listing, need
from .universality import MATCHING, listed_slots, named_bytes


def rule_form_routing(goal: str, H: int, L: int, d: int | None, k: int | None, d_out: int | None, routing: Any) -> None:
    """Rule R for the form of the goal on a routing of width N; all sizes that the form has are given, or none is."""
    st = Sizes(goal, H, L, d, k, None, None, d_out)
    given = {getattr(st, size) is None for size in ("d", st.form.read, st.form.out)}
    need(len(given) == 1, "routing: sizes that the form has are null, others are not")
    rule_routing(st, number_of_slots(st, {"routing": routing}), routing)


def number_of_slots(st: Sizes, table: Table) -> int:
    (A, B), _ = counts(st, listed_slots(table))
    return A * st.q + B * st.u


def reader(goal: str) -> Callable[[Any], Sizes]:
    def read(parameters: Any) -> Sizes:
        st = read_sizes(goal, parameters)
        allowed = st.weights is None or goal == "looped_universality"
        need(allowed, f"statement.parameters.weights: must be null for {goal}")
        return st

    return read


def parts(st: Sizes) -> tuple[list[str], list[str]]:
    return ["routing"] + ["carry"] * affine(st) + ["inverse"] * (st.weights is not None), []


def affine(st: Sizes) -> bool:
    return st.form.out == "d_out"


def claims(st: Sizes, table: Table) -> list[str]:
    slots, degree = counts(st, listed_slots(table))
    N = slots[0] * st.q + slots[1] * st.u
    need(st.m is None or st.m >= N, f"statement.parameters.m: below N = {N}")
    return form_claims(st, slots, degree)


def rules(st: Sizes, table: Table, weights: Weights) -> None:
    N = number_of_slots(st, table)
    rule_routing(st, N, table["routing"])
    if affine(st):
        rule_carry(st, table["carry"])
    if st.weights is not None:
        rule_inverse(st, N, table["inverse"], named_bytes(st.weights, weights))


def rule_carry(st: Sizes, value: Any) -> None:
    """Rule C: every layer hands the column of ones on.  A residual stream keeps it, so no head may write to it; without
    one, rows of alpha that sum to 1 keep it exactly if the heads' integers sum to 1."""
    for i, layer in enumerate(listing(value, "carry", st.L)):
        carried = integers(layer, f"carry[{i}]", -math.inf, math.inf, st.H)
        if st.form.skip:
            need(not any(carried), f"carry[{i}]: not 0 for every head, although the residual stream carries the ones")
        else:
            need(sum(carried) == 1, f"carry[{i}]: the heads sum to {sum(carried)}, expected 1")


GENERIC = ("zero-set-of-a-nonzero-polynomial-is-null", "schwartz-zippel")
LEMMAS = {
    "looped_universality": (),
    "residual_universality": ("residual-path-matching-suffices",),
    "shared_residual_universality": ("residual-path-matching-suffices",),
    "shared_key_universality": ("equal-scores-suffice",),
    "readoff_key_universality": ("equal-scores-suffice",),
    "affine_universality": ("affine-lift",),
    "affine_residual_universality": ("residual-path-matching-suffices", "affine-lift"),
}
GOALS = {
    goal: Goal(reader(goal), parts, claims, rules, always(MATCHING, *GENERIC, *cited)) for goal, cited in LEMMAS.items()
}
