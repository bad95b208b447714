"""Artifacts of section 11, built by hand from FORMAT.md, without the checker and the prover."""

from __future__ import annotations

import hashlib
import itertools
import json
from typing import Any

from tests.check.build import Artifact, signed

SATISFIES = (
    "with {heads}, real RV_{{l,h}} (m x m) and real U (m x 1) satisfies: for every target with {values} there is a "
    "real program e (1 x m) with e R_p S_{{l,h}} R_p'^T e^T = v_p q_{{l,h}} v_p' for all layers l, heads h and paths "
    "p, p' of length l - 1 and e R_p U = v_p for all paths p of length {L}"
)
HEADS = {
    "general": "real score matrices S_{l,h} (m x m)",
    "rank-one": "score matrices S_{l,h} = a_{l,h} b_{l,h}^T with real a_{l,h}, b_{l,h} (m x 1)",
}
VALUES = {"strong": "real q_{l,h} and v_{l,h}", "weak": "nonzero real q_{l,h} and v_{l,h}"}
MAPS = {
    "general ones": "polynomials of degree at most 2",
    "general zero": "quadratic forms",
    "rank-one ones": "products of two polynomials of degree at most 1",
    "rank-one zero": "products of two linear forms",
}
INFEASIBLE, BACKBONE, QUERY, MODEL = ("matching_" + name for name in ("infeasible", "backbone", "query", "model"))


def claim(goal: str, p: dict[str, Any], query: str = "") -> str:
    start = f"H = {p['H']}, L = {p['L']}, d = 1: "
    satisfies = SATISFIES.format(heads=HEADS[p["heads"]], values=VALUES[p["targets"]], L=p["L"])
    none = f"no backbone of any width m <= {p['m']} {satisfies}."
    if goal == INFEASIBLE:
        return start + none
    if goal == BACKBONE:
        return f"{start}some backbone of width m = {p['m']} {satisfies}."
    if goal == QUERY:
        digest = hashlib.sha256(query.encode()).hexdigest()
        return f"{start}if the SMT-LIB query with SHA-256 {digest} has no real solution, then {none}"
    maps, r = MAPS[f"{p['heads']} {p['slice']}"], p["m"] - p["H"] ** p["L"]
    return (
        f"{start}m = {p['m']}, {p['targets']} targets, slice {p['slice']}: there are {p['L'] * p['H']} {maps} on R^{r} "
        f"that take each of these tuples of values at some real point: {json.dumps(p['points'])}."
    )


def parameters(H: int, L: int, m: int, heads: str = "general", targets: str = "strong", **more: Any) -> dict[str, Any]:
    return {"H": H, "L": L, "m": m, "heads": heads, "targets": targets, **more}


def artifact(goal: str, p: dict[str, Any], **certificate: Any) -> Artifact:
    claims = [claim(goal, p, certificate.get("query", ""))]
    statement = {"format": "symut-statement-1", "goal": goal, "parameters": p, "claims": claims}
    return signed(statement, {"format": "symut-certificate-1", **certificate})


# ---- witnesses


def identity(
    kind: str, points: list[list[int]], cofactors: list[Any], squares: Any = (), heads: str = "general"
) -> dict[str, Any]:
    witness = {"scale": 1, "squares": list(squares), "cofactors": cofactors}
    return {"heads": heads, "slice": kind, "points": points, **witness}


# c = 1 and c x^2 = -1, variables c, x: 1 + x^2 = (c x^2 + 1) - x^2 (c - 1)
OPPOSITE = identity("zero", [[1], [-1]], [[[-1, [1, 1]]], [[1, []]]], [[1, [[1, [1]]]]])
# c_1 = 1, c_2 = 0, c_1 x^2 = 0, c_2 x^2 = 1, variables c_1, c_2, x: 1 = x^2 c_2 - (c_2 x^2 - 1)
PLANE = identity("zero", [[1, 0], [0, 1]], [[], [[1, [2, 2]]], [], [[-1, []]]])
# c = 1 and c = 2
CONSTANT = identity("ones", [[1], [2]], [[[1, []]], [[-1, []]]])
# a b = 1 and a b x^2 = -1, variables a, b, x
OPPOSITE_PRODUCT = identity("zero", [[1], [-1]], [[[-1, [2, 2]]], [[1, []]]], [[1, [[1, [2]]]]], heads="rank-one")

LINEAR_QUERY = """\
(set-option :random-seed 3)
(set-logic QF_NRA)
(declare-const c1_1_1 Real)
(declare-const x2_1 Real)
(assert (= c1_1_1 1))
(assert (= (* c1_1_1 x2_1 x2_1) (- 1)))
(check-sat)
"""
PRODUCT_QUERY = """\
(set-option :random-seed 0)
(set-logic QF_NRA)
(declare-const a1_0 Real)
(declare-const a1_1 Real)
(declare-const b1_0 Real)
(declare-const b1_1 Real)
(declare-const x3_1 Real)
(assert (= (* a1_0 b1_0) 1))
(assert (= (+ (* a1_0 b1_0) (* a1_0 b1_1) (* a1_1 b1_0) (* a1_1 b1_1)) 2))
(assert (= (+ (* a1_0 b1_0) (* a1_0 b1_1 x3_1) (* a1_1 b1_0 x3_1) (* a1_1 b1_1 x3_1 x3_1)) (- 3)))
(check-sat)
"""
SQUARE_ROOT = {
    "scores": [[1, 1], [2, 1]],
    "programs": [
        {"polynomial": [0, 1], "interval": [[-1, 1], [1, 1]], "coordinates": [[[1, 1]]]},
        {"polynomial": [-2, 0, 1], "interval": [[1, 1], [2, 1]], "coordinates": [[[0, 1], [1, 1]]]},
    ],
}
PAIR = [((1, 0), (0, 1)), ((1, -1), (1, 1))]
TRIPLE = [((0, 0, 1), (0, 1, 0)), ((0, 1, -1), (1, -1, 0)), ((1, 0, -1), (1, 0, 1))]


def projector(H: int, L: int, products: list[Any], blocks: list[Any], padding: int = 0) -> dict[str, Any]:
    """One coordinate per slot; head h of layer l keeps the slots whose path has h there (all variables if H = 1)."""
    words = [path for length in range(L) for path in itertools.product(range(1, H + 1), repeat=length)]
    own = [(path, s) for path in (words if H > 1 else [()]) for s in range(1, 1 + len(products[0][0]))]
    slots = own + [(path, 0) for path in itertools.product(range(1, H + 1), repeat=L)]

    def kept(layer: int, h: int) -> list[list[int]]:
        return [[c, c] for c, (path, s) in enumerate(slots) if (H == 1 and s) or path[layer : layer + 1] == (h,)]

    def read(layer: int, form: Any) -> list[list[int]]:
        there = [(c, s) for c, (path, s) in enumerate(slots) if s and (H == 1 or len(path) == layer)]
        return [[c, form[s - 1]] for c, s in there if form[s - 1]]

    return {
        "slots": [[list(path), s] for path, s in slots] + [None] * padding,
        "values": [[kept(layer, h) for h in range(1, H + 1)] for layer in range(L)],
        "forms": [[[read(layer, f) for f in products[h if H > 1 else layer]] for h in range(H)] for layer in range(L)],
        "readout": [c for c, (_, s) in enumerate(slots) if s == 0],
        "blocks": [blocks] * (L if H > 1 else 1),
    }


def backbone_artifact(H: int, L: int, products: list[Any], blocks: list[Any], padding: int = 0) -> Artifact:
    built = projector(H, L, products, blocks, padding)
    return artifact(BACKBONE, parameters(H, L, len(built["slots"]), "rank-one"), backbone=built)


def reading_the_output() -> Artifact:
    """(1,1), weak: the score is the product of a variable and the output."""
    reads = [[[[[0, 1]], [[1, 1]]]]]
    built = {"slots": [[[], 1], [[1], 0]], "values": [[[[0, 0], [1, 1]]]], "forms": reads, "readout": [1]}
    return artifact(BACKBONE, parameters(1, 1, 2, "rank-one", "weak"), backbone={**built, "blocks": [[[0]]]})
