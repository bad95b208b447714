"""What a selector selects, taken apart: a mask over positions, comparisons of contents, and what is left.

Main definitions: `Atom`, `Choice`, `Selection`, `Selections`.

A selector is brought to negation normal form and read as a conjunction.  Parts that depend on positions only become
one n x n mask.  Comparisons (`Atom`) stay, and so do disjunctions in which contents take part (`Choice`).
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

from symut.errors import shown
from symut.rasp import core
from symut.rasp.arithmetic import Value
from symut.rasp.errors import RaspError
from symut.rasp.lowering.mapped import COMPARISONS
from symut.rasp.lowering.ranges import place
from symut.rasp.operations import Operation, apply

if TYPE_CHECKING:
    import numpy as np

NEGATED = {"eq": "ne", "ne": "eq", "lt": "ge", "ge": "lt", "gt": "le", "le": "gt"}
REFLEXIVE = ("eq", "le", "ge")


@dataclass(frozen=True)
class Atom:
    """`predicate(key, query)`, or its negation; `select` is the node, for its place."""

    select: core.Select
    operation: Operation
    negated: bool

    @property
    def reflexive(self) -> bool:
        """Whether every position selects itself."""
        same = self.select.keys is self.select.queries
        return same and not self.negated and self.operation.name in REFLEXIVE

    def may_refuse(self, keys: tuple[Value, ...], queries: tuple[Value, ...]) -> bool:
        """Whether some pair of these values is an error: orders want two numbers or two strings."""
        if self.operation.name in ("eq", "ne"):
            return False
        if self.operation.name in COMPARISONS:
            texts = {isinstance(value, str) for value in (*keys, *queries)}
            return len(texts) > 1 or not all(isinstance(v, (str, int, Fraction)) for v in (*keys, *queries))
        return bool(self.table(keys, queries)[1].any())

    def table(self, keys: tuple[Value, ...], queries: tuple[Value, ...]) -> tuple[np.ndarray, np.ndarray]:
        """(selected, undefined), each queries x keys; undefined pairs are those that the predicate refuses."""
        import numpy as np

        chosen = np.zeros((len(queries), len(keys)), dtype=bool)
        refused = np.zeros_like(chosen)
        if self.operation.name in COMPARISONS and not self.may_refuse(keys, queries):
            ranks = {value: rank for rank, value in enumerate(sorted({*keys, *queries}, key=place))}
            of_keys, of_queries = (np.array([ranks[value] for value in side]) for side in (keys, queries))
            return getattr(operator, self.operation.name)(
                of_keys[None, :], of_queries[:, None]
            ) != self.negated, refused
        for row, query in enumerate(queries):
            for column, key in enumerate(keys):
                try:
                    chosen[row, column] = bool(apply(self.operation, (key, query))) != self.negated
                except Exception:  # a user's predicate may raise anything
                    refused[row, column] = True
        return chosen, refused


@dataclass(frozen=True, eq=False)
class Choice:
    """`connective` ("and", "or") of parts: atoms, choices, and at most one mask over positions."""

    connective: str
    parts: tuple[Part, ...]

    @property
    def reflexive(self) -> bool:
        inner = [_reflexive(part) for part in self.parts]
        return all(inner) if self.connective == "and" else any(inner)

    def atoms(self) -> list[Atom]:
        """The comparisons in it, each once."""
        found: dict[Atom, None] = {}
        for part in self.parts:
            found.update(dict.fromkeys([part] if isinstance(part, Atom) else []))
            found.update(dict.fromkeys(part.atoms() if isinstance(part, Choice) else []))
        return list(found)


Part: TypeAlias = "Atom | Choice | np.ndarray"


def _reflexive(part: object) -> bool:
    return part.reflexive if isinstance(part, (Atom, Choice)) else bool(part.diagonal().all())  # type: ignore[attr-defined]


@dataclass(frozen=True, eq=False)
class Selection:
    """The conjunction of a mask (n x n, queries x keys), of atoms and of choices.

    With a `ranking` (`mask` is then all else) those among the keys of the mask with the largest score.
    """

    mask: np.ndarray
    atoms: tuple[Atom, ...] = ()
    choices: tuple[Choice, ...] = ()
    ranking: core.Best | None = None

    @property
    def positional(self) -> bool:
        return not self.atoms and not self.choices and self.ranking is None

    @property
    def reflexive(self) -> bool:
        """Whether every position is known to select itself."""
        parts = (*self.atoms, *self.choices)
        return self.ranking is None and bool(self.mask.diagonal().all()) and all(part.reflexive for part in parts)

    @property
    def key(self) -> tuple:
        """Equal for selections that select the same."""
        scores = (self.ranking.keys, self.ranking.queries) if self.ranking else ()
        return self.mask.tobytes(), self.atoms, tuple(map(_key, self.choices)), scores


def _key(part: object) -> object:
    if isinstance(part, Choice):
        return part.connective, tuple(map(_key, part.parts))
    return part if isinstance(part, Atom) else part.tobytes()  # type: ignore[attr-defined]


def _undefined(atom: Atom, key: Value, query: Value) -> RaspError:
    try:
        apply(atom.operation, (key, query))
    except RaspError as error:
        return error
    except Exception as error:
        return RaspError(f"{atom.operation} fails on key {shown(key)} and query {shown(query)}", got=shown(error))
    raise AssertionError("the predicate was refused before")


class Selections:
    """Takes selectors apart; `positional` gives a sequence's values by position if they depend on nothing else."""

    def __init__(self, n: int, positional: Callable[[core.Sequence], list | None]) -> None:
        self.n, self.positional = n, positional

    def of(self, selector: core.Selector) -> Selection:
        """The selection that a selector makes; raises RaspError for a comparison of positions that is not defined."""
        import numpy as np

        part = self._part(selector, True)
        parts = part.parts if isinstance(part, Choice) and part.connective == "and" else (part,)
        masks = [part for part in parts if isinstance(part, np.ndarray)]
        mask = masks[0] if masks else np.ones((self.n, self.n), dtype=bool)
        atoms = tuple(part for part in parts if isinstance(part, Atom))
        return Selection(mask, atoms, tuple(part for part in parts if isinstance(part, Choice)))

    def _part(self, selector: core.Selector, wanted: bool) -> Part:
        if isinstance(selector, core.Select):
            return self._select(selector, wanted)
        assert isinstance(selector, core.Combine)
        if selector.connective == "not":
            return self._part(selector.operands[0], not wanted)
        connective = selector.connective if wanted else {"and": "or", "or": "and"}[selector.connective]
        return self._joined(connective, [self._part(operand, wanted) for operand in selector.operands])

    def _select(self, select: core.Select, wanted: bool) -> Part:
        operation, negated = select.predicate, not wanted
        if negated and operation.name in NEGATED:
            operation, negated = Operation(NEGATED[operation.name]), False
        atom = Atom(select, operation, negated)
        keys, queries = self.positional(select.keys), self.positional(select.queries)
        if keys is None or queries is None:
            return atom
        return self._mask(atom, keys, queries)

    def _mask(self, atom: Atom, keys: list, queries: list) -> np.ndarray:
        import numpy as np

        rows, columns = (tuple(dict.fromkeys(values)) for values in (queries, keys))
        chosen, refused = atom.table(columns, rows)
        if refused.any():
            row, column = (int(place[0]) for place in refused.nonzero())
            raise _undefined(atom, columns[column], rows[row])
        places = [{value: place for place, value in enumerate(side)} for side in (rows, columns)]
        at_row, at_column = [places[0][query] for query in queries], [places[1][key] for key in keys]
        return chosen[np.ix_(at_row, at_column)]

    def _joined(self, connective: str, parts: list) -> Part:
        """Nested parts of the same connective and masks are merged; a mask that decides everything is the result."""
        import numpy as np

        flat = [p for part in parts for p in (part.parts if self._same(part, connective) else (part,))]
        masks = [part for part in flat if isinstance(part, np.ndarray)]
        others = list(dict.fromkeys(part for part in flat if not isinstance(part, np.ndarray)))
        if masks:
            merged = np.logical_and.reduce(masks) if connective == "and" else np.logical_or.reduce(masks)
            if not others or bool((merged if connective == "or" else ~merged).all()):
                return merged
            others += [] if bool((merged if connective == "and" else ~merged).all()) else [merged]
        return others[0] if len(others) == 1 else Choice(connective, tuple(others))

    @staticmethod
    def _same(part: object, connective: str) -> bool:
        return isinstance(part, Choice) and part.connective == connective
