"""Common subexpressions: nodes that compute the same from the same become one node.

Main definition: `shared`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from symut.rasp import core
from symut.rasp.operations import Operation


def shared(roots: Iterable[core.Node]) -> list[core.Node]:
    """The roots over a graph in which structurally equal nodes are merged; the first one's place is kept."""
    roots = list(roots)
    first: dict[tuple, core.Node] = {}
    merged: dict[core.Node, core.Node] = {}
    for node in core.order(roots):
        children = tuple(merged[child] for child in node.children)
        key = (type(node), _own(node), children)
        merged[node] = first.setdefault(key, node if children == node.children else _over(node, children))
    return [merged[root] for root in roots]


def _own(node: core.Node) -> Any:
    """What distinguishes a node from others over the same children; 1, True and "1" are different constants."""
    if isinstance(node, (core.Map, core.Select)):
        return _operation(node.operation if isinstance(node, core.Map) else node.predicate)
    for kind, name in ((core.Tokens, "kind"), (core.Constant, "value"), (core.Aggregate, "default")):
        if isinstance(node, kind):
            return type(getattr(node, name)), getattr(node, name)
    return node.connective if isinstance(node, core.Combine) else None


def _operation(operation: Operation) -> tuple:
    return operation.name, repr(operation.table), operation.keyed, operation.function


def _over(node: core.Node, children: tuple) -> core.Node:
    """The same node over other children."""
    if isinstance(node, core.Map):
        return replace(node, arguments=children)
    if isinstance(node, core.Combine):
        return replace(node, operands=children)
    if isinstance(node, core.Best):
        half = 1 + len(node.keys)
        return replace(node, selector=children[0], keys=children[1:half], queries=children[half:])
    names = {
        core.Select: ("keys", "queries"),
        core.Aggregate: ("selector", "values"),
        core.SelectorWidth: ("selector",),
    }
    return replace(node, **dict(zip(names[type(node)], children, strict=True)))
