"""Strict reading of an encoder: what writes each coordinate, and its costs (FORMAT.md, section 13.2)."""

from __future__ import annotations

from typing import Any, NamedTuple

from .encoder_layers import Head, Layer, Table, read_layer
from .encoder_scope import Form, Scope, Source, coordinate_of, number
from .encoder_work import MAX_STAGES, need_small_numbers
from .strict import fields, integers, listing, need

MAX_TOKENS = 4096
FIELDS = (
    *("tokens", "letters", "width", "groups", "number", "position", "token", "position_class", "token_class"),
    *("layers", "readout"),
)


class Encoder(NamedTuple):
    tokens: int
    letters: list[int] | None
    width: int  # of the stream, with its groups
    coordinates: dict[int, Source]
    classes: dict[int, Source]
    layers: list[Layer]
    readout: Form
    positions: bool  # whether anything is written by position
    partial: list[int]  # coordinates that have a value only if what they are computed from has a certain sign

    @property
    def heads(self) -> list[Head]:
        return [head for layer in self.layers for head in layer.heads]

    @property
    def tables(self) -> list[Table]:
        return [table for layer in self.layers for table in layer.tables]


def read_encoder(value: Any) -> Encoder:
    table = fields(value, "encoder", FIELDS)
    (tokens,) = integers([table["tokens"]], "encoder.tokens", 1, MAX_TOKENS)
    letters = read_letters(table["letters"])
    (width,) = integers([table["width"]], "encoder.width", 1, float("inf"))
    groups = integers(table["groups"], "encoder.groups", 1, float("inf"))
    need_small_numbers([width, groups, letters])
    need(letters is not None or not groups, "encoder.groups: needs letters")
    scope = Scope(tokens, width, groups, letters is not None)
    read_inputs(scope, table, letters)
    layers = read_layers(scope, table["layers"])
    written = bool(table["position"] or table["position_class"])
    readout = scope.form(table["readout"], "encoder.readout")
    partial = [c for c, source in scope.coordinates.items() if source.kind in ("reciprocal", "root")]
    whole = width + sum(groups)
    return Encoder(tokens, letters, whole, scope.coordinates, scope.classes, layers, readout, written, partial)


def read_letters(value: Any) -> list[int] | None:
    if value is None:
        return None
    letters = integers(value, "encoder.letters", -float("inf"), float("inf"))
    need(len(letters) == len(set(letters)), "encoder.letters: a letter occurs twice")
    return letters


def read_inputs(scope: Scope, table: dict[str, Any], letters: list[int] | None) -> None:
    """The fields that write what holds before the first layer."""
    size = len(letters or [])
    if table["number"] is not None:
        need(letters is None, "encoder.number: null if there are letters")
        scope.write(coordinate_of(table["number"]), Source("number", None))
    for name, length in (("position", scope.tokens), ("token", size)):
        for c, values in pairs(table[name], f"encoder.{name}"):
            numbers = [number(v, f"encoder.{name}") for v in listing(values, f"encoder.{name}", length)]
            scope.write(coordinate_of(c), Source(name, numbers))
    for name, length in (("position", scope.tokens), ("token", size)):
        for g, values in pairs(table[f"{name}_class"], f"encoder.{name}_class"):
            scope.write_class(g, name, values, length)
    need(letters is not None or not table["token"], "encoder.token: needs letters")
    scope.settle()


def pairs(value: Any, where: str) -> list[list[Any]]:
    return [listing(pair, where, 2) for pair in listing(value, where)]


def read_layers(scope: Scope, value: Any) -> list[Layer]:
    layers = [read_layer(scope, layer, place) for place, layer in enumerate(listing(value, "encoder.layers"))]
    need(bool(layers) and not layers[0].heads, "encoder.layers: the first layer, without heads, is missing")
    stages = sum(1 + layer.depth for layer in layers)
    need(stages <= MAX_STAGES, f"encoder.layers: more than {MAX_STAGES} layers and levels are too large to check")
    return layers


def cost(encoder: Encoder) -> str:
    """COST of section 13.1."""
    attention = encoder.layers[1:]
    gates = ", ".join(str(layer.gates) for layer in encoder.layers)
    depths = ", ".join(str(layer.depth) for layer in encoder.layers)
    if not attention:
        return f"0 attention layers, {gates} gates per token of depth {depths}, and stream width {encoder.width}"
    heads = ", ".join(str(len(layer.heads)) for layer in attention)
    return (
        f"{len(attention)} attention layers with {heads} heads, {gates} gates per token of depth {depths} after them, "
        f"and stream width {encoder.width}"
    )
