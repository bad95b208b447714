"""Paths and slots: what the columns of the block matrix M(R) stand for.

Main definitions: `Path`, `Slot`, `paths`, `slots`.
Main result: `slots` lists the N columns in canonical order, that of the merging layout (proofs/FORMAT.md, section 1).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

Path = tuple[int, ...]
"""Heads h_1 .. h_j, one per layer from the first; heads are numbered 1..H; () is the empty path."""

QUERY, KEY, OUTPUT = "Q", "K", "U"


class Slot(NamedTuple):
    """One column of one path-matching condition.

    `role` is "Q", "K" or "U"; `head` is 0 for "U"; `column` counts from 0.
    The word of a slot is `W_p WQ_{l,h}`, `W_p WK_{l,h}` or `W_p` with p = `path` and l = len(path) + 1.
    """

    role: str
    path: Path
    head: int
    column: int

    def as_latex(self) -> str:
        """The slot's word in the letters W^V, W^Q, W^K, e.g. `W^V_{1,2} W^Q_{2,1}`; `I` for the empty word."""
        letters = [f"W^V_{{{layer},{head}}}" for layer, head in enumerate(self.path, 1)]
        if self.role != OUTPUT:
            letters.append(f"W^{self.role}_{{{len(self.path) + 1},{self.head}}}")
        return " ".join(letters) or "I"


def paths(H: int, length: int) -> Iterator[Path]:
    """All H^length paths of one length in lexicographic order."""
    return product(range(1, H + 1), repeat=length)


def slots(H: int, L: int, d: int, k: int) -> list[Slot]:
    """The N slots in canonical order: queries, keys, then for each head the slots of the remaining layers.

    That is a walk over all paths in preorder; each path is built once.
    """
    heads = range(1, H + 1)
    own = [(role, head, column) for role in (QUERY, KEY) for head in heads for column in range(k)]
    listed: list[Slot] = []
    stack: list[Path] = [()]
    while stack:
        path = stack.pop()
        if len(path) == L:
            listed += [Slot(OUTPUT, path, 0, column) for column in range(d)]
        else:
            listed += [Slot(role, path, head, column) for role, head, column in own]
            stack += [(*path, head) for head in reversed(heads)]
    return listed
