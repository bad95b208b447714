"""What all expressions with Tracr's names share: a node of the core, annotations, and that they are called on inputs.

Main definitions: `RASPExpr`, `annotate`, `required`, `required_function`, `listed`.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from symut.errors import shown
from symut.rasp import core
from symut.rasp.errors import RaspError
from symut.rasp.interpret import evaluate

Value = Any
E = TypeVar("E", bound="RASPExpr")
_IDS = itertools.count(1)


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
        given = listed("an input", xs)
        required = self.lengths - {len(given)}
        if required:
            raise RaspError("a constant of another length", expected=f"{min(required)} tokens", got=str(len(given)))
        return evaluate(self.node, given, strict=False)

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


def required(kind: type[core.Node], *values: Any) -> None:
    """Raise RaspError for arguments that are no sequences, or no selectors."""
    for value in values:
        if not isinstance(value, RASPExpr) or not isinstance(value.node, kind):
            word = "a sequence" if kind is core.Sequence else "a selector"
            raise RaspError("an argument of the wrong type", expected=word, got=shown(type(value).__name__))


def listed(what: str, values: Any) -> list:
    """The items of a list, a string or another iterable; raises RaspError for anything else."""
    if not isinstance(values, Iterable):
        raise RaspError(f"{what} of the wrong type", expected="a list", got=shown(values))
    return list(values)


def required_function(value: Any) -> None:
    """Raise RaspError for what cannot be called on values, such as "==" instead of Comparison.EQ."""
    if not callable(value):
        raise RaspError("an argument of the wrong type", expected="a Comparison or a function", got=shown(value))
