"""What analysis finds out about a program, and what follows from it for single nodes.

Main definition: `Analysis`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from symut.rasp import core
from symut.rasp.arithmetic import Value
from symut.rasp.errors import Position, RaspError
from symut.rasp.lifted import Lifted
from symut.rasp.lowering.averages import Counts
from symut.rasp.lowering.issues import Issue
from symut.rasp.lowering.kinds import Kinds, moves
from symut.rasp.lowering.mapped import Combinations
from symut.rasp.lowering.ranges import Range, Real
from symut.rasp.lowering.selecting import may_refuse
from symut.rasp.lowering.selections import Selection
from symut.rasp.operations import Operation


@dataclass(eq=False)
class Analysis:
    """What is known about the nodes that `root` is computed from."""

    root: core.Sequence
    n: int
    alphabet: tuple[Value, ...] | None
    strict: bool
    ranges: dict[core.Node, Range | Real] = field(default_factory=dict)
    kinds: dict[core.Node, Kinds] = field(default_factory=dict)
    tokenwise: dict[core.Node, tuple] = field(default_factory=dict)
    tables: dict[core.Map, Combinations] = field(default_factory=dict)
    selections: dict[core.Selector, Selection] = field(default_factory=dict)
    counts: dict[core.Selector, Counts] = field(default_factory=dict)
    depth: dict[core.Node, int] = field(default_factory=dict)
    refused: dict[core.Node, RaspError] = field(default_factory=dict)
    issues: list[Issue] = field(default_factory=list)

    def operation(self, node: core.Map) -> Operation:
        """The operation of a node; one that passes None on is the plain one where no argument can be None."""
        function = node.operation.function
        if not isinstance(function, Lifted) or any(self._has_none(argument) for argument in node.arguments):
            return node.operation
        return function.operation

    def _has_none(self, node: core.Sequence) -> bool:
        found = self.ranges[node]
        return isinstance(found, Range) and not found.numeric and None in found.values

    @property
    def limit(self) -> int:
        """The most combinations that a table gate reads."""
        return max(4096, (self.n + 1) ** 2)

    def positional(self, node: core.Sequence) -> list | None:
        """The values by position of a sequence that depends on nothing else."""
        found = self.ranges.get(node)
        if not isinstance(found, Range) or found.by not in ("", "q") or not found.single or self.can_fail(node):
            return None
        return [found.within("q", (q,))[0] for q in range(self.n)]

    def can_fail(self, node: core.Node) -> bool:
        """Whether some values of a node's arguments are an error in itself, which the encoder must tell."""
        if isinstance(node, core.Map):
            divides = self.operation(node).name in ("div", "pow", "root") and node not in self.tables
            return divides or (node in self.tables and self.tables[node].refused is not None)
        if not isinstance(node, (core.Aggregate, core.SelectorWidth)) or node.selector not in self.selections:
            return False
        moved = isinstance(node, core.Aggregate) and moves(self, node) and self.counts[node.selector].high > 1
        return moved or may_refuse(self, self.selections[node.selector])

    def place_of(self, node: core.Node) -> Position | None:
        """Where a node stands in the program, or where it is used if it has no place of its own."""
        return node.at or next((u.at for u in core.order([self.root]) if node in u.children and u.at), None)

    def report(self, node: core.Node, what: str, reason: str, remedy: str = "") -> None:
        """Add an issue at a node, or where the node is used if it has no place of its own."""
        issue = Issue(self.place_of(node), what, reason, remedy)
        self.issues += [] if issue in self.issues else [issue]
