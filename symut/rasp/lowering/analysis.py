"""Ranges of a whole program over an alphabet, for inputs of up to n tokens, and everything that has no encoder.

Main definitions: `Analysis`, `analyse`.

`ranges` has a range per sequence (none for what already failed); `tokenwise` the value per letter of what depends on
the token alone; `tables` the combinations of elementwise operations; `selections` what aggregates select.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from symut.rasp import core
from symut.rasp.arithmetic import Value, normal
from symut.rasp.errors import RaspError
from symut.rasp.inputs import READERS
from symut.rasp.lifted import Lifted
from symut.rasp.lowering.averages import Counts, counts, mean_range, moved_range, width_range
from symut.rasp.lowering.issues import Issue
from symut.rasp.lowering.mapped import Combinations, combinations, spread
from symut.rasp.lowering.numbers import real_range, require_orders
from symut.rasp.lowering.ranges import NOTHING, REAL, Range, Real, by_position, constant, is_number, normalized
from symut.rasp.lowering.selecting import issue_of_selection, may_refuse, nonempty, single
from symut.rasp.lowering.selections import Selection, Selections
from symut.rasp.operations import Operation, apply

UNDEFINED = object()
"""The value of a tokenwise sequence at a letter that it refuses."""


@dataclass(eq=False)
class Analysis:
    """What is known about the nodes that `root` is computed from."""

    root: core.Sequence
    n: int
    alphabet: tuple[Value, ...] | None
    strict: bool
    ranges: dict[core.Node, Range | Real] = field(default_factory=dict)
    tokenwise: dict[core.Node, tuple] = field(default_factory=dict)
    tables: dict[core.Map, Combinations] = field(default_factory=dict)
    selections: dict[core.Selector, Selection] = field(default_factory=dict)
    counts: dict[core.Selector, Counts] = field(default_factory=dict)
    depth: dict[core.Node, int] = field(default_factory=dict)
    refused: dict[core.Node, RaspError] = field(default_factory=dict)
    issues: list[Issue] = field(default_factory=list)

    def operation(self, node: core.Map) -> Operation:
        """The operation of a node; one that passes None on is the plain one where no argument can be None."""
        function = node.operation.function
        if not isinstance(function, Lifted) or any(self._has_none(argument) for argument in node.arguments):
            return node.operation
        return function.operation

    def _has_none(self, node: core.Sequence) -> bool:
        found = self.ranges[node]
        return isinstance(found, Range) and not found.numeric and None in found.values

    @property
    def limit(self) -> int:
        """The most combinations that a table gate reads."""
        return max(4096, (self.n + 1) ** 2)

    def positional(self, node: core.Sequence) -> list | None:
        """The values by position of a sequence that depends on nothing else."""
        found = self.ranges.get(node)
        if not isinstance(found, Range) or found.by not in ("", "q") or not found.single or self.can_fail(node):
            return None
        return [found.within("q", (q,))[0] for q in range(self.n)]

    def can_fail(self, node: core.Node) -> bool:
        """Whether some values of a node's arguments are an error in itself, which the encoder must tell."""
        if isinstance(node, core.Map):
            divides = self.operation(node).name in ("div", "pow") and node not in self.tables
            return divides or (node in self.tables and self.tables[node].refused is not None)
        if not isinstance(node, (core.Aggregate, core.SelectorWidth)) or node.selector not in self.selections:
            return False
        moved = isinstance(node, core.Aggregate) and self.moves(node) and self.counts[node.selector].high > 1
        return moved or may_refuse(self, self.selections[node.selector])

    def moves(self, node: core.Aggregate) -> bool:
        """Whether an aggregate moves single values that are no numbers, so that several of them are an error."""
        found = self.ranges[node.values]
        if isinstance(found, Real):
            return False
        if not found.numeric:
            return True
        return self.strict and not any(map(is_number, found.values))

    def report(self, node: core.Node, what: str, reason: str, remedy: str = "") -> None:
        """Add an issue at a node, or where the node is used if it has no place of its own."""
        at = node.at or next((u.at for u in core.order([self.root]) if node in u.children and u.at), None)
        issue = Issue(at, what, reason, remedy)
        self.issues += [] if issue in self.issues else [issue]


def analyse(root: core.Sequence, n: int, alphabet: Sequence[Value] | None, *, strict: bool = True) -> Analysis:
    """Ranges of all nodes under `root`, in which equal nodes must be one; issues are collected, not raised."""
    found = Analysis(root, n, None if alphabet is None else tuple(alphabet), strict)
    chooser = Selections(n, found.positional)
    for node in core.order([root]):
        if isinstance(node, core.Sequence):
            made = _RULES[type(node)](found, chooser, node)
            if made is not None:
                found.ranges[node] = made
                found.depth[node] = _depth(found, node)
    require_orders(found)
    return found


def _depth(found: Analysis, node: core.Sequence) -> int:
    """How many attention layers a sequence needs."""
    if found.positional(node) is not None or node in found.tokenwise:
        return 0
    below = [found.depth.get(child, 0) for child in _sequences(node)]
    return max(below, default=0) + isinstance(node, (core.Aggregate, core.SelectorWidth))


def _sequences(node: core.Node) -> list[core.Node]:
    """The sequences that a node reads, through its selectors."""
    direct = [child for child in node.children if isinstance(child, core.Sequence)]
    return direct + [
        inner for child in node.children if isinstance(child, core.Selector) for inner in _sequences(child)
    ]


def _tokens(found: Analysis, chooser: Selections, node: core.Tokens) -> Range | Real | None:
    if found.alphabet is not None:
        return _by_letter(found, node, [_read(node.kind, letter) for letter in found.alphabet])
    if node.kind in ("int", "float", "asis"):
        return REAL
    found.report(node, f"tokens_{node.kind}", "the tokens are not bounded", "name the alphabet: --alphabet")
    return None


def _read(kind: str, letter: Value) -> Value:
    try:
        return READERS[kind](letter)
    except RaspError as error:
        return error


def _by_letter(found: Analysis, node: core.Sequence, values: list) -> Range | None:
    """The range of a tokenwise sequence; errors among its values make the letters refused."""
    errors = [value for value in values if isinstance(value, RaspError)]
    known = [value for value in values if not isinstance(value, RaspError)]
    if errors and not known:
        found.report(node, _what(node), f"no letter of the alphabet has a value: {errors[0].what}")
        return None
    if errors:
        found.refused[node] = errors[0]
    found.tokenwise[node] = tuple(UNDEFINED if isinstance(value, RaspError) else value for value in values)
    return normalized(NOTHING, {(): known}, len(known))


def _what(node: core.Node) -> str:
    return str(node.operation) if isinstance(node, core.Map) else type(node).__name__.lower()


def _constant(found: Analysis, chooser: Selections, node: core.Constant) -> Range:
    return constant(normal(Fraction(node.value)) if isinstance(node.value, float) else node.value)


def _map(found: Analysis, chooser: Selections, node: core.Map) -> Range | Real | None:
    ranges = [found.ranges.get(argument) for argument in node.arguments]
    if any(part is None for part in ranges):
        return None
    if any(isinstance(part, Real) for part in ranges):
        return real_range(found, node)
    if any(argument in found.tokenwise for argument in node.arguments):
        columns = [_letters(found, argument) for argument in node.arguments]
        if all(column is not None for column in columns):
            rows = zip(*columns, strict=True)  # type: ignore[arg-type]
            return _by_letter(found, node, [_applied(node, row) for row in rows])
    return _finite(found, node, ranges)  # type: ignore[arg-type]


def _letters(found: Analysis, node: core.Sequence) -> list | None:
    """The values by letter of a tokenwise or constant sequence."""
    if node in found.tokenwise:
        return list(found.tokenwise[node])
    part = found.ranges[node]
    if isinstance(part, Range) and not part.by and part.single and found.alphabet is not None:
        return [part.values[0]] * len(found.alphabet)
    return None


def _applied(node: core.Map, row: tuple) -> Value:
    if UNDEFINED in row:
        return RaspError("an argument has no value")
    try:
        return apply(node.operation, row)
    except RaspError as error:
        return error


def _finite(found: Analysis, node: core.Map, ranges: list[Range]) -> Range | Real | None:
    operation = found.operation(node)
    made = combinations(operation, ranges, found.n, found.limit)
    if made is None:
        wide = spread(operation, ranges, found.n, found.limit)
        if wide is None:
            found.report(
                node, _what(node), f"its arguments take more than {found.limit} combinations of values",
                "take a smaller --n, or split it",
            )  # fmt: skip
        return wide
    result, table = made
    if not table.table:
        assert table.refused is not None
        found.report(node, _what(node), f"it is defined for no value of its arguments: {table.refused.what}")
        return None
    found.tables[node] = table
    return result


def _selection(found: Analysis, chooser: Selections, node: core.Aggregate | core.SelectorWidth) -> Counts | None:
    """What an aggregate selects; issues of its selector are reported once."""
    selector = node.selector
    if any(child not in found.ranges for child in _sequences(selector)):
        return None
    if selector not in found.counts:
        try:
            selection = chooser.of(selector)
        except RaspError as error:
            found.report(selector, "select", error.what)
            return None
        issue = issue_of_selection(found, selection)
        if issue:
            found.report(*issue)
            return None
        found.selections[selector] = selection
        low = 1 if selection.reflexive or nonempty(found, selection) else 0
        found.counts[selector] = counts(selection.mask, selection.positional, low, single(found, selection))
    return found.counts[selector]


def _width(found: Analysis, chooser: Selections, node: core.SelectorWidth) -> Range | None:
    chosen = _selection(found, chooser, node)
    return None if chosen is None else width_range(chosen)


def _aggregate(found: Analysis, chooser: Selections, node: core.Aggregate) -> Range | Real | None:
    chosen, values = _selection(found, chooser, node), found.ranges.get(node.values)
    if chosen is None or values is None:
        return None
    default = normal(Fraction(node.default)) if isinstance(node.default, float) else node.default
    if isinstance(values, Real):
        if chosen.low == 0 and not isinstance(default, (int, Fraction)):
            found.report(node, "aggregate", "its values are unbounded numbers and its default is no number")
            return None
        return REAL
    return (
        moved_range(chosen, values, default) if found.moves(node) else mean_range(chosen, values, default, found.limit)
    )


_RULES: dict[type, Callable[..., Range | Real | None]] = {
    core.Tokens: _tokens,
    core.Indices: lambda found, chooser, node: by_position(range(found.n)),
    core.Constant: _constant,
    core.Map: _map,
    core.Aggregate: _aggregate,
    core.SelectorWidth: _width,
}
