"""What an encoder costs: layers, heads, gates, the stream, tokens and weights, counted on what was built.

Main definitions: `Cost`, `LayerCost`, `cost`.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from symut.rasp.encoder.model import Encoder, Gate, Head, Layer, Table


@dataclass(frozen=True)
class LayerCost:
    """Of one layer: heads, gates per token (of relu the units), and levels of gates one after the other."""

    heads: int
    gates: int
    depth: int


@dataclass(frozen=True)
class Cost:
    """`gate_depth` is the number of levels of gates one after the other, `gates` their number by kind (of relu the
    units); `largest_table` the most combinations that a table reads. `layers` has these per layer, the first one
    without attention. `weights` are all entries of the matrices of heads and gates, `nonzero` those that are not 0.
    """

    attention_layers: int
    heads: tuple[int, ...]
    gate_depth: int
    gates: dict[str, int]
    largest_table: int
    stream_width: int
    tokens: int
    nonzero: int
    weights: int
    layers: tuple[LayerCost, ...]

    def as_json(self) -> dict[str, Any]:
        """The same as JSON values."""
        layers = [dict(layer.__dict__) for layer in self.layers]
        return {**self.__dict__, "heads": list(self.heads), "gates": dict(sorted(self.gates.items())), "layers": layers}

    def lines(self) -> list[tuple[str, str]]:
        """(label, text) for people."""
        gates = ", ".join(f"{count} {kind}" for kind, count in sorted(self.gates.items())) or "none"
        share = f" ({100 * self.nonzero / self.weights:.2g}%)" if self.weights else ""
        table = f", largest table {self.largest_table} combinations" if self.largest_table else ""
        return [
            ("attention layers", str(self.attention_layers)),
            ("heads per layer", ", ".join(map(str, self.heads)) or "none"),
            ("gates", f"{gates}; depth {self.gate_depth}{table}"),
            ("stream width", str(self.stream_width)),
            ("tokens", f"{self.tokens} (the guard and n = {self.tokens - 1})"),
            ("weights", f"{self.nonzero} of {self.weights} are not 0{share}"),
        ]


def cost(encoder: Encoder) -> Cost:
    """The cost of an encoder."""
    gates: Counter[str] = Counter()
    every = [gate for layer in encoder.layers for level in layer.levels for gate in level]
    for gate in every:
        gates["table" if isinstance(gate, Table) else gate.kind] += _units(gate)
    width = len(encoder.coordinates) + sum(group.width for group in encoder.groups)
    heads = [head for layer in encoder.layers for head in layer.heads]
    counted = [_head_weights(head, width, encoder) for head in heads] + [_gate_weights(gate, width) for gate in every]
    return Cost(
        attention_layers=len(encoder.layers) - 1,
        heads=tuple(len(layer.heads) for layer in encoder.layers[1:]),
        gate_depth=sum(len(layer.levels) for layer in encoder.layers),
        gates=dict(gates),
        largest_table=max((gate.combinations for gate in every if isinstance(gate, Table)), default=0),
        stream_width=width,
        tokens=1 + encoder.n,
        nonzero=sum(nonzero for nonzero, _ in counted),
        weights=sum(total for _, total in counted),
        layers=tuple(map(_layer, encoder.layers)),
    )


def _layer(layer: Layer) -> LayerCost:
    gates = sum(_units(gate) for level in layer.levels for gate in level)
    return LayerCost(len(layer.heads), gates, len(layer.levels))


def _units(gate: Gate | Table) -> int:
    return len(gate.inputs) if isinstance(gate, Gate) and gate.kind == "relu" else 1


def _head_weights(head: Head, width: int, encoder: Encoder) -> tuple[int, int]:
    """(not 0, all) of the query, key, value and output matrices; a score of one-hots has its matrix at the query."""
    nonzero = sum(len(form) for term in head.bilinear for form in (*term.queries, *term.keys)) + 2
    rank = 1 + sum(len(term.keys) for term in head.bilinear)
    for term in head.classes:
        held = int((term.weights != 0).sum())
        nonzero += held * (1 if term.mask is None else int(term.mask.sum())) + encoder.groups[term.key].width
        rank += encoder.groups[term.key].width
    nonzero += sum(len(form) for form, _ in head.values) + len(head.values)
    return nonzero, 2 * width * (rank + len(head.values))


def _gate_weights(gate: Gate | Table, width: int) -> tuple[int, int]:
    """(not 0, all) of the matrices into and out of a gate's units; a table has a unit per combination."""
    if isinstance(gate, Gate):
        units = _units(gate)
        return sum(map(len, gate.inputs)) + units, 2 * width * units
    outputs = sum(value != 0 for column in gate.columns.values() for value in column)
    outputs += len(gate.classes) * gate.combinations
    read = sum(map(len, gate.inputs))
    return read + outputs, width * (len(gate.inputs) + gate.combinations)
