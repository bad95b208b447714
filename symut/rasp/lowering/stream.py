"""The stream under construction: coordinates and groups, when they are ready, and the gates and heads that write them.

Main definitions: `StreamBuilder`, `TableBuilder`, `HeadBuilder`, `plus`, `times`.

A coordinate is ready at (layer, level): embeddings at (0, 0), what a head of layer l writes at (l, 0), what a gate
writes one level after its inputs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from symut.rasp.arithmetic import Value, normal
from symut.rasp.encoder.model import (
    GUARD,
    ONE,
    Bilinear,
    Border,
    Classes,
    Form,
    Gate,
    Group,
    Head,
    Layer,
    Number,
    Table,
)
from symut.rasp.errors import Position
from symut.rasp.lowering.ranges import in_order

Time = tuple[int, int]


def plus(*terms: tuple[Form, Number]) -> dict[int, Number]:
    """A weighted sum of forms."""
    total: dict[int, Number] = {}
    for form, weight in terms:
        for coordinate, value in form.items():
            total[coordinate] = normal(total.get(coordinate, 0) + weight * value)
    return {coordinate: value for coordinate, value in total.items() if value}


def constant(value: Number) -> dict[int, Number]:
    """The form that is `value` in every token row."""
    return {ONE: value} if value else {}


@dataclass(eq=False)
class TableBuilder:
    """A table gate to which outputs are added while the consumers of a value are lowered."""

    inputs: tuple[Form, ...]
    alphabets: tuple[tuple[Number, ...], ...]
    results: dict[tuple[Number, ...], Value]
    ready: Time
    refused: str
    at: Position | None
    columns: dict[int, tuple[Number, ...]] = field(default_factory=dict)
    classes: dict[int, tuple[int, ...]] = field(default_factory=dict)
    joint: int = 1

    def build(self) -> Table:
        rows = tuple(self.results)
        count = len(rows) * self.joint
        return Table(self.inputs, self.alphabets, rows, self.columns, self.classes, count, self.refused, self.at)


@dataclass(eq=False)
class HeadBuilder:
    """A head to which values are added."""

    name: str
    at: Position | None
    mask: Any
    bilinear: tuple[Bilinear, ...]
    classes: tuple[Classes, ...]
    guard: Number
    values: list[tuple[Form, int]] = field(default_factory=list)
    moves: dict[int, Border] = field(default_factory=dict)
    hidden: Any = None

    def build(self) -> Head:
        values = tuple(self.values)
        return Head(
            self.name, self.at, self.mask, self.bilinear, self.classes, self.guard, values, self.moves, self.hidden
        )


class StreamBuilder:
    """Names coordinates, remembers when they are ready, and collects heads and gates."""

    def __init__(self) -> None:
        self.coordinates = ["one", "guard"]
        self.groups: list[Group] = []
        self.ready: dict[int, Time] = {ONE: (0, 0), GUARD: (0, 0)}
        self.group_ready: list[Time] = []
        self.token_columns: dict[int, tuple[Number, ...]] = {}
        self.position_columns: dict[int, tuple[Number, ...]] = {}
        self.token_classes: dict[int, tuple[int, ...]] = {}
        self.position_classes: dict[int, tuple[int, ...]] = {}
        self.gates: dict[Time, list[Gate | TableBuilder]] = {}
        self.heads: dict[tuple, HeadBuilder] = {}
        self.known: dict[tuple, dict[int, Number]] = {}

    def add(self, name: str, ready: Time) -> int:
        """A new coordinate."""
        self.coordinates.append(name)
        self.ready[len(self.coordinates) - 1] = ready
        return len(self.coordinates) - 1

    def add_group(self, group: Group, ready: Time) -> int:
        """A new group."""
        self.groups.append(group)
        self.group_ready.append(ready)
        return len(self.groups) - 1

    def time(self, forms: Iterable[Form]) -> Time:
        """When forms can be read."""
        return max((self.ready[c] for form in forms for c in form), default=(0, 0))

    def by_token(self, name: str, values: Sequence[Number]) -> dict[int, Number]:
        """A form with the given value at each letter: an embedding, shared with equal ones."""
        return self._embedded(self.token_columns, name, tuple(values))

    def by_position(self, name: str, values: Sequence[Number]) -> dict[int, Number]:
        """A form with the given value at each position."""
        return self._embedded(self.position_columns, name, tuple(values))

    def _embedded(self, columns: dict, name: str, values: tuple[Number, ...]) -> dict[int, Number]:
        for coordinate, known in columns.items():
            fit = affine(known, values)
            if fit is not None:
                return plus(({coordinate: 1}, fit[0]), (constant(fit[1]), 1))
        if len(set(values)) <= 1:
            return constant(values[0] if values else 0)
        coordinate = self.add(name, (0, 0))
        columns[coordinate] = values
        return {coordinate: 1}

    def gate(self, kind: str, inputs: Sequence[Form], name: str, weights: tuple = (), at: Any = None) -> dict:
        """The form of a gate's output; equal gates are one."""
        key = (kind, tuple(tuple(sorted(form.items())) for form in inputs), weights)
        if key not in self.known:
            layer, level = self.time(inputs)
            output = self.add(name, (layer, level + 1))
            self.gates.setdefault((layer, level + 1), []).append(Gate(kind, tuple(inputs), output, weights, at))
            self.known[key] = {output: 1}
        return self.known[key]

    def table(
        self, inputs: Sequence[tuple[Form, Iterable[Number]]], results: dict, refused: str, at: Any
    ) -> TableBuilder:
        """A table gate without outputs yet; inputs come with all their values."""
        forms = tuple(form for form, _ in inputs)
        alphabets = tuple(tuple(sorted(set(values), key=in_order)) for _, values in inputs)
        layer, level = self.time(forms)
        made = TableBuilder(forms, alphabets, results, (layer, level + 1), refused, at)
        self.gates.setdefault(made.ready, []).append(made)
        return made

    def column(self, table: TableBuilder, name: str, code: Callable[[Value], Number]) -> dict[int, Number]:
        """A numeric output of a table, a function of its result."""
        values = tuple(code(result) for result in table.results.values())
        known = next((c for c, column in table.columns.items() if column == values), None)
        coordinate = self.add(name, table.ready) if known is None else known
        table.columns[coordinate] = values
        return {coordinate: 1}

    def head(self, key: tuple, make: Callable[[], HeadBuilder]) -> HeadBuilder:
        """The head with this key (whose first entry is its layer), made if there is none."""
        if key not in self.heads:
            self.heads[key] = make()
        return self.heads[key]

    def layers(self) -> tuple[Layer, ...]:
        """All layers; the first holds the gates before any attention."""
        depth = max([key[0] for key in self.heads] + [time[0] for time in self.gates], default=0)
        return tuple(self._layer(number) for number in range(depth + 1))

    def _layer(self, number: int) -> Layer:
        heads = tuple(head.build() for key, head in self.heads.items() if key[0] == number)
        deepest = max((level for layer, level in self.gates if layer == number), default=0)
        levels = [self.gates.get((number, level), []) for level in range(1, deepest + 1)]
        built = tuple(tuple(g.build() if isinstance(g, TableBuilder) else g for g in level) for level in levels)
        return Layer(heads, built)


def affine(inputs: Sequence[Number], outputs: Sequence[Number]) -> tuple[Number, Number] | None:
    """(a, b) with output = a input + b everywhere, None if there is none."""
    from fractions import Fraction

    first, base = inputs[0], outputs[0]
    other = next((i for i, value in enumerate(inputs) if value != first), None)
    if other is None:
        return (0, base) if all(value == base for value in outputs) else None
    slope = normal(Fraction(outputs[other] - base) / Fraction(inputs[other] - first))
    shift = normal(base - slope * first)
    fits = all(slope * x + shift == y for x, y in zip(inputs, outputs, strict=True))
    return (slope, shift) if fits else None
