"""The memory that compiling a program takes, bounded from its graph before anything is analysed.

Main definition: `predicted_bytes`.

A sequence takes at most so many (context, value) pairs: letters of the alphabet, positions, lengths and positions, or
products of these for operations, until the limit on ranges ends the list. Selectors hold n x n masks, and comparisons
of orders a matrix of their two sides. The bytes of a pair are measured.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from symut.rasp import core
from symut.rasp.sharing import shared

PAIR = 240
"""Bytes of a value in the range of a sequence, or of a row of a table."""
MASK = 40
"""Bytes of an entry of a mask, with the sums and copies that are made of it."""
ENTRY = 12
"""Bytes of an entry of a matrix that compares two sequences."""
_ORDERS = ("lt", "le", "gt", "ge")


_BOOLEAN = ("eq", "ne", *_ORDERS, "not", "and", "or", "in")


@dataclass(frozen=True)
class _Size:
    """At most `values` in every context; `by` is what contexts tell: the length m, the position q, both or nothing."""

    values: int
    by: frozenset[str] = frozenset()

    def pairs(self, n: int) -> int:
        return self.values * (1, n, n * (n + 1) // 2)[len(self.by)]


def predicted_bytes(root: core.Node, n: int, letters: int | None) -> int:
    """A bound for inputs of up to n tokens from an alphabet of so many letters (None: any numbers)."""
    sizes: dict[core.Node, _Size] = {}
    positional: set[core.Node] = set()
    total = 0
    for node in core.order(shared([root])):
        if all(child in positional for child in node.children) and not isinstance(node, core.Tokens):
            positional.add(node)
        if isinstance(node, core.Sequence):
            sizes[node], rows = _sized(node, n, letters or 1, sizes, node in positional)
            total += PAIR * (sizes[node].pairs(n) + rows)
        else:
            total += MASK * n * n + _compared(node, n, sizes, node in positional)
    return total


def _sized(node: core.Sequence, n: int, letters: int, sizes: dict, positional: bool) -> tuple[_Size, int]:
    """The size of a sequence's range, and the rows of its table."""
    if isinstance(node, core.Tokens):
        return _Size(letters), 0
    if isinstance(node, core.Constant):
        return _Size(1), 0
    if isinstance(node, core.Indices):
        return _Size(1, frozenset("q")), 0
    if isinstance(node, core.Map):
        return _of_map(node, n, [sizes[argument] for argument in node.arguments])
    if positional:
        return _Size(1, frozenset("mq")), 0
    if isinstance(node, core.SelectorWidth):
        return _Size(n + 1), 0
    assert isinstance(node, core.Aggregate)
    return _capped(_Size(sizes[node.values].pairs(n) * n * n), n), 0


def _of_map(node: core.Map, n: int, arguments: list[_Size]) -> tuple[_Size, int]:
    rows = _Size(math.prod(size.values for size in arguments), frozenset().union(*(size.by for size in arguments)))
    values = rows.values
    if node.operation.name in _BOOLEAN:
        values = min(values, 2)
    elif node.operation.name == "if":
        values = min(values, arguments[1].values + arguments[2].values)
    return _capped(_Size(values, rows.by), n), min(rows.pairs(n), max(4096, (n + 1) ** 2))


def _capped(size: _Size, n: int) -> _Size:
    """The range without contexts that holds as many values as ranges may."""
    most = 2 * max(4096, (n + 1) ** 2)
    return size if size.pairs(n) <= most else _Size(most)


def _compared(node: core.Node, n: int, sizes: dict, positional: bool) -> int:
    if positional or not isinstance(node, core.Select) or node.predicate.name not in _ORDERS:
        return 0
    return ENTRY * sizes[node.keys].pairs(n) * sizes[node.queries].pairs(n)
