"""Ranges of a whole program over an alphabet, for inputs of up to n tokens, and everything that has no encoder.

Main definition: `analyse`.

`ranges` has a range per sequence (none for what already failed); `tokenwise` the value per letter of what depends on
the token alone; `tables` the combinations of elementwise operations; `selections` what aggregates select.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from symut.rasp import core
from symut.rasp.arithmetic import Value, normal
from symut.rasp.errors import RaspError
from symut.rasp.inputs import READERS
from symut.rasp.lowering.averages import Counts, counts, mean_range, moved_range, width_range
from symut.rasp.lowering.facts import Analysis
from symut.rasp.lowering.kinds import kinds_of, moves, numbers_in, require_means
from symut.rasp.lowering.mapped import combinations, spread
from symut.rasp.lowering.numbers import exponential_range, real_range, require_orders, root_range
from symut.rasp.lowering.ranges import (
    NOTHING,
    REAL,
    UNDEFINED,
    Range,
    Real,
    by_position,
    constant,
    in_numbers,
    normalized,
)
from symut.rasp.lowering.ranking import issue_of_best, ranked
from symut.rasp.lowering.selecting import issue_of_selection, nonempty, single
from symut.rasp.lowering.selections import Selection, Selections
from symut.rasp.operations import apply


def analyse(root: core.Sequence, n: int, alphabet: Sequence[Value] | None, *, strict: bool = True) -> Analysis:
    """Ranges of all nodes under `root`, in which equal nodes must be one; issues are collected, not raised."""
    found = Analysis(root, n, None if alphabet is None else tuple(alphabet), strict)
    chooser = Selections(n, found.positional)
    for node in core.order([root]):
        if isinstance(node, core.Sequence):
            made = _RULES[type(node)](found, chooser, node)
            if isinstance(made, Range) and not made.values:
                found.report(node, _what(node), "what it reads has no value, on any input")
            elif made is not None:
                found.ranges[node] = made
                found.kinds[node] = kinds_of(found, node)
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
    if found.operation(node).name == "exp":
        return exponential_range(found, node)
    if found.operation(node).name == "root":
        return root_range(found, node)
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
        why = "they never have values together" if table.refused is None else table.refused.what
        found.report(node, _what(node), f"it is defined for no value of its arguments: {why}")
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
            issue = issue_of_best(found, chooser, node)
            selection = _chosen(chooser, selector) if issue is None else None
        except RaspError as error:
            found.report(selector, "select", error.what)
            return None
        if selection is not None:
            issue = issue_of_selection(found, selection)
        if selection is None or issue is not None:
            found.report(*issue)  # type: ignore[misc]  # one of the two is there
            return None
        found.selections[selector] = selection
        low = 1 if selection.reflexive or nonempty(found, selection) else 0
        found.counts[selector] = counts(selection.mask, selection.positional, low, single(found, selection))
    return found.counts[selector]


def _chosen(chooser: Selections, selector: core.Selector) -> Selection:
    return ranked(chooser, selector) if isinstance(selector, core.Best) else chooser.of(selector)


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
    if not require_means(found, node):
        return None
    values = values if found.strict else in_numbers(values)
    if not moves(found, node):
        mean = mean_range(chosen, values, default, found.limit)
        if isinstance(mean, Real) and chosen.low == 0 and not isinstance(default, (int, Fraction)):
            found.report(
                node, "aggregate", "its means have too many values beside a default that is no number",
                "give a number as default, or take a smaller --n or alphabet",
            )  # fmt: skip
            return None
        return mean
    made = moved_range(chosen, values, default, numbers_in(found, node), found.limit)
    if made is None:
        found.report(
            node, "aggregate", "its means have too many values, some of which are strings", "take a smaller --n"
        )
    return made


_RULES: dict[type, Callable[..., Range | Real | None]] = {
    core.Tokens: _tokens,
    core.Indices: lambda found, chooser, node: by_position(range(found.n)),
    core.Constant: _constant,
    core.Map: _map,
    core.Aggregate: _aggregate,
    core.SelectorWidth: _width,
}
