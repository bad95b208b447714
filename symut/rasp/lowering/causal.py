"""Causal programs: every selector also asks that the key does not stand after the query.

Main definition: `causal`.
"""

from __future__ import annotations

from dataclasses import replace

from symut.rasp import core
from symut.rasp.operations import Operation


def causal(root: core.Sequence) -> core.Sequence:
    """The same program in which queries select no later keys; the interpreter and the encoder run it as any other."""
    indices = core.Indices()
    earlier = core.Select(indices, indices, Operation("le"))
    made: dict[core.Node, core.Node] = {}
    for node in core.order([root]):
        made[node] = _masked(node, tuple(made[child] for child in node.children), earlier)
    return made[root]  # type: ignore[return-value]


def _masked(node: core.Node, children: tuple, earlier: core.Selector) -> core.Node:
    if isinstance(node, (core.Aggregate, core.SelectorWidth)):
        chosen = core.Combine("and", (children[0], earlier), at=children[0].at)
        values = {"values": children[1]} if isinstance(node, core.Aggregate) else {}
        return replace(node, selector=chosen, **values)
    if isinstance(node, core.Map):
        return replace(node, arguments=children)
    if isinstance(node, core.Select):
        return replace(node, keys=children[0], queries=children[1])
    return replace(node, operands=children) if isinstance(node, core.Combine) else node
