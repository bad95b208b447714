"""Artifacts of section 10 whose backbone, or ball of backbones, a rule rejects (rules P, R and O)."""

from __future__ import annotations

import copy
import json
from typing import Any

from tests.check import build_bounds as bb
from tests.check.valid_bounds import Case, edited, obstruction, put, variants


def invalid_backbones() -> dict[str, Case]:
    return {**invalid_forms(), **invalid_routings(), **invalid_obstructions()}


def swapped(c: Any, *where: Any) -> None:
    inner = c
    for key in where[:-2]:
        inner = inner[key]
    i, j = where[-2:]
    inner[i], inner[j] = inner[j], inner[i]


def invalid_forms() -> dict[str, Case]:
    base, one = bb.attention_artifact(bb.ALONE, 2, 2, seed=1), bb.attention_artifact(bb.ALONE, 1, 3)
    reads = "reads \\[slot, coefficient\\]"
    cases = variants(
        "forms",
        base,
        {
            "slots-swapped": (lambda c: swapped(c, "forms", "slots", 0, 1), reads),
            "slot-twice": (lambda c: put(c["forms"]["slots"][1], "forms", "slots", 0)(c), "not every slot"),
            "sign-lost": (
                lambda c: [put(1, *p)(c) for p in minus(c)],
                reads,
            ),
            "coefficient-one": (lambda c: put(1, "forms", "queries", 0, 1, 0, 1)(c), reads),
            "coefficient-three": (put(3, "forms", "queries", 0, 1, 0, 1), "is not in -1, 1, 2"),
            "coefficient-zero": (put(0, "forms", "queries", 0, 1, 0, 1), "is not in -1, 1, 2"),
            "coordinate-twice": (
                lambda c: c["forms"]["keys"][0][0].append(list(c["forms"]["keys"][0][0][0])),
                "occurs twice",
            ),
            "heads-exchanged": (lambda c: swapped(c, "forms", "queries", 0, 0, 1), reads),
            "queries-and-keys": (lambda c: swapped(c["forms"], "queries", "keys"), reads),
            "path-exchanged": (lambda c: swapped(c, "forms", "values", 0, 0, 1), reads),
            "moves-lost": (put([], "forms", "values", 0, 0), reads),
            "nothing-read": (put([], "forms", "keys", 1, 1), reads),
            "everything-read": (put([[c, 1] for c in range(6)], "forms", "keys", 1, 1), "more than two filled|reads"),
            "layer-missing": (lambda c: c["forms"]["queries"].pop(), "expected 2"),
            "coordinate-outside": (put([[6, 1]], "forms", "queries", 0, 0), "outside"),
            "source-twice": (
                lambda c: c["forms"]["values"][0][0].append([c["forms"]["values"][0][0][0][0], 0, 1]),
                "repeats a source",
            ),
        },
    )
    cases |= variants(
        "forms-one-head",
        one,
        {
            "layers-exchanged": (lambda c: swapped(c, "forms", "queries", 0, 1), reads),
            "slots-swapped": (lambda c: swapped(c, "forms", "slots", 0, 2), reads),
            "value-lost": (put([[0, 0, 1]], "forms", "values", 0, 0), reads),
        },
    )
    narrow = copy.deepcopy(json.loads(bb.attention_artifact(bb.ALONE, 1, 1)["certificate.json"]))
    narrow["forms"] = {"slots": [0], "queries": [[[[0, 1]]]], "keys": [[[[0, 1]]]], "values": [[[[0, 0, 1]]]]}
    cases["forms-too-narrow"] = (
        edited(bb.attention_artifact(bb.ALONE, 1, 1), lambda _, c: c.update(forms=narrow["forms"])),
        "outside|expected 2",
    )
    return cases


def minus(certificate: Any) -> list[tuple[Any, ...]]:
    """Where the coefficients -1 are."""
    return [
        ("forms", "queries", layer, h, i, 1)
        for layer, heads in enumerate(certificate["forms"]["queries"])
        for h, pairs in enumerate(heads)
        for i, (_, a) in enumerate(pairs)
        if a == -1
    ]


def invalid_routings() -> dict[str, Case]:
    base = bb.attention_artifact(bb.BOTH, 2, 2)
    return variants(
        "readoff",
        base,
        {
            "slots-swapped": (lambda c: swapped(c, "routing", "slots", 0, 1), "routing: slot"),
            "values-exchanged": (lambda c: swapped(c, "routing", "values", 0, 0, 1), "routing: slot"),
            "with-keys": (lambda c: c["routing"].update(keys=[[[[0]], [[1]]]] * 2), "unknown field"),
            "nothing-read": (lambda c: c["routing"]["readout"][0].clear(), "routing"),
            "too-wide": (lambda c: c["routing"]["slots"].append(-1), "expected 10|outside"),
        },
    )


def invalid_obstructions() -> dict[str, Case]:
    dominant = "need not be strictly dominant"
    tight = obstruction(2, denominator=9, RQ=[[9, 0], [0, 9]], RK=[[9, 0], [0, 9]])
    return variants(
        "ball",
        obstruction(2),
        {
            "too-large": (put(4, "ball", "radius"), dominant),
            "off-diagonal": (put(300, "ball", "RQ", 0, 1), dominant),
            "negative": (put(-16, "ball", "RK", 1, 1), dominant),
            "zero-row": (put([0, 0], "ball", "RQ", 0), dominant),
            "radius-zero": (put(0, "ball", "radius"), "outside"),
            "denominator-zero": (put(0, "ball", "denominator"), "outside"),
            "of-three": (lambda c: c["ball"]["RQ"].append([1, 1]), "expected 2"),
        },
    ) | {"ball-radius-one-more": (edited(tight, lambda _, c: put(2, "ball", "radius")(c)), dominant)}
