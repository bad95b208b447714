"""Artifacts of the goals of section 10 that a rule rejects, with the pattern of the reason."""

from __future__ import annotations

import json
from typing import Any

from tests.check import build
from tests.check import build_bounds as bb
from tests.check.invalid_backbones import invalid_backbones
from tests.check.valid_bounds import (
    BASES,
    Case,
    Edit,
    edited,
    outputs,
    put,
    restated,
    scores,
    sharp,
    singular,
    sizes,
    variants,
)


def invalid() -> dict[str, Case]:
    return {
        **invalid_spanning(),
        **invalid_statements(),
        **invalid_kernels(),
        **invalid_balls(),
        **invalid_filters(),
        **invalid_backbones(),
    }


def invalid_spanning() -> dict[str, Case]:
    not_unit = "is not row"
    singular_basis = {"basis": [[1, 2], [2, 4]], "inverse": [[4, -2], [-2, 1]]}

    def degenerate(c: Any) -> None:
        c["spanning"]["basis"][1], c["spanning"]["inverse"][1] = singular_basis["basis"], singular_basis["inverse"]

    def zeroed(c: Any) -> None:
        c["spanning"]["basis"][0], c["spanning"]["inverse"][0] = [[1, 0], [0, 1]], [[3, 0], [0, 3]]

    return variants(
        "spanning",
        sharp(2, 2),
        {
            "entry-of-basis": (put(3, "spanning", "basis", 0, 0, 1), not_unit),
            "entry-of-inverse": (put(0, "spanning", "inverse", 1, 0, 1), not_unit),
            "scale": (put(2, "spanning", "scale", 0), not_unit),
            "singular-basis": (degenerate, not_unit),
            "singular-basis-scale-zero": (lambda c: (degenerate(c), put(0, "spanning", "scale", 1)(c)), "scale is 0"),
            "zero-in-basis": (zeroed, "an entry of the basis is 0"),
            "layer-missing": (lambda c: c["spanning"]["scale"].pop(), "expected 2"),
            "head-extra": (lambda c: c["spanning"]["basis"][0][1].append(1), "expected 2"),
            "entry-gigantic": (put(2**129, "spanning", "basis", 0, 0, 0), "outside"),
        },
    )


def invalid_statements() -> dict[str, Case]:
    block, narrow = sharp(2, 2), singular(2, 1, 1, 1, 5)
    other = singular(2, 1, 1, 1, 5, seed=1)
    return {
        "sharp-m-is-N": (restated(sharp(2, 2, 3, 2, 35), m=36), "not below the width"),
        "sharp-m-without-d": (restated(block, m=3), "m must be null"),
        "sharp-other-layers": (restated(block, L=3), "expected 3"),
        "sharp-other-heads": (restated(block, H=3), "expected 3"),
        "sharp-claims-of-larger-width": (
            edited(block, lambda s, _: s["claims"].__setitem__(0, s["claims"][0].replace("12*k", "13*k"))),
            "claims",
        ),
        "outputs-m-is-B": (restated(outputs(2, 2, 3, 11), m=12), "not below the width"),
        "singular-other-weights": (narrow | {"weights.safetensors": other["weights.safetensors"]}, "its SHA-256"),
        "singular-without-weights": ({k: v for k, v in narrow.items() if k[0] != "w"}, "weights.safetensors: missing"),
        "scores-k-exceeds-d": (restated(scores(2, 1, 2, 2), d=1), "k must not exceed d"),
        "softmax-one-token": (restated(bb.softmax_artifact(2, 1, 2, 1), n=1), "at least 2"),
        "attention-smallest-with-filter": (
            edited(
                bb.attention_artifact(bb.ALONE, 1, 1), lambda _, c: c.update(filter=bb.filtered(1, 1)) or c.pop("signs")
            ),
            "missing field signs",
        ),
    }


def invalid_kernels() -> dict[str, Case]:
    base = singular(2, 1, 1, 1, 5)
    regular = singular(2, 1, 1, 1, 7, RK="RQ")
    R = build.random_backbone(build.parameters(2, 1, 1, 1, 7), 0)
    kernel = json.loads(regular["certificate.json"])["kernel"]
    certificate = {"spanning": bb.spanning(2, 1), "kernel": kernel}
    cases = variants(
        "kernel",
        base,
        {
            "zero": (put([0] * 6, "kernel"), "all numbers are 0"),
            "entry-changed": (lambda c: c["kernel"].__setitem__(3, c["kernel"][3] + 1), "is not 0"),
            "short": (lambda c: c["kernel"].pop(), "expected 6"),
            "unit": (put([0, 0, 0, 0, 0, 1], "kernel"), "is not 0"),
            "swapped-slots": (lambda c: c["kernel"].insert(0, c["kernel"].pop()), "is not 0"),
        },
    )
    full = bb.artifact(bb.SINGULAR, build.parameters(2, 1, 1, 1, 7), certificate, build.safetensors(R, {}))
    return cases | {"kernel-of-another-backbone": (full, "is not 0")}


def with_point(j: int, point: Any) -> Edit:
    return lambda c: c["targets"][1]["points"].__setitem__(j, point)


def invalid_balls() -> dict[str, Case]:
    base = bb.softmax_artifact(2, 2, 2, 1)
    row = "absolute sum below 1"

    def equal_queries(c: Any) -> None:
        for layer in c["targets"][0]["queries"]:
            layer[1] = layer[0]

    def equal_points(c: Any) -> None:
        c["targets"][2]["points"][1] = c["targets"][2]["points"][0]

    def equal_tokens(c: Any) -> None:
        for point in c["targets"][3]["points"]:
            point["x"] = [[1, 2], [1, 2]]

    def scaled(c: Any) -> None:
        c["targets"][0]["inverse"] = [[2 * x for x in line] for line in c["targets"][0]["inverse"]]

    def rounded(c: Any) -> None:
        target = c["targets"][1]
        target["scale"], target["inverse"] = 1, [[0] * 4] * 4

    return variants(
        "balls",
        base,
        {
            "equal-queries": (equal_queries, row),
            "equal-points": (equal_points, row),
            "equal-tokens": (equal_tokens, row),
            "inverse-doubled": (scaled, row),
            "inverse-zero": (rounded, row),
            "inverse-sign": (
                lambda c: put(-c["targets"][0]["inverse"][0][0], "targets", 0, "inverse", 0, 0)(c),
                row,
            ),
            "other-token": (
                lambda c: put(1 - c["targets"][1]["points"][0]["token"], "targets", 1, "points", 0, "token")(c),
                row,
            ),
            "targets-exchanged": (lambda c: c["targets"].reverse(), row),
            "target-missing": (lambda c: c["targets"].pop(), "expected 4"),
            "point-missing": (lambda c: c["targets"][0]["points"].pop(), "expected 4"),
            "token-outside": (put(2, "targets", 0, "points", 0, "token"), "outside"),
            "token-negative": (put(-1, "targets", 0, "points", 0, "token"), "outside"),
            "denominator-zero": (put([1, 0], "targets", 0, "points", 0, "x", 0), "denominator 0"),
            "denominator-negative": (put([1, -1], "targets", 0, "queries", 0, 0), "denominator -1"),
            "scale-zero": (put(0, "targets", 0, "scale"), "outside"),
            "number-gigantic": (put([2**129, 1], "targets", 0, "points", 0, "x", 0), "outside"),
            "x-of-three": (lambda c: c["targets"][0]["points"][0]["x"].append([1, 1]), "expected 2"),
            "basis-exchanged": (
                lambda c: c["spanning"].update(basis=BASES["basis"], inverse=BASES["inverse"], scale=BASES["scale"]),
                row,
            ),
        },
    )


def invalid_filters() -> dict[str, Case]:
    base = bb.attention_artifact(bb.BOTH, 2, 2)
    least = json.loads(base["certificate.json"])["filter"]["degree"]
    cases = variants(
        "filter",
        base,
        {
            "degree-one-below": (put(least - 1, "filter", "degree"), "too small for n = 4"),
            "degree-zero": (put(0, "filter", "degree"), "outside"),
            "entry-of-basis": (put(3, "filter", "basis", 0, 0), "is not row"),
            "scale-zero": (put(0, "filter", "scale"), "the scale is 0"),
            "scale": (put(4, "filter", "scale"), "is not row"),
            "zero-in-basis": (
                lambda c: c["filter"].update(basis=[[1, 0], [0, 1]], inverse=[[3, 0], [0, 3]]),
                "an entry of the basis is 0",
            ),
            "basis-of-three": (lambda c: c["filter"]["basis"].append([1, 1]), "expected 2"),
        },
    )
    small = scores(2, 1, 3, 1)
    degree = json.loads(small["certificate.json"])["filter"]["degree"]
    cases["filter-degree-of-scores"] = edited(small, lambda _, c: put(degree - 1, "filter", "degree")(c)), "n = 10"
    long = bb.artifact(bb.SCORES, sizes(H=1, L=600, d=1, k=1), {"filter": bb.filtered(1, 1) | {"degree": 2**3400}})
    cases["filter-degree-gigantic"] = long, "filter.degree: too large"
    cases["filter-more-layers"] = restated(small, L=2), "too small for n = 20"
    cases["signs-equal"] = (
        edited(bb.attention_artifact(bb.ALONE, 1, 1), lambda _, c: c.update(signs=[1, 1])),
        "signs: expected",
    )
    cases["signs-larger"] = (
        edited(bb.attention_artifact(bb.ALONE, 1, 1), lambda _, c: c.update(signs=[1, -2])),
        "outside",
    )
    return cases
