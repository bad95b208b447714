"""Artifacts of section 12, built by hand from FORMAT.md, without the checker and the prover.

Main definitions: `Graph`, `artifact`, `ordering`.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from tests.check.build import Artifact, signed

GOAL = "rasp_equality"
TOKENS = {"rational": "rational numbers", "integer": "integers"}
SHA = [hashlib.sha256(name).hexdigest() for name in (b"one", b"other")]


class Graph:
    """Nodes in the order in which they are made; every method adds one and returns its number."""

    def __init__(self) -> None:
        self.nodes: list[list[Any]] = []

    def node(self, *parts: Any) -> int:
        self.nodes.append(list(parts))
        return len(self.nodes) - 1

    def tokens(self, kind: str = "float") -> int:
        return self.node("tokens", kind)

    def constant(self, value: Any) -> int:
        return self.node("constant", value)

    def map(self, operation: str, *arguments: int) -> int:
        return self.node("map", operation, list(arguments))

    def select(self, operation: str, keys: int, queries: int) -> int:
        return self.node("select", operation, keys, queries)

    def at(self, values: int, position: int) -> int:
        """The value at one position, everywhere."""
        return self.node(
            "aggregate", self.select("eq", self.node("indices"), self.constant(position)), values, "no such position"
        )

    def larger(self, a: int, b: int) -> int:
        return self.map("if", self.map("ge", a, b), a, b)


def compact(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def claim(p: dict[str, Any]) -> str:
    least, most = p["lengths"]
    span = f"n = {least}" if least == most else f"n = {least}..{most}"
    graph = hashlib.sha256(compact(p["nodes"]).encode()).hexdigest()
    both = "have equal values wherever both have values," if p["defined"] else "have equal values, or both have none,"
    tokens = TOKENS.get(p["tokens"], f"from the list {compact(p['letters'])}")
    return (
        f"{span}: nodes {p['first']} and {p['second']} of the graph of RASP operations with SHA-256 {graph} {both} "
        f"on every input of n tokens that are {tokens}."
    )


def stated(p: dict[str, Any], certificate: dict[str, Any]) -> Artifact:
    """The files, with the claim that fits the parameters."""
    statement = {"format": "symut-statement-1", "goal": GOAL, "parameters": p, "claims": [claim(p)]}
    return signed(statement, {"format": "symut-certificate-1", **certificate})


def artifact(
    graph: Graph,
    first: int,
    second: int,
    *,
    lengths: tuple[int, int] = (1, 1),
    tokens: str | None = None,
    letters: Any = (),
    defined: bool = False,
    **certificate: Any,
) -> Artifact:
    """Nodes `first` and `second`; with `letters` the tokens are these."""
    p = {
        "lengths": list(lengths),
        "tokens": tokens or ("letters" if letters else "rational"),
        "letters": list(letters),
        "nodes": graph.nodes,
        "first": first,
        "second": second,
        "defined": defined,
        "programs": SHA,
    }
    return stated(p, certificate)


def split(form: list[int], cases: dict[str, Any], **excluded: list[list[int]]) -> dict[str, Any]:
    """A case node; `excluded` by the names minus, zero and plus."""
    signs = {"minus": "-", "zero": "0", "plus": "+"}
    table = {"form": form, "cases": cases}
    return table | ({"excluded": {signs[name]: c for name, c in excluded.items()}} if excluded else {})


def ordering() -> dict[str, Any]:
    """All orders of three tokens, by x0 - x1, x1 - x2 and x0 - x2; the third is excluded by Farkas where it follows."""
    first = {a: split([0, 1, -1, 0], {b: _third(a, b) for b in "-0+"}) for a in "-0+"}
    return split([1, -1, 0, 0], first)


def _third(a: str, b: str) -> dict[str, Any]:
    form: list[int] = [1, 0, -1, 0]
    both = [[0, 1, 1], [1, 1, 1]]
    if "0" in (a, b):  # under an equation x0 - x2 is one of the first two forms, or 0
        return split(form, {a if b == "0" else b: []})
    if a != b:
        return split(form, {"-": [], "0": [], "+": []})
    opposite = {"plus" if a == "-" else "minus": [*both, [2, 1, 1]]}
    return split(form, {a: []}, zero=both, **opposite)
