"""Functions that pass None on, as Tracr's programs do: a result is None where an argument is.

Main definitions: `Lifted` (a named operation), `Passing` (a Python function).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from symut.rasp.arithmetic import Value
from symut.rasp.operations import Operation, apply


@dataclass(frozen=True)
class Lifted:
    """`operation` on values that are not None; where no value can be None an encoder takes the operation itself."""

    operation: Operation

    @property
    def __name__(self) -> str:
        return str(self.operation)

    def __call__(self, *values: Value) -> Value:
        return None if any(value is None for value in values) else apply(self.operation, values)


@dataclass(frozen=True)
class Passing:
    """A Python function that is not called with None."""

    function: Callable[..., Value]

    @property
    def __name__(self) -> str:
        return getattr(self.function, "__name__", "function")

    def __call__(self, *values: Value) -> Value:
        return None if any(value is None for value in values) else self.function(*values)
