"""Rule R: a 0/1 backbone; the rows of M(R) that hold slots form the identity (FORMAT.md, section 4)."""

from __future__ import annotations

import itertools
from typing import Any, NamedTuple

from .matrices import Matrix
from .sizes import Sizes, slot_name
from .strict import Invalid, fields, integers, listing, need

MAX_MOVES = 5 * 10**7  # a limit of this program, not of the format

Columns = list[list[int]]  # the coordinates of the ones of each column of a 0/1 matrix
Permutation = dict[int, int]  # a partial permutation matrix as {target: source}
Values = list[list[Permutation]]  # layer, head


class Routing(NamedTuple):
    slots: list[int]  # coordinate -> slot, -1 for zero
    queries: list[list[Columns]]  # layer, head
    keys: list[list[Columns]]
    values: Values
    readout: Columns


def rule_routing(st: Sizes, N: int, value: Any) -> None:
    """Column s of M(R) meets the coordinates that hold slots in exactly one, and this one holds slot s."""
    slots, queries, keys, values, readout = read_routing(st, N, value)
    live, moves = filled(slots, values)
    columns = [[c for c in column if c in live[st.L]] for column in readout]
    for layer in range(st.L, 0, -1):
        not_crowded(st, layer + 1, columns)
        reads = itertools.chain(*queries[layer - 1], *keys[layer - 1])
        columns = [[c for c in column if c in live[layer - 1]] for column in reads] + [
            [source[c] for c in column if c in source] for source in moves[layer - 1] for column in columns
        ]
    for slot, column in enumerate(columns):
        held = [slots[c] for c in column]
        if held != [slot]:
            where = f"slot {slot} {slot_name(st, slot)}"
            raise Invalid(f"routing: {where}: coordinates hold slots {held[:8]}, expected [{slot}]")


def read_routing(st: Sizes, N: int, value: Any) -> Routing:
    table = fields(value, "routing", ("slots", "queries", "keys", "values", "readout"))
    w = st.m if st.goal == "sparse_universality" and st.m is not None else N
    slots = integers(table["slots"], "routing.slots", -1, N - 1, w)
    once = sorted(s for s in slots if s >= 0) == list(range(N))
    need(once, f"routing.slots: not every slot 0..{N - 1} occurs exactly once")
    units = unit_sizes(st, slots)
    queries, keys = (
        [[read_columns(*head, st.q, units, "k") for head in layer] for layer in heads(st, table, name)]
        for name in ("queries", "keys")
    )
    values = read_values(st, table, units)
    readout = read_columns(table["readout"], "routing.readout", st.u, units, "d")
    return Routing(slots, queries, keys, values, readout)


def heads(st: Sizes, table: dict[str, Any], name: str) -> list[list[tuple[Any, str]]]:
    """The entry of each layer and head, with the words that say where it is."""
    layers = listing(table[name], f"routing.{name}", st.L)
    layers = [listing(layer, f"routing.{name}[{i}]", st.H) for i, layer in enumerate(layers)]
    return [[(x, f"routing.{name}[{i}][{h}]") for h, x in enumerate(layer)] for i, layer in enumerate(layers)]


def unit_sizes(st: Sizes, slots: list[int]) -> str:
    """One letter per coordinate: the size k or d of its unit in a block statement, else always 1."""
    letters = "d"
    for _ in range(st.L if st.d is None else 0):
        letters = "k" * (2 * st.H) + letters * st.H
    return "1" * len(slots) if st.d is not None else "".join(map(letters.__getitem__, slots))


def read_columns(value: Any, where: str, length: int, units: str, size: str) -> Columns:
    columns = [integers(c, where, 0, len(units) - 1) for c in listing(value, where, length)]
    for column in columns:
        need(len(set(column)) == len(column), f"{where}: a coordinate occurs twice in one column")
        need({units[c] for c in column} <= {"1", size}, f"{where}: reads a unit whose size is not {size}")
    return columns


def read_values(st: Sizes, table: dict[str, Any], units: str) -> Values:
    named = heads(st, table, "values")
    lists = [read_moves(*head, len(units)) for layer in named for head in layer]
    # a short file can name long moves in every layer
    total = sum(length for moves in lists for _, _, length in moves)
    need(total <= MAX_MOVES, f"routing.values: moves more than {MAX_MOVES} coordinates, too large to check")
    return [[read_permutation(*head, units) for head in layer] for layer in named]


def read_moves(value: Any, where: str, w: int) -> Matrix:
    for move in listing(value, where):
        listing(move, where, 3)
    integers(list(itertools.chain(*value)), where, 0, w)
    return value


def read_permutation(moves: Matrix, where: str, units: str) -> Permutation:
    inverse: Permutation = {}
    sources: set[int] = set()
    total, w = 0, len(units)
    for source, target, length in moves:
        # checked before a range is expanded; with the last check this bounds the work by 2 w
        if not 1 <= length <= w - max(source, target):
            raise Invalid(f"{where}: move {[source, target, length]} is empty or leaves 0..{w - 1}")
        if units[source : source + length] != units[target : target + length]:
            raise Invalid(f"{where}: move {[source, target, length]} joins units of different size")
        sources.update(range(source, source + length))
        inverse.update(zip(range(target, target + length), range(source, source + length), strict=True))
        total += length
        if not len(sources) == len(inverse) == total:
            raise Invalid(f"{where}: move {[source, target, length]} repeats a source or a target")
    return inverse


def filled(slots: list[int], values: Values) -> tuple[list[set[int]], Values]:
    """live[l]: the coordinates that some path of length l fills with a slot; the moves that start there."""
    live, moves = [{c for c, slot in enumerate(slots) if slot >= 0}], []
    for layer in values:
        moves.append([{t: s for t, s in head.items() if s in live[-1]} for head in layer])
        live.append(set().union(*moves[-1]))
    return live, moves


def not_crowded(st: Sizes, layer: int, columns: Columns) -> None:
    """One of H^(layer-1) paths fills each live coordinate; a column with more coordinates than paths meets
    two on one path, which the rule forbids.  Rejecting it here bounds the work by O(H L N) for any file."""
    paths = st.H ** (layer - 1)
    for i, column in enumerate(columns):
        if len(column) > paths:
            where = f"{slot_name(st, i, layer)} after {layer - 1} layers"
            raise Invalid(f"routing: {where}: reads {len(column)} filled coordinates on {paths} paths")
