"""An encoder: embeddings, attention layers and gates over a residual stream of named coordinates.

Main definitions: `Form`, `Group`, `Bilinear`, `Classes`, `Head`, `Gate`, `Table`, `Layer`, `Check`, `Encoder`.

The stream of an input of m <= n tokens has 1 + m rows. Row 0, the guard, is a key only: its coordinate GUARD is 1, all
others are 0 in every layer, and no gate acts on it. In the token rows ONE is 1 and GUARD is 0. Coordinates are numbers;
a group is a block of coordinates of which one is 1 (a one-hot).

A head scores a key k for a query q by a bilinear form of their rows plus a fixed mask over positions, all keys are
tokens or the guard, and averages the values of the keys with the largest score. Every selector scores 0 where it
selects and at most -1 elsewhere. The guard scores -1/2 under an aggregate, so it is read (and holds the default) only
if nothing is selected, and 0 under a selector width w, where the mean of the guard's indicator is 1 / (w + 1).

A head that ranks keys (of `core.Best`) has scores of any size instead, so no score of the guard separates "nothing is
selected" from "something is". Its `hidden` is the hard position mask of generalised hard attention: hidden keys are no
candidates, their score is minus infinity, as under a causal mask. Among the tokens that exist a query averages the
candidates with the largest score; the guard is a candidate, and then the only one, exactly if there is no other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from symut.rasp.arithmetic import Value
from symut.rasp.errors import Position, RaspError

if TYPE_CHECKING:
    import numpy as np

Number = int | Fraction
Form = Mapping[int, Number]
"""A linear form: a weight per coordinate of the stream."""

ONE, GUARD = 0, 1
"""The first two coordinates."""


@dataclass(frozen=True)
class Group:
    """A one-hot block: of `classes` coordinates, or of positions x classes (position p, class c at p * classes + c)."""

    name: str
    classes: int
    positions: int = 1

    @property
    def width(self) -> int:
        return self.classes * self.positions


@dataclass(frozen=True)
class Bilinear:
    """The score sum_i queries[i](row of q) keys[i](row of k)."""

    queries: tuple[Form, ...]
    keys: tuple[Form, ...]


@dataclass(frozen=True, eq=False)
class Classes:
    """A bilinear score of two groups: `weights` (query classes x key classes).

    With a `mask` (n x n) the groups are joint with positions and the matrix is the Kronecker product mask (x) weights.
    `refused` (query classes x key classes) marks pairs whose comparison is an error.
    """

    query: int
    key: int
    weights: np.ndarray
    mask: np.ndarray | None = None
    refused: np.ndarray | None = None


@dataclass(frozen=True)
class Border:
    """Codes from `others` on stand for values that have no mean, those up to `numbers` for numbers (None: for none).

    `at` is the place of the aggregate.
    """

    numbers: Number | None
    others: Number
    at: Position | None

    @property
    def edge(self) -> Fraction:
        """A number between them."""
        return Fraction(self.others - 1 if self.numbers is None else (self.numbers + self.others) / Fraction(2))


@dataclass(frozen=True, eq=False)
class Head:
    """One head: its score, the guard's score, and its values as (form, coordinate that receives the mean).

    `mask` (n x n) scores 0 where it is True and -1 elsewhere; None is True everywhere. `moves` are the coordinates that
    may hold no numbers: a mean of several values is an error if one of them lies above the border. `hidden` (n x n,
    queries x keys) marks keys that are no candidates; None is for heads that do not rank, where the guard competes by
    its score `guard`.
    """

    name: str
    at: Position | None
    mask: np.ndarray | None
    bilinear: tuple[Bilinear, ...]
    classes: tuple[Classes, ...]
    guard: Number
    values: tuple[tuple[Form, int], ...]
    moves: Mapping[int, Border]
    hidden: np.ndarray | None = None

    @cached_property
    def sources(self) -> np.ndarray | None:
        """Of a head that copies: the one key that each query selects by its position, -1 where it selects none.

        None for heads that score contents, that may select several keys, or that count the guard with them.
        """
        import numpy as np

        scores = self.bilinear or self.classes or self.hidden is not None
        if scores or self.mask is None or not -1 < self.guard < 0 or self.mask.sum(axis=1).max() > 1:
            return None
        return np.where(self.mask.any(axis=1), self.mask.argmax(axis=1), -1)


@dataclass(frozen=True, eq=False)
class Gate:
    """`kind` of `inputs` into the coordinate `output`.

    relu: sum_i weights[i] max(inputs[i], 0). product: inputs[0] inputs[1]. reciprocal: 1 / inputs[0].
    exp: weights[0] ** inputs[0], and without weights the natural exponential of inputs[0]. linear: inputs[0].
    root: inputs[0] ** weights[0] for inputs[0] >= 0 and a weight between 0 and 1.
    """

    kind: str
    inputs: tuple[Form, ...]
    output: int
    weights: tuple[Number, ...] = ()
    at: Position | None = None


@dataclass(frozen=True, eq=False)
class Table:
    """A finite table: `rows[i]` are values of the inputs; `columns` hold what a coordinate, `classes` which class of a
    group, gets for each row. `alphabets` are all values of each input; combinations without a row are an error,
    `refused`, at the place `at`.
    """

    inputs: tuple[Form, ...]
    alphabets: tuple[tuple[Number, ...], ...]
    rows: tuple[tuple[Number, ...], ...]
    columns: Mapping[int, tuple[Number, ...]]
    classes: Mapping[int, tuple[int, ...]]
    combinations: int
    refused: str
    at: Position | None

    @cached_property
    def index(self) -> dict[tuple[Number, ...], int]:
        """The number of the row by the values of the inputs."""
        return {row: number for number, row in enumerate(self.rows)}


@dataclass(frozen=True, eq=False)
class Layer:
    """Heads in parallel, then gates: level by level, those of a level in parallel. The first layer has no heads."""

    heads: tuple[Head, ...]
    levels: tuple[tuple[Gate | Table, ...], ...]


@dataclass(frozen=True, eq=False)
class Check:
    """In `form`, codes in `strings` and codes in `others` must not both occur."""

    form: Form
    strings: frozenset[Number]
    others: frozenset[Number]
    at: Position | None


@dataclass(frozen=True, eq=False)
class Encoder:
    """A compiled sequence for inputs of 1 to n tokens.

    `alphabet` is None if tokens are arbitrary numbers, which go into the coordinate `number`; `readers` are the kinds
    of token sequences that the program reads. `token_columns` and `token_classes` hold, per coordinate or group, an
    entry per letter; `position_columns` and `position_classes` one per position. Letters in `refused_letters` have no
    value in some sequence. The answer is `readout`; `codes` maps its number to a value (None: it is the value, a
    rational whose denominator is at most `below` if that is known).
    """

    n: int
    alphabet: tuple[Value, ...] | None
    readers: frozenset[str]
    refused_letters: Mapping[int, RaspError]
    coordinates: tuple[str, ...]
    groups: tuple[Group, ...]
    number: int | None
    token_columns: Mapping[int, tuple[Number, ...]]
    token_classes: Mapping[int, tuple[int, ...]]
    position_columns: Mapping[int, tuple[Number, ...]]
    position_classes: Mapping[int, tuple[int, ...]]
    layers: tuple[Layer, ...]
    checks: tuple[Check, ...]
    readout: Form
    codes: Mapping[Number, Value] | None
    below: int | None
    finite: Mapping[int, tuple[Number, ...]]
    """The values that a coordinate can take in token rows, where they are finitely many."""
