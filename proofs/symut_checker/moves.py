"""Partial permutations of coordinates as lists of moves [source, target, length].

A short file can name moves of many coordinates in many layers, so that what all layers fill is kept as one byte per
coordinate, and a permutation is written out for one head at a time.
"""

from __future__ import annotations

import itertools
from typing import Any

from .matrices import Matrix
from .strict import Invalid, integers, listing

# limits of this program, not of the format: moved coordinates and columns of all layers together, and the coordinates
# of all layers, which are filled or not
MAX_MOVES = 10**7
MAX_FILLED = 5 * 10**7

Moves = Matrix  # rows [source, target, length]
Permutation = dict[int, int]  # a partial permutation matrix as {target: source}
Filled = bytearray  # 1 for every coordinate that holds a slot


def read_moves(value: Any, where: str, w: int) -> Moves:
    for move in listing(value, where):
        listing(move, where, 3)
    integers(list(itertools.chain(*value)), where, 0, w)
    return value


def covered(moves: Moves) -> int:
    return sum(length for _, _, length in moves)


def need_permutation(moves: Moves, where: str, units: str) -> None:
    """No source and no target occurs twice, and every move joins units of equal size."""
    sources: set[int] = set()
    targets: set[int] = set()
    total, w = 0, len(units)
    for source, target, length in moves:
        # checked before a range is expanded; with the last check this bounds the work by 2 w
        if not 1 <= length <= w - max(source, target):
            raise Invalid(f"{where}: move {[source, target, length]} is empty or leaves 0..{w - 1}")
        if units[source : source + length] != units[target : target + length]:
            raise Invalid(f"{where}: move {[source, target, length]} joins units of different size")
        sources.update(range(source, source + length))
        targets.update(range(target, target + length))
        total += length
        if not len(sources) == len(targets) == total:
            raise Invalid(f"{where}: move {[source, target, length]} repeats a source or a target")


def permutation(moves: Moves) -> Permutation:
    inverse: Permutation = {}
    for source, target, length in moves:
        if length == 1:  # the same, faster
            inverse[target] = source
        else:
            inverse.update(zip(range(target, target + length), range(source, source + length), strict=True))
    return inverse


def fill(after: Filled, before: Filled, moves: Moves) -> None:
    """Mark in `after` what the moves bring there from the coordinates that are filled in `before`."""
    for source, target, length in moves:
        if length == 1:  # the same, faster
            after[target] |= before[source]
            continue
        brought, there = before[source : source + length], slice(target, target + length)
        if after.find(1, target, target + length) >= 0:
            both = int.from_bytes(brought, "little") | int.from_bytes(after[there], "little")
            brought = both.to_bytes(length, "little")
        after[there] = brought
