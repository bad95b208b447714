"""Reading a graph of RASP operations (FORMAT.md, section 12, "Graphs")."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from .rasp_execute import NODES
from .rasp_values import OPERATIONS
from .strict import fields, integers, listing, need

KINDS = ("str", "int", "float", "bool", "asis")


def read_value(value: Any) -> Any:
    """true, false, an integer, a string, or {"q": [p, q]} for p/q in lowest terms with q > 1."""
    if type(value) is dict:
        top, bottom = integers(fields(value, "a value", ["q"])["q"], "a value", -math.inf, math.inf, 2)
        need(bottom > 1 and Fraction(top, bottom).denominator == bottom, "a value: not in lowest terms")
        return Fraction(top, bottom)
    need(type(value) in (bool, int, str), "a value: not a boolean, number or string")
    return value


def read_node(node: Any, number: int) -> list[Any]:
    parts = listing(node, "a node")
    need(bool(parts) and type(parts[0]) is str and parts[0] in NODES, "a node of no known kind")
    return [parts[0], *READERS[parts[0]](parts[1:], number)]


def earlier(value: Any, number: int) -> int:
    return integers([value], "a node's argument", 0, number - 1)[0]


def operation(name: Any, arity: int | None) -> str:
    need(type(name) is str and name in OPERATIONS, "an unknown operation")
    need(arity in (None, OPERATIONS[name][0]), f"{name} of a wrong number of arguments")
    return name


def exactly(parts: list[Any], count: int) -> list[Any]:
    need(len(parts) == count, "a node with a wrong number of parts")
    return parts


def kind(value: Any) -> str:
    need(type(value) is str and value in KINDS, "an unknown kind of tokens")
    return value


def mapped(parts: list[Any], number: int) -> list[Any]:
    name, arguments = exactly(parts, 2)
    places = [earlier(value, number) for value in listing(arguments, "arguments")]
    return [operation(name, len(places)), places]


def combined(parts: list[Any], number: int) -> list[Any]:
    name, arguments = exactly(parts, 2)
    need(name in ("and", "or", "not"), "an unknown connective")
    return [name, [earlier(v, number) for v in listing(arguments, "operands", 1 if name == "not" else 2)]]


def tabled(parts: list[Any], number: int) -> list[Any]:
    table, place = exactly(parts, 2)
    return [[read_value(value) for value in listing(table, "a table")], earlier(place, number)]


def keyed(parts: list[Any], number: int) -> list[Any]:
    table, place = exactly(parts, 2)
    pairs = [[read_value(value) for value in listing(pair, "a pair", 2)] for pair in listing(table, "a table")]
    return [pairs, earlier(place, number)]


def selected(parts: list[Any], number: int) -> list[Any]:
    name, keys, queries = exactly(parts, 3)
    return [operation(name, 2), earlier(keys, number), earlier(queries, number)]


def aggregated(parts: list[Any], number: int) -> list[Any]:
    selector, values, default = exactly(parts, 3)
    return [earlier(selector, number), earlier(values, number), read_value(default)]


READERS: dict[str, Any] = {
    "tokens": lambda parts, number: [kind(exactly(parts, 1)[0])],
    "indices": lambda parts, number: exactly(parts, 0),
    "constant": lambda parts, number: [read_value(exactly(parts, 1)[0])],
    "map": mapped,
    "in": tabled,
    "index": tabled,
    "key": keyed,
    "select": selected,
    "combine": combined,
    "aggregate": aggregated,
    "width": lambda parts, number: [earlier(exactly(parts, 1)[0], number)],
}


def is_selector(node: list[Any]) -> bool:
    return node[0] in ("select", "combine")


ARGUMENTS: dict[str, Any] = {
    "map": lambda node: (node[2], []),
    "in": lambda node: ([node[2]], []),
    "index": lambda node: ([node[2]], []),
    "key": lambda node: ([node[2]], []),
    "select": lambda node: (node[2:4], []),
    "combine": lambda node: ([], node[2]),
    "aggregate": lambda node: ([node[2]], [node[1]]),
    "width": lambda node: ([], [node[1]]),
}
"""Per node: the sequences and the selectors that it reads."""


def below(nodes: list[list[Any]], root: int) -> set[int]:
    """The node and all that it is computed from."""
    found, waiting = set(), [root]
    while waiting:
        place = waiting.pop()
        if place in found:
            continue
        found.add(place)
        sequences, selectors = ARGUMENTS.get(nodes[place][0], lambda node: ([], []))(nodes[place])
        need(not any(is_selector(nodes[a]) for a in sequences), "a selector where a sequence belongs")
        need(all(is_selector(nodes[a]) for a in selectors), "a sequence where a selector belongs")
        waiting += [*sequences, *selectors]
    return found
