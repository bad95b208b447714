"""The goal `rasp_equality`: two sequences of a graph of RASP operations are equal (FORMAT.md, section 12)."""

from __future__ import annotations

import hashlib
import json
from typing import Any, NamedTuple

from .goal import Goal, Table, Weights, always
from .rasp_cases import Pair, rule_cases, rule_inputs
from .rasp_graph import below, is_selector, read_node, read_value
from .rasp_polynomial import Work
from .rasp_work import Steps
from .strict import fields, integers, listing, need

MAX_LENGTH = 64


class Equality(NamedTuple):
    least: int
    most: int
    tokens: str  # rational, integer or letters
    letters: list[Any]
    alphabet: str
    pair: Pair
    graph: str
    programs: list[str]


def read(parameters: Any) -> Equality:
    names = ("lengths", "tokens", "letters", "nodes", "first", "second", "defined", "programs")
    p = fields(parameters, "statement.parameters", names)
    least, most = integers(p["lengths"], "lengths", 1, MAX_LENGTH, 2)
    need(least <= most, "lengths: the first is larger than the last")
    need(p["tokens"] in ("rational", "integer", "letters"), "tokens: not rational, integer or letters")
    letters = [read_value(value) for value in listing(p["letters"], "letters")]
    need((p["tokens"] == "letters") == bool(letters), "letters: needed for tokens that are letters, and only there")
    nodes = [read_node(node, number) for number, node in enumerate(listing(p["nodes"], "nodes"))]
    need(p["tokens"] != "rational" or ["tokens", "int"] not in nodes, "nodes: integer tokens of rational numbers")
    first, second = integers([p["first"], p["second"]], "first, second", 0, len(nodes) - 1)
    need(is_selector(nodes[first]) == is_selector(nodes[second]), "a sequence and a selector are not comparable")
    need(type(p["defined"]) is bool, "defined: not true or false")
    pair = Pair(nodes, first, second, (sorted(below(nodes, first)), sorted(below(nodes, second))), p["defined"])
    return Equality(
        least, most, p["tokens"], letters, compact(p["letters"]), pair, digest(p["nodes"]), hashes(p["programs"])
    )


def digest(nodes: Any) -> str:
    """SHA-256 of the nodes as compact JSON."""
    return hashlib.sha256(compact(nodes).encode("ascii")).hexdigest()


def compact(value: Any) -> str:
    """JSON with sorted keys, without spaces, in ASCII."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def hashes(value: Any) -> list[str]:
    found = listing(value, "programs", 2)
    for text in found:
        need(type(text) is str and len(text) == 64 and set(text) <= set("0123456789abcdef"), "programs: no SHA-256")
    return found


def parts(st: Equality) -> tuple[list[str], list[str]]:
    return ([], []) if st.tokens == "letters" or st.pair.first == st.pair.second else (["cases"], [])


def claims(st: Equality, table: Table) -> list[str]:
    tokens = {"rational": "rational numbers", "integer": "integers", "letters": f"from the list {st.alphabet}"}
    span = f"n = {st.least}" if st.least == st.most else f"n = {st.least}..{st.most}"
    where = "have equal values wherever both have values" if st.pair.defined else "have equal values, or both have none"
    return [
        f"{span}: nodes {st.pair.first} and {st.pair.second} of the graph of RASP operations with SHA-256 {st.graph} "
        f"{where}, on every input of n tokens that are {tokens[st.tokens]}."
    ]


def rules(st: Equality, table: Table, weights: Weights) -> None:
    Work.begin()
    steps = Steps()
    lengths = range(st.least, st.most + 1)
    if st.pair.first == st.pair.second:  # one node, whatever it computes
        return
    if st.tokens == "letters":
        for n in lengths:
            rule_inputs(st.pair, st.letters, n, steps)
        return
    trees = listing(table["cases"], "cases", len(lengths))
    for n, tree in zip(lengths, trees, strict=True):
        rule_cases(st.pair, n, tree, steps)


GOALS = {"rasp_equality": Goal(read, parts, claims, rules, always())}
