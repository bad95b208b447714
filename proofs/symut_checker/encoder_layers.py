"""Strict reading of heads and gates (FORMAT.md, section 13.2)."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any, NamedTuple

from .encoder_ring import Exponent, Number
from .encoder_scope import Form, Scope, Source, coordinate_of, number
from .strict import fields, integers, listing, need

Keys = list[list[int]] | None  # for each query
HEAD = ("mask", "hidden", "bilinear", "classes", "guard", "values")
MAX_EXPONENT = 64


class Head(NamedTuple):
    place: tuple[int, int]  # layer and number
    mask: Keys
    hidden: Keys
    bilinear: list[tuple[Form, Form]]
    classes: list[tuple[int, int, list[list[Number]]]]
    guard: Number


class Table(NamedTuple):
    forms: list[Form]
    rows: dict[tuple[Number, ...], int]  # values -> the row


class Layer(NamedTuple):
    heads: list[Head]
    gates: int
    depth: int
    tables: list[Table]


def read_layer(scope: Scope, value: Any, place: int) -> Layer:
    where = f"layer {place}"
    table = fields(value, where, ["heads", "levels"])
    heads = [read_head(scope, head, (place, i)) for i, head in enumerate(listing(table["heads"], where))]
    scope.settle()
    gates, tables = 0, []
    levels = listing(table["levels"], where)
    for level in levels:
        for gate in listing(level, where):
            gates += read_gate(scope, gate, tables, where)
        scope.settle()
    return Layer(heads, gates, len(levels), tables)


def read_head(scope: Scope, value: Any, place: tuple[int, int]) -> Head:
    where = f"head {place[1]} of layer {place[0]}"
    table = fields(value, where, HEAD)
    mask, hidden = (read_keys(table[name], f"{where}.{name}", scope.tokens) for name in ("mask", "hidden"))
    bilinear = [pair for entry in listing(table["bilinear"], where) for pair in read_bilinear(scope, entry, where)]
    classes = [read_classes(scope, entry, where) for entry in listing(table["classes"], where)]
    head = Head(place, mask, hidden, bilinear, classes, number(table["guard"], f"{where}.guard"))
    for entry in listing(table["values"], where):
        form, c, default = listing(entry, where, 3)
        source = Source("head", (head, scope.form(form, where), number(default, where)))
        scope.write(coordinate_of(c), source)
    return head


def read_keys(value: Any, where: str, tokens: int) -> Keys:
    if value is None:
        return None
    for keys in listing(value, where, tokens):
        integers(keys, where, 0, tokens - 1)
        need(all(a < b for a, b in pairwise(keys)), f"{where}: keys do not increase")
    return value


def read_bilinear(scope: Scope, value: Any, where: str) -> list[tuple[Form, Form]]:
    queries, keys = listing(value, where, 2)
    size = len(listing(queries, where))
    pairs = zip(queries, listing(keys, where, size), strict=True)
    return [(scope.form(query, where), scope.form(key, where)) for query, key in pairs]


def read_classes(scope: Scope, value: Any, where: str) -> tuple[int, int, list[list[Number]]]:
    table = fields(value, where, ["query", "key", "weights"])
    height, breadth = scope.group(table["query"], where), scope.group(table["key"], where)
    weights = [
        [number(x, where) for x in listing(row, where, breadth)] for row in listing(table["weights"], where, height)
    ]
    return table["query"], table["key"], weights


def read_gate(scope: Scope, value: Any, tables: list[Table], where: str) -> int:
    """Writes what the gate writes; how many gates it counts as."""
    gate = listing(value, where)
    need(bool(gate) and type(gate[0]) is str and gate[0] in LENGTHS, f"{where}: no known gate")
    kind = gate[0]
    listing(gate, f"{where}: a gate {kind}", LENGTHS[kind])
    if kind == "table":
        tables.append(read_table(scope, gate, where))
        return 1
    if kind == "relu":
        units = [listing(unit, where, 2) for unit in listing(gate[1], where)]
        data: Any = [(scope.form(form, where), number(weight, where)) for form, weight in units]
    elif kind == "product":
        data = scope.form(gate[1], where), scope.form(gate[2], where)
    elif kind == "root":
        data = scope.form(gate[1], where), read_exponent(gate[2], where)
    else:
        data = scope.form(gate[1], where)
    scope.write(coordinate_of(gate[-1]), Source(kind, data))
    return len(data) if kind == "relu" else int(kind != "linear")


LENGTHS = {"linear": 3, "product": 4, "relu": 3, "reciprocal": 3, "exp": 3, "root": 4, "table": 5}


def read_exponent(value: Any, where: str) -> Exponent:
    """[p, q] with 0 < p < q in lowest terms."""
    p, q = integers(value, f"{where}: an exponent", 1, MAX_EXPONENT, 2)
    need(p < q and math.gcd(p, q) == 1, f"{where}: an exponent that is not below 1 and in lowest terms")
    return p, q


def read_table(scope: Scope, gate: list[Any], where: str) -> Table:
    """Every row of a table is a different list of values of the forms."""
    where = f"{where}: a table"
    need(scope.letters, f"{where} needs letters")
    forms = [scope.form(form, where) for form in listing(gate[1], where)]
    rows = [tuple(number(v, where) for v in listing(row, where, len(forms))) for row in listing(gate[2], where)]
    table = Table(forms, {row: i for i, row in enumerate(rows)})
    need(len(table.rows) == len(rows), f"{where} has a row twice")
    for entry in listing(gate[3], where):
        c, values = listing(entry, where, 2)
        numbers = [number(v, where) for v in listing(values, where, len(rows))]
        scope.write(coordinate_of(c), Source("table", (table, numbers)))
    for entry in listing(gate[4], where):
        g, values = listing(entry, where, 2)
        scope.write_class(g, "table", values, len(rows), table)
    return table
