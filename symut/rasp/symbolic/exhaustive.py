"""Two programs over a finite alphabet on all inputs of one length.

Main definitions: `compare_all`, `Exhausted`, `MOST_INPUTS`.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf

import numpy as np

from symut.rasp import core
from symut.rasp.arithmetic import Value
from symut.rasp.operations import Operation
from symut.rasp.symbolic.batch import Batch, Result
from symut.rasp.symbolic.domain import UnsupportedError

MOST_INPUTS = 1 << 20
_ENTRIES = 1 << 22


@dataclass(frozen=True)
class Exhausted:
    """How many `inputs` were compared, on how many both programs stop with an error, and one that separates them."""

    inputs: int
    undefined: int
    separating: list[Value] | None = None


def compare_all(
    first: core.Node,
    second: core.Node,
    n: int,
    letters: Sequence[Value],
    *,
    defined: bool = False,
    deadline: float = inf,
) -> Exhausted:
    """Both programs on all len(letters)^n inputs, up to the first that separates them.

    With `defined`, only inputs on which both have values count.  Raises UnsupportedError for exponentials,
    and when the deadline (on the monotonic clock) is over.
    """
    nodes = core.order([first, second])
    if any(_operation(node).name == "exp" for node in nodes):
        raise UnsupportedError("exponentials over a finite alphabet")
    total, undefined = len(letters) ** n, 0
    for start, batch in _batches(len(letters), n):
        if time.monotonic() > deadline:
            raise UnsupportedError(f"the time was over after {start} of {total}")
        one, other = Batch(letters, batch).run(first), Batch(letters, batch).run(second)
        differ = _differing(one, other, defined)
        if differ.any():
            chosen = batch[int(np.flatnonzero(differ)[0])]
            return Exhausted(start + int(np.flatnonzero(differ)[0]) + 1, undefined, [letters[i] for i in chosen])
        undefined += int((one.failed & other.failed).sum())
    return Exhausted(total, undefined)


def _operation(node: core.Node) -> Operation:
    if isinstance(node, core.Map):
        return node.operation
    return node.predicate if isinstance(node, core.Select) else Operation("")


def _batches(letters: int, n: int) -> Iterator[tuple[int, np.ndarray]]:
    """(first number, inputs x n letter numbers), in lexicographic order."""
    total, size = letters**n, max(1, _ENTRIES // (n * n))
    for start in range(0, total, size):
        number = np.arange(start, min(total, start + size), dtype=np.int64)
        digits = np.empty((number.size, n), dtype=np.int64)
        for position in reversed(range(n)):
            number, digits[:, position] = np.divmod(number, letters)
        yield start, digits


def _differing(one: Result, other: Result, defined: bool) -> np.ndarray:
    if one.table is not None and other.table is not None:
        translation = np.array([other.table.equal_to(value) for value in one.table.values], dtype=np.int64)
        unequal = translation[one.values] != other.table.classes[other.values]
    else:
        unequal = one.values != other.values
    different = unequal.reshape(len(unequal), -1).any(axis=1) & ~one.failed & ~other.failed
    return different if defined else different | (one.failed != other.failed)
