"""An encoder as plain JSON, all numbers exact: what a certificate stores and the independent checker executes.

Main definitions: `exported`, `cost_text`.  Specification: proofs/FORMAT.md, section 13.2.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from symut.errors import InternalError
from symut.rasp.encoder.model import GUARD, Encoder, Form, Gate, Head, Number, Table

if TYPE_CHECKING:
    import numpy as np

Json = Any


def exported(encoder: Encoder) -> dict[str, Json]:
    """The encoder as JSON values.

    Raises InternalError for what the format has no field for: joint groups, checks of kinds, and powers of other bases.
    """
    _require_plain(encoder)
    letters = encoder.alphabet
    return {
        "tokens": encoder.n,
        "letters": None if letters is None else list(letters),
        "width": len(encoder.coordinates),
        "groups": [group.classes for group in encoder.groups],
        "number": encoder.number,
        "position": _columns(encoder.position_columns),
        "token": _columns(encoder.token_columns) if letters else [],
        "position_class": _classes(encoder.position_classes),
        "token_class": _classes(encoder.token_classes) if letters else [],
        "layers": [
            {
                "heads": [_head(head) for head in layer.heads],
                "levels": [[_gate(gate) for gate in level] for level in layer.levels],
            }
            for layer in encoder.layers
        ],
        "readout": _form(encoder.readout),
    }


def _require_plain(encoder: Encoder) -> None:
    if encoder.checks or any(group.positions > 1 for group in encoder.groups):
        raise InternalError("an encoder has no exact description", expected="plain groups and no checks of kinds")
    if any(not isinstance(letter, int) for letter in encoder.alphabet or ()):
        raise InternalError("an encoder has no exact description", expected="letters that are integers")
    if any(code != value for code, value in (encoder.codes or {}).items()):
        raise InternalError("an encoder has no exact description", expected="answers that are numbers")


def _number(value: Number) -> Json:
    fraction = Fraction(value)
    return int(fraction) if fraction.denominator == 1 else {"q": [fraction.numerator, fraction.denominator]}


def _form(form: Form) -> Json:
    return [[c, _number(weight)] for c, weight in sorted(form.items()) if weight and c != GUARD]


def _columns(columns: Mapping[int, Iterable[Number]]) -> Json:
    return [[c, [_number(value) for value in column]] for c, column in sorted(columns.items())]


def _classes(columns: Mapping[int, Iterable[int]]) -> Json:
    return [[group, list(map(int, column))] for group, column in sorted(columns.items())]


def _keys(mask: np.ndarray | None) -> Json:
    return None if mask is None else [[int(key) for key in line.nonzero()[0]] for line in mask]


def _head(head: Head) -> Json:
    return {
        "mask": _keys(head.mask),
        "hidden": _keys(head.hidden),
        "bilinear": [[list(map(_form, term.queries)), list(map(_form, term.keys))] for term in head.bilinear],
        "classes": [
            {"query": term.query, "key": term.key, "weights": [[int(w) for w in row] for row in term.weights]}
            for term in head.classes
        ],
        "guard": _number(head.guard),
        "values": [[_form(form), output, _number(form.get(GUARD, 0))] for form, output in head.values],
    }


def _gate(gate: Gate | Table) -> Json:
    if isinstance(gate, Table):
        rows = [[_number(value) for value in row] for row in gate.rows]
        return ["table", list(map(_form, gate.inputs)), rows, _columns(gate.columns), _classes(gate.classes)]
    if gate.kind == "relu":
        units = [[_form(form), _number(weight)] for form, weight in zip(gate.inputs, gate.weights, strict=True)]
        return ["relu", units, gate.output]
    if gate.kind == "exp" and gate.weights:
        raise InternalError("an encoder has no exact description", expected="exponentials of base e")
    if gate.kind == "root":
        exponent = Fraction(gate.weights[0])
        return ["root", _form(gate.inputs[0]), [exponent.numerator, exponent.denominator], gate.output]
    return [gate.kind, *map(_form, gate.inputs), gate.output]


def cost_text(encoder: Mapping[str, Json]) -> str:
    """What an exported encoder costs, in the words of FORMAT.md, section 13.1."""
    layers = encoder["layers"]
    heads = ", ".join(str(len(layer["heads"])) for layer in layers[1:])
    gates = ", ".join(str(sum(_units(gate) for level in layer["levels"] for gate in level)) for layer in layers)
    depths = ", ".join(str(len(layer["levels"])) for layer in layers)
    width = encoder["width"] + sum(encoder["groups"])
    if len(layers) == 1:
        return f"0 attention layers, {gates} gates per token of depth {depths}, and stream width {width}"
    return (
        f"{len(layers) - 1} attention layers with {heads} heads, {gates} gates per token of depth {depths} after them, "
        f"and stream width {width}"
    )


def _units(gate: list[Json]) -> int:
    return {"linear": 0, "relu": len(gate[1])}.get(gate[0], 1)
