"""Aggregates and selector widths as heads: scores from a selection, the guard, and what is averaged.

Main definitions: `aggregate`, `width`.

Every part of a selection scores 0 where it selects and at most -1 elsewhere, so their sum does too. Equality of numbers
in steps of 1/D, D a power of two, scores -(D (k - q))^2 by three products; other comparisons are bilinear forms of
one-hots; a choice of several is one of joint one-hots: for every combination of what its masks say, a matrix over
classes. Aggregates of one selector in one layer share a head. A ranking (`best`) is scored by the products that it
names.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

from symut.rasp import core
from symut.rasp.encoder.model import GUARD, ONE, Bilinear, Border, Classes, Form
from symut.rasp.lowering.codes import agree
from symut.rasp.lowering.kinds import moves, numbers_in
from symut.rasp.lowering.ranges import Range
from symut.rasp.lowering.selecting import classes, sides_of
from symut.rasp.lowering.selections import Atom, Choice, Selection
from symut.rasp.lowering.stream import HeadBuilder, Time, constant, plus
from symut.rasp.lowering.values import Values, described

if TYPE_CHECKING:
    import numpy as np

MAX_DISTANCE = 2**10
"""The largest distance, counted in steps of 1/D, that an equality compares by its square."""


def aggregate(values: Values, node: core.Aggregate) -> Form:
    """The form of the mean: a value of a head whose guard holds the default."""
    content = values.scalar(node.values)
    never = values.found.counts[node.selector].low > 0
    default = 0 if never else values.code(node, node.default)
    head = _head(values, node, Fraction(-1, 2), content)
    wanted = plus((content, 1), ({GUARD: 1}, default))
    output = next((out for form, out in head.values if form == wanted), None)
    if output is None:
        output = values.stream.add(described(node), (_layer(values, node.selector, content), 0))
        head.values.append((wanted, output))
    if moves(values.found, node):
        head.moves[output] = _border(values, node)
    return {output: 1}


def _border(values: Values, node: core.Aggregate) -> Border:
    """Between the codes of an aggregate's numbers and those of its other values."""
    codes, numbers = values.codes(node.values), numbers_in(values.found, node)
    part = values.found.ranges[node.values]
    assert isinstance(part, Range)
    others = min(codes[value] for value in part.values if value not in numbers)
    return Border(max((codes[value] for value in numbers), default=None), others, node.at)


def width(values: Values, node: core.SelectorWidth) -> Form:
    """1 / u - 1, with u = 1 / (width + 1) the mean of the guard's indicator."""
    head = _head(values, node, 0, {})
    known = next((out for form, out in head.values if form == {GUARD: 1}), None)
    if known is None:
        known = values.stream.add(f"1/(1 + {described(node)})", (_layer(values, node.selector, {}), 0))
        head.values.append(({GUARD: 1}, known))
    part = values.found.ranges[node]
    assert isinstance(part, Range)
    values.finite[known] = [Fraction(1, 1 + value) for value in part.values]
    inverse = values.stream.gate("reciprocal", [{known: 1}], f"1 + {described(node)}", (), node.at)
    values.finite[next(iter(inverse))] = [1 + value for value in part.values]
    return plus((inverse, 1), (constant(1), -1))


def _head(
    values: Values, node: core.Aggregate | core.SelectorWidth, guard: Fraction | int, content: Form
) -> HeadBuilder:
    selection = values.found.selections[node.selector]
    bilinear, tables = _scores(values, selection)
    layer = _layer(values, node.selector, content)
    ranks = selection.ranking is not None
    mask = None if ranks or bool(selection.mask.all()) else selection.mask

    def make() -> HeadBuilder:
        made = HeadBuilder(described(node.selector), node.selector.at or node.at, mask, bilinear, tables, guard)
        made.hidden = ~selection.mask if ranks else None
        return made

    return values.stream.head((layer, selection.key, guard), make)


def _layer(values: Values, selector: core.Selector, content: Form) -> int:
    """One after the layer in which everything that the head reads is ready."""
    bilinear, tables = _scores(values, values.found.selections[selector])
    forms = [content, *(form for term in bilinear for form in (*term.queries, *term.keys))]
    groups = [values.stream.group_ready[group] for term in tables for group in (term.query, term.key)]
    times: list[Time] = [values.stream.time(forms), *groups]
    return 1 + max(time[0] for time in times)


def _scores(values: Values, selection: Selection) -> tuple[tuple[Bilinear, ...], tuple[Classes, ...]]:
    key = ("scores", selection.key)
    if key not in values.scores:
        bilinear: list[Bilinear] = []
        tables: list[Classes] = []
        for atom in selection.atoms:
            term = _distance(values, atom)
            bilinear += [term] if term else []
            tables += [] if term else [_compared(values, atom)]
        for choice in selection.choices:
            tables += _chosen(values, choice)
        if selection.ranking is not None:
            sides = (selection.ranking.queries, selection.ranking.keys)
            bilinear.append(Bilinear(*(tuple(map(values.scalar, side)) for side in sides)))
        values.scores[key] = (tuple(bilinear), tuple(tables))
    return values.scores[key]


def _distance(values: Values, atom: Atom) -> Bilinear | None:
    """-(D (k - q))^2 for an equality of numbers that are few steps apart, None for other comparisons.

    D is a power of two: floats hold no thirds, so the scores of equal ones would not be exactly 0.
    """
    keys, queries = atom.select.keys, atom.select.queries
    ranges = [values.found.ranges[keys], values.found.ranges[queries]]
    if atom.operation.name != "eq" or atom.negated or not all(isinstance(part, Range) for part in ranges):
        return None
    codes = [values.codes(keys), values.codes(queries)]
    if not agree(*codes):
        return None
    every = [Fraction(code) for side in codes for code in side.values()]
    below = math.lcm(*(code.denominator for code in every))
    if below & (below - 1):
        return None
    if below * (max(every) - min(every)) > MAX_DISTANCE or below * max(map(abs, every)) > MAX_DISTANCE:
        return None
    square = below * below
    one = constant(1)
    return Bilinear(
        (plus((values.scalar(queries), 2 * square)), plus((one, -square)), plus((values.square(queries), -square))),
        (values.scalar(keys), values.square(keys), {ONE: 1}),
    )


def _compared(values: Values, atom: Atom) -> Classes:
    keys, queries = atom.select.keys, atom.select.queries
    orders = [values.order_of(node) for node in (keys, queries)]
    chosen, refused = atom.table(*(tuple(value for (value,) in order) for order in orders))
    key = values.group([keys], orders[0], False)
    query = values.group([queries], orders[1], False)
    return Classes(query, key, _weights(chosen), None, refused if refused.any() else None)


def _weights(chosen: np.ndarray) -> np.ndarray:
    return chosen.astype("int8") - 1


def _chosen(values: Values, choice: Choice) -> list[Classes]:
    """Scores whose sum is 0 where the choice selects and -1 elsewhere.

    The first matrix is for the most common combination of what the masks say; each other combination adds the
    difference where it occurs.
    """
    import numpy as np

    key_nodes, query_nodes = sides_of(choice)
    keys, queries = classes(values.found, key_nodes), classes(values.found, query_nodes)
    assert keys is not None
    assert queries is not None
    tables = {atom: _atom_table(atom, key_nodes, query_nodes, keys, queries) for atom in choice.atoms()}
    refused = np.logical_or.reduce([table[1] for table in tables.values()])
    masks = _masks(choice)
    patterns: dict[bytes, list] = {}
    for bits, where in _patterns(masks, values.found.n):
        matrix = _matrix(choice, {id(mask): bit for mask, bit in zip(masks, bits, strict=True)}, tables)
        entry = patterns.setdefault(matrix.tobytes(), [matrix, np.zeros((values.found.n,) * 2, dtype=bool)])
        entry[1] |= where
    ordered = sorted(patterns.values(), key=lambda entry: -int(entry[1].sum()))
    base = ordered[0][0].astype("int8")
    query, key = (values.group(nodes, order, False) for nodes, order in ((query_nodes, queries), (key_nodes, keys)))
    terms = [Classes(query, key, base - 1, None, refused if refused.any() else None)]
    for matrix, where in ordered[1:]:
        pair = [values.group(nodes, order, True) for nodes, order in ((query_nodes, queries), (key_nodes, keys))]
        terms.append(Classes(pair[0], pair[1], matrix.astype("int8") - base, where))
    return terms


def _atom_table(atom: Atom, key_nodes: list, query_nodes: list, keys: list, queries: list) -> tuple:
    import numpy as np

    k, q = key_nodes.index(atom.select.keys), query_nodes.index(atom.select.queries)
    own_keys = tuple(dict.fromkeys(row[k] for row in keys))
    own_queries = tuple(dict.fromkeys(row[q] for row in queries))
    chosen, refused = atom.table(own_keys, own_queries)
    at_key = {value: i for i, value in enumerate(own_keys)}
    at_query = {value: i for i, value in enumerate(own_queries)}
    at = np.ix_([at_query[row[q]] for row in queries], [at_key[row[k]] for row in keys])
    return chosen[at], refused[at]


def _masks(choice: Choice) -> list[np.ndarray]:
    found = []
    for part in choice.parts:
        if isinstance(part, Choice):
            found += _masks(part)
        elif not isinstance(part, Atom):
            found.append(part)
    return found


def _patterns(masks: list[np.ndarray], n: int) -> list[tuple[tuple[bool, ...], np.ndarray]]:
    """The combinations of masks that occur, and where."""
    import numpy as np

    found: list[tuple[tuple[bool, ...], np.ndarray]] = [((), np.ones((n, n), dtype=bool))]
    for mask in masks:
        found = [((*bits, on), where & (mask if on else ~mask)) for bits, where in found for on in (False, True)]
        found = [(bits, where) for bits, where in found if where.any()]
    return found


def _matrix(choice: Choice, masks: dict[int, bool], tables: dict[Atom, tuple]) -> np.ndarray:
    import numpy as np

    shape = next(iter(tables.values()))[0].shape
    parts = []
    for part in choice.parts:
        if isinstance(part, Choice):
            parts.append(_matrix(part, masks, tables))
        else:
            parts.append(tables[part][0] if isinstance(part, Atom) else np.full(shape, masks[id(part)]))
    return np.logical_and.reduce(parts) if choice.connective == "and" else np.logical_or.reduce(parts)
