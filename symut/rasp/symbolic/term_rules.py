"""Elementwise operations on terms, one row per operation.

Main definition: `apply_term`.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from symut.rasp.errors import RaspError
from symut.rasp.operations import Operation, apply
from symut.rasp.symbolic.domain import UnsupportedError
from symut.rasp.symbolic.rules import in_mode
from symut.rasp.symbolic.terms import BOOL, REAL, TEXT, Encoding, Term, sort

_ORDERS = {"lt": "<", "le": "<=", "gt": ">", "ge": ">="}


def apply_term(run: Encoding, operation: Operation, values: tuple[Any, ...]) -> Any:
    """An elementwise operation on values and terms.  Raises UnsupportedError, and RaspError if it is never defined."""
    if operation.name == "exp":
        raise UnsupportedError("an exponential")
    if not any(isinstance(value, Term) for value in values):
        return in_mode(apply(operation, values))
    if operation.function is not None or operation.name not in _OPERATIONS:
        raise UnsupportedError(f"{operation} of a symbolic value")
    return _OPERATIONS[operation.name](run, operation, *values)


def _arithmetic(run: Encoding, sign: str, *values: Any) -> Term:
    if any(sort(value) == TEXT for value in values):
        raise UnsupportedError("arithmetic with strings")
    return run.name(f"({sign} {' '.join(map(run.real, values))})", REAL)


def _ordered(run: Encoding, operation: Operation, left: Any, right: Any) -> Any:
    sign, texts = _ORDERS[operation.name], {sort(left) == TEXT, sort(right) == TEXT}
    if len(texts) > 1:
        raise RaspError("cannot compare by order")
    if True not in texts:
        return run.name(f"({sign} {run.real(left)} {run.real(right)})", BOOL)
    if run.strings:
        raise UnsupportedError("an order of strings that may be no tokens")
    if isinstance(left, str):
        mirrored = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}[operation.name]
        return _ordered(run, Operation(mirrored), right, left)
    bound = run.domain.threshold(right) if isinstance(right, str) else (run.domain.threshold(""), right)[1]
    return run.name(f"({sign} {left.text} {run.written(bound)})", BOOL)


def _divided(run: Encoding, operation: Operation, left: Any, right: Any) -> Any:
    if isinstance(right, (int, Fraction)) and right == 0:
        raise RaspError("division by zero")
    zero = run.equal(right, 0)
    run.failures.append(zero)
    return _arithmetic(run, "/", left, run.choice(zero, 1, right))


def _power(run: Encoding, operation: Operation, base: Any, exponent: Any) -> Any:
    if not isinstance(exponent, int) or not 0 < exponent <= 16:
        raise UnsupportedError("this power")
    return _arithmetic(run, "*", base, *[base] * (exponent - 1), 1)


def _entry(run: Encoding, operation: Operation, index: Any) -> Any:
    size = len(operation.table)
    pairs = operation.table if operation.keyed else [(i, operation.table[i]) for i in range(-size, size)]
    if sort(index) == TEXT and not operation.keyed:
        raise RaspError("an index is no whole number")
    if not pairs:
        raise RaspError("a list or dictionary is empty")
    equal = [run.equal(index, key) for key, _ in pairs]
    run.failures.append(run.negated(run.joined("or", *equal)))
    found = pairs[0][1]
    for hit, (_, entry) in zip(equal, pairs, strict=True):
        found = run.choice(hit, entry, found)
    return found


_OPERATIONS: dict[str, Callable[..., Any]] = {
    "add": lambda run, operation, a, b: _arithmetic(run, "+", a, b),
    "sub": lambda run, operation, a, b: _arithmetic(run, "-", a, b),
    "mul": lambda run, operation, a, b: _arithmetic(run, "*", a, b),
    "div": _divided,
    "pow": _power,
    "neg": lambda run, operation, a: _arithmetic(run, "-", 0, a),
    "pos": lambda run, operation, a: _arithmetic(run, "+", a, 0),
    "indicator": lambda run, operation, a: run.choice(run.truth(a), 1, 0),
    "eq": lambda run, operation, a, b: run.equal(a, b),
    "ne": lambda run, operation, a, b: run.negated(run.equal(a, b)),
    **dict.fromkeys(_ORDERS, _ordered),
    "not": lambda run, operation, a: run.negated(run.truth(a)),
    "and": lambda run, operation, a, b: run.joined("and", run.truth(a), run.truth(b)),
    "or": lambda run, operation, a, b: run.joined("or", run.truth(a), run.truth(b)),
    "if": lambda run, operation, c, a, b: run.choice(run.truth(c), a, b),
    "in": lambda run, operation, a: run.joined("or", *(run.equal(a, entry) for entry in operation.table)),
    "index": _entry,
}
