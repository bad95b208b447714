"""What an encoder needs to know about a selection: whether its classes are finite, whether it is empty or single.

Main definitions: `issue_of_selection`, `single`, `nonempty`, `classes`, `MAX_PAIRS`.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING

from symut.rasp import core
from symut.rasp.arithmetic import Value
from symut.rasp.lowering.mapped import ORDERS
from symut.rasp.lowering.ranges import BOTH, Range, Real, contexts, joint
from symut.rasp.lowering.selections import Atom, Choice, Selection

if TYPE_CHECKING:
    from symut.rasp.lowering.facts import Analysis

MAX_PAIRS = 2**25
MAX_CALLS = 2**19

Issue = tuple[core.Node, str, str, str]


def issue_of_selection(found: Analysis, selection: Selection) -> Issue | None:
    """(node, what, reason, remedy) of the first comparison or choice that no head computes."""
    for atom in [*selection.atoms, *(atom for choice in selection.choices for atom in choice.atoms())]:
        issue = _issue_of_atom(found, atom)
        if issue:
            return issue
    for choice in selection.choices:
        sides = [classes(found, nodes) for nodes in sides_of(choice)]
        remedy = "take a smaller --n or --alphabet"
        place = choice.atoms()[0].select
        if any(side is None or len(side) * found.n > max(found.limit, found.n) for side in sides):
            return place, "a combination of selectors", f"it needs more than {found.limit} joint classes", remedy
    return None


def _issue_of_atom(found: Analysis, atom: Atom) -> Issue | None:
    keys, queries = found.ranges[atom.select.keys], found.ranges[atom.select.queries]
    if isinstance(keys, Real) or isinstance(queries, Real):
        return (
            atom.select,
            "select",
            "it compares numbers without a finite range",
            "give a finite --alphabet, or compare something with fewer values",
        )
    texts = [all(isinstance(value, str) for value in part.values) for part in (keys, queries)]
    if (
        atom.operation.name in ORDERS
        and sorted([texts[0], texts[1]]) == [False, True]
        and (keys.numeric or queries.numeric)
    ):
        return atom.select, "select", "it compares strings with numbers by an order", ""
    pairs = len(keys.values) * len(queries.values)
    most = max(len(keys.values), len(queries.values))
    mixed = atom.operation.name in ORDERS and not (keys.numeric and queries.numeric) and not all(texts)
    if pairs > (MAX_CALLS if atom.operation.function or mixed else MAX_PAIRS) or most > found.limit:
        return atom.select, "select", f"it compares {pairs} pairs of values", "take a smaller --n or --alphabet"
    return None


def sides_of(choice: Choice) -> tuple[list[core.Sequence], list[core.Sequence]]:
    """The sequences that the comparisons in a choice read: at keys, and at queries."""
    atoms = choice.atoms()
    keys = list(dict.fromkeys(atom.select.keys for atom in atoms))
    return keys, list(dict.fromkeys(atom.select.queries for atom in atoms))


def classes(found: Analysis, nodes: Sequence[core.Sequence]) -> list[tuple[Value, ...]] | None:
    """The combinations of values that several sequences take at one position, None if there are too many."""
    ranges = [found.ranges[node] for node in nodes]
    assert all(isinstance(part, Range) for part in ranges)
    _, rows = joint(ranges, found.n)  # type: ignore[arg-type]
    combined: dict[tuple[Value, ...], None] = {}
    for _, values in rows:
        for row in itertools.product(*values):
            combined[row] = None
            if len(combined) > found.limit:
                return None
    return list(combined)


def may_refuse(found: Analysis, selection: Selection) -> bool:
    """Whether a comparison in it is an error for some values."""
    atoms = [*selection.atoms, *(atom for choice in selection.choices for atom in choice.atoms())]
    for atom in atoms:
        keys, queries = found.ranges[atom.select.keys], found.ranges[atom.select.queries]
        assert isinstance(keys, Range)
        assert isinstance(queries, Range)
        if atom.may_refuse(keys.values, queries.values):
            return True
    return False


def _lookup(found: Analysis, selection: Selection) -> tuple[dict[Value, int], Range] | None:
    """(position by key, range of the queries) if one comparison looks up a key that stands at one position only."""
    if selection.choices or len(selection.atoms) != 1:
        return None
    (atom,) = selection.atoms
    keys = found.positional(atom.select.keys)
    if atom.operation.name != "eq" or atom.negated or keys is None or len(set(keys)) < len(keys):
        return None
    queries = found.ranges[atom.select.queries]
    return ({key: k for k, key in enumerate(keys)}, queries) if isinstance(queries, Range) else None


def single(found: Analysis, selection: Selection) -> bool:
    """Whether every query is known to select at most one key."""
    if selection.ranking is not None:
        return bool((selection.mask.sum(axis=1) <= 1).all())
    return _lookup(found, selection) is not None


def nonempty(found: Analysis, selection: Selection) -> bool:
    """Whether every query is known to select some key, beyond selections that contain the position itself."""
    if selection.ranking is not None:
        return bool(selection.mask.cumsum(axis=1).diagonal().all())
    looked_up = _lookup(found, selection)
    if looked_up is None:
        return False
    at, queries = looked_up
    if not all(value in at for value in queries.values):
        return False
    for m, q in contexts(BOTH, found.n):
        for value in queries.within(BOTH, (m, q)):
            if at[value] >= m or not selection.mask[q, at[value]]:
                return False
    return True
