"""Expressions with Tracr's names over the nodes of the core; `symut.rasp.tracr` is what programs import.

Main definitions: `RASPExpr`, `SOp`, `Selector` and their subclasses, `Comparison`, `Encoding`, `annotate`.
"""

from __future__ import annotations

import enum
import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from symut.errors import shown
from symut.rasp import core
from symut.rasp.errors import RaspError
from symut.rasp.interpret import evaluate
from symut.rasp.lifted import Lifted, Passing
from symut.rasp.operations import Operation

Value = Any
E = TypeVar("E", bound="RASPExpr")
_IDS = itertools.count(1)


class Encoding(enum.Enum):
    """How Tracr stores a sequence; symut chooses by what is read, so that this changes nothing."""

    CATEGORICAL = "categorical"
    NUMERICAL = "numerical"


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
        compared = _COMPARISONS.get(self)
        return self is Comparison.TRUE if compared is None else bool(compared(key, query))


_COMPARISONS: dict[Comparison, Callable[[Value, Value], bool]] = {
    Comparison.EQ: lambda key, query: key == query,
    Comparison.NEQ: lambda key, query: key != query,
    Comparison.LT: lambda key, query: key < query,
    Comparison.LEQ: lambda key, query: key <= query,
    Comparison.GT: lambda key, query: key > query,
    Comparison.GEQ: lambda key, query: key >= query,
}
_NAMES = {Comparison.EQ: "eq", Comparison.NEQ: "ne", Comparison.LT: "lt"}
_NAMES |= {Comparison.LEQ: "le", Comparison.GT: "gt", Comparison.GEQ: "ge"}


class RASPExpr:
    """A node of the core with annotations; `lengths` are those of constants in it, which inputs must have."""

    node: core.Node

    def __init__(self, node: core.Node, *children: RASPExpr, length: int | None = None) -> None:
        self.node, self.children = node, children
        self.annotations: Mapping[str, Any] = {}
        self.unique_id = next(_IDS)
        own = frozenset() if length is None else frozenset([length])
        self.lengths: frozenset[int] = own.union(*(child.lengths for child in children))

    def __call__(self, xs: str | Sequence[Value]) -> list:
        """The values, or the matrix, on an input, by the reference interpreter."""
        required = self.lengths - {len(xs)}
        if required:
            raise RaspError("a constant of another length", expected=f"{min(required)} tokens", got=str(len(xs)))
        return evaluate(self.node, xs if isinstance(xs, str) else list(xs), strict=False)

    def __bool__(self) -> bool:
        raise RaspError("a sequence or selector has no truth value", remedy="combine them by & | ~, not and, or, not")

    @property
    def name(self) -> str:
        """The name given by `named`, else the kind of expression."""
        return self.annotations.get("name", type(self).__name__.lower())

    @property
    def label(self) -> str:
        """The name with a number that no other expression has."""
        return f"{self.name}_{self.unique_id}"

    def named(self: E, name: str) -> E:
        """This expression with a name."""
        return annotate(self, name=name)

    def annotated(self: E, **annotations: Any) -> E:
        """This expression with annotations."""
        return annotate(self, **annotations)


def annotate(expr: E, **annotations: Any) -> E:
    """The same expression with annotations added."""
    expr.annotations = {**expr.annotations, **annotations}
    return expr


def _value_or(x: Value, y: Value) -> Value:
    return x or y


def _value_and(x: Value, y: Value) -> Value:
    return x and y


class SOp(RASPExpr):
    """A sequence operation; combines by + - * / == != < <= > >= and & | ~ with sequences and values."""

    node: core.Sequence  # pyright: ignore[reportIncompatibleVariableOverride]
    __hash__ = object.__hash__

    def _combined(self, name: str, other: Any, swapped: bool = False) -> SOp:
        pair = (_sop(other), self) if swapped else (self, _sop(other))
        return _applied(Operation("python", function=Lifted(Operation(name))), *pair)

    def _logical(self, function: Callable, other: Any, swapped: bool = False) -> SOp:
        pair = (_sop(other), self) if swapped else (self, _sop(other))
        return SequenceMap(function, *pair)

    def __add__(self, other: Any) -> SOp:
        return self._combined("add", other)

    def __radd__(self, other: Any) -> SOp:
        return self._combined("add", other, True)

    def __sub__(self, other: Any) -> SOp:
        return self._combined("sub", other)

    def __rsub__(self, other: Any) -> SOp:
        return self._combined("sub", other, True)

    def __mul__(self, other: Any) -> SOp:
        return self._combined("mul", other)

    def __rmul__(self, other: Any) -> SOp:
        return self._combined("mul", other, True)

    def __truediv__(self, other: Any) -> SOp:
        return self._combined("div", other)

    def __rtruediv__(self, other: Any) -> SOp:
        return self._combined("div", other, True)

    def __eq__(self, other: Any) -> SOp:  # type: ignore[override]
        return self._combined("eq", other)

    def __ne__(self, other: Any) -> SOp:  # type: ignore[override]
        return self._combined("ne", other)

    def __lt__(self, other: Any) -> SOp:
        return self._combined("lt", other)

    def __le__(self, other: Any) -> SOp:
        return self._combined("le", other)

    def __gt__(self, other: Any) -> SOp:
        return self._combined("gt", other)

    def __ge__(self, other: Any) -> SOp:
        return self._combined("ge", other)

    def __invert__(self) -> SOp:
        return sop_not(self)

    def __and__(self, other: Any) -> SOp:
        return self._logical(_value_and, other)

    def __rand__(self, other: Any) -> SOp:
        return self._logical(_value_and, other, True)

    def __or__(self, other: Any) -> SOp:
        return self._logical(_value_or, other)

    def __ror__(self, other: Any) -> SOp:
        return self._logical(_value_or, other, True)


def _sop(value: Any) -> SOp:
    if isinstance(value, Selector):
        raise RaspError("a selector among sequences", expected="a sequence or a value")
    return value if isinstance(value, SOp) else Full(value)


def _applied(operation: Operation, *arguments: SOp) -> SOp:
    return SOp(core.Map(operation, tuple(argument.node for argument in arguments)), *arguments)


def _required(kind: type[RASPExpr], *values: Any) -> None:
    for value in values:
        if not isinstance(value, kind):
            word = "a sequence" if kind is SOp else "a selector"
            raise RaspError("an argument of the wrong type", expected=word, got=shown(type(value).__name__))


class Full(SOp):
    """The same value at every position."""

    def __init__(self, fill: Value) -> None:
        self.fill = fill
        super().__init__(core.Constant(fill))


class ConstantSOp(SOp):
    """Given values by position."""

    def __init__(self, value: Sequence[Value], check_length: bool = True) -> None:
        self.value, self.check_length = value, check_length
        table = Operation("index", tuple(value))
        super().__init__(core.Map(table, (core.Indices(),)), length=len(value) if check_length else None)


class Map(SOp):
    """A function of every value; None stays None."""

    def __init__(self, f: Callable[[Value], Value], inner: SOp, simplify: bool = True) -> None:
        _required(SOp, inner)
        self.f, self.inner = f, inner
        super().__init__(core.Map(Operation("python", function=Passing(f)), (inner.node,)), inner)


class SequenceMap(SOp):
    """A function of the values of two sequences; None stays None."""

    def __init__(self, f: Callable[[Value, Value], Value], fst: SOp, snd: SOp) -> None:
        _required(SOp, fst, snd)
        self.f, self.fst, self.snd = f, fst, snd
        super().__init__(core.Map(Operation("python", function=Passing(f)), (fst.node, snd.node)), fst, snd)


class LinearSequenceMap(SOp):
    """fst_fac * fst + snd_fac * snd."""

    def __init__(self, fst: SOp, snd: SOp, fst_fac: float, snd_fac: float) -> None:
        _required(SOp, fst, snd)
        self.fst, self.snd, self.fst_fac, self.snd_fac = fst, snd, fst_fac, snd_fac
        super().__init__((fst_fac * fst + snd_fac * snd).node, fst, snd)


def sop_not(sop: SOp) -> SOp:
    """`not` of every value."""
    return _applied(Operation("python", function=Lifted(Operation("not"))), sop)


class Aggregate(SOp):
    """The mean of the selected values; a single one as it is; `default` where none is selected."""

    def __init__(self, selector: Selector, sop: SOp, default: Value = None) -> None:
        _required(Selector, selector)
        _required(SOp, sop)
        self.selector, self.sop, self.default = selector, sop, default
        super().__init__(core.Aggregate(selector.node, sop.node, default), selector, sop)


class SelectorWidth(SOp):
    """How many keys each query selects."""

    def __init__(self, selector: Selector) -> None:
        _required(Selector, selector)
        self.selector = selector
        super().__init__(core.SelectorWidth(selector.node), selector)


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
        _required(SOp, keys, queries)
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
        rows = [list(map(bool, row)) for row in value]

        def selects(key: int, query: int) -> bool:
            return query < len(rows) and key < len(rows[query]) and rows[query][key]

        positions = core.Indices()
        select = core.Select(positions, positions, Operation("python", function=selects))
        super().__init__(select, length=len(rows) if check_length else None)


class SelectorAnd(Selector):
    """What both select."""

    def __init__(self, fst: Selector, snd: Selector) -> None:
        _required(Selector, fst, snd)
        self.fst, self.snd = fst, snd
        super().__init__(core.Combine("and", (fst.node, snd.node)), fst, snd)


class SelectorOr(Selector):
    """What at least one selects."""

    def __init__(self, fst: Selector, snd: Selector) -> None:
        _required(Selector, fst, snd)
        self.fst, self.snd = fst, snd
        super().__init__(core.Combine("or", (fst.node, snd.node)), fst, snd)


class SelectorNot(Selector):
    """What the inner one does not select."""

    def __init__(self, inner: Selector) -> None:
        _required(Selector, inner)
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


def numerical(sop: SOp) -> SOp:
    """The same sequence, annotated."""
    return annotate(sop, encoding=Encoding.NUMERICAL)


def categorical(sop: SOp) -> SOp:
    """The same sequence, annotated."""
    return annotate(sop, encoding=Encoding.CATEGORICAL)


def get_encoding(sop: SOp) -> Encoding:
    """The annotated encoding, categorical if there is none."""
    return sop.annotations.get("encoding", Encoding.CATEGORICAL)


def is_numerical(sop: SOp) -> bool:
    """Whether the sequence is annotated as numerical."""
    return get_encoding(sop) == Encoding.NUMERICAL


def is_categorical(sop: SOp) -> bool:
    """Whether the sequence is not annotated as numerical."""
    return get_encoding(sop) == Encoding.CATEGORICAL


tokens = SOp(core.Tokens("asis")).named("tokens")
"""The input."""

indices = SOp(core.Indices()).named("indices")
"""0, 1, 2, ..."""

length = SOp(core.LENGTH).named("length")
"""The number of tokens at every position."""
