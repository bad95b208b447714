"""Path matching as an identity between words, checked path by path on a routing of any form.

Main definitions: `match_paths`, `check_block_sizes`.
Main result: walking every path p forwards, the program's words reach the queries, keys and read-out as exactly the
words of the slots of p.  Words are slots, so equal words are equal products for every target.  The letter 0 of a
residual form leaves every word where it is, and a shared form uses one set of tables for all layers.
The independent checker computes the columns of M(R) backwards instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from symut.backbone.forms import FormShape, form_slots
from symut.backbone.paths import KEY, OUTPUT, QUERY, Path, Slot
from symut.backbone.routing import Columns, Move, Routing
from symut.errors import InternalError

State = Mapping[int, Slot]
"""The nonzero coordinates of E R_p and the word that each holds."""

Reads = Mapping[int, list[tuple[str, int, int]]]
"""For every coordinate that is read: the (role, head, column) that read it."""


@dataclass(frozen=True)
class _Layer:
    """What is read after the paths of one length, how many slots that must match, and where letters move coordinates.

    `targets[letter]` is None for the letter 0, which moves nothing.
    """

    reads: Reads
    wanted: int
    targets: Mapping[int, Mapping[int, int] | None]


def _reads(parts: Sequence[tuple[str, int, Columns]]) -> Reads:
    table: dict[int, list[tuple[str, int, int]]] = {}
    for role, head, columns in parts:
        for column, coordinates in enumerate(columns):
            for coordinate in coordinates:
                table.setdefault(coordinate, []).append((role, head, column))
    return table


def _targets(moves: Sequence[Move]) -> Mapping[int, int]:
    return {source + i: target + i for source, target, length in moves for i in range(length)}


def _layer(routing: Routing, shape: FormShape, index: int) -> _Layer:
    """Layer index + 1, with the tables that stand at `index` of the routing."""
    form = shape.form
    keys = routing.keys[index] if form.key_heads(shape.H) else ()
    parts = [(QUERY, h, columns) for h, columns in enumerate(routing.queries[index], 1)]
    parts += [(KEY, h, columns) for h, columns in zip(form.key_heads(shape.H), keys, strict=True)]
    wanted = shape.own_width
    if form.outputs_everywhere:
        parts.append((OUTPUT, 0, routing.readout))
        wanted += shape.output_width
    targets: dict[int, Mapping[int, int] | None] = {0: None} if form.letters else {}
    targets |= {h: _targets(moves) for h, moves in zip(range(1, shape.H + 1), routing.values[index], strict=True)}
    return _Layer(_reads(parts), wanted, targets)


def _layers(routing: Routing, shape: FormShape) -> list[_Layer]:
    """One entry for every length 0..L of a path; the layers of a shared form are one object."""
    tables = {len(routing.queries), len(routing.values), *([len(routing.keys)] if routing.keys else [])}
    if tables != {shape.stored_layers}:
        raise InternalError("a routing has tables of other layers", expected=str(shape.stored_layers), got=str(tables))
    found = [_layer(routing, shape, index) for index in range(shape.stored_layers)]
    last = _Layer(_reads([(OUTPUT, 0, routing.readout)]), shape.output_width, {})
    return [*(found * shape.L if shape.form.shared else found), last]


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


def _follow(state: State, targets: Mapping[int, int] | None) -> State:
    return state if targets is None else {targets[c]: state[c] for c in _common(state, targets)}


def _walk(start: State, layers: Sequence[_Layer]) -> Iterator[int]:
    """Depth first over all paths, so that few states of a layer are alive."""
    stack: list[tuple[Path, State]] = [((), start)]
    while stack:
        path, state = stack.pop()
        here = layers[len(path)]
        yield _compare(state, here, path)
        stack += [((*path, letter), _follow(state, targets)) for letter, targets in here.targets.items()]


def _wide(shape: FormShape) -> list[bool]:
    """For every block in canonical order whether it is as wide as a read-out and not as a query or key."""
    return [shape.form.scores_only or slot.role == OUTPUT for slot in form_slots(shape)]


def check_block_sizes(routing: Routing, shape: FormShape) -> None:
    """In a block statement moves, reads and the read-out must respect the sizes of the blocks.

    `shape` has widths 1; in a score-matching form all blocks have size d.
    Raises InternalError at the first block that would change its size.
    """
    by_slot = _wide(shape)
    wide = [by_slot[slot] for slot in routing.slots]
    reads_wide = shape.form.scores_only
    moves = [move for layer in routing.values for head in layer for move in head]
    bad = [move for move in moves for i in range(move.length) if wide[move.source + i] != wide[move.target + i]]
    heads = [columns for part in (routing.queries, routing.keys) for layer in part for columns in layer]
    bad += [c for columns in heads for column in columns for c in column if wide[c] != reads_wide]
    bad += [c for column in routing.readout for c in column if not wide[c]]
    if bad:
        raise InternalError("a block changes its size", got=str(bad[0]))


def match_paths(routing: Routing, shape: FormShape, progress: Callable[[int, int], None] | None = None) -> int:
    """Check the condition of every slot of the form, for all paths; count the slots.

    For a block statement the widths of `shape` are 1: a slot is then a whole block.  `progress(matched, N)` is called
    once a path.  Raises InternalError at the first path whose words differ.
    """
    table = form_slots(shape)
    start = {c: table[s] for c, s in enumerate(routing.slots) if s >= 0}
    matched = 0
    for count in _walk(start, _layers(routing, shape)):
        matched += count
        if progress:
            progress(matched, len(table))
    return matched
