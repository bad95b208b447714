"""RASP programs built in Python: sequences and selectors as objects with operators.

    from symut.rasp.builder import aggregate, indices, length, select, tokens

    reverse = aggregate(select(indices, length - 1 - indices, "=="), tokens)
    reverse("hello")  # ['o', 'l', 'l', 'e', 'h']

Main definitions: `SOp`, `SelectorOp`, `tokens`, `indices`, `length`, `full_s`, `select`, `aggregate`,
`best`, `selector_width`, `elementwise`, `exp`, `root`, `where`.  `.node` is the node of symut.rasp.core that an object
stands for.
Sequences combine by + - * / % ** == != < <= > >= and, as booleans, by & | ~; selectors by & | ~.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, Generic, TypeVar

from symut.errors import shown
from symut.rasp import core
from symut.rasp.arithmetic import Value
from symut.rasp.errors import RaspError
from symut.rasp.interpret import evaluate
from symut.rasp.operations import SYMBOLS, Operation
from symut.rasp.operators import contains, is_atom
from symut.rasp.roots import require_exponent

N = TypeVar("N", bound=core.Node)
_PYTHON = {operator.eq: "eq", operator.ne: "ne", operator.lt: "lt", operator.le: "le"}
_PYTHON |= {operator.gt: "gt", operator.ge: "ge"}


class _Op(Generic[N]):
    """What sequences and selectors share: a node of the core, and that they are called on inputs."""

    def __init__(self, node: N) -> None:
        self.node = node

    def __call__(self, given: str | Sequence[Value], *, floats: bool = False) -> list:
        """The values (n), or the matrix (n x n), on a string or a list of tokens."""
        return evaluate(self.node, given if isinstance(given, str) else list(given), floats=floats)

    def __bool__(self) -> bool:
        raise RaspError("a sequence or selector has no truth value", remedy="combine them by & | ~, not and, or, not")


class SOp(_Op[core.Sequence]):
    """A sequence operation."""

    __hash__ = object.__hash__

    def _with(self, name: str, *others: Any) -> SOp:
        return elementwise(Operation(name), self, *others)

    def _under(self, name: str, other: Any) -> SOp:
        return elementwise(Operation(name), other, self)

    def __add__(self, other: Any) -> SOp:
        return self._with("add", other)

    def __radd__(self, other: Any) -> SOp:
        return self._under("add", other)

    def __sub__(self, other: Any) -> SOp:
        return self._with("sub", other)

    def __rsub__(self, other: Any) -> SOp:
        return self._under("sub", other)

    def __mul__(self, other: Any) -> SOp:
        return self._with("mul", other)

    def __rmul__(self, other: Any) -> SOp:
        return self._under("mul", other)

    def __truediv__(self, other: Any) -> SOp:
        return self._with("div", other)

    def __rtruediv__(self, other: Any) -> SOp:
        return self._under("div", other)

    def __mod__(self, other: Any) -> SOp:
        return self._with("mod", other)

    def __rmod__(self, other: Any) -> SOp:
        return self._under("mod", other)

    def __pow__(self, other: Any) -> SOp:
        return self._with("pow", other)

    def __rpow__(self, other: Any) -> SOp:
        return self._under("pow", other)

    def __eq__(self, other: Any) -> SOp:  # type: ignore[override]
        return self._with("eq", other)

    def __ne__(self, other: Any) -> SOp:  # type: ignore[override]
        return self._with("ne", other)

    def __lt__(self, other: Any) -> SOp:
        return self._with("lt", other)

    def __le__(self, other: Any) -> SOp:
        return self._with("le", other)

    def __gt__(self, other: Any) -> SOp:
        return self._with("gt", other)

    def __ge__(self, other: Any) -> SOp:
        return self._with("ge", other)

    def __and__(self, other: Any) -> SOp:
        return self._with("and", other)

    def __rand__(self, other: Any) -> SOp:
        return self._under("and", other)

    def __or__(self, other: Any) -> SOp:
        return self._with("or", other)

    def __ror__(self, other: Any) -> SOp:
        return self._under("or", other)

    def __invert__(self) -> SOp:
        return self._with("not")

    def __neg__(self) -> SOp:
        return self._with("neg")

    def __pos__(self) -> SOp:
        return self._with("pos")

    def __round__(self) -> SOp:
        """`round(s)`, halves to the even neighbour."""
        return self._with("round")

    def indicator(self) -> SOp:
        """1 where the value counts as true, else 0."""
        return self._with("indicator")

    def isin(self, values: Sequence[Value]) -> SOp:
        """Whether the value is one of `values`."""
        return SOp(contains(self.node, list(values), None))


class SelectorOp(_Op[core.Selector]):
    """A selector: at each query position, which key positions it selects."""

    def __and__(self, other: SelectorOp) -> SelectorOp:
        return SelectorOp(core.Combine("and", (self.node, _selector(other))))

    def __or__(self, other: SelectorOp) -> SelectorOp:
        return SelectorOp(core.Combine("or", (self.node, _selector(other))))

    def __invert__(self) -> SelectorOp:
        return SelectorOp(core.Combine("not", (self.node,)))


def _sequence(value: Any) -> core.Sequence:
    if isinstance(value, _Op):
        return value.node  # type: ignore[return-value]  # a selector is refused by the core
    if not is_atom(value) and not isinstance(value, float):
        raise RaspError("a value of the wrong type", expected="a sequence or a single value", got=shown(value))
    return core.Constant(value)


def _selector(value: Any) -> core.Selector:
    return value.node if isinstance(value, _Op) else value  # type: ignore[return-value]


def elementwise(function: Operation | Callable[..., Value], *sequences: Any) -> SOp:
    """A function, or a named operation, position by position; plain values stand for constant sequences."""
    operation = function if isinstance(function, Operation) else Operation("python", function=function)
    return SOp(core.Map(operation, tuple(map(_sequence, sequences))))


def select(keys: Any, queries: Any, predicate: str | Callable[[Value, Value], bool]) -> SelectorOp:
    """Query q selects key k if `predicate(k, q)`: "==", "!=", "<", "<=", ">", ">=" or a function of key and query."""
    name = _PYTHON.get(predicate) if callable(predicate) else SYMBOLS.get(predicate)  # type: ignore[arg-type]
    if name is None and not callable(predicate):
        raise RaspError("unknown predicate", expected="==, !=, <, <=, >, >= or a function", got=shown(predicate))
    operation = Operation(name) if name else Operation("python", function=predicate)  # type: ignore[arg-type]
    return SelectorOp(core.Select(_sequence(keys), _sequence(queries), operation))


def best(selector: SelectorOp, keys: Any, queries: Any = 1) -> SelectorOp:
    """Of the selected keys those with the largest keys(k) * queries(q); two lists score by the sum of products."""
    sides = [tuple(map(_sequence, side if isinstance(side, list) else [side])) for side in (keys, queries)]
    return SelectorOp(core.Best(_selector(selector), *sides))


def aggregate(selector: SelectorOp, values: Any, default: Value = 0) -> SOp:
    """The mean over the selected keys; a single one as it is; `default` where nothing is selected."""
    return SOp(core.Aggregate(_selector(selector), _sequence(values), default))


def selector_width(selector: SelectorOp) -> SOp:
    """How many keys each query selects."""
    return SOp(core.SelectorWidth(_selector(selector)))


def exp(sequence: Any) -> SOp:
    """exp position by position; exact runs know exp(0) only, runs in floats all, symbolic ones treat it as a symbol."""
    return elementwise(Operation("exp"), sequence)


def root(sequence: Any, exponent: Fraction) -> SOp:
    """x^exponent position by position, for x >= 0 and a constant exponent between 0 and 1.

    Exact runs know the roots that are rational, runs in floats all; no comparison of programs covers them.
    """
    require_exponent(exponent)
    return elementwise(Operation("root"), sequence, exponent)


def where(condition: Any, then: Any, otherwise: Any) -> SOp:
    """`then` where the condition counts as true, else `otherwise`."""
    return elementwise(Operation("if"), condition, then, otherwise)


tokens = SOp(core.Tokens("asis"))
"""The input tokens as they are given."""

indices = SOp(core.Indices())
"""0, 1, ..., n - 1."""

full_s = SelectorOp(core.FULL)
"""Every query selects every key."""

length = SOp(core.LENGTH)
"""n at every position."""
