"""Values of many inputs at once: distinct values are numbered, and arrays hold the numbers.

Main definition: `Values`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from symut.rasp.arithmetic import Value, kind
from symut.rasp.errors import LimitError, RaspError
from symut.rasp.symbolic.domain import UnsupportedError

FAILED = -1
"""The number of a value that does not exist because its computation was refused."""
_DENSE = 1 << 22


class Values:
    """Numbers for values, by type and value: 1 and True are different here, and equal by `classes`."""

    def __init__(self) -> None:
        self.values: list[Value] = []
        self._numbers: dict[tuple[type, Value], int] = {}
        self._classes: dict[Value, int] = {}
        self._of: list[int] = []
        self._kinds: list[int] = []

    def number(self, value: Value) -> int:
        """The number of a value, a new one if it has none."""
        key = (type(value), value)
        if key not in self._numbers:
            self._numbers[key] = len(self.values)
            self.values.append(value)
            self._of.append(self._classes.setdefault(value, len(self._of)))
            self._kinds.append({"number": 0, "boolean": 1, "string": 2}.get(kind(value), 3))
        return self._numbers[key]

    def equal_to(self, value: Value) -> int:
        """The class of the values that are equal to a value, -1 if there is none."""
        return self._classes.get(value, -1)

    @property
    def classes(self) -> np.ndarray:
        """Per number, the first number whose value is equal by ==."""
        return np.array(self._of, dtype=np.int64)

    @property
    def kinds(self) -> np.ndarray:
        """Per number: 0 number, 1 boolean, 2 string, 3 none."""
        return np.array(self._kinds, dtype=np.int64)

    def map(self, function: Callable[..., Value], *arguments: np.ndarray) -> np.ndarray:
        """The numbers of function(v, ...), computed once per distinct combination; FAILED where it is refused."""
        shape = np.broadcast_shapes(*(argument.shape for argument in arguments))
        combinations, where = _distinct(arguments, shape, len(self.values))
        found = np.empty(len(combinations), dtype=np.int64)
        for i, row in enumerate(combinations):
            found[i] = self._applied(function, [self.values[j] for j in row])
        return found[where].reshape(shape)

    def _applied(self, function: Callable[..., Value], values: list[Any]) -> int:
        try:
            return self.number(function(*values))
        except LimitError as reason:
            raise UnsupportedError(str(reason)) from None
        except RaspError:
            return FAILED


def _distinct(arguments: tuple, shape: tuple, count: int) -> tuple[list[list[int]], np.ndarray]:
    """The combinations of numbers that occur, and per entry which one it is."""
    keys = np.zeros(shape, dtype=np.int64)
    width = max(1, count)
    for i, argument in enumerate(arguments):
        if i and width**2 > 2**62 // max(1, int(keys.max(initial=0)) + 1):
            keys = np.unique(keys, return_inverse=True)[1].reshape(shape)
        keys = keys * width + argument
    flat = keys.ravel()
    if flat.size and int(flat.max()) < _DENSE:
        present = np.zeros(int(flat.max()) + 1, dtype=bool)
        present[flat] = True
        first = np.full(present.size, -1, dtype=np.int64)
        first[flat[::-1]] = np.arange(flat.size)[::-1]
        distinct = np.flatnonzero(present)
        place = np.zeros(present.size, dtype=np.int64)
        place[distinct] = np.arange(distinct.size)
        return _rows(arguments, shape, first[distinct]), place[flat]
    _, first, where = np.unique(flat, return_index=True, return_inverse=True)
    return _rows(arguments, shape, first), where.ravel()


def _rows(arguments: tuple, shape: tuple, places: np.ndarray) -> list[list[int]]:
    columns = [np.broadcast_to(argument, shape).reshape(-1)[places].tolist() for argument in arguments]
    return [list(row) for row in zip(*columns, strict=True)]
