"""The core of RASP: a graph of sequence operations, which every pass after elaboration takes.

Main definitions: `Sequence` (Tokens, Indices, Constant, Map, Aggregate, SelectorWidth), `Selector` (Select, Combine,
Best), `FULL`, `LENGTH`, `order`.

For an input of length n a sequence is a list of n values and a selector is an n x n boolean matrix; row q tells which
keys the query at position q selects. Nodes are compared by identity, so a node used twice is computed once.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from symut.errors import shown
from symut.rasp.arithmetic import Value
from symut.rasp.errors import Position, RaspError
from symut.rasp.operations import Operation

TOKEN_KINDS = ("str", "int", "float", "bool", "asis")


@dataclass(frozen=True, eq=False, repr=False)
class Node:
    """A sequence or a selector; `at` is its place in a program's text, if it comes from one."""

    at: Position | None = field(default=None, kw_only=True)

    @property
    def children(self) -> tuple[Node, ...]:
        """The nodes that this one is computed from."""
        return ()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self.children)} nodes>"


class Sequence(Node):
    """n values, one per position."""


class Selector(Node):
    """n x n booleans, a row per query and a column per key."""


def _require(value: object, kind: type[Node], what: str, at: Position | None) -> None:
    if not isinstance(value, kind):
        other = "a selector" if isinstance(value, Selector) else "a sequence" if isinstance(value, Sequence) else ""
        expected = "a selector" if kind is Selector else "a sequence"
        remedy = "select(keys, queries, ==) makes one" if kind is Selector else ""
        if isinstance(value, Selector):
            remedy = "aggregate(selector, values) and selector_width(selector) make sequences of a selector"
        raise RaspError(
            f"{what} is of the wrong type", at=at, expected=expected, got=other or shown(value), remedy=remedy
        )


@dataclass(frozen=True, eq=False, repr=False)
class Tokens(Sequence):
    """The input, each token read as `kind`: str, int, float, bool, or asis (unchanged)."""

    kind: str = "asis"


@dataclass(frozen=True, eq=False, repr=False)
class Indices(Sequence):
    """0, 1, ..., n - 1."""


@dataclass(frozen=True, eq=False, repr=False)
class Constant(Sequence):
    """The same value at every position."""

    value: Value


@dataclass(frozen=True, eq=False, repr=False)
class Map(Sequence):
    """`operation` applied position by position."""

    operation: Operation
    arguments: tuple[Sequence, ...]

    def __post_init__(self) -> None:
        for argument in self.arguments:
            _require(argument, Sequence, f"an argument of {self.operation}", self.at)

    @property
    def children(self) -> tuple[Node, ...]:
        return self.arguments


@dataclass(frozen=True, eq=False, repr=False)
class Select(Selector):
    """Query q selects key k if `predicate(k, q)`."""

    keys: Sequence
    queries: Sequence
    predicate: Operation

    def __post_init__(self) -> None:
        _require(self.keys, Sequence, "the first argument (keys) of select", self.at)
        _require(self.queries, Sequence, "the second argument (queries) of select", self.at)

    @property
    def children(self) -> tuple[Node, ...]:
        return self.keys, self.queries


@dataclass(frozen=True, eq=False, repr=False)
class Combine(Selector):
    """`connective` ("and", "or" of two selectors, "not" of one) entry by entry."""

    connective: str
    operands: tuple[Selector, ...]

    def __post_init__(self) -> None:
        for operand in self.operands:
            _require(operand, Selector, f"an operand of {self.connective} between selectors", self.at)

    @property
    def children(self) -> tuple[Node, ...]:
        return self.operands


@dataclass(frozen=True, eq=False, repr=False)
class Best(Selector):
    """Among the keys that `selector` selects for q, those with the largest score sum_i keys[i](k) queries[i](q).

    All of them if several tie, none if `selector` selects none (generalised hard attention).
    """

    selector: Selector
    keys: tuple[Sequence, ...]
    queries: tuple[Sequence, ...]

    def __post_init__(self) -> None:
        _require(self.selector, Selector, "the first argument of best", self.at)
        for side, what in ((self.keys, "keys"), (self.queries, "queries")):
            for sequence in side:
                _require(sequence, Sequence, f"one of the {what} of best", self.at)
        if not self.keys or len(self.keys) != len(self.queries):
            raise RaspError(
                "keys and queries of best do not match",
                at=self.at,
                expected="as many queries as keys, at least one",
                got=f"{len(self.keys)} keys and {len(self.queries)} queries",
                remedy="best(selector, keys, queries) takes two single sequences or two lists of one length",
            )

    @property
    def children(self) -> tuple[Node, ...]:
        return self.selector, *self.keys, *self.queries


@dataclass(frozen=True, eq=False, repr=False)
class Aggregate(Sequence):
    """At q the mean of `values` over the selected keys; a single one is taken as it is; `default` if there is none."""

    selector: Selector
    values: Sequence
    default: Value = 0

    def __post_init__(self) -> None:
        _require(self.selector, Selector, "the first argument of aggregate", self.at)
        _require(self.values, Sequence, "the second argument of aggregate", self.at)
        if isinstance(self.default, (Node, list, dict)):
            raise RaspError(
                "the default of aggregate is of the wrong type",
                at=self.at,
                expected="a single number, string or boolean",
                remedy="put a sequence as default with a conditional on selector_width(...) == 0",
            )

    @property
    def children(self) -> tuple[Node, ...]:
        return self.selector, self.values


@dataclass(frozen=True, eq=False, repr=False)
class SelectorWidth(Sequence):
    """At q the number of selected keys."""

    selector: Selector

    def __post_init__(self) -> None:
        _require(self.selector, Selector, "the argument of selector_width", self.at)

    @property
    def children(self) -> tuple[Node, ...]:
        return (self.selector,)


FULL = Select(Constant(1), Constant(1), Operation("eq"))
"""Every query selects every key."""

LENGTH = SelectorWidth(FULL)
"""n at every position."""


def order(roots: Iterable[Node]) -> list[Node]:
    """The roots and all that they are computed from, every node once and after its children."""
    done: dict[Node, None] = {}
    waiting = [(root, False) for root in reversed(list(roots))]
    while waiting:
        node, ready = waiting.pop()
        if node in done:
            continue
        if ready:
            done[node] = None
        else:
            waiting.append((node, True))
            waiting.extend((child, False) for child in reversed(node.children))
    return list(done)
