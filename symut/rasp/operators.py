"""Operators on whatever a name may stand for while a program is elaborated: atoms, lists, sequences, selectors.

Main definitions: `binary`, `unary`, `contains`, `conditional`, `indexed`, `lift`, `is_atom`, `described`.
Atoms and lists are computed at once; an operation with a sequence becomes a `core.Map`.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from symut.errors import shown
from symut.rasp import core
from symut.rasp.errors import Position, RaspError
from symut.rasp.operations import Operation, apply
from symut.rasp.scope import CONSTANTS, Function, Native

MAX_ITEMS = 100_000
_WORDS = {
    "add": "+",
    "sub": "-",
    "mul": "*",
    "div": "/",
    "mod": "%",
    "pow": "^",
    "eq": "==",
    "ne": "!=",
    "lt": "<",
    "le": "<=",
    "gt": ">",
    "ge": ">=",
    "neg": "-",
    "pos": "+",
}


def is_atom(value: Any) -> bool:
    """A number, a string or a boolean."""
    return isinstance(value, (int, Fraction, str))


def described(value: Any) -> str:
    """What a value is, for messages."""
    names = {core.Sequence: "a sequence", core.Selector: "a selector", Function: "a function", Native: "a function"}
    for kind, name in {**names, list: "a list", dict: "a dictionary"}.items():
        if isinstance(value, kind):
            return name
    return f"the string {shown(value)!r}" if isinstance(value, str) else shown(value)


def lift(value: Any, at: Position | None) -> core.Sequence | core.Selector:
    """A sequence or selector as it is, an atom as a constant sequence; raises RaspError for anything else."""
    if isinstance(value, (core.Sequence, core.Selector)):
        return value
    if not is_atom(value):
        raise RaspError(
            "a value of the wrong type", at=at, expected="a sequence or a single value", got=described(value)
        )
    return core.Constant(value, at=at)


def _mapped(operation: Operation, values: tuple[Any, ...], at: Position | None) -> core.Sequence:
    return core.Map(operation, tuple(lift(value, at) for value in values), at=at)  # type: ignore[arg-type]


def _any(kind: type, *values: Any) -> bool:
    return any(isinstance(value, kind) for value in values)


def binary(name: str, left: Any, right: Any, at: Position) -> Any:
    """`left name right`, for every operator but `in`."""
    if _any(core.Selector, left, right):
        return _between_selectors(name, left, right, at)
    if _any(core.Sequence, left, right):
        return _mapped(Operation(name), (left, right), at)
    if name in ("and", "or"):
        return (left and right) if name == "and" else (left or right)
    if _any(list, left, right) or _any(dict, left, right):
        return _between_lists(name, left, right)
    _require_atoms(name, left, right)
    return apply(Operation(name), (left, right))


def _between_selectors(name: str, left: Any, right: Any, at: Position) -> core.Selector:
    if name not in ("and", "or"):
        raise RaspError(
            f"{_WORDS[name]} is applied to a selector",
            got=f"{described(left)} and {described(right)}",
            remedy="selectors are combined by and, or, not, and read by aggregate and selector_width",
        )
    for side in (left, right):
        if not isinstance(side, core.Selector):
            raise RaspError(
                f"{name} between a selector and something else",
                expected="two selectors, or two sequences",
                got=f"{described(left)} and {described(right)}",
            )
    return core.Combine(name, (left, right), at=at)


def _between_lists(name: str, left: Any, right: Any) -> Any:
    if name == "add" and isinstance(left, list) and isinstance(right, list):
        return _limited(len(left) + len(right)) and left + right
    if name == "mul" and isinstance(left, int):
        left, right = right, left
    if name == "mul" and isinstance(left, list) and isinstance(right, int):
        return left * right if _limited(len(left) * right) else []
    if name in ("eq", "ne"):
        return _same(left, right) == (name == "eq")
    raise RaspError(f"cannot apply {_WORDS[name]}", got=f"{described(left)} and {described(right)}")


def _same(left: Any, right: Any) -> bool:
    """Equality of lists in lists, each pair looked at once, however often it occurs in them."""
    waiting, seen = [(left, right)], set()
    while waiting:
        one, other = waiting.pop()
        if not (isinstance(one, list) and isinstance(other, list)):
            if one != other:
                return False
        elif (id(one), id(other)) not in seen:
            seen.add((id(one), id(other)))
            if len(one) != len(other):
                return False
            waiting += zip(one, other, strict=True)
    return True


def _limited(count: int) -> bool:
    if count > MAX_ITEMS:
        raise RaspError("a list is too long", expected=f"at most {MAX_ITEMS} items", got=shown(count))
    return True


def _require_atoms(name: str, *values: Any) -> None:
    for value in values:
        if not is_atom(value):
            raise RaspError(f"cannot apply {_WORDS.get(name, name)}", expected="a value", got=described(value))


def unary(name: str, value: Any, at: Position) -> Any:
    """`not`, signs, `round(...)` and `indicator(...)`."""
    if isinstance(value, core.Selector) and name == "not":
        return core.Combine("not", (value,), at=at)
    if isinstance(value, core.Sequence):
        return _mapped(Operation(name), (value,), at)
    if name == "indicator":
        raise RaspError("indicator of no sequence", expected="a sequence", got=described(value))
    if name == "not" and not isinstance(value, core.Selector):
        return not value
    _require_atoms(name, value)
    return apply(Operation(name), (value,))


def conditional(condition: Any, then: Any, otherwise: Any, at: Position) -> core.Sequence:
    """The choice position by position; a condition that is no sequence is decided before."""
    return _mapped(Operation("if"), (condition, then, otherwise), at)


def contains(value: Any, container: Any, at: Position | None) -> Any:
    """`value in container`: of a sequence in a list, of an atom in a list, or of an atom anywhere in a sequence."""
    if isinstance(container, list) and (is_atom(value) or isinstance(value, core.Sequence)):
        if is_atom(value):
            return any(is_atom(item) and item == value for item in container)
        return core.Map(Operation("in", _table(container)), (value,), at=at)
    if isinstance(container, core.Sequence) and is_atom(value):
        equal = _mapped(Operation("eq"), (container, value), at)
        share = core.Aggregate(core.FULL, _mapped(Operation("indicator"), (equal,), at), at=at)
        return _mapped(Operation("gt"), (share, 0), at)
    raise RaspError(
        "in is applied to the wrong types",
        expected="a sequence or value in a list, or a value in a sequence",
        got=f"{described(value)} in {described(container)}",
    )


def _table(items: list) -> tuple:
    for item in items:
        if not is_atom(item):
            raise RaspError("a table for a sequence", expected="single values in it", got=described(item))
    return tuple(items)


def indexed(container: Any, index: Any, at: Position) -> Any:
    """`container[index]`: of a list, string or dictionary (by a sequence: position by position), or one position."""
    if isinstance(container, core.Sequence):
        return _one_position(container, index, at)
    if not isinstance(container, (list, str, dict)):
        raise RaspError(
            "a value without entries", expected="a list, a dictionary, a string or a sequence", got=described(container)
        )
    if isinstance(index, core.Sequence):
        return core.Map(_lookup(container), (index,), at=at)
    _require_atoms("[]", index)
    if isinstance(container, dict):
        if index not in container:
            raise RaspError("the dictionary has no such key", got=described(index))
        return container[index]
    return container[apply(Operation("index", tuple(range(len(container)))), (index,))]


def _lookup(container: list | str | dict) -> Operation:
    if isinstance(container, dict):
        return Operation("index", tuple(zip(container, _table(list(container.values())), strict=True)), keyed=True)
    return Operation("index", _table(list(container)))


def _one_position(sequence: core.Sequence, index: Any, at: Position) -> core.Sequence:
    if not isinstance(index, int):
        raise RaspError(
            "a sequence is indexed by no whole number",
            expected="an integer; negative ones count from the end",
            got=described(index),
            remedy="use aggregate(select(indices, ..., ==), ...) for a position that varies",
        )
    place = core.Constant(index, at=at) if index >= 0 else _mapped(Operation("add"), (core.LENGTH, index), at)
    chosen = core.Select(CONSTANTS["indices"], place, Operation("eq"), at=at)  # type: ignore[arg-type]
    return core.Aggregate(chosen, sequence, at=at)
