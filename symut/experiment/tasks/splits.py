"""Disjoint splits by construction: a digest of its tokens decides which split may hold a sequence.

Main definitions: `Split`, `split_of`, `in_split`, `restricted`.
No split remembers what another one holds, so streams without end stay disjoint.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from hashlib import blake2b
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

    Draw = Callable[[int], np.ndarray]


class Split(IntEnum):
    """A sequence is TEST or VALIDATION with probability 1/8 each, else TRAIN."""

    TRAIN = 0
    VALIDATION = 1
    TEST = 2


def split_of(sequence: bytes) -> Split:
    """The only split that may hold the sequence."""
    digest = blake2b(sequence, digest_size=1).digest()[0]
    return Split.TEST if digest < 32 else Split.VALIDATION if digest < 64 else Split.TRAIN


def restricted(draw: Draw, split: Split, count: int, free: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """`count` sequences (rows) of the distribution `draw(size)`; those that are not `free` belong to `split`.

    A row that is not free is drawn again, until it is not free and of the split.  The share of free rows stays as
    `draw` has it, because the digest does not depend on it.
    """
    import numpy as np

    rows = draw(count)
    wrong = np.flatnonzero(~free(rows) & ~in_split(rows, split))
    while len(wrong):
        more = draw(2 * len(wrong) + 16)
        more = more[~free(more) & in_split(more, split)][: len(wrong)]
        rows[wrong[: len(more)]] = more
        wrong = wrong[len(more) :]
    return rows


def in_split(rows: np.ndarray, split: Split) -> np.ndarray:
    """Which rows the split may hold."""
    import numpy as np

    return np.array([split_of(row.tobytes()) == split for row in rows], dtype=bool)
