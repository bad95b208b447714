"""Artifacts of section 12 whose files are broken: parameters, graphs and trees that cannot be read."""

from __future__ import annotations

from typing import Any

from tests.check import corpus_rasp as good
from tests.check.build import Artifact
from tests.check.build_rasp import Graph, artifact, split
from tests.check.corpus_rasp import Case
from tests.check.invalid_rasp import changed, restated


def graph_of(*nodes: list[Any], first: int | None = None) -> Artifact:
    """The last node beside itself."""
    graph = Graph()
    graph.nodes = list(nodes)
    last = len(nodes) - 1
    return artifact(graph, last if first is None else first, last)


def parameters() -> dict[str, Case]:
    base, letters = good.maximum(), good.histogram("ab", (1, 2))
    edits: dict[str, tuple[Artifact, dict[str, Any], str]] = {
        "length-zero": (base, {"lengths": [0, 3]}, "outside 1..64"),
        "length-above-64": (good.same_node(False), {"lengths": [1, 65]}, "outside 1..64"),
        "lengths-reversed": (base, {"lengths": [3, 2]}, "the first is larger"),
        "lengths-of-three": (base, {"lengths": [3, 3, 3]}, "3 entries, expected 2"),
        "tokens-unknown": (base, {"tokens": "complex"}, "tokens"),
        "letters-missing": (letters, {"letters": []}, "letters"),
        "letters-of-rationals": (base, {"letters": ["a"]}, "letters"),
        "letter-float": (letters, {"letters": ["a", None]}, "a value"),
        "first-outside": (base, {"first": 999}, "outside"),
        "first-negative": (base, {"first": -1}, "outside"),
        "first-boolean": (base, {"first": True}, "expected integers"),
        "defined-number": (base, {"defined": 1}, "defined"),
        "programs-not-hashes": (base, {"programs": ["x", "y"]}, "no SHA-256"),
        "programs-of-one": (base, {"programs": ["0" * 64]}, "1 entries, expected 2"),
        "unknown-parameter": (base, {"n": 3}, "unknown field"),
    }
    return {name: (restated_badly(files, change), why) for name, (files, change, why) in edits.items()}


def restated_badly(files: Artifact, change: dict[str, Any]) -> Artifact:
    """With a claim that fits, unless the parameters have none."""
    try:
        return restated(files, **change)
    except (KeyError, ValueError):
        return changed(files, lambda s, _: s["parameters"].update(change))


def graphs() -> dict[str, Case]:
    here, pair = ["indices"], ["select", "eq", 0, 0]
    found: dict[str, tuple[Artifact, str]] = {
        "of-no-node": (restated(good.same_node(False), nodes=[]), "first"),
        "node-unknown": (graph_of(["vector"]), "no known kind"),
        "node-of-no-parts": (graph_of([]), "no known kind"),
        "node-with-more-parts": (graph_of(["indices", 0]), "wrong number of parts"),
        "argument-of-itself": (graph_of(here, ["map", "neg", [1]]), "outside"),
        "argument-later": (graph_of(["map", "neg", [1]], here), "outside"),
        "argument-negative": (graph_of(here, ["map", "neg", [-1]]), "outside"),
        "argument-missing": (graph_of(here, ["map", "add", [0]]), "wrong number of arguments"),
        "operation-unknown": (graph_of(here, ["map", "exp", [0]]), "unknown operation"),
        "connective-unknown": (graph_of(here, pair, ["combine", "xor", [1, 1]]), "unknown connective"),
        "connective-of-one": (graph_of(here, pair, ["combine", "and", [1]]), "1 entries, expected 2"),
        "reading-unknown": (graph_of(["tokens", "complex"]), "unknown kind of tokens"),
        "value-null": (graph_of(["constant", None]), "a value"),
        "value-not-reduced": (graph_of(["constant", {"q": [2, 4]}]), "lowest terms"),
        "value-whole": (graph_of(["constant", {"q": [2, 1]}]), "lowest terms"),
        "value-denominator-negative": (graph_of(["constant", {"q": [1, -2]}]), "lowest terms"),
        "default-list": (graph_of(here, pair, ["aggregate", 1, 0, [0]]), "a value"),
        "width-of-a-sequence": (graph_of(here, ["width", 0]), "a selector belongs"),
        "selector-in-an-operation": (graph_of(here, pair, ["map", "neg", [1]]), "a sequence belongs"),
        "selector-and-sequence": (graph_of(here, pair, first=0), "not comparable"),
        "key-of-three": (graph_of(here, ["key", [[1, 2, 3]], 0]), "3 entries, expected 2"),
    }
    return {f"graph-{name}": case for name, case in found.items()}


def certificates() -> dict[str, Case]:
    base, letters, same = good.maximum(), good.histogram("ab", (1, 2)), good.same_node(False)
    whole = {"-": [], "0": [], "+": []}
    bad: dict[str, tuple[Any, str]] = {
        "null": (None, "expected an object"),
        "empty": ({}, "missing field"),
        "leaf-with-content": ([[]], "not empty"),
        "sign-unknown": (split([1, -1, 0, 0], {"<": []}), "unknown field"),
        "form-constant": (split([0, 0, 0, 5], {"+": []}), "constant"),
        "form-too-short": (split([1, -1, 0], whole), "3 entries, expected 4"),
        "form-boolean": (split([True, -1, 0, 0], whole), "expected integers"),  # type: ignore[list-item]
        "note": (split([1, -1, 0, 0], whole) | {"note": ""}, "unknown field"),
        "excludes-not-zero": (split([1, -1, 0, 0], whole) | {"excluded": {"!": []}}, "unknown field"),
        "combination-of-pairs": (split([1, -1, 0, 0], {"+": []}, minus=[[0, 1]], zero=[]), "2 entries, expected 3"),
    }
    found = {f"tree-{name}": (with_tree(base, tree), why) for name, (tree, why) in bad.items()}
    return found | {
        "tree-float": (with_bytes(base, b'"form": [1,', b'"form": [1.5,'), "strict JSON"),
        "trees-too-few": (restated(good.square_minus_one(), lengths=[2, 4]), "2 entries, expected 3"),
        "trees-missing": (changed(base, lambda _, c: c.pop("cases")), "missing field cases"),
        "trees-of-letters": (changed(letters, lambda _, c: c.update(cases=[[], []])), "unknown field"),
        "trees-of-one-node": (changed(same, lambda _, c: c.update(cases=[])), "unknown field"),
        "certificate-note": (changed(base, lambda _, c: c.update(note="")), "unknown field"),
        "statement-hash": (hashed(base), "SHA-256|statement"),
    }


def with_tree(files: Artifact, tree: Any) -> Artifact:
    return changed(files, lambda _, c: c.update(cases=[tree]))


def with_bytes(files: Artifact, old: bytes, new: bytes) -> Artifact:
    return files | {"certificate.json": files["certificate.json"].replace(old, new)}


def hashed(files: Artifact) -> Artifact:
    """The certificate of another statement."""
    other = good.maximum(tokens="integer")
    return files | {"certificate.json": other["certificate.json"]}


def squared() -> Artifact:
    """Coefficients with twice the bits in each node."""
    graph = Graph()
    last = graph.map("mul", graph.tokens(), graph.constant(3))
    for _ in range(24):
        last = graph.map("mul", last, last)
    return artifact(graph, last, graph.map("pos", last), cases=[[]])


def repeated() -> Artifact:
    """Strings of 2^20 characters at 64 positions in each of twenty nodes."""
    graph = Graph()
    sign, count = graph.constant("\U0001f600"), graph.constant(2**20)
    texts = [graph.map("mul", sign, count) for _ in range(20)]
    last = graph.map("eq", texts[0], texts[1])
    for text in texts:
        last = graph.map("and", last, graph.map("eq", texts[0], text))
    return artifact(graph, last, graph.map("not", last), lengths=(64, 64), letters=[0])


def costly() -> dict[str, Case]:
    return {
        "large-coefficients": (squared(), "a number that is too long"),
        "large-strings": (repeated(), "bytes on one input, too large to check"),
    }


def malformed() -> dict[str, Case]:
    found = parameters() | graphs() | certificates() | costly()
    return {f"rasp-{name}": case for name, case in found.items()}
