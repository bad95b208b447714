"""The core graph of two programs as JSON, as the independent checker reads it.

Main definition: `graph_of`.  Specification: proofs/FORMAT.md, section 12.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from symut.rasp import core
from symut.rasp.arithmetic import Value
from symut.rasp.operations import Operation
from symut.rasp.sharing import shared
from symut.rasp.symbolic.domain import UnsupportedError
from symut.rasp.symbolic.rules import in_mode


def graph_of(first: core.Node, second: core.Node) -> tuple[list[list[Any]], int, int]:
    """The nodes of both programs, children first, and the numbers of the two roots.

    Raises UnsupportedError for Python functions, exponentials and best, which the checker does not evaluate.
    """
    one, other = shared([first, second])
    places: dict[core.Node, int] = {}
    nodes: list[list[Any]] = []
    for node in core.order([one, other]):
        _add(node, nodes, places)
    return nodes, places[one], places[other]


def plain(value: Value) -> Any:
    """A value in JSON: {"q": [p, q]} for the rational p/q."""
    value = in_mode(value)
    return {"q": [value.numerator, value.denominator]} if isinstance(value, Fraction) else value


def _add(node: core.Node, nodes: list[list[Any]], places: dict[core.Node, int]) -> None:
    at = [places[child] for child in node.children]
    if isinstance(node, core.Select) and node.predicate.name in ("in", "index"):
        raise UnsupportedError("a table as a predicate")
    if isinstance(node, core.Best):
        raise UnsupportedError("best is no node of the checker's graphs")
    nodes.append(_record(node, at))
    places[node] = len(nodes) - 1


def _record(node: core.Node, at: list[int]) -> list[Any]:
    if isinstance(node, core.Map):
        return _mapped(node.operation, at)
    if isinstance(node, core.Select):
        return ["select", _name(node.predicate), *at]
    if isinstance(node, core.Combine):
        return ["combine", node.connective, at]
    if isinstance(node, core.Aggregate):
        return ["aggregate", *at, plain(node.default)]
    if isinstance(node, core.SelectorWidth):
        return ["width", *at]
    if isinstance(node, core.Constant):
        return ["constant", plain(node.value)]
    return ["tokens", node.kind] if isinstance(node, core.Tokens) else ["indices"]


def _mapped(operation: Operation, at: list[int]) -> list[Any]:
    if operation.name not in ("in", "index"):
        return ["map", _name(operation), at]
    if operation.keyed:
        return ["key", [[plain(key), plain(value)] for key, value in operation.table], *at]
    return [operation.name, [plain(value) for value in operation.table], *at]


def _name(operation: Operation) -> str:
    if operation.function is not None or operation.name in ("exp", "root"):
        raise UnsupportedError(f"{operation} has no exact table")
    return operation.name
