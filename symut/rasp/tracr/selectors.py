"""Selectors with Tracr's names.

Main definitions: `Selector`, `Select`, `ConstantSelector`, `SelectorAnd`, `SelectorOr`, `SelectorNot`, `Comparison`.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from symut.rasp import core
from symut.rasp.operations import Operation, apply
from symut.rasp.tracr.base import RASPExpr, listed, required, required_function

if TYPE_CHECKING:
    from symut.rasp.tracr.sequences import SOp

Value = Any


class Comparison(enum.Enum):
    """A predicate of a key and a query."""

    EQ = "=="
    LT = "<"
    LEQ = "<="
    GT = ">"
    GEQ = ">="
    NEQ = "!="
    TRUE = "True"
    FALSE = "False"

    def __call__(self, key: Value, query: Value) -> bool:
        name = _NAMES.get(self)
        return self is Comparison.TRUE if name is None else bool(apply(Operation(name), (key, query)))


_NAMES = {Comparison.EQ: "eq", Comparison.NEQ: "ne", Comparison.LT: "lt"}
_NAMES |= {Comparison.LEQ: "le", Comparison.GT: "gt", Comparison.GEQ: "ge"}


class Selector(RASPExpr):
    """At each query, which keys it selects; combines by & | ~."""

    node: core.Selector  # pyright: ignore[reportIncompatibleVariableOverride]

    def __and__(self, other: Selector) -> Selector:
        return SelectorAnd(self, other)

    def __or__(self, other: Selector) -> Selector:
        return SelectorOr(self, other)

    def __invert__(self) -> Selector:
        return SelectorNot(self)


class Select(Selector):
    """Query q selects key k if `predicate(k, q)`."""

    def __init__(self, keys: SOp, queries: SOp, predicate: Callable[[Value, Value], bool]) -> None:
        required(core.Sequence, keys, queries)
        required_function(predicate)
        self.keys, self.queries, self.predicate = keys, queries, predicate
        super().__init__(_selected(keys, queries, predicate), keys, queries)


def _selected(keys: SOp, queries: SOp, predicate: Callable[[Value, Value], bool]) -> core.Selector:
    if predicate in (Comparison.TRUE, Comparison.FALSE):
        return core.Select(
            core.Constant(1), core.Constant(1), Operation("eq" if predicate is Comparison.TRUE else "ne")
        )
    name = _NAMES.get(predicate) if isinstance(predicate, Comparison) else None
    operation = Operation(name) if name else Operation("python", function=predicate)
    return core.Select(keys.node, queries.node, operation)


class ConstantSelector(Selector):
    """A given matrix, a row per query; with `check_length`, for inputs of its size only."""

    def __init__(self, value: Sequence[Sequence[bool]], check_length: bool = True) -> None:
        self.value, self.check_length = value, check_length
        rows = [list(map(bool, listed("a row of a selector", row))) for row in listed("a selector", value)]

        def selects(key: int, query: int) -> bool:
            return query < len(rows) and key < len(rows[query]) and rows[query][key]

        positions = core.Indices()
        select = core.Select(positions, positions, Operation("python", function=selects))
        super().__init__(select, length=len(rows) if check_length else None)


class SelectorAnd(Selector):
    """What both select."""

    def __init__(self, fst: Selector, snd: Selector) -> None:
        required(core.Selector, fst, snd)
        self.fst, self.snd = fst, snd
        super().__init__(core.Combine("and", (fst.node, snd.node)), fst, snd)


class SelectorOr(Selector):
    """What at least one selects."""

    def __init__(self, fst: Selector, snd: Selector) -> None:
        required(core.Selector, fst, snd)
        self.fst, self.snd = fst, snd
        super().__init__(core.Combine("or", (fst.node, snd.node)), fst, snd)


class SelectorNot(Selector):
    """What the inner one does not select."""

    def __init__(self, inner: Selector) -> None:
        required(core.Selector, inner)
        self.inner = inner
        super().__init__(core.Combine("not", (inner.node,)), inner)


def selector_and(fst: Selector, snd: Selector, simplify: bool = True) -> Selector:
    """`SelectorAnd`."""
    return SelectorAnd(fst, snd)


def selector_or(fst: Selector, snd: Selector, simplify: bool = True) -> Selector:
    """`SelectorOr`."""
    return SelectorOr(fst, snd)


def selector_not(inner: Selector, simplify: bool = True) -> Selector:
    """`SelectorNot`."""
    return SelectorNot(inner)
