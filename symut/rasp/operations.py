"""Elementwise operations: what a `core.Map` or a predicate of a selector applies to single values.

Main definitions: `Operation`, `SYMBOLS`, `apply`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from symut.errors import shown
from symut.rasp.arithmetic import EXACT, FLOATS, Value, division_by_zero, normal, refuse, too_large
from symut.rasp.errors import RaspError

SYMBOLS = {
    "+": "add",
    "-": "sub",
    "*": "mul",
    "/": "div",
    "%": "mod",
    "^": "pow",
    "==": "eq",
    "!=": "ne",
    "<": "lt",
    "<=": "le",
    ">": "gt",
    ">=": "ge",
    "and": "and",
    "or": "or",
}


@dataclass(frozen=True)
class Operation:
    """An elementwise function: a name in `EXACT`, with a table for "in" and "index"; or "python" with a function.

    `table` is a tuple of values ("in"; "index" into a list or string) or of (key, value) pairs (`keyed`).
    """

    name: str
    table: tuple = ()
    keyed: bool = False
    function: Callable[..., Value] | None = None

    def __str__(self) -> str:
        return getattr(self.function, "__name__", "python") if self.function else self.name


def _from_table(operation: Operation, value: Value) -> Value:
    return value in operation.table if operation.name == "in" else _entry(operation, value)


def _in_floats(operation: Operation) -> Operation:
    """The same table with floats for rationals, so that they compare with what a run in floats computes."""
    pairs = operation.table if operation.keyed else [(entry,) for entry in operation.table]
    floats = [tuple(float(v) if isinstance(v, Fraction) else v for v in pair) for pair in pairs]
    return Operation(operation.name, tuple(floats) if operation.keyed else tuple(v for (v,) in floats), operation.keyed)


def _entry(operation: Operation, index: Value) -> Value:
    if operation.keyed:
        entry = next((pair for pair in operation.table if pair[0] == index), None)
        if entry is None:
            raise RaspError("the dictionary has no such key", got=shown(index))
        return entry[1]
    if isinstance(index, float) and index.is_integer():  # a run in floats
        index = int(index)
    if not isinstance(index, int):
        raise refuse("an index is no whole number", (index,), "an integer")
    if not -len(operation.table) <= index < len(operation.table):
        raise RaspError("an index is out of range", expected=f"less than {len(operation.table)}", got=shown(index))
    return operation.table[index]


def apply(operation: Operation, values: tuple[Value, ...], *, floats: bool = False) -> Value:
    """The operation on single values.

    Raises RaspError (without a place) for values that it does not take and for results that are not finite.
    """
    try:
        if operation.function is not None:
            return normal(_python(operation.function(*values), floats))
        if operation.name in ("in", "index"):
            return _from_table(_in_floats(operation) if floats else operation, values[0])
        return normal((FLOATS if floats else EXACT)[operation.name](*values))
    except OverflowError:
        raise too_large() from None
    except ZeroDivisionError:
        raise division_by_zero() from None


def _python(value: Value, floats: bool) -> Value:
    """What a Python function returned, as a value: numpy's scalars and (if exact) floats are converted exactly."""
    value = value.item() if hasattr(value, "item") else value
    if isinstance(value, float) and not floats:
        return Fraction(value) if math.isfinite(value) else normal(value)
    return value
