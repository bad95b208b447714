"""Where the values of a sequence stand in the stream: as a number, as its square, as a one-hot.

Main definition: `Values`.

Positional and tokenwise sequences are embeddings and need no gates. Aggregates and widths are outputs of heads, other
operations outputs of gates or linear forms; `scalar` makes them when they are first read.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from symut.rasp import core
from symut.rasp.arithmetic import Value, normal
from symut.rasp.encoder.model import Bilinear, Classes, Form, Group, Number
from symut.rasp.lowering.codes import Codes, extended, fresh, ranks
from symut.rasp.lowering.facts import Analysis
from symut.rasp.lowering.kinds import means_in, moves
from symut.rasp.lowering.ranges import UNDEFINED, Range, Real
from symut.rasp.lowering.selecting import classes
from symut.rasp.lowering.stream import StreamBuilder, TableBuilder


def described(node: core.Node) -> str:
    """A short name for coordinates: what the node is, and its place in the program."""
    what = str(node.operation) if isinstance(node, core.Map) else type(node).__name__.lower()
    return f"{what} {node.at.line}:{node.at.column}" if node.at else what


class Values:
    """The stream's forms and groups by sequence; `lowered` makes the form of an aggregate, a width or an operation."""

    def __init__(self, found: Analysis, lowered: Callable[[core.Sequence], Form]) -> None:
        self.found, self.lowered = found, lowered
        self.stream = StreamBuilder()
        self.scalars: dict[core.Sequence, Form] = {}
        self.tables: dict[core.Sequence, TableBuilder] = {}
        self.groups: dict[tuple, int] = {}
        self.scores: dict[tuple, tuple[tuple[Bilinear, ...], tuple[Classes, ...]]] = {}
        self.number: int | None = None
        self.finite: dict[int, Sequence[Number]] = {}
        self._codes: dict[core.Sequence, Codes] = {}
        every = [
            v for part in found.ranges.values() if isinstance(part, Range) and not part.numeric for v in part.values
        ]
        self.ranks = ranks(every)

    def numeric(self, node: core.Sequence) -> bool:
        """Whether all values are numbers, which stand for themselves."""
        part = self.found.ranges[node]
        return isinstance(part, Real) or part.numeric

    def codes(self, node: core.Sequence) -> Codes:
        """The numbers that stand for the values of a sequence with a finite range."""
        if node not in self._codes:
            part = self.found.ranges[node]
            assert isinstance(part, Range)
            computed = isinstance(node, core.Aggregate) and self.found.positional(node) is None
            if isinstance(node, core.Aggregate) and computed and moves(self.found, node):
                self._codes[node] = extended(means_in(self.found, node) | self.codes(node.values), node.default)
            else:
                self._codes[node] = fresh(part.values, self.ranks)
        return self._codes[node]

    def code(self, node: core.Sequence, value: Value) -> Number:
        """The number that stands for one value."""
        if self.numeric(node):
            return normal(value if not isinstance(value, bool) else int(value))
        return self.codes(node)[value]

    def scalar(self, node: core.Sequence) -> Form:
        """The form that holds the sequence's number."""
        if node not in self.scalars:
            self.scalars[node] = self._scalar(node)
        return self.scalars[node]

    def _scalar(self, node: core.Sequence) -> Form:
        embedded = self.embedded(node, lambda value: self.code(node, value), described(node))
        if embedded is not None:
            return embedded
        if isinstance(node, core.Tokens):
            if self.number is None:
                self.number = self.stream.add("token", (0, 0))
            return {self.number: 1}
        return self.lowered(node)

    def embedded(self, node: core.Sequence, code: Callable[[Value], Number], name: str) -> Form | None:
        """A function of a positional or tokenwise sequence as an embedding, None for other sequences."""
        values = self.found.positional(node)
        if values is not None:
            return self.stream.by_position(name, [code(value) for value in values])
        if node in self.found.tokenwise:
            letters = self.found.tokenwise[node]
            return self.stream.by_token(name, [0 if value is UNDEFINED else code(value) for value in letters])
        return None

    def square(self, node: core.Sequence) -> Form:
        """The form that holds the square of the sequence's number."""

        def squared(value: Value) -> Number:
            return normal(Fraction(self.code(node, value)) ** 2)

        name = f"({described(node)})^2"
        embedded = self.embedded(node, squared, name)
        if embedded is not None:
            return embedded
        form = self.scalar(node)
        if node in self.tables:
            return self.stream.column(self.tables[node], name, squared)
        return self.stream.gate("product", (form, form), name)

    def group(
        self, nodes: Sequence[core.Sequence], order: Sequence[tuple[Value, ...]], joint_with_positions: bool
    ) -> int:
        """A one-hot over the combinations `order` of values of several sequences, also joint with the position."""
        key = (tuple(nodes), tuple(order), joint_with_positions)
        if key not in self.groups:
            self.groups[key] = self._group(nodes, {row: i for i, row in enumerate(order)}, joint_with_positions)
        return self.groups[key]

    def _group(self, nodes: Sequence[core.Sequence], index: dict[tuple, int], joint_with_positions: bool) -> int:
        name = "class of " + ", ".join(map(described, nodes))
        sizes = Group(name, len(index), self.found.n if joint_with_positions else 1)
        embedded = None if joint_with_positions else self._embedded_group(nodes, sizes, index)
        if embedded is not None:
            return embedded
        only = nodes[0]
        if len(nodes) == 1 and only in self.scalars and only in self.tables and not joint_with_positions:
            table, of_result = self.tables[only], True
        else:
            table, of_result = self._reading(nodes, index), False
        number = self.stream.add_group(sizes, table.ready)
        results = table.results.values()
        table.classes[number] = tuple(index[(r,)] if of_result else index[r] for r in results)
        table.joint = max(table.joint, sizes.positions)
        return number

    def _embedded_group(self, nodes: Sequence[core.Sequence], sizes: Group, index: dict[tuple, int]) -> int | None:
        columns = [self.found.positional(node) for node in nodes]
        if all(column is not None for column in columns):
            number = self.stream.add_group(sizes, (0, 0))
            self.stream.position_classes[number] = tuple(index[row] for row in zip(*columns, strict=True))  # type: ignore[arg-type]
            return number
        letters = [self._by_letter(node) for node in nodes]
        if all(column is not None for column in letters):
            number = self.stream.add_group(sizes, (0, 0))
            rows = zip(*letters, strict=True)  # type: ignore[arg-type]
            self.stream.token_classes[number] = tuple(index.get(row, 0) for row in rows)
            return number
        return None

    def _by_letter(self, node: core.Sequence) -> tuple | None:
        if node in self.found.tokenwise:
            return self.found.tokenwise[node]
        part = self.found.ranges[node]
        if isinstance(part, Range) and not part.by and part.single and self.found.alphabet is not None:
            return (part.values[0],) * len(self.found.alphabet)
        return None

    def _reading(self, nodes: Sequence[core.Sequence], index: dict[tuple, int]) -> TableBuilder:
        """A table from the numbers of several sequences to their combination of values."""
        found = classes(self.found, nodes)
        assert found is not None
        results = {tuple(self.code(node, value) for node, value in zip(nodes, row, strict=True)): row for row in found}
        return self.stream.table(list(map(self.read, nodes)), results, "a class is not defined", nodes[0].at)

    def read(self, node: core.Sequence) -> tuple[Form, list[Number]]:
        """An input of a table: the sequence's number, and all its values."""
        part = self.found.ranges[node]
        assert isinstance(part, Range)
        return self.scalar(node), [self.code(node, value) for value in part.values]

    def order_of(self, node: core.Sequence) -> list[tuple[Value, ...]]:
        """The classes of one sequence."""
        part = self.found.ranges[node]
        assert isinstance(part, Range)
        return [(value,) for value in part.values]
