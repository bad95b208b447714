"""Sequences with Tracr's names.

Main definitions: `SOp`, `Map`, `SequenceMap`, `LinearSequenceMap`, `Full`, `ConstantSOp`, `Aggregate`, `SelectorWidth`,
`tokens`, `indices`, `length`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from symut.errors import shown
from symut.rasp import core
from symut.rasp.errors import RaspError
from symut.rasp.lifted import Lifted, Passing
from symut.rasp.operations import Operation
from symut.rasp.tracr.base import RASPExpr, listed, required, required_function
from symut.rasp.tracr.selectors import Selector

Value = Any


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
    if isinstance(value, RASPExpr) and isinstance(value.node, core.Selector):
        raise RaspError("a selector among sequences", expected="a sequence or a value")
    return value if isinstance(value, SOp) else Full(value)


def _applied(operation: Operation, *arguments: SOp) -> SOp:
    return SOp(core.Map(operation, tuple(argument.node for argument in arguments)), *arguments)


class Full(SOp):
    """The same value at every position."""

    def __init__(self, fill: Value) -> None:
        if isinstance(fill, (list, tuple, dict, set, core.Node)):
            raise RaspError(
                "a value of the wrong type", expected="a number, a string, a boolean or None", got=shown(fill)
            )
        self.fill = fill
        super().__init__(core.Constant(fill))


class ConstantSOp(SOp):
    """Given values by position."""

    def __init__(self, value: Sequence[Value], check_length: bool = True) -> None:
        self.value, self.check_length = value, check_length
        table = Operation("index", tuple(listed("a constant sequence", value)))
        super().__init__(core.Map(table, (core.Indices(),)), length=len(table.table) if check_length else None)


class Map(SOp):
    """A function of every value; None stays None."""

    def __init__(self, f: Callable[[Value], Value], inner: SOp, simplify: bool = True) -> None:
        required(core.Sequence, inner)
        required_function(f)
        self.f, self.inner = f, inner
        super().__init__(core.Map(Operation("python", function=Passing(f)), (inner.node,)), inner)


class SequenceMap(SOp):
    """A function of the values of two sequences; None stays None."""

    def __init__(self, f: Callable[[Value, Value], Value], fst: SOp, snd: SOp) -> None:
        required(core.Sequence, fst, snd)
        required_function(f)
        self.f, self.fst, self.snd = f, fst, snd
        super().__init__(core.Map(Operation("python", function=Passing(f)), (fst.node, snd.node)), fst, snd)


class LinearSequenceMap(SOp):
    """fst_fac * fst + snd_fac * snd."""

    def __init__(self, fst: SOp, snd: SOp, fst_fac: float, snd_fac: float) -> None:
        required(core.Sequence, fst, snd)
        self.fst, self.snd, self.fst_fac, self.snd_fac = fst, snd, fst_fac, snd_fac
        super().__init__((fst_fac * fst + snd_fac * snd).node, fst, snd)


def sop_not(sop: SOp) -> SOp:
    """`not` of every value."""
    return _applied(Operation("python", function=Lifted(Operation("not"))), sop)


class Aggregate(SOp):
    """The mean of the selected values, booleans as 0 and 1; a single string or None as it is; `default` where none is
    selected.
    """

    def __init__(self, selector: Selector, sop: SOp, default: Value = None) -> None:
        required(core.Selector, selector)
        required(core.Sequence, sop)
        self.selector, self.sop, self.default = selector, sop, default
        super().__init__(core.Aggregate(selector.node, sop.node, default), selector, sop)


class SelectorWidth(SOp):
    """How many keys each query selects."""

    def __init__(self, selector: Selector) -> None:
        required(core.Selector, selector)
        self.selector = selector
        super().__init__(core.SelectorWidth(selector.node), selector)


tokens = SOp(core.Tokens("asis")).named("tokens")
"""The input."""

indices = SOp(core.Indices()).named("indices")
"""0, 1, 2, ..."""

length = SOp(core.LENGTH).named("length")
"""The number of tokens at every position."""
