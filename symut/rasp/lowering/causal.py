"""Causal programs: every selector also asks that the key does not stand after the query.

Main definitions: `causal`, `causal_nodes`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from symut.rasp import core
from symut.rasp.operations import Operation


def causal(root: core.Sequence) -> core.Sequence:
    """The same program in which queries select no later keys; the interpreter and the encoder run it as any other."""
    return causal_nodes([root])[0]  # type: ignore[return-value]


def causal_nodes(roots: Iterable[core.Node]) -> list[core.Node]:
    """The same for several nodes of one program; selectors among them select no later keys either."""
    indices = core.Indices()
    earlier = core.Select(indices, indices, Operation("le"))
    roots = list(roots)
    made: dict[core.Node, core.Node] = {}
    for node in core.order(roots):
        made[node] = _masked(node, tuple(made[child] for child in node.children), earlier)
    found = [made[root] for root in roots]
    return [_restricted(node, earlier) if isinstance(node, core.Selector) else node for node in found]


def _masked(node: core.Node, children: tuple, earlier: core.Selector) -> core.Node:
    """Selectors are restricted where they are read: by an aggregate, a width, or (the candidates) by best."""
    if isinstance(node, core.Best):
        half = 1 + len(node.keys)
        chosen = _restricted(children[0], earlier)
        return replace(node, selector=chosen, keys=children[1:half], queries=children[half:])
    if isinstance(node, (core.Aggregate, core.SelectorWidth)):
        chosen = _restricted(children[0], earlier)
        values = {"values": children[1]} if isinstance(node, core.Aggregate) else {}
        return replace(node, selector=chosen, **values)
    if isinstance(node, core.Map):
        return replace(node, arguments=children)
    if isinstance(node, core.Select):
        return replace(node, keys=children[0], queries=children[1])
    return replace(node, operands=children) if isinstance(node, core.Combine) else node


def _restricted(selector: core.Selector, earlier: core.Selector) -> core.Selector:
    """What best selects has been restricted before."""
    return selector if isinstance(selector, core.Best) else core.Combine("and", (selector, earlier), at=selector.at)
