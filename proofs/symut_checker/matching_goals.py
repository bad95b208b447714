"""The goals of the search for widths at d = 1 (FORMAT.md, section 11): which widths match which targets."""

from __future__ import annotations

import hashlib
import json
import math
from typing import Any, NamedTuple

from .goal import Goal, Table, Weights, always
from .matching_backbone import rule_backbone
from .matching_field import rule_model
from .matching_rules import rule_dimension, rule_identity
from .matching_slice import Slice, query, read_slice
from .strict import fields, integers, listing, need

HEADS = {
    "general": "real score matrices S_{l,h} (m x m)",
    "rank-one": "score matrices S_{l,h} = a_{l,h} b_{l,h}^T with real a_{l,h}, b_{l,h} (m x 1)",
}
TARGETS = {
    "strong": "every target with real q_{l,h} and v_{l,h}",
    "weak": "every target with nonzero real q_{l,h} and v_{l,h}",
}
MAPS = {
    ("general", "ones"): "polynomials of degree at most 2",
    ("general", "zero"): "quadratic forms",
    ("rank-one", "ones"): "products of two polynomials of degree at most 1",
    ("rank-one", "zero"): "products of two linear forms",
}

SOLVERS = ("cvc5", "z3")


class Width(NamedTuple):
    H: int
    L: int
    m: int
    heads: str
    targets: str
    system: Slice | None
    text: str  # the query of the system, built once


def reader(sliced: bool, seeded: bool = False) -> Any:
    def read(parameters: Any) -> Width:
        where = "statement.parameters"
        names = ["H", "L", "m", "heads", "targets"] + ["slice", "points"] * sliced + ["seed"] * seeded
        p = fields(parameters, where, names)
        integers([p["H"], p["L"], p["m"]], where, 1, math.inf)
        need(type(p["heads"]) is str and p["heads"] in HEADS, f"{where}.heads: none of {', '.join(HEADS)}")
        need(type(p["targets"]) is str and p["targets"] in TARGETS, f"{where}.targets: none of {', '.join(TARGETS)}")
        if not sliced:
            return Width(p["H"], p["L"], p["m"], p["heads"], p["targets"], None, "")
        seed = integers([p["seed"]] if seeded else [0], f"{where}.seed", 0, 2**31 - 1)[0]
        chosen = with_slice(p, p)
        text = query(chosen, seed) if seeded else ""
        return Width(p["H"], p["L"], p["m"], p["heads"], p["targets"], chosen, text)

    return read


def with_slice(sizes: Table, table: Table) -> Slice:
    H, L, m = (sizes[name] for name in "HLm")
    return read_slice(H, L, m, sizes["heads"], sizes["targets"], table["slice"], table["points"], "points")


def start(st: Width) -> str:
    return f"H = {st.H}, L = {st.L}, d = 1: "


def satisfies(st: Width) -> str:
    return (
        f"with {HEADS[st.heads]}, real RV_{{l,h}} (m x m) and real U (m x 1) satisfies: for {TARGETS[st.targets]} "
        "there is a real program e (1 x m) with e R_p S_{l,h} R_p'^T e^T = v_p q_{l,h} v_p' for all layers l, heads h "
        f"and paths p, p' of length l - 1 and e R_p U = v_p for all paths p of length {st.L}"
    )


def none_up_to(st: Width) -> str:
    return f"no backbone of any width m <= {st.m} {satisfies(st)}"


def query_claim(st: Width) -> str:
    digest = hashlib.sha256(st.text.encode()).hexdigest()
    return f"{start(st)}if the SMT-LIB query with SHA-256 {digest} has no real solution, then {none_up_to(st)}."


def model_claim(st: Width) -> str:
    s = st.system
    need(s is not None, "statement: no slice")
    if s is None:
        return ""
    points = json.dumps([list(point) for point in s.points])
    return (
        f"{start(st)}m = {st.m}, {st.targets} targets, slice {s.kind}: there are {s.n} {MAPS[s.heads, s.kind]} on "
        f"R^{s.r} that take each of these tuples of values at some real point: {points}."
    )


# ---- rules


def infeasible_parts(st: Width) -> tuple[list[str], list[str]]:
    return [], ["dimension", "identity"]


def infeasible_rules(st: Width, table: Table, weights: Weights) -> None:
    need(("dimension" in table) != ("identity" in table), "certificate: expected one of dimension and identity")
    if "dimension" in table:
        rule_dimension(st.H, st.L, st.m, table["dimension"])
        return
    part = fields(table["identity"], "identity", ("heads", "slice", "points", "scale", "squares", "cofactors"))
    heads = part["heads"]
    # a rank-one head is a general one, so that excluding general heads is more than enough
    need(heads in ("general", st.heads), "identity.heads: not general and not those of the statement")
    witness = {name: part[name] for name in ("scale", "squares", "cofactors")}
    rule_identity(with_slice({**st._asdict(), "heads": heads}, part), witness, "identity")


def backbone_rules(st: Width, table: Table, weights: Weights) -> None:
    rule_backbone(st.H, st.L, st.m, st.targets, table["backbone"])


def query_rules(st: Width, table: Table, weights: Weights) -> None:
    need(table["query"] == st.text, "query: not the text that the parameters determine")
    solvers = listing(table["solvers"], "solvers")
    known = all(type(name) is str and name in SOLVERS for name in solvers) and len(set(solvers)) == len(solvers)
    need(known and len(solvers) > 0, f"solvers: expected one or more of {', '.join(SOLVERS)}, each once")


def model_rules(st: Width, table: Table, weights: Weights) -> None:
    need(st.system is not None, "statement: no slice")
    if st.system is not None:
        rule_model(st.system, table["model"])


SLICE = "a-slice-of-a-matching-backbone"
GOALS = {
    "matching_infeasible": Goal(
        reader(False),
        infeasible_parts,
        lambda st, _: [f"{start(st)}{none_up_to(st)}."],
        infeasible_rules,
        always(SLICE),
    ),
    "matching_backbone": Goal(
        reader(False),
        lambda st: (["backbone"], []),
        lambda st, _: [f"{start(st)}some backbone of width m = {st.m} {satisfies(st)}."],
        backbone_rules,
        always("maps-of-odd-degree-are-onto"),
    ),
    "matching_query": Goal(
        reader(True, True),
        lambda st: (["query", "solvers"], []),
        lambda st, _: [query_claim(st)],
        query_rules,
        always(SLICE),
    ),
    "matching_model": Goal(
        reader(True), lambda st: (["model"], []), lambda st, _: [model_claim(st)], model_rules, always()
    ),
}
