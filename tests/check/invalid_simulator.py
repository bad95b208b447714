"""Artifacts of section 13 that are refused: encoders that compute something else, rules that do not apply."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from tests.check import encoders as good
from tests.check.build import Artifact, signed
from tests.check.build_rasp import split
from tests.check.build_simulator import Draft, one, stated
from tests.check.corpus_simulator import Case
from tests.check.encoders_of_functions import LIPSCHITZ_TREE

Edit = Callable[[Any], Any]
ANSWER, ZERO = "not what the task answers", "is the reciprocal of a value that may be 0"


def changed(files: Artifact, edit: Edit, **sizes: int) -> Artifact:
    """The certificate edited (`encoder`, `cases`, `leaves`) and other sizes, with the claim that fits."""
    statement, certificate = (json.loads(files[name]) for name in ("statement.json", "certificate.json"))
    parts = {name: part for name, part in certificate.items() if name not in ("format", "statement")}
    edit(parts)
    p = statement["parameters"]
    return stated(p["task"], p["sizes"] | sizes, **parts)


def misread(files: Artifact, edit: Callable[[Any, Any], Any]) -> Artifact:
    """Statement and certificate edited and signed again; the claim stays as it is."""
    statement, certificate = (json.loads(files[name]) for name in ("statement.json", "certificate.json"))
    edit(statement, certificate)
    return signed(statement, certificate)


def put(*path: Any) -> Edit:
    """Puts the last of `path` where the others lead."""

    def edit(parts: Any) -> None:
        *way, last, new = path
        inner = parts
        for step in way:
            inner = inner[step]
        inner[last] = new

    return edit


def head(layer: int, number: int, name: str, new: Any) -> Edit:
    return put("encoder", "layers", layer, "heads", number, name, new)


def gate(layer: int, level: int, *path: Any) -> Edit:
    return put("encoder", "layers", layer, "levels", level, 0, *path)


def readout(*terms: list[Any]) -> Edit:
    return put("encoder", "readout", [list(term) for term in terms])


def nothing(_: Any) -> None:
    pass


def claims() -> dict[str, Case]:
    base, forward, why = good.VALID["attention"], good.VALID["attention-feed-forward"], "statement.claims"

    def said(old: str, new: str, files: Artifact = base) -> Case:
        edit = lambda s, _: s.update(claims=[s["claims"][0].replace(old, new)])  # noqa: E731
        return misread(files, edit), why

    return {
        "claim-of-fewer-gates": said("0, 15 gates", "0, 14 gates"),
        "claim-of-fewer-heads": said("7 heads", "6 heads"),
        "claim-of-less-depth": said("depth 0, 16", "depth 0, 4"),
        "claim-of-a-narrower-stream": said("stream width", "stream of width"),
        "claim-of-other-tokens": said("sequence of 6", "sequence of 5"),
        "claim-with-feed-forward": said("X WV.", "X WV, taken to relu(Y W1 + b1) W2 + b2."),
        "claim-without-feed-forward": said(", taken to relu(Y W1 + b1) W2 + b2", "", forward),
        "claim-of-another-encoder": (misread(base, lambda _, c: put("encoder", "readout", [])(c)), why),
        "claim-of-other-sizes": (misread(base, lambda s, _: s["parameters"]["sizes"].update(n=3)), why),
        "claim-of-two": (misread(base, lambda s, _: s["claims"].append(s["claims"][0])), why),
    }


def answers() -> dict[str, Case]:
    """Rule E."""
    V = good.VALID
    edits: dict[str, tuple[str, Edit, str]] = {
        "transpose-not-at-all": ("transpose", head(1, 0, "mask", [[0], [1], [2], [3]]), "token 1: " + ANSWER),
        "transpose-of-equal-scores": ("transpose", head(1, 0, "mask", None), "token 0: " + ANSWER),
        "transpose-by-the-guard": ("transpose", head(1, 0, "guard", 1), ANSWER),
        "transpose-beside-the-guard": ("transpose", head(1, 0, "guard", 0), ANSWER),
        "transpose-hidden": ("transpose", head(1, 0, "hidden", [[0], [2], [1], [3]]), ANSWER),
        "transpose-all-hidden": ("transpose", head(1, 0, "hidden", [[0, 1, 2, 3]] * 4), ANSWER),
        "transpose-of-too-few-tokens": ("matmul", put("encoder", "tokens", 3), "has 5 entries, expected 3"),
        "matmul-without-a-term": ("matmul", readout([6, 1]), ANSWER),
        "matmul-of-a-sum": ("matmul", gate(1, 0, 0, "linear"), "has 4 entries, expected 3"),
        "determinant-plus": ("determinant", gate(1, 2, 1, [[6, 1], [7, 1]]), ANSWER),
        "determinant-half": ("determinant", readout([8, {"q": [1, 2]}]), ANSWER),
        "inverse-of-what-may-be-0": ("inverse", gate(2, 0, 1, one(4)), ZERO),
        "inverse-of-the-square": ("inverse", gate(2, 0, 1, [[0, 2], [5, 1], [7, -2]]), ANSWER),
        "inverse-flag-always-1": ("inverse", gate(2, 2, 2, one(0)), r"token 1: " + ANSWER),
        "inverse-ranked-by-x": ("inverse", head(2, 0, "bilinear", [[[one(0)], [one(4)]]]), ZERO),
        "inverse-ranked-by-minus-the-square": ("inverse", head(2, 0, "bilinear", [[[[[0, -1]]], [one(6)]]]), ZERO),
        "inverse-with-the-guard": ("inverse", head(2, 0, "hidden", None), ZERO),
        "relu-of-nothing": ("relu", readout([1, 1]), ANSWER),
        "relu-of-minus": ("relu", gate(0, 0, 1, 0, 0, [[1, -4]]), ANSWER),
        "relu-by-the-absolute-value": (
            "relu",
            lambda c: (gate(0, 0, 1, [[one(1), 1], [[[1, -1]], 1]])(c), readout([1, good.HALF], [2, good.HALF])(c)),
            ANSWER,
        ),
        "softmax-of-one": ("softmax", gate(1, 2, 2, one(6)), ANSWER),
        "softmax-of-a-difference": ("softmax", gate(1, 1, 1, [[6, 1], [7, -1]]), ZERO),
        "softmax-of-blank-tokens": ("softmax", gate(1, 1, 1, one(1)), "row 0: coordinate 8 " + ZERO),
        "softmax-subtracts-one-maximum": ("softmax-largest", gate(1, 0, 1, one(1)), ANSWER),
        "softmax-other-maxima": ("softmax-largest", put("encoder", "layers", 1, "levels", 0, 1, 1, one(2)), ANSWER),
        "attention-unscaled": ("attention", gate(1, 0, 1, one(0)), ANSWER),
        "attention-without-values": ("attention", readout([23, 1]), ANSWER),
        "attention-keys-exchanged": ("attention", gate(1, 11, 2, one(7)), ANSWER),
        "attention-to-the-first": ("attention", head(1, 6, "mask", [[4], [4], [], [], [], []]), "token 1: " + ANSWER),
        "feed-forward-without-relu": (
            "attention-feed-forward",
            put("encoder", "layers", 1, "levels", 17, 0, ["linear", [[9, 1], [29, 1]], 30]),
            ANSWER,
        ),
        "feed-forward-without-bias": ("attention-feed-forward", gate(1, 17, 1, [[one(29), 1]]), ANSWER),
        "hierarchy-ignores-the-length": ("hierarchy", gate(1, 0, 1, one(0)), ANSWER),
        "hierarchy-counts-the-length": ("hierarchy", gate(1, 0, 1, one(6)), ANSWER),
    }
    found = {f"encoder-{name}": (changed(V[base], edit), why) for name, (base, edit, why) in edits.items()}
    return found | {
        "sizes-transposed": (changed(V["matmul"], nothing, r=2, k=1, c=2), ANSWER),
        "sizes-larger": (changed(V["transpose"], nothing, r=3), "fewer than the 6"),
        "sizes-with-feed-forward": (changed(V["attention"], nothing, f=1), "fewer than the 10"),
        "sizes-of-a-longer-hierarchy": (changed(V["hierarchy"], nothing, N=3), "fewer than the 8"),
        "sizes-of-more-answers-than-tokens": (few_tokens(), "token 6, which should answer, is missing"),
        "encoder-multihead-outputs-exchanged": (changed(V["multihead"], exchanged), ANSWER),
        "encoder-head-step-without-Y": (changed(V["head-step"], without_first), ANSWER),
    }


def exchanged(parts: Any) -> None:
    """The heads' outputs are multiplied by each other's rows of WO."""
    products = [level[0] for level in parts["encoder"]["layers"][1]["levels"] if level[0][0] == "product"]
    first, second = (next(g for g in products if g[2] == one(c)) for c in (8, 9))
    first[2], second[2] = second[2], first[2]


def without_first(parts: Any) -> None:
    del parts["encoder"]["readout"][0]


def few_tokens() -> Artifact:
    """A column times a row has nine entries, the tokens are six."""
    draft = Draft(6)
    draft.layer()
    column = draft.head(one(draft.token), mask=[[0]] * 3 + [[1]] * 3)
    row = draft.head(one(draft.token), mask=[[3], [4], [5]] * 2)
    return stated("matmul", {"r": 3, "k": 1, "c": 3}, draft.encoder(one(draft.times(column, row))))


def order() -> dict[str, Case]:
    """What is read is written before, and only once."""
    V = good.VALID
    edits: dict[str, tuple[str, Edit, str]] = {
        "reads-its-own-coordinate": ("determinant", gate(1, 0, 1, one(6)), "coordinate 6 is read before"),
        "reads-a-later-level": ("determinant", gate(1, 0, 1, one(7)), "coordinate 7 is read before"),
        "reads-its-level": ("matmul", put("encoder", "layers", 1, "levels", 0, 1, 1, one(6)), "coordinate 6 is read"),
        "head-reads-its-layer": ("matmul", head(1, 1, "values", [[one(2), 3, 0]]), "coordinate 2 is read before"),
        "score-reads-its-layer": ("matmul", head(1, 1, "bilinear", [[[one(2)], [one(0)]]]), "coordinate 2 is read"),
        "reads-what-nothing-writes": ("transpose", put("encoder", "width", 9), "coordinate 8 is read before"),
        "writes-twice": ("matmul", head(1, 1, "values", [[one(1), 2, 0]]), "coordinate 2 is written twice"),
        "writes-the-constant": ("transpose", head(1, 0, "values", [[one(1), 0, 0]]), "coordinate 0 is written"),
        "writes-outside": ("transpose", head(1, 0, "values", [[one(1), 3, 0]]), "coordinate 3 is written, which lies"),
        "writes-the-token": ("relu", put("encoder", "position", [[1, [1, 2]]]), "coordinate 1 is written twice"),
        "group-read-before": ("parity-groups", put("encoder", "layers", 0, "levels", []), "group 1 is read before"),
        "group-written-twice": ("match2", put("encoder", "token_class", [[0, [0, 1, 2]]] * 2), "group 0 is written"),
    }
    extra = {"reads-what-nothing-writes": readout([8, 1])}
    return {
        f"order-{name}": (changed(V[base], lambda c, e=edit, n=name: (e(c), extra.get(n, nothing)(c))), why)
        for name, (base, edit, why) in edits.items()
    }


def cases() -> dict[str, Case]:
    """Rule C."""
    first, second = good.PAIRS
    left = split([1, -1, 0, 0, 0], {"-": [], "0": []})
    other = split([1, 0, -1, 0, 0], {"-": [], "0": [], "+": []})
    either = split([1, -1, 0, 0, 0], {"0": [], "!": []})
    smallest = put("encoder", "position", [[2, [-1, 1, 1, -1]]])
    base = good.VALID["maxmin"]
    return {
        "cases-not-covered": (good.maxmin([left, second]), "a sign of a form is not covered"),
        "cases-of-another-pair": (good.maxmin([other, second]), "do not determine the order"),
        "cases-without-a-sign": (good.maxmin([either, second]), "do not determine the order"),
        "cases-none": (good.maxmin([[], second]), "do not determine the order"),
        "cases-exchanged": (good.maxmin([second, first]), "do not determine the order"),
        "cases-of-one-group": (good.maxmin([first]), "1 entries, expected 2"),
        "cases-smallest-first": (changed(base, smallest), "token 0: " + ANSWER),
        "cases-equal-answers": (changed(base, put("encoder", "position", [[2, [1, 1, 1, 1]]])), "token 1: " + ANSWER),
        "cases-all-groups-together": (changed(base, head(1, 0, "hidden", [[]] * 4)), ANSWER),
        "cases-with-the-guard": (changed(base, head(1, 0, "hidden", None)), ANSWER),
        "cases-excluded-wrongly": (
            good.maxmin([split([1, -1, 0, 0, 0], {"-": [], "0": []}, plus=[[0, 1, 1]]), second]),
            "is not excluded",
        ),
    }


def permutations() -> dict[str, Case]:
    """Rule P."""
    V = good.VALID
    edits: dict[str, tuple[str, Edit, str]] = {
        "mask-of-the-first": ("match2", head(1, 0, "mask", [[0]] * 4), "head.mask"),
        "mask-of-some": ("match2", head(1, 0, "mask", [[0], [1], [2], [2]]), "head.mask"),
        "hidden": ("match2", head(1, 0, "hidden", [[]] * 4), "head.hidden"),
        "position": (
            "parity",
            lambda c: (put("encoder", "width", 5)(c), put("encoder", "position", [[4, [0, 0, 0]]])(c)),
            "must not depend on positions",
        ),
        "position-class": (
            "match2",
            lambda c: (put("encoder", "groups", [3, 1])(c), put("encoder", "position_class", [[1, [0] * 4]])(c)),
            "must not depend on positions",
        ),
        "letters-missing": ("match2", lambda c: fewer_letters(c["encoder"]), "not all of 0..2"),
        "table-without-a-row": ("parity", gate(1, 0, 2, [[0], [2], [1]]), "a table without a row for 1/2"),
        "wrong-parity": ("parity", gate(1, 0, 3, [[3, [0, 0, 0]]]), ANSWER),
        "counts-all-bits": ("parity", put("encoder", "token", 0, 1, [0, 1, 0, 1]), ANSWER + "|without a row"),
        "wrong-class": ("parity-groups", put("encoder", "token_class", [[0, [0, 0, 0, 1]]]), ANSWER),
        "wrong-weight": ("match2", put("encoder", "layers", 1, "heads", 0, "classes", 0, "weights", 1, 2, 0), ANSWER),
        "wrong-residue-0": (
            "match2",
            put("encoder", "layers", 1, "heads", 0, "classes", 0, "weights", 0, 0, 0),
            ANSWER,
        ),
        "matches-itself": ("match2", head(1, 0, "mask", None), ANSWER),
        "never-itself": ("match2-self", head(1, 0, "mask", [[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]]), ANSWER),
        "high-guard": ("match2", head(1, 0, "guard", 1), ANSWER),
    }
    found = {f"letters-{name}": (changed(V[base], edit), why) for name, (base, edit, why) in edits.items()}
    return found | {
        "letters-longer-than-the-encoder": (changed(V["match2"], nothing, n=5), "fewer than n"),
        "letters-of-another-modulus": (changed(V["match2"], nothing, p=2), ANSWER),
        "letters-of-a-longer-input": (changed(V["parity"], nothing, n=3), "a table without a row for 1/3"),
        "letters-are-numbers": (stated("parity", {"k": 1, "n": 2}, encoder_of("relu")), "encoder.letters: missing"),
        "numbers-are-letters": (stated("relu", {"n": 1}, encoder_of("parity")), "null for tokens that are numbers"),
    }


def encoder_of(name: str) -> Any:
    return json.loads(good.VALID[name]["certificate.json"])["encoder"]


def fewer_letters(encoder: Any) -> None:
    encoder["letters"], encoder["token_class"] = [0, 1], [[0, [0, 1]]]


def functions() -> dict[str, Case]:
    """Rule F."""
    base, tree = good.VALID["lipschitz"], LIPSCHITZ_TREE
    near = "does not bound the distance"
    value = [[1, 1], [4, 1]]
    edits: dict[str, tuple[Edit, str]] = {
        "nearest-is-the-other": (put("leaves", 0, [1, [[2, 2, 1]]]), near),
        "nearest-outside": (put("leaves", 0, [2, [[2, 2, 1]]]), "lies outside"),
        "no-combination": (put("leaves", 0, [0, []]), near),
        "combination-too-small": (put("leaves", 0, [0, [[2, 1, 1]]]), near),
        "combination-of-factor-0": (put("leaves", 1, [0, [[2, 0, 1]]]), "not positive"),
        "combination-twice": (put("leaves", 0, [0, [[2, 1, 1], [2, 1, 1]]]), "twice"),
        "combination-of-an-equation": (put("leaves", 1, [0, [[0, 1, 1]]]), "no strict inequality"),
        "combination-outside": (put("leaves", 0, [0, [[4, 1, 1]]]), "no such assumption"),
        "leaf-missing": (lambda c: c["leaves"].pop(), "fewer entries than leaves"),
        "leaf-more": (lambda c: c["leaves"].append([0, []]), "more entries than leaves"),
        "two-trees": (put("cases", [tree, tree]), "2 entries, expected 1"),
        "tree-of-one-leaf": (lambda c: c.update(cases=[[]], leaves=[[0, []]]), "on which side"),
        "largest": (head(2, 0, "bilinear", [[[one(0)], [value]]]), "do not rank"),
        "ranked-by-values-only": (head(2, 0, "bilinear", [[[[[0, -3]]], [one(1)]]]), "do not rank"),
        "ranked-by-a-sum": (head(2, 0, "bilinear", [[[[[0, -3]]], [[[1, 1], [4, 2]]]]]), "do not rank"),
        "smaller-constant": (
            lambda c: (
                head(2, 0, "bilinear", [[[[[0, -3]]], [[[1, 2], [4, 1]]]]])(c),
                head(2, 0, "values", [[[[1, 2], [4, 1]], 5, 0]])(c),
            ),
            "are not v_i",
        ),
        "point-hidden": (head(2, 0, "hidden", [[0, 2]] * 3), "are not v_i"),
        "point-itself": (head(2, 0, "hidden", [[]] * 3), "do not rank|are not v_i"),
        "guard": (head(2, 0, "hidden", None), "do not rank|are not v_i"),
        "negated": (readout([5, -1]), "no increasing function"),
        "answers-x": (readout([1, 1]), "do not rank"),
        "answers-a-position": (readout([2, 1]), "no increasing function"),
        "answers-more": (readout([0, 1], [5, 1]), "are not v_i"),
        "other-points": (put("encoder", "position", [[2, [0, 1, {"q": [3, 4]}]]]), "are not v_i|do not rank"),
    }
    found = {f"lipschitz-{name}": (changed(base, edit), why) for name, (edit, why) in edits.items()}
    return found | {
        "lipschitz-larger-constant": (changed(base, nothing, top=2), "are not v_i"),
        "lipschitz-more-points": (changed(base, nothing, steps=3), "fewer than those"),
    }


def invalid() -> dict[str, Case]:
    parts = (claims(), answers(), order(), cases(), permutations(), functions())
    return {f"simulator-{name}": case for part in parts for name, case in part.items()}
