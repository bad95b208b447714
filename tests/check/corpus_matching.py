"""The corpus of the goals of section 11: valid, invalid and malformed artifacts (see corpus.py)."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from tests.check import build_matching as bm
from tests.check.build import Artifact, signed

Case = tuple[Artifact, str]


def infeasible(H: int, L: int, m: int, **part: Any) -> Artifact:
    options = {name: part.pop(name) for name in ("heads", "targets") if name in part}
    return bm.artifact(bm.INFEASIBLE, bm.parameters(H, L, m, **options), **part)


def query(text: str, p: dict[str, Any]) -> Artifact:
    return bm.artifact(bm.QUERY, p, query=text, solvers=["z3"])


LINEAR = bm.parameters(1, 1, 2, slice="zero", points=[[1], [-1]], seed=3)
PRODUCT = bm.parameters(1, 1, 2, "rank-one", "weak", slice="ones", points=[[1], [2], [-3]], seed=0)
MODEL = bm.parameters(2, 1, 3, slice="zero", points=[[1, 2], [2, 4]])


def valid() -> dict[str, Artifact]:
    return {
        "matching-dimension": infeasible(2, 2, 7, targets="weak", dimension={"degree": 40}),
        "matching-dimension-quadric": infeasible(2, 2, 8, targets="weak", dimension={"degree": 600}),
        "matching-dimension-outputs-alone": infeasible(2, 3, 7, heads="rank-one", dimension={"degree": 1}),
        "matching-identity-square": infeasible(1, 1, 2, identity=bm.OPPOSITE),
        "matching-identity-rank-one": infeasible(1, 1, 2, heads="rank-one", identity=bm.OPPOSITE_PRODUCT),
        "matching-identity-general-for-rank-one": infeasible(2, 1, 3, heads="rank-one", identity=bm.PLANE),
        "matching-identity-constant": infeasible(1, 1, 1, targets="weak", identity=bm.CONSTANT),
        "matching-query": query(bm.LINEAR_QUERY, LINEAR),
        "matching-query-rank-one": query(bm.PRODUCT_QUERY, PRODUCT),
        "matching-model": bm.artifact(bm.MODEL, MODEL, model=bm.SQUARE_ROOT),
        "matching-backbone-pair": bm.backbone_artifact(2, 1, bm.PAIR, [[0, 1]]),
        "matching-backbone-two-layers": bm.backbone_artifact(2, 2, bm.PAIR, [[1, 0]], padding=2),
        "matching-backbone-triple": bm.backbone_artifact(3, 1, bm.TRIPLE, [[0, 1, 2]]),
        "matching-backbone-one-head": bm.backbone_artifact(1, 2, bm.PAIR, [[0, 1]]),
        "matching-backbone-smallest": bm.backbone_artifact(1, 1, bm.PAIR[:1], [[0]]),
        "matching-backbone-reads-output": bm.reading_the_output(),
    }


def changed(files: Artifact, edit: Callable[[Any, Any], Any]) -> Artifact:
    """The artifact with both JSON values edited and signed again; the claims stay as they are."""
    statement, certificate = (json.loads(files[name]) for name in ("statement.json", "certificate.json"))
    edit(statement, certificate)
    return signed(statement, certificate)


def restated(files: Artifact, **parameters: Any) -> Artifact:
    """The artifact with other parameters and the claim that fits them."""
    statement, certificate = (json.loads(files[name]) for name in ("statement.json", "certificate.json"))
    p = statement["parameters"] | parameters
    parts = {name: part for name, part in certificate.items() if name not in ("format", "statement")}
    return bm.artifact(statement["goal"], p, **parts)


def put(value: Any, *where: str | int) -> Callable[[Any, Any], None]:
    def edit(_: Any, certificate: Any) -> None:
        for key in where[:-1]:
            certificate = certificate[key]
        certificate[where[-1]] = value

    return edit


def invalid() -> dict[str, Case]:
    good = valid()
    square, plane, dimension = (good[f"matching-{n}"] for n in ("identity-square", "identity-constant", "dimension"))
    plane = good["matching-identity-general-for-rank-one"]
    pair, two = good["matching-backbone-pair"], good["matching-backbone-two-layers"]
    model, asked = good["matching-model"], good["matching-query"]

    def identity(base: Artifact, value: Any, *where: str | int) -> Artifact:
        return changed(base, put(value, "identity", *where))

    def backbone(base: Artifact, value: Any, *where: str | int) -> Artifact:
        return changed(base, put(value, "backbone", *where))

    def program(value: Any, *where: str | int) -> Artifact:
        return changed(model, put(value, "model", "programs", *where))

    even = bm.projector(2, 1, [((1, 0), (0, 1)), ((1, 2), (1, 1))], [[0, 1]])
    dependent = bm.projector(2, 1, [((1, 0), (0, 1)), ((1, 0), (1, 1))], [[0, 1]])
    narrow = bm.projector(2, 1, [((1, 0), (0, 1)), ((1, -1), (1, 1))], [[0], [1]])
    widths = {"H": 2, "L": 1, "heads": "rank-one"}
    return {
        "matching-dimension-degree-too-small": (changed(dimension, put(1, "dimension", "degree")), "no more monomials"),
        "matching-dimension-width-enough": (restated(dimension, m=9), "enough for 4 scores"),
        "matching-both-rules": (changed(square, lambda _, c: c.update(dimension={"degree": 3})), "exactly|one of"),
        "matching-neither-rule": (changed(square, lambda _, c: c.pop("identity")), "one of"),
        "matching-identity-cofactor-sign": (identity(plane, [[-1, [2, 2]]], "cofactors", 1), "different polynomials"),
        "matching-identity-without-square": (identity(square, [], "squares"), "different polynomials"),
        "matching-identity-negative-weight": (identity(square, -1, "squares", 0, 0), "outside"),
        "matching-identity-scale-zero": (identity(square, 0, "scale"), "outside"),
        "matching-identity-cofactor-missing": (identity(plane, [[], [], []], "cofactors"), "3 entries, expected 4"),
        "matching-identity-weak-zero-slice": (restated(square, targets="weak"), "slice zero"),
        "matching-identity-weak-zero-score": (
            changed(good["matching-identity-constant"], put([[1], [0]], "identity", "points")),
            "weak target has no score 0",
        ),
        "matching-identity-equal-points": (
            changed(good["matching-identity-constant"], put([[1], [1]], "identity", "points")),
            "same or dependent",
        ),
        "matching-identity-first-point-zero": (identity(square, [[0], [-1]], "points"), "same or dependent"),
        "matching-identity-dependent-points": (
            restated(changed(plane, put([[1, 0], [2, 0]], "identity", "points")), m=4),
            "same or dependent",
        ),
        "matching-identity-rank-one-for-general": (
            restated(good["matching-identity-rank-one"], heads="general"),
            "not general and not those",
        ),
        "matching-identity-wider": (restated(square, m=3), "different polynomials"),
        "matching-identity-narrower-than-outputs": (restated(plane, m=1), "outside 0..64"),
        "matching-query-other-seed": (restated(asked, seed=4), "claims"),
        "matching-query-changed": (
            changed(asked, put(bm.LINEAR_QUERY.replace("- 1", "- 2"), "query")),
            "claims|not the text",
        ),
        "matching-query-solver-sentence": (changed(asked, put(["z3 (trusted)"], "solvers")), "expected one or more"),
        "matching-query-no-solver": (changed(asked, put([], "solvers")), "expected one or more"),
        "matching-query-unknown-solver": (changed(asked, put(["z3", "yices"], "solvers")), "expected one or more"),
        "matching-query-solver-twice": (changed(asked, put(["z3", "z3"], "solvers")), "each once"),
        "matching-query-solver-list": (changed(asked, put([["z3"]], "solvers")), "expected one or more|unhashable"),
        "matching-model-wrong-root": (program([-3, 0, 1], 1, "polynomial"), "point 2 is not reached"),
        "matching-model-no-real-root": (program([2, 0, 1], 1, "polynomial"), "no change of sign"),
        "matching-model-interval-without-root": (program([[2, 1], [3, 1]], 1, "interval"), "no change of sign"),
        "matching-model-not-pinned": (program([[[2, 1]]], 0, "coordinates"), "pinned"),
        "matching-model-not-reduced": (
            program([[[0, 1], [1, 1], [1, 1]]], 1, "coordinates"),
            "not reduced",
        ),
        "matching-model-score-changed": (changed(model, put([3, 1], "model", "scores", 1)), "point 1 is not reached"),
        "matching-backbone-even": (
            bm.artifact(bm.BACKBONE, bm.parameters(m=4, **widths), backbone=even),
            "even number",
        ),
        "matching-backbone-dependent": (
            bm.artifact(bm.BACKBONE, bm.parameters(m=4, **widths), backbone=dependent),
            "dependent forms",
        ),
        "matching-backbone-shared-variables": (
            bm.artifact(bm.BACKBONE, bm.parameters(m=4, **widths), backbone=narrow),
            "share a variable",
        ),
        "matching-backbone-head-unproved": (backbone(pair, [[[0]]], "blocks"), "partition"),
        "matching-backbone-head-twice": (backbone(pair, [[[0, 1], [1]]], "blocks"), "partition"),
        "matching-backbone-slot-twice": (backbone(pair, [[], 1], "slots", 1), "held twice"),
        "matching-backbone-output-missing": (backbone(pair, [2], "readout"), "exactly its own output"),
        "matching-backbone-variable-read-out": (
            backbone(backbone(pair, [0, 2, 3], "readout"), [[0, 0], [2, 2]], "values", 0, 0),
            "exactly its own output",
        ),
        "matching-backbone-values-exchanged": (
            changed(pair, lambda _, c: c["backbone"]["values"][0].reverse()),
            "exactly its own output",
        ),
        "matching-backbone-other-path-read": (
            backbone(
                backbone(two, [[2, 1], [4, 1], [0, 1]], "forms", 1, 0, 0), [[0, 0], [2, 2], [3, 3]], "values", 0, 0
            ),
            "own output|other path|another path",
        ),
        "matching-backbone-forms-differ": (backbone(two, [[2, 1], [4, 2]], "forms", 1, 0, 0), "other forms"),
        "matching-backbone-strong-reads-output": (
            restated(good["matching-backbone-reads-output"], targets="strong"),
            "2 variables|read as a variable|1 scores in",
        ),
        "matching-backbone-path-too-long": (backbone(pair, [[1, 1], 1], "slots", 0), "no slot"),
    }


def malformed() -> dict[str, Case]:
    good = valid()
    square, pair, model = (good[f"matching-{n}"] for n in ("identity-square", "backbone-pair", "model"))

    def stated(base: Artifact, **changes: Any) -> Artifact:
        return changed(base, lambda s, _: s["parameters"].update(changes))

    return {
        "matching-heads-unknown": (stated(square, heads="rank-two"), "heads"),
        "matching-heads-list": (stated(square, heads=["general"]), "heads"),
        "matching-targets-null": (stated(square, targets=None), "targets"),
        "matching-zero-width": (stated(square, m=0), "outside"),
        "matching-boolean-layers": (stated(square, L=True), "expected integers"),
        "matching-slice-unknown": (stated(model, slice="two"), "slice"),
        "matching-point-too-long": (stated(model, points=[[1, 2, 3]]), "3 entries"),
        "matching-no-points": (stated(model, points=[]), "no point"),
        "matching-negative-seed": (stated(good["matching-query"], seed=-1), "outside"),
        "matching-seed-of-a-model": (stated(model, seed=0), "unknown field"),
        "matching-astronomic": (stated(square, H=10**9, L=10**9), "too large|claims"),
        "matching-astronomic-dimension": (stated(good["matching-dimension"], H=10**40, L=10**40), "claims"),
        "matching-astronomic-backbone": (stated(pair, H=10**40, L=10**40), "claims|too large"),
        "matching-term-not-a-pair": (changed(square, put([[1]], "identity", "cofactors", 1)), "expected 2"),
        "matching-term-zero": (changed(square, put([[0, []]], "identity", "cofactors", 1)), "zero"),
        "matching-term-unsorted": (changed(square, put([[1, [1, 0]]], "identity", "cofactors", 1)), "out of order"),
        "matching-term-twice": (changed(square, put([[1, []], [1, []]], "identity", "cofactors", 1)), "twice"),
        "matching-term-variable": (changed(square, put([[1, [2]]], "identity", "cofactors", 1)), "outside"),
        "matching-identity-unknown-field": (changed(square, put(1, "identity", "note")), "unknown field"),
        "matching-rational-of-three": (changed(model, put([1, 1, 1], "model", "scores", 0)), "expected 2"),
        "matching-rational-denominator": (changed(model, put([1, 0], "model", "scores", 0)), "denominator"),
        "matching-program-missing": (changed(model, lambda _, c: c["model"]["programs"].pop()), "expected 2"),
        "matching-coordinate-outside": (changed(pair, put([9], "backbone", "readout")), "outside"),
        "matching-move-of-three": (changed(pair, put([[0, 0, 1]], "backbone", "values", 0, 0)), "expected 2"),
        "matching-moves-to-one-place": (changed(pair, put([[0, 0], [1, 0]], "backbone", "values", 0, 0)), "twice"),
        "matching-slot-boolean": (changed(pair, put([[], True], "backbone", "slots", 0)), "expected integers"),
    }


def cases() -> dict[str, Case]:
    """kind/name -> files and the reason's pattern (empty for valid)."""
    good = {f"valid/{name}": (files, "") for name, files in valid().items()}
    bad = {"invalid": invalid(), "malformed": malformed()}
    return good | {f"{kind}/{name}": case for kind, named in bad.items() for name, case in named.items()}
