"""The tables of a proof by routing: slots, routes, and the determinant polynomial.

Main definitions: `routed_context`, `form_context`, `ranges`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symut.backbone.forms import HEADS, Form, form_count, form_slots
from symut.backbone.paths import OUTPUT
from symut.backbone.routing import Columns, Routing
from symut.backbone.shape import Shape
from symut.prover.argument import Argument
from symut.prover.exposition.words import count_sum, degree_sum, latex_count, word
from symut.statement import FormStatement, Universality

ROWS_SHOWN, MOVES_SHOWN = 40, 12
"""Rows of a table, and moves in a row, before they are cut."""


def _slot_rows(statement: Universality | FormStatement, argument: Argument) -> list[dict[str, Any]]:
    """The coordinates of the witness with the word that each holds in the program."""
    routing = argument.certificate.routing if argument.certificate else None
    if routing is None:
        return []
    shape, block = statement.units, statement.d is None
    table, names = form_slots(shape), _block_widths(shape.form)
    rows = []
    for coordinate, number in enumerate(routing.slots[:ROWS_SHOWN]):
        if number < 0:
            rows.append({"coordinate": coordinate, "word": "0", "column": "", "width": ""})
            continue
        slot = table[number]
        width = names[slot.role == OUTPUT] if block else "1"
        column = "" if block else slot.column + 1
        rows.append({"coordinate": coordinate, "word": word(shape.form, slot), "column": column, "width": width})
    return rows


def _block_widths(form: Form) -> tuple[str, str]:
    """The widths of query and key blocks, and of read-out blocks."""
    return ("d" if form.scores_only else "k"), ("d_{out}" if form.affine else "d")


def ranges(coordinates: Sequence[int]) -> str:
    """Coordinates as ranges, e.g. `0-3, 7`."""
    parts: list[list[int]] = []
    for c in coordinates:
        if parts and parts[-1][1] == c - 1:
            parts[-1][1] = c
        else:
            parts.append([c, c])
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in parts) or "none"


def _reads(columns: Columns) -> str:
    """What the columns of one matrix read: ranges if each reads one coordinate, else `a + b; c + d` for two columns."""
    if all(len(column) == 1 for column in columns):
        return ranges([c for (c,) in columns])
    return "; ".join(" + ".join(map(str, column)) for column in columns)


def _routes(routing: Routing | None, form: Form) -> list[dict[str, str]]:
    """One row per layer and head: what its queries and keys read and which coordinates it moves where."""
    rows = []
    for layer, (queries, values) in enumerate(zip(routing.queries, routing.values, strict=True) if routing else ()):
        place = "every" if form.shared else str(layer + 1)
        keys = routing.keys[layer] if routing and routing.keys else []
        for head, (columns, moves) in enumerate(zip(queries, values, strict=True)):
            shown = [f"{ranges(range(s, s + n))} to {ranges(range(t, t + n))}" for s, t, n in moves[:MOVES_SHOWN]]
            more = [f"{len(moves) - MOVES_SHOWN} more"] if len(moves) > MOVES_SHOWN else []
            key = _reads(keys[head if form.keys == HEADS else 0]) if keys else "what leads to $U$"
            rows.append(
                {
                    "layer": place,
                    "head": str(head + 1),
                    "query": _reads(columns),
                    "key": key,
                    "moves": "; ".join(shown + more),
                }
            )
    return rows


def _determinant(argument: Argument, statement: Universality) -> str:
    """det M(R) in LaTeX with q, k, v, u for the entries, or "" if the certificate has none."""
    found = argument.certificate.determinant if argument.certificate else None
    if found is None or statement.d is None or statement.k is None:
        return ""
    names = _entry_names(Shape(statement.H, statement.L, statement.d, statement.k))
    parts = []
    for coefficient, variables in found.terms:
        sign = "-" if coefficient < 0 else "+"
        factor = "" if abs(coefficient) == 1 else str(abs(coefficient)) + r"\,"
        parts.append(f"{sign} {factor}" + r"\,".join(names[v] for v in variables))
    return "\\\\ &".join(" ".join(parts[i : i + 3]) for i in range(0, len(parts), 3))


def _entry_names(shape: Shape) -> list[str]:
    sizes = [("q", shape.N, shape.k), ("k", shape.N, shape.k), ("v", shape.N, shape.N)]
    names = []
    for letter, rows, columns in sizes:
        for layer in range(1, shape.L + 1):
            for head in range(1, shape.H + 1):
                place = "" if shape.L == shape.H == 1 else f"^{{({layer},{head})}}"
                names += [f"{letter}{place}_{{{i}{j}}}" for i in range(1, rows + 1) for j in range(1, columns + 1)]
    return names + [f"u_{{{i}{j}}}" for i in range(1, shape.N + 1) for j in range(1, shape.d + 1)]


def _tables(statement: Universality | FormStatement, argument: Argument) -> dict[str, Any]:
    """What every proof by routing shows: its counts, its slots and its routes."""
    routing = argument.certificate.routing if argument.certificate else None
    form = statement.units.form
    routes = _routes(routing, form)
    return {
        "block": statement.d is None,
        "N": latex_count(statement.N),
        "D": latex_count(statement.degree),
        "blocks": form_count(form, statement.H, statement.L).at(1, 1),
        "routing": routing,
        "rows": _slot_rows(statement, argument),
        "routes": routes[:ROWS_SHOWN],
        "routes_left": max(0, len(routes) - ROWS_SHOWN),
        "readout": _reads(routing.readout) if routing else "",
        "shown": ROWS_SHOWN,
        "inverse": argument.certificate.inverse if argument.certificate else None,
    }


def routed_context(statement: Universality, argument: Argument) -> dict[str, Any]:
    """Slots, routes and counts of a proof by routing, and the other witnesses if there are any."""
    determinant = _determinant(argument, statement)
    return {**_tables(statement, argument), "sections": "section 1", "determinant": determinant}


def form_context(statement: FormStatement, argument: Argument) -> dict[str, Any]:
    """The same for a form, with its counts as sums."""
    form, H, L = statement.form, statement.H, statement.L
    return {
        **_tables(statement, argument),
        "sections": "sections 1 and 9",
        "form": form,
        "count_sum": count_sum(form, H, L),
        "degree_sum": degree_sum(form, H, L),
    }
