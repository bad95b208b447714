"""Artifacts of section 13 whose files are broken: parameters, encoders and certificates that cannot be read."""

from __future__ import annotations

import copy
from typing import Any

from tests.check import encoders as good
from tests.check.build import Artifact
from tests.check.corpus_simulator import Case
from tests.check.invalid_simulator import encoder_of, gate, head, misread, put, readout

HUGE, FRACTION = 2**300, "lowest terms"


def parameters() -> dict[str, Case]:
    edits: dict[str, tuple[str, Any, str]] = {
        "task-unknown": ("transpose", put("task", "tensor"), "unknown task"),
        "task-list": ("transpose", put("task", []), "unknown task"),
        "sizes-missing": ("transpose", lambda p: p["sizes"].pop("r"), "missing field r"),
        "sizes-unknown": ("transpose", put("sizes", "k", 1), "unknown field"),
        "sizes-list": ("transpose", put("sizes", [2, 2]), "expected an object"),
        "sizes-of-another-task": ("matmul", put("task", "transpose"), "unknown field"),
        "size-zero": ("transpose", put("sizes", "r", 0), "outside 1..64"),
        "size-65": ("transpose", put("sizes", "r", 65), "outside 1..64"),
        "size-boolean": ("transpose", put("sizes", "r", True), "expected integers"),
        "size-null": ("transpose", put("sizes", "r", None), "expected integers"),
        "order-5": ("inverse", put("sizes", "order", 5), "outside 1..4"),
        "group-of-7": ("maxmin", put("sizes", "size", 7), "outside 1..6"),
        "self-2": ("match2", put("sizes", "self", 2), "outside 0..1"),
        "self-boolean": ("match2", put("sizes", "self", False), "expected integers"),
        "feed-forward-negative": ("attention", put("sizes", "f", -1), "outside 0..64"),
        "parity-of-more-than-n": ("parity", put("sizes", "k", 3), "k is larger than n"),
        "constant-zero": ("lipschitz", put("sizes", "top", 0), "outside 1"),
        "constant-too-large": ("lipschitz", put("sizes", "top", 10**6 + 1), "outside 1"),
        "constant-not-reduced": ("lipschitz", lambda p: p["sizes"].update(top=2, bottom=2), FRACTION),
        "parameter-unknown": ("transpose", put("seed", 1), "unknown field"),
        "parameter-missing": ("transpose", lambda p: p.pop("task"), "missing field task"),
    }
    return {
        name: (misread(good.VALID[base], lambda s, _, e=edit: e(s["parameters"])), why)
        for name, (base, edit, why) in edits.items()
    }


def encoders() -> dict[str, Case]:
    """The fields of an encoder."""
    letters = "match2"
    edits: dict[str, tuple[str, Any, str]] = {
        "null": ("transpose", put("encoder", None), "expected an object"),
        "field-missing": ("transpose", lambda c: c["encoder"].pop("groups"), "missing field groups"),
        "field-unknown": ("transpose", put("encoder", "name", "U"), "unknown field"),
        "tokens-zero": ("transpose", put("encoder", "tokens", 0), "encoder.tokens"),
        "tokens-too-many": ("relu", put("encoder", "tokens", 4097), "encoder.tokens"),
        "tokens-boolean": ("relu", put("encoder", "tokens", True), "expected integers"),
        "width-zero": ("transpose", put("encoder", "width", 0), "encoder.width"),
        "width-null": ("transpose", put("encoder", "width", None), "expected integers"),
        "groups-without-letters": ("transpose", put("encoder", "groups", [2]), "needs letters"),
        "group-empty": (letters, put("encoder", "groups", [0]), "encoder.groups"),
        "letters-twice": (letters, put("encoder", "letters", [0, 1, 1]), "a letter occurs twice"),
        "letters-strings": (letters, put("encoder", "letters", ["0", "1", "2"]), "expected integers"),
        "number-of-letters": (letters, lambda c: c["encoder"].update(width=2, number=1), "null if there are letters"),
        "number-outside": ("relu", put("encoder", "number", 3), "which lies outside"),
        "number-list": ("relu", put("encoder", "number", [1]), "expected integers"),
        "position-short": ("maxmin", put("encoder", "position", [[2, [1, -1, 1]]]), "3 entries, expected 4"),
        "position-pair": ("maxmin", put("encoder", "position", [[2]]), "1 entries, expected 2"),
        "position-null": ("maxmin", put("encoder", "position", [[2, [1, -1, 1, None]]]), "expected an object"),
        "token-without-letters": ("maxmin", put("encoder", "token", [[3, []]]), "needs letters|written twice"),
        "token-short": ("parity", put("encoder", "token", [[1, [0, 0, 1]]]), "3 entries, expected 4"),
        "class-outside": (letters, put("encoder", "token_class", [[0, [0, 1, 3]]]), "outside 0..2"),
        "class-of-no-group": (letters, put("encoder", "token_class", [[1, [0, 1, 2]]]), "a group"),
        "class-short": (letters, put("encoder", "token_class", [[0, [0, 1]]]), "2 entries, expected 3"),
        "layers-none": ("relu", put("encoder", "layers", []), "the first layer"),
        "layers-first-has-heads": ("transpose", lambda c: c["encoder"]["layers"].pop(0), "the first layer"),
        "layer-field": ("relu", lambda c: c["encoder"]["layers"][0].pop("heads"), "missing field heads"),
        "fraction-not-reduced": ("relu", gate(0, 0, 1, 0, 1, {"q": [2, 4]}), FRACTION),
        "fraction-whole": ("relu", gate(0, 0, 1, 0, 1, {"q": [1, 1]}), FRACTION),
        "fraction-denominator-negative": ("relu", gate(0, 0, 1, 0, 1, {"q": [1, -2]}), FRACTION),
        "fraction-zero": ("relu", gate(0, 0, 1, 0, 1, {"q": [0, 2]}), FRACTION),
        "fraction-of-three": ("relu", gate(0, 0, 1, 0, 1, {"q": [1, 2, 3]}), "3 entries, expected 2"),
        "fraction-with-a-note": ("relu", gate(0, 0, 1, 0, 1, {"q": [1, 2], "r": 0}), "unknown field"),
        "number-boolean": ("relu", gate(0, 0, 1, 0, 1, True), "expected an object"),
        "number-string": ("relu", gate(0, 0, 1, 0, 1, "1"), "expected an object"),
        "number-too-long": ("relu", gate(0, 0, 1, 0, 1, HUGE), "256 bits is too large to check"),
        "denominator-too-long": ("relu", gate(0, 0, 1, 0, 1, {"q": [1, HUGE]}), "256 bits is too large to check"),
        "form-of-numbers": ("transpose", put("encoder", "readout", [1, 1]), "expected a list"),
        "form-of-three": ("transpose", readout([1, 1, 1]), "3 entries, expected 2"),
        "form-decreasing": ("transpose", readout([2, 1], [1, 1]), "do not increase"),
        "form-twice": ("transpose", readout([2, 1], [2, 1]), "do not increase"),
        "form-of-zero": ("transpose", readout([2, 0]), "a number 0"),
        "form-negative": ("transpose", readout([-1, 1]), "lies outside"),
        "form-outside": ("transpose", readout([3, 1]), "lies outside"),
    }
    return {name: (broken(base, edit), why) for name, (base, edit, why) in edits.items()}


def parts() -> dict[str, Case]:
    """Heads and gates."""
    edits: dict[str, tuple[str, Any, str]] = {
        "head-field-missing": ("transpose", lambda c: first_head(c).pop("guard"), "missing field guard"),
        "head-field-unknown": ("transpose", head(1, 0, "bias", 0), "unknown field"),
        "mask-short": ("transpose", head(1, 0, "mask", [[0], [2], [1]]), "3 entries, expected 4"),
        "mask-of-numbers": ("transpose", head(1, 0, "mask", [0, 2, 1, 3]), "expected a list"),
        "mask-outside": ("transpose", head(1, 0, "mask", [[0], [2], [1], [4]]), "outside 0..3"),
        "mask-decreasing": ("transpose", head(1, 0, "mask", [[0], [2, 1], [1], [3]]), "do not increase"),
        "mask-twice": ("transpose", head(1, 0, "mask", [[0], [2, 2], [1], [3]]), "do not increase"),
        "mask-boolean": ("transpose", head(1, 0, "mask", [[False], [2], [1], [3]]), "expected integers"),
        "hidden-outside": ("maxmin", head(1, 0, "hidden", [[4], [], [], []]), "outside 0..3"),
        "guard-null": ("transpose", head(1, 0, "guard", None), "expected an object"),
        "bilinear-lengths": ("maxmin", head(1, 0, "bilinear", [[[[[2, 1]]], []]]), "0 entries, expected 1"),
        "bilinear-of-one": ("maxmin", head(1, 0, "bilinear", [[[[[2, 1]]]]]), "1 entries, expected 2"),
        "weights-short": ("match2", lambda c: weights(c).pop(), "2 entries, expected 3"),
        "weights-row-short": ("match2", lambda c: weights(c)[0].pop(), "2 entries, expected 3"),
        "classes-of-no-group": ("match2", lambda c: first_head(c)["classes"][0].update(key=1), "outside 0..0"),
        "classes-field": ("match2", lambda c: first_head(c)["classes"][0].pop("key"), "missing field key"),
        "values-of-two": ("transpose", head(1, 0, "values", [[[[1, 1]], 2]]), "2 entries, expected 3"),
        "values-default": ("transpose", head(1, 0, "values", [[[[1, 1]], 2, "0"]]), "expected an object"),
        "gate-unknown": ("relu", gate(0, 0, 0, "sin"), "no known gate"),
        "gate-empty": ("relu", put("encoder", "layers", 0, "levels", 0, [[]]), "no known gate"),
        "gate-kind-list": ("relu", gate(0, 0, 0, ["relu"]), "no known gate"),
        "gate-short": ("relu", put("encoder", "layers", 0, "levels", 0, [["exp", 2]]), "2 entries, expected 3"),
        "gate-coordinate": ("relu", gate(0, 0, 2, "2"), "expected integers"),
        "unit-of-three": ("relu", gate(0, 0, 1, 0, [[[1, 1]], 1, 1]), "3 entries, expected 2"),
        "table-without-letters": (
            "relu",
            put("encoder", "layers", 0, "levels", 0, 0, ["table", [], [[]], [[2, [0]]], []]),
            "needs letters",
        ),
        "table-row-twice": ("parity", gate(1, 0, 2, [[0], [1], [1]]), "a row twice"),
        "table-row-long": ("parity", gate(1, 0, 2, [[0, 0], [1], [2]]), "2 entries, expected 1"),
        "table-column-short": ("parity", gate(1, 0, 3, [[2, [0, 1]]]), "2 entries, expected 3"),
        "table-class-outside": ("parity-groups", gate(0, 0, 4, [[1, [0, 3]]]), "outside 0..2"),
    }
    return {name: (broken(base, edit), why) for name, (base, edit, why) in edits.items()}


def first_head(certificate: Any) -> Any:
    return certificate["encoder"]["layers"][1]["heads"][0]


def weights(certificate: Any) -> Any:
    return first_head(certificate)["classes"][0]["weights"]


def broken(base: str, edit: Any) -> Artifact:
    """The claim stays as it is: most broken encoders have none."""
    return misread(good.VALID[base], lambda _, c: edit(c))


def certificates() -> dict[str, Case]:
    edits: dict[str, tuple[str, Any, str]] = {
        "encoder-missing": ("transpose", lambda c: c.pop("encoder"), "missing field encoder"),
        "cases-missing": ("maxmin", lambda c: c.pop("cases"), "missing field cases"),
        "cases-needless": ("transpose", put("cases", []), "unknown field"),
        "leaves-missing": ("lipschitz", lambda c: c.pop("leaves"), "missing field leaves"),
        "leaves-needless": ("maxmin", put("leaves", []), "unknown field"),
        "cases-object": ("maxmin", put("cases", {}), "expected a list"),
        "tree-null": ("maxmin", put("cases", [None, []]), "expected an object"),
        "tree-leaf-with-content": ("maxmin", put("cases", [[1], []]), "not empty"),
        "tree-form-short": ("maxmin", put("cases", 0, "form", [1, -1]), "2 entries, expected 5"),
        "tree-form-constant": ("maxmin", put("cases", 0, "form", [0, 0, 0, 0, 1]), "constant"),
        "tree-fraction": ("maxmin", put("cases", 0, "form", [{"q": [1, 2]}, -1, 0, 0, 0]), "expected integers"),
        "tree-sign": ("maxmin", put("cases", 0, "cases", {"<": []}), "unknown field"),
        "leaf-of-one": ("lipschitz", put("leaves", 0, [0]), "1 entries, expected 2"),
        "leaf-boolean": ("lipschitz", put("leaves", 0, [False, [[2, 2, 1]]]), "expected integers"),
        "leaf-pair": ("lipschitz", put("leaves", 0, [0, [[2, 2]]]), "2 entries, expected 3"),
        "leaf-denominator-0": ("lipschitz", put("leaves", 0, [0, [[2, 2, 0]]]), "denominator 0"),
        "weights": ("transpose", put("weights", None), "unknown field"),
    }
    found = {name: (broken(base, edit), why) for name, (base, edit, why) in edits.items()}
    text = good.VALID["transpose"]
    as_float = text["certificate.json"].replace(b'"guard": -2', b'"guard": -2.0')
    found["guard-float"] = (text | {"certificate.json": as_float}, "strict JSON")
    doubled = text["certificate.json"].replace(b'"guard": -2', b'"guard": -2, "guard": 0')
    found["guard-duplicate"] = (text | {"certificate.json": doubled}, "strict JSON")
    return found


def limits() -> dict[str, Case]:
    """What is too large to check is refused."""
    from tests.check.build_simulator import Draft, one, stated

    deep = Draft(1)
    for _ in range(64):
        deep.gate("linear", one(deep.width - 1))
    squares = Draft(1)
    for _ in range(8):
        squares.gate("product", one(squares.width - 1), one(squares.width - 1))
    doubled = Draft(1)
    for _ in range(2):
        doubled.gate("linear", [[doubled.width - 1, 2**200]])
    many = copy.deepcopy(encoder_of("match2"))
    many.update(tokens=64, letters=list(range(64)), groups=[64], token_class=[[0, list(range(64))]])
    many["layers"][1]["heads"] = []
    many["readout"] = []
    large = "too large to check"
    return {
        "limit-levels": (stated("relu", {"n": 1}, deep.encoder(one(2))), "64 layers and levels are " + large),
        "limit-degree": (stated("relu", {"n": 1}, squares.encoder(one(9))), "32 values is " + large),
        "limit-bits": (stated("relu", {"n": 1}, doubled.encoder(one(3))), "256 bits is " + large),
        "limit-multisets": (stated("match2", {"p": 64, "n": 64, "self": 0}, many), "multisets of letters are " + large),
    }


def malformed() -> dict[str, Case]:
    every = (parameters(), encoders(), parts(), certificates(), limits())
    return {f"simulator-{name}": case for group in every for name, case in group.items()}
