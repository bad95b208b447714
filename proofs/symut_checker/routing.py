"""Rule R: a 0/1 backbone; the rows of M(R) that hold slots form the identity (FORMAT.md, sections 4 and 9.3)."""

from __future__ import annotations

import itertools
from functools import reduce
from typing import Any, NamedTuple

from .moves import MAX_FILLED, MAX_MOVES, Filled, Moves, covered, fill, need_permutation, permutation, read_moves
from .sizes import Sizes, slot_name, state_sizes
from .strict import Invalid, fields, integers, listing, need

Columns = list[list[int]]  # the coordinates of the ones of each column of a 0/1 matrix
Values = list[list[Moves]]  # layer, head


class Routing(NamedTuple):
    slots: list[int]  # coordinate -> slot, -1 for zero
    queries: list[list[Columns]]  # layer, head
    keys: list[list[Columns]]  # layer, head; one entry or none per layer if the form says so
    values: Values
    readout: Columns


def rule_routing(st: Sizes, N: int, value: Any) -> None:
    """Column s of M(R) meets the coordinates that hold slots in exactly one, and this one holds slot s."""
    routing = read_routing(st, N, value)
    live = filled(st, routing)
    columns = within(routing.readout, live[st.L])
    for layer in range(st.L, 0, -1):
        not_crowded(st, layer + 1, columns, live[layer])
        columns = preceding(st, routing, layer, columns, live[layer - 1])
    for slot, column in enumerate(columns):
        held = [routing.slots[c] for c in column]
        if held != [slot]:
            where = f"slot {slot} {slot_name(st, slot)}"
            raise Invalid(f"routing: {where}: coordinates hold slots {held[:8]}, expected [{slot}]")


def preceding(st: Sizes, routing: Routing, layer: int, columns: Columns, live: Filled) -> Columns:
    """The columns of S(layer) at the live coordinates, from those of S(layer + 1)."""
    own = [*itertools.chain(*routing.queries[layer - 1], *routing.keys[layer - 1])]
    own += routing.readout if st.form.anywhere else []
    result = within(own, live) + (within(columns, live) if st.form.skip else [])
    for moves in routing.values[layer - 1]:
        source = permutation(moves)
        # a coordinate that nothing moves to comes from the entry after the last one, which is not live
        result += [[s for s in [source.get(c, -1) for c in column] if live[s]] for column in columns]
    return result


def within(columns: Columns, live: Filled) -> Columns:
    return [[c for c in column if live[c]] for column in columns]


def filled(st: Sizes, routing: Routing) -> list[Filled]:
    """live[l]: the coordinates that some path of length l fills with a slot, and behind them one that none fills."""
    live = [bytearray(slot >= 0 for slot in routing.slots) + b"\0"]
    for layer in routing.values:
        live.append(bytearray(live[-1] if st.form.skip else len(live[-1])))
        for moves in layer:
            fill(live[-1], live[-2], moves)
    return live


def not_crowded(st: Sizes, layer: int, columns: Columns, live: Filled) -> None:
    """Rejects early what rule R would reject, so that the work is O(G L N) for any file, G being the number of letters.

    P = G^(layer-1) paths p lead to S(layer), and for all of them and all s in S(layer) "p followed by s" is a slot of
    S(1), in every form: letters are prepended to all of S(layer), to the read-out slots that shared_residual has there
    as well.  Every R_p, the identity of the letter 0 included, is a partial permutation, and some R_p fills each live
    coordinate.  A column with more than P of them meets two on one path, and two slots in that column of M(R).  So at
    most P |S(layer)| <= N coordinates are carried on.  With one letter only, when L may be as large as N, the one path
    also brings |S(layer)| different slots to as many live coordinates: no more than the layer before moves, so that
    MAX_MOVES bounds the work."""
    paths = st.form.letters(st.H) ** (layer - 1)
    for i, column in enumerate(columns):
        if len(column) > paths:
            where = f"{slot_name(st, i, layer)} after {layer - 1} layers"
            raise Invalid(f"routing: {where}: reads {len(column)} filled coordinates on {paths} paths")
    count = live.count(1)
    few = f"routing: {layer - 1} layers fill {count} coordinates, fewer than the {len(columns)} slots that remain"
    need(paths > 1 or len(columns) <= count, few)


def read_routing(st: Sizes, N: int, value: Any) -> Routing:
    reads = ("queries", "keys") if st.form.key_slots(st.H) else ("queries",)
    table = fields(value, "routing", ("slots", *reads, "values", "readout"))
    w = st.m if st.goal == "sparse_universality" and st.m is not None else N
    slots = integers(table["slots"], "routing.slots", -1, N - 1, w)
    once = sorted(s for s in slots if s >= 0) == list(range(N))
    need(once, f"routing.slots: not every slot 0..{N - 1} occurs exactly once")
    units = unit_sizes(st, slots)
    queries, *keys = (
        [[read_columns(*head, st.q, units, st.form.read) for head in layer] for layer in heads(st, table, name)]
        for name in reads
    )
    values = read_values(st, table, units)
    readout = read_columns(table["readout"], "routing.readout", st.u, units, st.form.out)
    listed = Routing(slots, queries, keys[0] if keys else [[]] * len(queries), values, readout)
    return repeated(st, listed) if st.form.shared else listed


def repeated(st: Sizes, routing: Routing) -> Routing:
    """What is listed once is used in every layer."""
    columns = itertools.chain(*routing.queries[0], *routing.keys[0], routing.readout)
    limit = f"routing: reads more than {MAX_MOVES} coordinates in all layers, too large to check"
    need(st.L * sum(map(len, columns)) <= MAX_MOVES, limit)
    queries, keys, values = (layers * st.L for layers in (routing.queries, routing.keys, routing.values))
    return routing._replace(queries=queries, keys=keys, values=values)


def heads(st: Sizes, table: dict[str, Any], name: str) -> list[list[tuple[Any, str]]]:
    """The entry of each layer and head, with the words that say where it is."""
    layers = listing(table[name], f"routing.{name}", 1 if st.form.shared else st.L)
    entries = st.form.key_slots(st.H) if name == "keys" else st.H
    layers = [listing(layer, f"routing.{name}[{i}]", entries) for i, layer in enumerate(layers)]
    return [[(x, f"routing.{name}[{i}][{h}]") for h, x in enumerate(layer)] for i, layer in enumerate(layers)]


def unit_sizes(st: Sizes, slots: list[int]) -> str:
    """One letter per coordinate: k or d (also for d_out), the size of its unit in a block statement, else always 1."""
    if st.d is not None:
        return "1" * len(slots)
    read, out, tails = st.form.read[0], st.form.out[0], st.form.letters(st.H)
    own = read * (st.H + st.form.key_slots(st.H)) + out * st.form.anywhere
    # with one letter L may be as large as N, and copying the tail for every layer would take N^2
    letters = own * st.L + out if tails == 1 else reduce(lambda tail, _: own + tail * tails, range(st.L), out)
    return "".join(map(letters.__getitem__, slots))


def read_columns(value: Any, where: str, length: int, units: str, size: str) -> Columns:
    columns = [integers(c, where, 0, len(units) - 1) for c in listing(value, where, length)]
    for column in columns:
        need(len(set(column)) == len(column), f"{where}: a coordinate occurs twice in one column")
        need({units[c] for c in column} <= {"1", size[0]}, f"{where}: reads a unit whose size is not {size}")
    return columns


def read_values(st: Sizes, table: dict[str, Any], units: str) -> Values:
    named = heads(st, table, "values")
    values = [[read_moves(*head, len(units)) for head in layer] for layer in named]
    # a short file can name long moves in every layer, and with one letter layers hardly differ in their columns
    total = sum(covered(moves) for layer in values for moves in layer) * (st.L if st.form.shared else 1)
    total += sum(itertools.islice(state_sizes(st), 1, None))
    small = total <= MAX_MOVES and len(units) * st.L <= MAX_FILLED
    need(small, f"routing: more than {MAX_MOVES} moves and columns or {MAX_FILLED} coordinates, too large to check")
    for (_, where), moves in zip(itertools.chain(*named), itertools.chain(*values), strict=True):
        need_permutation(moves, where, units)
    return values
