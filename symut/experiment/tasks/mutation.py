"""Mutations of padded strings of parentheses, in place: swaps of two characters, and flips of one.

Main definitions: `swapped`, `flipped`.
Source: the published code of Zhong and Andreas (2024).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

_BOTH = 3
"""The tokens of ( and ) are 1 and 2, so that a flip is 3 minus the token."""


def swapped(rng: np.random.Generator, strings: np.ndarray, rows: np.ndarray) -> None:
    """In each of `rows`, r times for r = 1, 2, ... with chances 1/2, 1/4, ...: exchange positions p and q if p < q.

    p and q are uniform and independent.
    """
    for chosen in _rounds(rng.geometric(0.5, len(rows)), rows):
        p, q = _position(rng, strings, chosen), _position(rng, strings, chosen)
        chosen, p, q = chosen[p < q], p[p < q], q[p < q]
        strings[chosen, p], strings[chosen, q] = strings[chosen, q], strings[chosen, p]


def flipped(rng: np.random.Generator, strings: np.ndarray, rows: np.ndarray) -> None:
    """In each of `rows`, r times with r as in `swapped`, doubled with probability 2/3: flip a uniform position."""
    repeats = rng.geometric(0.5, len(rows)) * (1 + (rng.random(len(rows)) < 2 / 3))
    for chosen in _rounds(repeats, rows):
        p = _position(rng, strings, chosen)
        strings[chosen, p] = _BOTH - strings[chosen, p]


def _rounds(repeats: np.ndarray, rows: np.ndarray) -> Iterator[np.ndarray]:
    """The rows that take part in round 1, 2, ... until none is left."""
    for done in range(int(repeats.max(initial=0))):
        yield rows[repeats > done]


def _position(rng: np.random.Generator, strings: np.ndarray, rows: np.ndarray) -> np.ndarray:
    return rng.integers(0, (strings[rows] != 0).sum(axis=1))
