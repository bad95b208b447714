"""Path matching as an identity between words, checked path by path on a routing.

Main definitions: `match_paths`.
Main result: walking every path p forwards, the program's words reach the queries, keys and read-out as exactly
`W_p WQ_{l,h}`, `W_p WK_{l,h}` and `W_p`.  Words are slots, so equal words are equal products for every target.
The independent checker computes the columns of M(R) backwards instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from symut.backbone.paths import Path, Slot, slots
from symut.backbone.routing import Columns, Move, Routing
from symut.errors import InternalError

State = Mapping[int, Slot]
"""The nonzero coordinates of E R_p and the word that each holds."""

Reads = Mapping[int, list[tuple[str, int, int]]]
"""For every coordinate that is read: the (role, head, column) that read it."""


@dataclass(frozen=True)
class _Layer:
    """What one layer reads, how many slots it must match per path, and where each head moves a coordinate."""

    reads: Reads
    wanted: int
    targets: Sequence[Mapping[int, int]]


def _reads(parts: Sequence[tuple[str, int, Columns]]) -> Reads:
    table: dict[int, list[tuple[str, int, int]]] = {}
    for role, head, columns in parts:
        for column, coordinates in enumerate(columns):
            for coordinate in coordinates:
                table.setdefault(coordinate, []).append((role, head, column))
    return table


def _targets(moves: Sequence[Move]) -> Mapping[int, int]:
    return {source + i: target + i for source, target, length in moves for i in range(length)}


def _layers(routing: Routing, H: int, d: int, k: int) -> list[_Layer]:
    found = []
    for queries, keys, values in zip(routing.queries, routing.keys, routing.values, strict=True):
        parts = [("Q", h, columns) for h, columns in enumerate(queries, 1)]
        parts += [("K", h, columns) for h, columns in enumerate(keys, 1)]
        found.append(_Layer(_reads(parts), 2 * k * H, [_targets(moves) for moves in values]))
    return [*found, _Layer(_reads([("U", 0, routing.readout)]), d, [])]


def _common(state: State, table: Mapping[int, object]) -> list[int]:
    """The coordinates that hold a word and are in the table; found through the smaller of the two."""
    return [c for c in table if c in state] if len(table) < len(state) else [c for c in state if c in table]


def _compare(state: State, layer: _Layer, path: Path) -> int:
    """Every read meets exactly one word, and it is the word of its own slot; returns how many slots were matched."""
    matched = 0
    for coordinate in _common(state, layer.reads):
        word = state[coordinate]
        for role, head, column in layer.reads[coordinate]:
            if word != (role, path, head, column):
                raise InternalError("path matching fails", expected=str((role, path, head, column)), got=str(word))
            matched += 1
    if matched != layer.wanted:
        raise InternalError(f"path {path} reads too few words", expected=str(layer.wanted), got=str(matched))
    return matched


def _walk(start: State, layers: Sequence[_Layer]) -> Iterator[int]:
    """Depth first over all paths, so that at most H states a layer are alive."""
    stack: list[tuple[Path, State]] = [((), start)]
    while stack:
        path, state = stack.pop()
        here = layers[len(path)]
        yield _compare(state, here, path)
        for head, target in enumerate(here.targets, 1):
            stack.append(((*path, head), {target[c]: state[c] for c in _common(state, target)}))


def _output_blocks(H: int, L: int) -> list[bool]:
    """For every block in canonical order whether it is a read-out block (width d) and not a query or key (width k)."""
    outputs = [True]
    for _ in range(L):
        outputs = [False] * (2 * H) + outputs * H
    return outputs


def check_block_sizes(routing: Routing, H: int, L: int) -> None:
    """In a block statement moves, reads and the read-out must respect the sizes k and d of the blocks.

    Raises InternalError at the first block that would change its size.
    """
    outputs = _output_blocks(H, L)
    wide = [outputs[slot] for slot in routing.slots]
    moves = [move for layer in routing.values for head in layer for move in head]
    bad = [move for move in moves for i in range(move.length) if wide[move.source + i] != wide[move.target + i]]
    heads = [columns for part in (routing.queries, routing.keys) for layer in part for columns in layer]
    bad += [c for columns in heads for column in columns for c in column if wide[c]]
    bad += [c for column in routing.readout for c in column if not wide[c]]
    if bad:
        raise InternalError("a block changes its size", got=str(bad[0]))


def match_paths(
    routing: Routing, H: int, L: int, d: int, k: int, progress: Callable[[int, int], None] | None = None
) -> int:
    """Check E R_p RQ = W_p WQ, E R_p RK = W_p WK (|p| < L) and E R_p U = W_p (|p| = L) for all paths; count the slots.

    For a block statement pass d = k = 1: a slot is then a whole block.  `progress(matched, N)` is called once a path.
    Raises InternalError at the first path whose words differ.
    """
    table = slots(H, L, d, k)
    start = {c: table[s] for c, s in enumerate(routing.slots) if s >= 0}
    matched = 0
    for count in _walk(start, _layers(routing, H, d, k)):
        matched += count
        if progress:
            progress(matched, len(table))
    return matched
