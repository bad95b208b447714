"""Rule P: the backbone that matches every score at the smallest width (FORMAT.md, section 10).

Slot (p, s) of the program holds v_p z_{l,s}.  On every path a head's query and key must read fixed linear forms in
z_{l,1}, z_{l,2}, ..., whose products reach all values that the target may ask for.
"""

from __future__ import annotations

import itertools
from typing import Any

from .moves import MAX_FILLED, MAX_MOVES, Filled, Moves, covered, fill, need_permutation, permutation, read_moves
from .strict import Invalid, fields, integers, listing, need

Combination = list[tuple[int, int]]  # (coordinate or slot, coefficient), every coordinate once

TIMES, PLUS, TWICE = [(0, 1)], [(0, 1), (1, 1)], [(0, 2)]
MINUS = [(0, 1), (1, -1)]


def rule_forms(H: int, L: int, W: int, value: Any) -> None:
    """Every query and key reads, on every path, the combination of slots of this path that `wanted` says."""
    table = fields(value, "forms", ("slots", "queries", "keys", "values"))
    slots = integers(table["slots"], "forms.slots", 0, W - 1, W)
    need(sorted(slots) == list(range(W)), f"forms.slots: not every slot 0..{W - 1} occurs exactly once")
    need(W * L <= MAX_FILLED, f"forms: W L exceeds {MAX_FILLED}, too large to check")
    queries, keys = (read_forms(H, L, W, table, name) for name in ("queries", "keys"))
    values = read_values(H, L, W, table["values"])
    live = filled(W, values)
    expected: list[Combination] = []
    columns: list[Combination] = []
    for layer in range(L, 0, -1):
        expected = preceding(H, L, layer, expected)
        now = live[layer - 1]
        own = [[(c, a) for c, a in column if now[c]] for column in queries[layer - 1] + keys[layer - 1]]
        columns = own + list(itertools.chain(*(moved(columns, moves, now) for moves in values[layer - 1])))
        not_crowded(H ** (layer - 1), layer, columns)
    for number, (column, combination) in enumerate(zip(columns, expected, strict=True)):
        held = sorted((slots[c], a) for c, a in column)
        if held != sorted(combination):
            raise Invalid(f"forms: column {number}: reads [slot, coefficient] {held[:6]}, expected {combination}")


def wanted(H: int, L: int, layer: int) -> list[Combination]:
    """A for the heads 1..H, then B, of this layer: combinations of z_1, z_2, ..., numbered from 0."""
    first = [(MINUS, PLUS), (TWICE, [(1, 1)])]
    if (H, L) == (1, 1):
        pairs = [(TIMES, [(1, 1)])]
    else:
        numbers = range(H) if H >= 2 else [layer - 1]
        pairs = [first[j] if j < 2 else (TIMES, [(j, 1)]) for j in numbers]
    return [A for A, _ in pairs] + [B for _, B in pairs]


def preceding(H: int, L: int, layer: int, after: list[Combination]) -> list[Combination]:
    """The combinations of slots that the columns of S(layer) want, from those of S(layer + 1).  If H >= 2, the first H
    slots are the z of this layer and those of "h followed by t" come next; if H = 1 there is one list of z for all."""
    own = wanted(H, L, layer)
    if H == 1:
        return own + after
    size = sum(H**j for j in range(1, L - layer + 1))  # the slots of S(layer + 1)
    return own + [[(H + h * size + slot, a) for slot, a in column] for h in range(H) for column in after]


def read_forms(H: int, L: int, W: int, table: dict[str, Any], name: str) -> list[list[Combination]]:
    def read(value: Any, where: str) -> Combination:
        pairs = [integers(pair, where, -1, W, 2) for pair in listing(value, where)]
        coordinates = integers([c for c, _ in pairs], where, 0, W - 1)
        need(len(set(coordinates)) == len(pairs), f"{where}: a coordinate occurs twice")
        need({a for _, a in pairs} <= {-1, 1, 2}, f"{where}: a coefficient is not in -1, 1, 2")
        return [(c, a) for c, a in pairs]

    layers = enumerate(listing(table[name], f"forms.{name}", L))
    listed = [(f"forms.{name}[{i}]", listing(layer, f"forms.{name}[{i}]", H)) for i, layer in layers]
    return [[read(x, f"{where}[{h}]") for h, x in enumerate(layer)] for where, layer in listed]


def read_values(H: int, L: int, W: int, value: Any) -> list[list[Moves]]:
    layers = [listing(layer, "forms.values", H) for layer in listing(value, "forms.values", L)]
    lists = [[read_moves(x, f"forms.values[{i}][{h}]", W) for h, x in enumerate(row)] for i, row in enumerate(layers)]
    total = sum(covered(moves) for row in lists for moves in row)
    need(total <= MAX_MOVES, f"forms.values: moves more than {MAX_MOVES} coordinates, too large to check")
    for i, row in enumerate(lists):
        for h, moves in enumerate(row):
            need_permutation(moves, f"forms.values[{i}][{h}]", "1" * W)
    return lists


def filled(W: int, values: list[list[Moves]]) -> list[Filled]:
    """live[l]: the coordinates that some path of length l fills; at the start all are.  None fills the one behind."""
    live = [bytearray(b"\1" * W + b"\0")]
    for layer in values:
        live.append(bytearray(W + 1))
        for moves in layer:
            fill(live[-1], live[-2], moves)
    return live


def moved(columns: list[Combination], moves: Moves, live: Filled) -> list[Combination]:
    source = permutation(moves)
    found = ([(source.get(c, -1), a) for c, a in column] for column in columns)
    return [[(s, a) for s, a in column if live[s]] for column in found]


def not_crowded(paths: int, layer: int, columns: list[Combination]) -> None:
    """Every filled coordinate is filled on some of the paths to S(layer), and a column may meet two slots on each.  A
    column with more coordinates is wrong; rejecting it here bounds the work by O(L W) for any file."""
    for i, column in enumerate(columns):
        if len(column) > 2 * paths:
            raise Invalid(f"forms: layer {layer}, column {i}: reads more than two filled coordinates per path")
