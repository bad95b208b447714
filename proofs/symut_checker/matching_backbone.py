"""Rule W: a backbone of products of linear forms that matches every target (FORMAT.md, section 11.4).

The program holds `v_p z_{l,s}` in the slot (p, s), |p| = l - 1, and `v_p` in the slot (p, 0), |p| = L.  The scores of
a group are products A_i(z) B_i(z); sign conditions on determinants say that such products take all values at once.
"""

from __future__ import annotations

import itertools
from typing import Any, NamedTuple

from .strict import fields, integers, listing, need

MAX_COORDINATES, MAX_LAYERS = 2000, 200
Slot = tuple[tuple[int, ...], int]  # (path, variable of the next layer), variable 0 is the output
Form = dict[int, int]  # variable -> coefficient


class Backbone(NamedTuple):
    slots: list[Slot | None]
    values: list[list[dict[int, int]]]  # [layer][head]: source -> target
    forms: list[list[tuple[dict[int, int], dict[int, int]]]]  # [layer][head]: coordinate -> coefficient, twice
    readout: list[int]
    blocks: list[list[list[int]]]


def rule_backbone(H: int, L: int, m: int, targets: str, value: Any) -> None:
    where = "backbone"
    b = read_backbone(H, L, m, value)
    held = [slot for slot in b.slots if slot is not None]
    need(len(set(held)) == len(held), f"{where}.slots: a slot is held twice")
    # with one head the variables are shared by all layers, so that they have the empty path
    for path, s in held:
        fits = len(path) == L if s == 0 else len(path) < L and (H > 1 or path == ())
        need(fits, f"{where}.slots: no slot has this path and variable")
    scores: dict[tuple[int, int], tuple[Form, Form]] = {}
    for length in range(L + 1):
        for path in itertools.product(range(1, H + 1), repeat=length):
            state = after(b, path)
            if length == L:
                need_output(state, b.readout, path)
                continue
            for h in range(H):
                forms = tuple(form(state, reads, path, H) for reads in b.forms[length][h])
                first = scores.setdefault((length, h), (forms[0], forms[1]))
                need(
                    first == forms, f"{where}.forms: layer {length + 1}, head {h + 1} reads other forms on another path"
                )
    groups = [[(layer, h) for h in range(H)] for layer in range(L)] if H > 1 else [[(layer, 0) for layer in range(L)]]
    need(len(b.blocks) == len(groups), f"{where}.blocks: expected {len(groups)} groups")
    for group, blocks in zip(groups, b.blocks, strict=True):
        need_onto([scores[key] for key in group], blocks, weak=targets == "weak" and H == L == 1)


def read_backbone(H: int, L: int, m: int, value: Any) -> Backbone:
    where = "backbone"
    table = fields(value, where, ("slots", "values", "forms", "readout", "blocks"))
    need(m <= MAX_COORDINATES and L <= MAX_LAYERS, f"{where}: too large")
    need(H == 1 or H.bit_length() * L <= 64, f"{where}: too large")
    need(m >= H**L, f"{where}: narrower than H^L")
    slots: list[Slot | None] = []
    for entry in listing(table["slots"], f"{where}.slots", m):
        if entry is None:
            slots.append(None)
            continue
        path, s = listing(entry, f"{where}.slots", 2)
        integers([s], f"{where}.slots", 0, m)
        slots.append((tuple(integers(path, f"{where}.slots", 1, H)), s))

    def heads(name: str) -> list[list[Any]]:
        layers = listing(table[name], f"{where}.{name}", L)
        return [listing(layer, f"{where}.{name}", H) for layer in layers]

    values = [[pairs(head, f"{where}.values", m, partial=True) for head in layer] for layer in heads("values")]
    forms = [
        [tuple(pairs(side, f"{where}.forms", m) for side in listing(head, f"{where}.forms", 2)) for head in layer]
        for layer in heads("forms")
    ]
    readout = integers(table["readout"], f"{where}.readout", 0, m - 1)
    need(len(set(readout)) == len(readout), f"{where}.readout: a coordinate twice")
    blocks = [
        [integers(block, f"{where}.blocks", 0, H * L) for block in listing(group, f"{where}.blocks")]
        for group in listing(table["blocks"], f"{where}.blocks")
    ]
    return Backbone(slots, values, [[(a, b) for a, b in layer] for layer in forms], readout, blocks)


def pairs(value: Any, where: str, m: int, partial: bool = False) -> dict[int, int]:
    """[[source, target], ...] or [[coordinate, coefficient], ...] as a dict; sources, and targets, are distinct."""
    rows = [
        integers(row, where, 0 if partial else -(10**6), m - 1 if partial else 10**6, 2)
        for row in listing(value, where)
    ]
    result = {row[0]: row[1] for row in rows}
    need(all(0 <= source < m for source in result), f"{where}: a coordinate lies outside 0..{m - 1}")
    need(len(result) == len(rows), f"{where}: a coordinate occurs twice")
    need(not partial or len(set(result.values())) == len(rows), f"{where}: a target occurs twice")
    return result


def after(b: Backbone, path: tuple[int, ...]) -> dict[int, Slot]:
    """Where the filled coordinates of the program are after R_p: coordinate -> slot."""
    state = {c: slot for c, slot in enumerate(b.slots) if slot is not None}
    for layer, head in enumerate(path):
        moves = b.values[layer][head - 1]
        state = {moves[c]: slot for c, slot in state.items() if c in moves}
    return state


def need_output(state: dict[int, Slot], readout: list[int], path: tuple[int, ...]) -> None:
    read = [state[c] for c in readout if c in state]
    need(read == [(path, 0)], f"backbone.readout: path {path} does not read exactly its own output")


def form(state: dict[int, Slot], reads: dict[int, int], path: tuple[int, ...], H: int) -> Form:
    """The combination of variables that is read after this path; only slots of this very path may be read."""
    own = path if H > 1 else ()
    result: Form = {}
    for c, coefficient in reads.items():
        if c in state and coefficient:
            slot_path, s = state[c]
            need(slot_path == own or (s == 0 and H == 1), f"backbone.forms: a slot of another path is read on {path}")
            result[s] = result.get(s, 0) + coefficient
    return result


def need_onto(scores: list[tuple[Form, Form]], blocks: list[list[int]], weak: bool) -> None:
    """The products of the group take every tuple of values; each block has its own heads and its own variables."""
    where = "backbone.blocks"
    need(
        sorted(i for block in blocks for i in block) == list(range(len(scores))),
        f"{where}: not a partition of the heads",
    )
    used: set[int] = set()
    for block in blocks:
        forms = [scores[i] for i in block]
        own = sorted({s for pair in forms for form in pair for s in form})
        need(not used & set(own), f"{where}: two blocks share a variable")
        used |= set(own)
        # at (1,1) with v nonzero the output itself may be read: z = q / v
        if weak and own == [0, 1] and sorted(sorted(form) for form in forms[0]) == [[0], [1]]:
            continue
        need(0 not in own, f"{where}: the output is read as a variable")
        need_block(forms, own)


def need_block(forms: list[tuple[Form, Form]], own: list[int]) -> None:
    """Two variables for one product, or n >= 2 products of n variables with a negative product of determinants."""
    where, n = "backbone.blocks", len(forms)
    need(len(own) == (2 if n == 1 else n) and n <= 8, f"{where}: {n} scores in {len(own)} variables")
    choices = [forms[0]] if n == 1 else itertools.product(*forms)
    negative = 0
    for choice in choices:
        value = determinant([[f.get(s, 0) for s in own] for f in choice])
        need(value != 0, f"{where}: dependent forms")
        negative += value < 0
    need(n == 1 or negative % 2 == 1, f"{where}: an even number of negative determinants")


def determinant(matrix: list[list[int]]) -> int:
    """Bareiss' elimination: all divisions are exact."""
    rows, sign, previous = [row[:] for row in matrix], 1, 1
    for j in range(len(rows)):
        pivot = next((i for i in range(j, len(rows)) if rows[i][j]), None)
        if pivot is None:
            return 0
        if pivot != j:
            rows[j], rows[pivot], sign = rows[pivot], rows[j], -sign
        for i in range(j + 1, len(rows)):
            rows[i] = [(rows[i][c] * rows[j][j] - rows[i][j] * rows[j][c]) // previous for c in range(len(rows))]
        previous = rows[j][j]
    return sign * previous
