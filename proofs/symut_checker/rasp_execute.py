"""A graph of RASP operations on n tokens (FORMAT.md, section 12, "Graphs")."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from .rasp_polynomial import Ratio, Text
from .rasp_text import DECIMAL, WHOLE, written
from .rasp_values import OPERATIONS, Case, Stop, looked_up, plain
from .rasp_work import size_of
from .strict import need


def execute(case: Case, nodes: list[list[Any]], tokens: list[Any], needed: list[int]) -> list[Any] | None:
    """The values of the last node that is needed, for a selector its rows as lists of booleans; None if it stops.

    `needed` has the numbers of all nodes that it is computed from, in order.
    """
    found: dict[int, list[Any]] = {}
    case.steps.held = 0
    try:
        for place in needed:
            node = nodes[place]
            case.steps.spend(cost(node, len(tokens)))
            found[place] = NODES[node[0]](case, node, found, tokens)
            if node[0] in ("select", "combine"):
                case.steps.hold(8 * len(tokens) ** 2)
            else:
                case.steps.hold(sum(map(size_of, found[place])))
                one_kind(case, found[place])
    except Stop:
        return None
    return found[needed[-1]]


def cost(node: list[Any], n: int) -> int:
    """Steps: n^2 where selectors are made or read, else n, times the entries of a table."""
    if node[0] in ("select", "combine", "aggregate", "width"):
        return n * n
    return n * (1 + 4 * len(node[1])) if node[0] in ("in", "index", "key") else n


def one_kind(case: Case, values: list[Any]) -> None:
    if len({case.is_string(value) for value in values}) > 1:
        raise Stop


def read_token(kind: str, token: Any) -> Any:
    if kind == "asis":
        return token
    if isinstance(token, Ratio):  # any rational number, or any integer
        need(kind in ("float", "int", "str"), "this reading of a symbolic token")
        return Text(token) if kind == "str" else token
    if kind == "str":
        return token if isinstance(token, str) else str(token) if isinstance(token, bool) else written(Fraction(token))
    if kind == "bool":
        return bool(token)
    if not isinstance(token, str):
        return int(token) if kind == "int" else token + 0
    if (WHOLE if kind == "int" else DECIMAL).fullmatch(token.strip()):
        return plain(Fraction(token.strip()))
    raise Stop


def tokens_of(case: Case, node: list[Any], found: dict, tokens: list[Any]) -> list[Any]:
    if node[1] == "bool":
        return [case.truth(token) for token in tokens]
    return [read_token(node[1], token) for token in tokens]


def applied(case: Case, node: list[Any], found: dict, tokens: list[Any]) -> list[Any]:
    function = OPERATIONS[node[1]][1]
    return [function(case, *row) for row in zip(*(found[a] for a in node[2]), strict=True)]


def in_table(case: Case, node: list[Any], found: dict, tokens: list[Any]) -> list[Any]:
    return [looked_up(case, node[0], node[1], value) for value in found[node[2]]]


def select(case: Case, node: list[Any], found: dict, tokens: list[Any]) -> list[Any]:
    function = OPERATIONS[node[1]][1]
    return [[case.truth(function(case, key, query)) for key in found[node[2]]] for query in found[node[3]]]


def combine(case: Case, node: list[Any], found: dict, tokens: list[Any]) -> list[Any]:
    operands = [found[a] for a in node[2]]
    if node[1] == "not":
        return [[not entry for entry in row] for row in operands[0]]
    join = all if node[1] == "and" else any
    return [[join(entries) for entries in zip(*rows, strict=True)] for rows in zip(*operands, strict=True)]


def aggregate(case: Case, node: list[Any], found: dict, tokens: list[Any]) -> list[Any]:
    values = found[node[2]]
    return [mean(case, values, [v for v, on in zip(values, row, strict=True) if on], node[3]) for row in found[node[1]]]


def mean(case: Case, values: list[Any], chosen: list[Any], default: Any) -> Any:
    if len(chosen) <= 1:
        return chosen[0] if chosen else default
    if any(case.is_string(value) for value in values) or all(isinstance(value, bool) for value in values):
        raise Stop
    total: Any = 0
    for value in chosen:
        total = case.add(total, value)
    return case.multiply(Fraction(1, len(chosen)), total)


NODES = {
    "tokens": tokens_of,
    "indices": lambda case, node, found, tokens: list(range(len(tokens))),
    "constant": lambda case, node, found, tokens: [node[1]] * len(tokens),
    "map": applied,
    "in": in_table,
    "index": in_table,
    "key": in_table,
    "select": select,
    "combine": combine,
    "aggregate": aggregate,
    "width": lambda case, node, found, tokens: [sum(row) for row in found[node[1]]],
}
