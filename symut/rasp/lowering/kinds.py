"""Which kinds of values a sequence can hold, and what that means for averaging it.

Main definitions: `kinds_of`, `require_means`, `moves`, `numbers_in`, `means_in`.

Only numbers are averaged (Weiss, Goldberg, Yahav 2021, as their implementation reads it): if a query selects several
keys of a sequence that holds strings, or on this input nothing but booleans, the program stops with an error. Strings
have codes above those of numbers, so a head can tell. Booleans are the numbers 0 and 1 in the stream; a sequence that
could hold only booleans on one input and numbers on another one is refused before it is lowered.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from symut.rasp import core
from symut.rasp.arithmetic import Value, kind
from symut.rasp.encoder.model import Number
from symut.rasp.lowering.ranges import UNDEFINED, Range, Real

if TYPE_CHECKING:
    from symut.rasp.lowering.facts import Analysis

NUMBER, BOOLEAN = "number", "boolean"
_BOOLEAN = ("eq", "ne", "lt", "le", "gt", "ge", "not", "and", "or", "in")
Kinds = frozenset[str]


def kinds_of(found: Analysis, node: core.Sequence) -> Kinds:
    """The kinds that values of a sequence may have; those of its arguments are known."""
    if node in found.tokenwise:
        return _kinds(value for value in found.tokenwise[node] if value is not UNDEFINED)
    if isinstance(node, core.Constant):
        return _kinds([node.value])
    if isinstance(node, core.Map):
        return _of_map(found, node)
    return _of_aggregate(found, node) if isinstance(node, core.Aggregate) else frozenset((NUMBER,))


def _kinds(values: Iterable[Value]) -> Kinds:
    return frozenset(map(kind, values))


def _of_map(found: Analysis, node: core.Map) -> Kinds:
    operation = found.operation(node)
    if operation.name in _BOOLEAN:
        return frozenset((BOOLEAN,))
    if operation.name == "if":
        return frozenset().union(*(found.kinds[branch] for branch in _branches(found, node)))
    if operation.name == "index":
        return _kinds(entry[1] if operation.keyed else entry for entry in operation.table)
    if operation.function is not None and node in found.tables:
        return _kinds(found.tables[node].table.values())
    part = found.ranges[node]
    if isinstance(part, Real):
        return frozenset((NUMBER,))
    kinds = _kinds(part.values)
    return kinds if operation.function is not None else frozenset(NUMBER if k == BOOLEAN else k for k in kinds)


def _branches(found: Analysis, node: core.Map) -> list[core.Sequence]:
    """The branches of a choice that can be taken."""
    condition, *branches = node.arguments
    part = found.ranges[condition]
    if isinstance(part, Real):
        return branches
    taken = {bool(value) for value in part.values}
    return [branch for branch, on in zip(branches, (True, False), strict=True) if on in taken]


def _of_aggregate(found: Analysis, node: core.Aggregate) -> Kinds:
    counts = found.counts[node.selector]
    taken = found.kinds[node.values] if counts.high else frozenset()
    taken = taken if found.strict else frozenset(NUMBER if k == BOOLEAN else k for k in taken)
    return taken | (_kinds([node.default]) if counts.low == 0 else frozenset())


def moves(found: Analysis, node: core.Aggregate) -> bool:
    """Whether some values of an aggregate are no numbers, so that a mean of several is an error where they occur."""
    part = found.ranges[node.values]
    if isinstance(part, Real):
        return False
    return not part.numeric or (found.strict and NUMBER not in found.kinds[node.values])


def numbers_in(found: Analysis, node: core.Aggregate) -> tuple[Value, ...]:
    """The values of an aggregate that are averaged; none if its numbers can only be booleans."""
    part = found.ranges[node.values]
    if not isinstance(part, Range) or (found.strict and NUMBER not in found.kinds[node.values]):
        return ()
    return tuple(value for value in part.values if kind(value) in (NUMBER, BOOLEAN))


def stand_for_themselves(found: Analysis, node: core.Sequence) -> bool:
    """Whether the codes of a sequence's numbers are these numbers: a default beside moved values has its own code."""
    if not isinstance(node, core.Aggregate) or found.positional(node) is not None or not moves(found, node):
        return True
    known = numbers_in(found, node)
    plain = kind(node.default) not in (NUMBER, BOOLEAN) or (bool(known) and min(known) <= node.default <= max(known))
    return plain and stand_for_themselves(found, node.values)


def means_in(found: Analysis, node: core.Aggregate) -> dict[Value, Number]:
    """The means of several numbers beside moved values, which stand for themselves."""
    numbers, part = numbers_in(found, node), found.ranges[node]
    if len(numbers) < 2 or not isinstance(part, Range) or not stand_for_themselves(found, node.values):
        return {}
    inside = (v for v in part.values if kind(v) in (NUMBER, BOOLEAN) and min(numbers) <= v <= max(numbers))
    return {value: int(value) if isinstance(value, bool) else value for value in inside}


def require_means(found: Analysis, node: core.Aggregate) -> bool:
    """Report a mean that the encoder could not tell from an error; False if there is one."""
    if found.counts[node.selector].high <= 1 or isinstance(found.ranges[node.values], Real):
        return True
    if found.strict and {NUMBER, BOOLEAN} <= found.kinds[node.values]:
        found.report(
            node, "aggregate",
            "its values can be booleans alone on one input and numbers on another, and only numbers have a mean",
            "average indicator(...) of them, or give aggregates of booleans a boolean default",
        )  # fmt: skip
        return False
    if moves(found, node) and len(numbers_in(found, node)) > 1 and not stand_for_themselves(found, node.values):
        found.report(
            node, "aggregate", "its values are strings on some inputs and different numbers on others",
            "give aggregates of strings a string as default",
        )  # fmt: skip
        return False
    return True
