"""Artifacts of section 12 that are refused: claims that are false, certificates that prove less, broken files."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from tests.check import corpus_rasp as good
from tests.check.build import Artifact, signed
from tests.check.build_rasp import Graph, artifact, ordering, split, stated
from tests.check.corpus_rasp import HALF, NOT_ZERO, PAIR, Case

DIFFER, CASE = "the sequences differ on the input", "the sequences differ in a case"
COVERED, EXCLUDED = "a sign of a form is not covered", "is not excluded by its combination"
MISREADINGS: dict[str, tuple[str, tuple[Any, ...], Any]] = {
    "remainder-truncates": ("mod", (-7, 3), -1),
    "remainder-of-the-dividend": ("mod", (7, -3), 1),
    "half-away-from-zero": ("round", ({"q": [5, 2]},), 3),
    "quotient-of-integers": ("div", (1, -3), 0),
    "text-of-zero-is-false": ("indicator", ("0",), 0),
    "number-equals-its-text": ("eq", (1, "1"), True),
    "true-differs-from-one": ("eq", (True, 1), False),
    "order-ignores-case": ("lt", ("B", "a"), False),
    "or-gives-an-operand": ("eq", (2, True), True),
    "joining-in-reverse": ("add", ("a", "b"), "ba"),
}


def changed(files: Artifact, edit: Callable[[Any, Any], Any]) -> Artifact:
    """The artifact with both JSON values edited and signed again; the claim stays as it is."""
    statement, certificate = (json.loads(files[name]) for name in ("statement.json", "certificate.json"))
    edit(statement, certificate)
    return signed(statement, certificate)


def restated(files: Artifact, **parameters: Any) -> Artifact:
    """The artifact with other parameters and the claim that fits them."""
    statement, certificate = (json.loads(files[name]) for name in ("statement.json", "certificate.json"))
    parts = {name: part for name, part in certificate.items() if name not in ("format", "statement")}
    return stated(statement["parameters"] | parameters, parts)


def one_word(symbolic: bool) -> Artifact:
    """Two programs that differ on one input only: the word cab, or the token 7."""
    graph = Graph()
    if symbolic:
        x, seven = graph.tokens(), graph.constant(7)
        tree = split([1, -7], {"-": [], "0": [], "+": []})
        return artifact(graph, graph.map("ge", x, seven), graph.map("gt", x, seven), tokens="integer", cases=[tree])
    x, none = graph.tokens("asis"), graph.constant(False)
    found = graph.constant(True)
    for position, letter in enumerate("cab"):
        found = graph.map("and", found, graph.map("eq", graph.at(x, position), graph.constant(letter)))
    return artifact(graph, found, none, lengths=(3, 3), letters=list("abc"))


def inputs() -> dict[str, Case]:
    """Rule I."""
    wrong = {name: (good.operations([*good.ROWS, row]), DIFFER) for name, row in MISREADINGS.items()}
    floor = [*good.READINGS["int"][:3], [{"q": [-5, 2]}, -3]]
    ratio = [*good.READINGS["str"][:3], [{"q": [-5, 2]}, "-5/2"]]
    return wrong | {
        "int-rounds-down": (good.readings({"int": floor}), DIFFER),
        "text-of-a-decimal-is-a-quotient": (good.readings({"str": ratio}), DIFFER),
        "differs-on-one-word": (one_word(False), r"on the input \['c', 'a', 'b'\]"),
        "differs-by-a-third": (good.histogram("abc", (1, 4), good.THIRD), DIFFER),
        "differs-at-the-last-length": (counted_to_four(), r"on the input \['a', 'a', 'a', 'a', 'a'\]"),
        "list-in-reverse": (good.listed(["y", "x"]), DIFFER),
        "list-longer": (good.listed(["x", "y", "x"]), DIFFER),
        "mean-of-indicators-has-a-value": (good.booleans("indicator"), r"on the input \['a', 'a'\]"),
        "value-of-one-boolean": (restated(good.booleans("eq"), lengths=[1, 2]), r"on the input \['a'\]"),
        "too-many-inputs": (restated(good.histogram("abc", (1, 4)), lengths=[11, 11]), "more than 65536 inputs"),
        "too-many-steps": (restated(good.histogram("abc", (1, 4)), lengths=[10, 10]), "too large to check"),
        "power-too-long": (power(2**21), "a number that is too long"),
    }


def counted_to_four() -> Artifact:
    """min(n, 4) and n, up to n = 5."""
    graph = Graph()
    one, four = graph.constant(1), graph.constant(4)
    n = graph.node("width", graph.select("eq", one, one))
    least = graph.map("if", graph.map("lt", n, four), n, four)
    return artifact(graph, least, n, lengths=(1, 5), letters=["a"])


def power(exponent: int, symbolic: bool = False) -> Artifact:
    graph = Graph()
    x = graph.tokens()
    raised = graph.map("pow", x if symbolic else graph.constant(2), graph.constant(exponent))
    root = graph.map("mul", raised, graph.constant(1))
    if symbolic:
        return artifact(graph, raised, root, cases=[[]])
    return artifact(graph, raised, root, letters=[1])


def trees() -> dict[str, Case]:
    """Rule C: the tree."""
    early, missing, wrong = ordering(), ordering(), ordering()
    early["cases"]["-"] = []
    del missing["cases"]["-"]["cases"]["+"]["cases"]["0"]
    wrong["cases"]["-"]["form"] = [0, 1, -1, 1]
    joined = split([1, -1, 0], {"!": [], "0": []})
    return {
        "case-missing": (good.negated_order(split([1, -1, 0], {"-": [], "0": []})), COVERED),
        "case-missing-below": (good.maximum(missing), COVERED),
        "case-of-the-excluded-missing": (
            good.threshold(good.above({})),
            COVERED,
        ),
        "case-exchanged": (good.maximum(split([1, -1, 0, 0], {"-": [], "0": [], "!": []})), "do not determine"),
        "case-too-early": (good.maximum(early), "do not determine a sign"),
        "case-joins-both-signs": (good.negated_order(joined), "do not determine a sign"),
        "case-zero-undetermined": (good.reciprocal([]), "whether a value is 0"),
        "form-shifted": (good.maximum(wrong), f"do not determine|{COVERED}|{EXCLUDED}"),
        "order-of-others": (good.maximum(operation="le"), CASE),
        "differs-at-one-token": (one_word(True), CASE),
        "differs-where-both-have-values": (restated_second(good.at_zero(True), 2), CASE),
        "value-missing-at-zero": (good.at_zero(False), CASE),
        "selector-with-equality": (good.negated_order(PAIR, "gt"), CASE),
        "mean-is-the-sum": (good.mean_of_all(1), "whether a value is 0"),
        "polynomial-with-another-constant": (good.square_minus_one(HALF), CASE),
        "rational-is-not-integer": (good.maximum(kind="int"), "integer tokens of rational numbers"),
        "power-too-high": (power(65, True), "a power that is too high"),
        "square-is-not-negative": (squares(), "do not determine a sign"),
    }


def restated_second(files: Artifact, second: Any) -> Artifact:
    """x / x beside another constant."""
    nodes = json.loads(files["statement.json"])["parameters"]["nodes"]
    place = nodes.index(["constant", 1])
    nodes[place] = ["constant", second]
    return restated(files, nodes=nodes)


def squares() -> Artifact:
    """x^2 >= 0 is true, but no linear form decides it."""
    graph = Graph()
    x = graph.tokens()
    return artifact(
        graph, graph.map("ge", graph.map("mul", x, x), graph.constant(0)), graph.constant(True), cases=[NOT_ZERO]
    )


def combinations() -> dict[str, Case]:
    """Rule C: the combination that excludes a sign."""
    zero = [[0, 1, 2]]
    edits: dict[str, tuple[dict[str, Any], str]] = {
        "coefficient": ({"zero": zero, "plus": [[0, 1, 1], [1, 1, 1]]}, EXCLUDED),
        "constant-negative": ({"zero": zero, "plus": [[0, 1, 2]]}, EXCLUDED),
        "of-an-equation": ({"zero": [[1, 1, 1]], "plus": [[0, 1, 2], [1, 1, 1]]}, "of no strict inequality"),
        "weight-zero": ({"zero": zero, "plus": [[0, 0, 1], [1, 1, 1]]}, "not positive"),
        "empty": ({"zero": [], "plus": [[0, 1, 2], [1, 1, 1]]}, EXCLUDED),
        "names-one-twice": ({"zero": [[0, 1, 4], [0, 1, 4]], "plus": [[0, 1, 2], [1, 1, 1]]}, "twice"),
        "names-none": ({"zero": [[2, 1, 2]], "plus": [[0, 1, 2], [1, 1, 1]]}, "no such assumption"),
        "denominator-zero": ({"zero": [[0, 1, 0]], "plus": [[0, 1, 2], [1, 1, 1]]}, "a denominator 0"),
        "negative": ({"zero": [[0, -1, 2]], "plus": [[0, 1, 2], [1, 1, 1]]}, "outside"),
    }
    found = {
        f"combination-{name}": (good.threshold(good.above(excluded)), why) for name, (excluded, why) in edits.items()
    }
    possible = good.threshold(split([1, -1], {"+": []}, zero=[[0, 1, 1]], minus=[[0, 1, 1]]), (1, 1))
    joined = split([1, -1], {"!": split([1, -2], {"-": []}, plus=[[0, 1, 1], [1, 1, 1]], zero=[[0, 1, 1]]), "0": []})
    return found | {
        "combination-of-a-possible-sign": (possible, f"{EXCLUDED}|no strict inequality"),
        "combination-of-not-zero": (good.threshold(joined), "of no strict inequality"),
        "combination-for-a-false-claim": (good.threshold(good.above(), (2, 1)), CASE),
    }


def invalid() -> dict[str, Case]:
    found = {f"rasp-{name}": case for name, case in (inputs() | trees() | combinations()).items()}
    base = good.maximum()
    return found | {
        "rasp-claim-of-another-graph": (
            changed(base, lambda s, _: s["parameters"]["nodes"].append(["indices"])),
            "claims",
        ),
        "rasp-claim-with-other-lengths": (changed(base, lambda s, _: s["parameters"].update(lengths=[2, 3])), "claims"),
        "rasp-claim-of-integers": (changed(base, lambda s, _: s["parameters"].update(tokens="integer")), "claims"),
    }


def malformed() -> dict[str, Case]:
    from tests.check.malformed_rasp import malformed as found

    return found()
