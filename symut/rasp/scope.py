"""Names and what they stand for while a program is elaborated.

Main definitions: `Scope`, `Function`, `Native`, `bound`, `RESERVED`, `base_scope`.
A function sees the scope in which it was defined as it is when it is called. A loaded file has its own scope; names
without a leading underscore are also set in the scope that loads it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from symut.rasp import core
from symut.rasp.errors import RaspError
from symut.rasp.operations import Operation
from symut.rasp.roots import require_exponent
from symut.rasp.syntax import Define
from symut.suggest import nearest

CONSTANTS = {
    **{f"tokens_{kind}": core.Tokens(kind) for kind in core.TOKEN_KINDS},
    "indices": core.Indices(),
    "True": True,
    "False": False,
}
RESERVED = {"out", "get", *CONSTANTS}
"""Names that no program may set; the words of the grammar are refused by the parser."""


@dataclass(frozen=True, eq=False)
class Function:
    """A function of the program: its definition, the values of its defaults, and the scope around it."""

    definition: Define
    defaults: dict[str, Any]
    scope: Scope

    @property
    def name(self) -> str:
        return self.definition.name


@dataclass(frozen=True, eq=False)
class Native:
    """A function that the language has built in."""

    name: str
    parameters: tuple[str, ...]
    defaults: dict[str, Any]
    call: Callable[..., Any]


@dataclass(eq=False)
class Scope:
    """Variables, looked up outwards through the parents; `exports` receives the public ones of a loaded file."""

    parent: Scope | None = None
    exports: Scope | None = None
    variables: dict[str, Any] = field(default_factory=dict)

    def get(self, name: str) -> Any:
        """The value of a name; raises RaspError with the nearest known name."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.variables:
                return scope.variables[name]
            scope = scope.parent
        near = nearest(name, sorted(self.names()))
        remedy = near if near.startswith("did") else "assign it before it is used"
        raise RaspError(f"unknown name {name}", remedy=remedy)

    def names(self) -> Iterator[str]:
        """All names that `get` knows."""
        scope: Scope | None = self
        while scope is not None:
            yield from scope.variables
            scope = scope.parent

    def set(self, name: str, value: Any) -> None:
        """Assign; raises RaspError for a reserved name."""
        if name in RESERVED:
            raise RaspError(f"{name} is reserved", expected="a name that the language does not use itself")
        scope: Scope | None = self
        while scope is not None:
            scope.variables[name] = value
            scope = None if name.startswith("_") else scope.exports


def bound(function: Function | Native, plain: list, keywords: dict[str, Any]) -> dict[str, Any]:
    """The value of every parameter of a call; raises RaspError if the arguments do not fit."""
    names = _parameters(function)
    given = dict(zip(names, plain, strict=False))
    unknown = [name for name in keywords if name not in names or name in given]
    missing = [name for name in names if name not in {**given, **keywords, **function.defaults}]
    if len(plain) > len(names) or unknown or missing:
        raise RaspError(
            f"wrong arguments for {function.name}",
            expected=f"{function.name}({', '.join(names)})",
            got=", ".join([f"{len(plain)} values", *(f"{name}=" for name in keywords)]),
        )
    return {name: {**function.defaults, **given, **keywords}[name] for name in names}


def _parameters(function: Function | Native) -> tuple[str, ...]:
    if isinstance(function, Native):
        return function.parameters
    return tuple(parameter.name for parameter in function.definition.parameters)


def _selector_width(selector: core.Selector, assume_bos: bool) -> core.Sequence:
    """The number of selected keys; with a beginning-of-sequence token at 0, that token is not counted."""
    if not isinstance(assume_bos, int):
        got = "a sequence or selector" if isinstance(assume_bos, core.Node) else type(assume_bos).__name__
        raise RaspError("assume_bos of selector_width is no constant", expected="True or False", got=got)
    if assume_bos:
        others = core.Select(CONSTANTS["indices"], core.Constant(0), Operation("ne"))
        return core.SelectorWidth(core.Combine("and", (selector, others)))
    return core.SelectorWidth(selector)


def _exponential(seq: Any) -> core.Sequence:
    """exp position by position, of a sequence or of a single number at every position."""
    return core.Map(Operation("exp"), (_sequence(seq, "exp"),))


def _root(seq: Any, exponent: Any) -> core.Sequence:
    """seq^exponent position by position, for a constant exponent between 0 and 1."""
    require_exponent(exponent)
    return core.Map(Operation("root"), (_sequence(seq, "root"), core.Constant(exponent)))


def _best(selector: Any, keys: Any, queries: Any) -> core.Selector:
    """Of the selected keys those with the largest score; lists of keys and queries score by the sum of products."""
    sides = [tuple(side) if isinstance(side, list) else (side,) for side in (keys, queries)]
    return core.Best(selector, *(tuple(_sequence(part, "best") for part in side) for side in sides))


def _sequence(value: Any, what: str) -> core.Sequence:
    """A sequence as it is (the core refuses a selector), a single value as a constant sequence."""
    if isinstance(value, core.Node):
        return value  # type: ignore[return-value]
    if not isinstance(value, (int, Fraction, str)):
        got = {list: "a list", dict: "a dictionary"}.get(type(value), "a function")
        raise RaspError(f"an argument of {what} is of the wrong type", expected="a sequence or a number", got=got)
    return core.Constant(value)


def base_scope() -> Scope:
    """What every program starts from, before the standard library."""
    width = Native("selector_width", ("sel", "assume_bos"), {"assume_bos": False}, _selector_width)
    exponential = Native("exp", ("seq",), {}, _exponential)
    root = Native("root", ("seq", "exponent"), {}, _root)
    best = Native("best", ("selector", "keys", "queries"), {"queries": 1}, _best)
    return Scope(variables={**CONSTANTS, "selector_width": width, "exp": exponential, "root": root, "best": best})
