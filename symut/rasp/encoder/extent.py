"""Whether floats of a dtype have room for the numbers of an encoder: the largest and the smallest of its constants.

Main definitions: `LARGEST`, `SMALLEST`, `constants`, `fits`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import chain

from symut.rasp.encoder.model import Encoder, Form, Gate, Head, Number, Table

LARGEST = {"float32": Fraction(2) ** 127, "float64": Fraction(2) ** 1023}
SMALLEST = {"float32": Fraction(2) ** -126, "float64": Fraction(2) ** -1022}
"""Smaller numbers than these lose digits, and are 0 in the end."""


def fits(values: Iterable[Number], dtype: str) -> bool:
    """Whether all values are 0 or neither too large nor too small for a dtype."""
    low, high = SMALLEST[dtype], LARGEST[dtype]
    return all(value == 0 or low <= abs(value) <= high for value in values)


def constants(encoder: Encoder) -> Iterator[Number]:
    """All numbers that the weights hold, some of them several times."""
    for column in chain(encoder.token_columns.values(), encoder.position_columns.values()):
        yield from column
    for layer in encoder.layers:
        for head in layer.heads:
            yield from _of_head(head)
        for gate in chain.from_iterable(layer.levels):
            yield from _of_gate(gate)
    yield from _weights([encoder.readout, *(check.form for check in encoder.checks)])
    yield from encoder.codes or ()


def _weights(forms: Iterable[Form]) -> Iterator[Number]:
    return chain.from_iterable(form.values() for form in forms)


def _of_head(head: Head) -> Iterator[Number]:
    for term in head.bilinear:
        yield from _weights((*term.queries, *term.keys))
    yield from _weights(form for form, _ in head.values)


def _of_gate(gate: Gate | Table) -> Iterator[Number]:
    yield from _weights(gate.inputs)
    if isinstance(gate, Table):
        yield from chain.from_iterable((*gate.alphabets, *gate.columns.values()))
    else:
        yield from gate.weights
