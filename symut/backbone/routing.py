"""Routings: 0/1 backbones as tables, the form in which certificates and emitted weights carry them.

Main definitions: `Move`, `Routing`, `dense`.
A routing's inner weights only move coordinates: `values[l][h]` copies ranges of columns, queries, keys and the
read-out pick columns (proofs/FORMAT.md, section 4).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from symut.backbone.network import Backbone, Network

Columns = Sequence[Sequence[int]]
"""For each column the coordinates that it reads."""


class Move(NamedTuple):
    """RV[source + i, target + i] = 1 for 0 <= i < length."""

    source: int
    target: int
    length: int


@dataclass(frozen=True)
class Routing:
    """A 0/1 backbone of width w = len(slots) with its symbolic program.

    `slots[c]`: number of the slot whose word coordinate c of the program holds, -1 for zero;
    `queries[l][h]`, `keys[l][h]`: columns of RQ, RK (w x k) as lists of coordinates; one `l` in a shared form, one `h`
    of `keys` if the heads of a layer share a key, and no `keys` at all if keys are read off the outputs;
    `values[l][h]`: moves of RV (w x w);
    `readout`: columns of U (w x d).
    """

    slots: Sequence[int]
    queries: Sequence[Sequence[Columns]]
    keys: Sequence[Sequence[Columns]]
    values: Sequence[Sequence[Sequence[Move]]]
    readout: Columns

    @property
    def width(self) -> int:
        """Number of coordinates w."""
        return len(self.slots)


def dense(routing: Routing, zeros: Callable[[int, int], Any]) -> Backbone:
    """The literal 0/1 matrices; `zeros(rows, columns)` makes a writable matrix of the wanted kind."""
    w = routing.width

    def picked(columns: Columns) -> Any:
        matrix = zeros(w, len(columns))
        for column, coordinates in enumerate(columns):
            for row in coordinates:
                matrix[row, column] = 1
        return matrix

    def moved(moves: Sequence[Move]) -> Any:
        matrix = zeros(w, w)
        for source, target, length in moves:
            for i in range(length):
                matrix[source + i, target + i] = 1
        return matrix

    def over_heads(table: Sequence[Sequence[Any]], build: Callable[[Any], Any]) -> list[list[Any]]:
        return [[build(entry) for entry in layer] for layer in table]

    inner = Network(
        over_heads(routing.queries, picked),
        over_heads(routing.keys, picked),
        over_heads(routing.values, moved),
    )
    return Backbone(inner, picked(routing.readout))
