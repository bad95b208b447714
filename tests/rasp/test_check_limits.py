"""Section 12 bounds time and memory whatever a graph says, and refuses the rest in one line.

More cases are files of tests/certificates (rasp-large-...).
"""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

import pytest

from symut.prover.checker import check_bytes
from symut.statement.rasp import Equality
from tests.check.build import rule

LARGE = "too large to check"


def verdict(nodes: list[Any], lengths: tuple[int, int], letters: tuple[Any, ...] = (), cases: Any = None) -> Any:
    """The checker's answer about the last two nodes."""
    last = len(nodes) - 1
    tokens = "letters" if letters else "rational"
    programs = ("0" * 64, "0" * 64)
    about: dict[str, Any] = {"tokens": tokens, "letters": list(letters), "nodes": nodes, "defined": False}
    made = Equality(least=lengths[0], most=lengths[1], first=last - 1, second=last, programs=programs, **about)
    statement = made.as_bytes()
    table = {"format": "symut-certificate-1", "statement": sha256(statement).hexdigest()}
    return check_bytes(statement, json.dumps(table | ({} if cases is None else {"cases": cases})).encode(), None)


def leaves() -> Any:
    """Many selectors at each of many leaves."""
    n, nodes = 64, [["tokens", "float"], ["indices"]]
    nodes += [["select", "eq", 1, 1] for _ in range(60)]
    for i in range(2, 61):
        nodes.append(["combine", "and", [i, len(nodes) - 1]])
    nodes += [["width", len(nodes) - 1], ["map", "pos", [len(nodes)]]]
    tree: Any = []
    for j in range(400):
        tree = {"form": [1] + [0] * (n - 1) + [-j], "cases": {"0": [], "!": tree}}
    return verdict(nodes, (n, n), cases=[tree])


def tables() -> Any:
    nodes = [["tokens", "asis"], ["in", list(range(5, 2005)), 0], ["constant", False]]
    return verdict(nodes, (1, 14), (0, 1))


def comparisons() -> Any:
    """One string, compared with itself at all pairs of positions."""
    nodes: list[Any] = [["constant", "a" * 2**20], ["constant", "a" * 2**20 + "b"]]
    nodes += [["select", "lt", 0, 1] for _ in range(20)]
    for i in range(2, 21):
        nodes.append(["combine", "and", [i, len(nodes) - 1]])
    return verdict([*nodes, ["width", len(nodes) - 1], ["map", "pos", [len(nodes)]]], (64, 64), (0,))


def sums() -> Any:
    """The cube of a sum of 30 tokens, added up."""
    nodes: list[Any] = [["tokens", "float"], ["constant", 1], ["select", "eq", 1, 1], ["aggregate", 2, 0, 0]]
    nodes += [["constant", 3], ["map", "pow", [3, 4]]]
    nodes += [["map", "add", [len(nodes) + i - 1, 5]] for i in range(20)]
    return verdict([*nodes, ["map", "pos", [len(nodes) - 1]]], (30, 30), cases=[[]])


@pytest.mark.parametrize("made", [pytest.param(leaves, marks=pytest.mark.slow), tables, comparisons, sums])
def test_what_costs_too_much_is_refused_in_one_line(made: Any) -> None:
    result = made()
    assert result.verdict == "INVALID"
    assert result.reason.endswith(LARGE), result.reason


def test_nodes_that_nothing_needs_cost_nothing() -> None:
    nodes = [["indices"]] * 20_000 + [["tokens", "asis"], ["map", "pos", [20_000]], ["map", "pos", [20_001]]]
    assert verdict(nodes, (10, 10), (0, 1)).verdict == "VALID"
    graph = rule("rasp_graph")
    read = [graph.read_node(node, number) for number, node in enumerate(nodes)]
    assert graph.below(read, 20_002) == {20_000, 20_001, 20_002}
