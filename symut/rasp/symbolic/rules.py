"""Elementwise operations on symbolic values: one row per operation; conditions become questions to a `Path`.

Main definition: `apply_symbolic`.  Values that depend on no symbol are computed by the interpreter's own arithmetic.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from symut.rasp.arithmetic import Value, division_by_zero, kind, normal
from symut.rasp.errors import RaspError
from symut.rasp.operations import Operation, apply
from symut.rasp.symbolic.domain import Text, UnsupportedError, is_symbolic
from symut.rasp.symbolic.path import Path
from symut.rasp.symbolic.ratio import Ratio

MOST_POWERS = 64


def kind_of(value: Any) -> str:
    """As `arithmetic.kind`, for symbolic values too."""
    return "number" if isinstance(value, Ratio) else "string" if isinstance(value, Text) else kind(value)


def apply_symbolic(path: Path, operation: Operation, values: tuple[Any, ...]) -> Any:
    """The operation on values of which some may be symbolic.

    Raises RaspError where the interpreter does, and UnsupportedError for what is not covered.
    """
    if operation.name == "exp" and operation.function is None:
        return _exponential(path, values[0])
    if not any(map(is_symbolic, values)):
        return in_mode(apply(operation, values))
    if operation.function is not None:
        raise UnsupportedError(f"the Python function {operation} of a symbolic value")
    if operation.name in ("in", "index"):
        return (_contained if operation.name == "in" else _entry)(path, operation, values[0])
    if operation.name not in _RULES:
        raise UnsupportedError(f"{operation.name} of a symbolic value")
    return _RULES[operation.name](path, *values)


def in_mode(value: Value) -> Value:
    """A float as the rational that it is."""
    return normal(Fraction(value)) if isinstance(value, float) else value


def equal(path: Path, left: Any, right: Any) -> bool:
    """Whether two values are equal by ==, on this path."""
    texts = isinstance(left, (Text, str)), isinstance(right, (Text, str))
    if all(texts):
        return _equal_texts(path, left, right)
    if any(texts):
        return False
    if not any(map(is_symbolic, (left, right))):
        return left == right
    return path.is_zero(path.space.subtract(left, right))


def _equal_texts(path: Path, left: Any, right: Any) -> bool:
    if isinstance(left, str) and isinstance(right, str):
        return left == right
    domain = left.domain if isinstance(left, Text) else right.domain
    numbers = [text.number if isinstance(text, Text) else domain.number(text) for text in (left, right)]
    return None not in numbers and path.is_zero(path.space.subtract(*numbers))


def truth(path: Path, value: Any) -> bool:
    """Whether a value counts as true, on this path."""
    if isinstance(value, Text):
        return not equal(path, value, "")
    return not path.is_zero(value) if isinstance(value, Ratio) else bool(value)


def _order(path: Path, left: Any, right: Any) -> int:
    """The sign of left - right, for strings in their order."""
    kinds = {kind_of(left) == "string", kind_of(right) == "string"}
    if len(kinds) > 1:
        raise RaspError("cannot compare by order", expected="two numbers or two strings")
    if isinstance(left, Text) or isinstance(right, Text):
        return _order_of_texts(path, left, right)
    return path.sign(path.space.subtract(left, right))


def _order_of_texts(path: Path, left: Any, right: Any) -> int:
    if isinstance(left, str):
        return -_order_of_texts(path, right, left)
    if isinstance(right, str):
        bound: Any = left.domain.threshold(right)
    else:
        left.domain.threshold("")
        bound = right.number
    return path.sign(path.space.subtract(left.number, bound))


def _numbers(what: str, *values: Any) -> None:
    if any(kind_of(value) == "string" for value in values):
        raise RaspError(f"cannot {what}", expected="numbers")


def _add(path: Path, left: Any, right: Any) -> Any:
    if kind_of(left) == kind_of(right) == "string":
        raise UnsupportedError("joining a symbolic string")
    _numbers("add", left, right)
    return path.space.add(left, right)


def _multiply(path: Path, left: Any, right: Any) -> Any:
    strings = [kind_of(value) == "string" for value in (left, right)]
    if any(strings) and not all(strings):
        raise UnsupportedError("repeating a symbolic string, or a string a symbolic number of times")
    _numbers("multiply", left, right)
    return path.space.multiply(left, right)


def _subtract(path: Path, left: Any, right: Any) -> Any:
    _numbers("subtract", left, right)
    return path.space.subtract(left, right)


def _divide(path: Path, left: Any, right: Any) -> Any:
    _numbers("divide", left, right)
    if path.is_zero(right):
        raise division_by_zero()
    return path.space.multiply(left, path.space.power(right, -1))


def _power(path: Path, base: Any, exponent: Any) -> Any:
    _numbers("take a power", base, exponent)
    if isinstance(exponent, Ratio):
        raise UnsupportedError("a power with a symbolic exponent")
    exponent = normal(exponent)
    if not isinstance(exponent, int):
        if exponent < 0 and path.is_zero(base):
            raise division_by_zero()
        raise RaspError("a power has no exact value", expected="a whole exponent")
    if abs(exponent) > MOST_POWERS:
        raise UnsupportedError(f"a power of a symbolic value beyond {MOST_POWERS}")
    if exponent < 0 and path.is_zero(base):
        raise division_by_zero()
    return path.space.power(base, exponent)


def _negate(path: Path, value: Any) -> Any:
    _numbers("negate", value)
    return path.space.multiply(-1, value)


def _same(path: Path, value: Any) -> Any:
    _numbers("take the value with +", value)
    return value


def _exponential(path: Path, value: Any) -> Any:
    _numbers("take the exponential", value)
    return path.space.exponential(path.reduced(value) if isinstance(value, Ratio) else in_mode(value))


def _contained(path: Path, operation: Operation, value: Any) -> bool:
    return any(equal(path, value, entry) for entry in operation.table)


def _entry(path: Path, operation: Operation, index: Any) -> Any:
    if operation.keyed:
        pairs = operation.table
    elif isinstance(index, Text):
        raise RaspError("an index is no whole number", expected="an integer")
    else:
        size = len(operation.table)
        pairs = [(i, operation.table[i]) for i in range(-size, size)]
    for key, entry in pairs:
        if equal(path, index, key):
            return in_mode(entry)
    raise RaspError("there is no such key or index")


_RULES: dict[str, Callable[..., Any]] = {
    "add": _add,
    "sub": _subtract,
    "mul": _multiply,
    "div": _divide,
    "pow": _power,
    "neg": _negate,
    "pos": _same,
    "indicator": lambda path, value: int(truth(path, value)),
    "eq": equal,
    "ne": lambda path, left, right: not equal(path, left, right),
    "lt": lambda path, left, right: _order(path, left, right) < 0,
    "le": lambda path, left, right: _order(path, left, right) <= 0,
    "gt": lambda path, left, right: _order(path, left, right) > 0,
    "ge": lambda path, left, right: _order(path, left, right) >= 0,
    "not": lambda path, value: not truth(path, value),
    "and": lambda path, left, right: truth(path, left) and truth(path, right),
    "or": lambda path, left, right: truth(path, left) or truth(path, right),
    "if": lambda path, condition, then, otherwise: then if truth(path, condition) else otherwise,
}
