"""When heads run: a head may wait until its values are needed, which evens out the heads of the layers.

Main definition: `balanced`.

Lowering puts every head into the first layer in which everything that it reads is there.  Each may move to any layer up
to the last one in which its values are in time for the gates, heads and answers that read them; layers stay as many.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from symut.rasp.encoder.model import Form, Head, Layer


def balanced(layers: tuple[Layer, ...], answers: Iterable[Form]) -> tuple[Layer, ...]:
    """The same layers with fewer heads in the fullest one, if moving heads to later layers achieves that.

    `answers` are the forms that are read after the last layer.
    """
    placed = _placed(layers, _needed_by_gates(layers, answers))
    moved = [_merged([head for head, layer in placed if layer == number]) for number in range(len(layers))]
    if max(map(len, moved)) >= max(len(layer.heads) for layer in layers):
        return layers
    return tuple(replace(layer, heads=heads) for layer, heads in zip(layers, moved, strict=True))


def _needed_by_gates(layers: Sequence[Layer], answers: Iterable[Form]) -> dict[int, int]:
    """The first layer whose gates, or the last one if only answers, read a coordinate."""
    needed = {c: len(layers) - 1 for form in answers for c in form}
    for number in reversed(range(len(layers))):
        gates = [gate for level in layers[number].levels for gate in level]
        needed.update({c: number for gate in gates for form in gate.inputs for c in form})
    return needed


def _placed(layers: Sequence[Layer], needed: dict[int, int]) -> list[tuple[Head, int]]:
    """Every head with its layer, in the old order; later heads choose first, among them those with fewer choices."""
    order = [(head, number) for number, layer in enumerate(layers) for head in layer.heads]
    found: dict[int, int] = {}
    load = [0] * len(layers)
    for number in reversed(range(len(layers))):
        waiting = [place for place, (_, first) in enumerate(order) if first == number]
        last = {place: _last(order[place][0], number, needed) for place in waiting}
        for place in sorted(waiting, key=lambda place: last[place]):
            layer = min(range(number, last[place] + 1), key=lambda layer: (load[layer], -layer))
            load[layer] += 1
            found[place] = layer
            for c in _read(order[place][0]):
                needed[c] = min(needed.get(c, layer - 1), layer - 1)
    return [(head, found[place]) for place, (head, _) in enumerate(order)]


def _last(head: Head, first: int, needed: dict[int, int]) -> int:
    """The last layer in which a head is in time; its own first one if nothing reads it."""
    return max(first, min((needed[output] for _, output in head.values if output in needed), default=first))


def _read(head: Head) -> set[int]:
    scores = [form for term in head.bilinear for form in (*term.queries, *term.keys)]
    return {c for form in [*scores, *(form for form, _ in head.values)] for c in form}


def _merged(heads: Sequence[Head]) -> tuple[Head, ...]:
    """Heads of one layer that select the same keys are one."""
    found: dict[tuple, Head] = {}
    for head in heads:
        key = _selection(head)
        known = found.get(key)
        values, moves = (
            (head.values, head.moves)
            if known is None
            else (
                (*known.values, *head.values),
                {**known.moves, **head.moves},
            )
        )
        found[key] = replace(known or head, values=values, moves=moves)
    return tuple(found.values())


def _selection(head: Head) -> tuple:
    masks = tuple(None if mask is None else mask.tobytes() for mask in (head.mask, head.hidden))
    bilinear = tuple(
        tuple(tuple(tuple(sorted(form.items())) for form in side) for side in (term.queries, term.keys))
        for term in head.bilinear
    )
    return masks, bilinear, tuple(map(id, head.classes)), head.guard
