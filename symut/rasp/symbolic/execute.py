"""Symbolic execution: a program on symbolic tokens along one path; selectors are resolved, numbers stay symbolic.

Main definitions: `execute`, `Outcome`.  It follows `symut.rasp.interpret` node by node, with its rules about kinds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from symut.rasp import core
from symut.rasp.errors import LimitError, RaspError
from symut.rasp.symbolic.domain import Domain, UnsupportedError
from symut.rasp.symbolic.path import Path
from symut.rasp.symbolic.rules import apply_symbolic, in_mode, kind_of, truth


@dataclass(frozen=True)
class Outcome:
    """The values of a sequence, or a selector's rows (bit k of row q: key k), or the `error` that stops the program."""

    values: tuple[Any, ...] = ()
    error: RaspError | None = None


def execute(root: core.Node, path: Path, domain: Domain) -> Outcome:
    """What the program computes from n symbolic tokens of the domain.  Raises UnsupportedError, with the place."""
    run = _Run(path, domain)
    for node in core.order([root]):
        try:
            run.found[node] = _RULES[type(node)](run, node)
            if isinstance(node, core.Sequence):
                _require_one_kind(run.found[node])
        except LimitError as reason:
            raise UnsupportedError(str(reason.placed(node.at))) from None
        except RaspError as error:
            return Outcome(error=error.placed(node.at))
        except UnsupportedError as reason:
            raise UnsupportedError(f"{node.at}: {reason}" if node.at else str(reason)) from None
    return Outcome(tuple(run.found[root]))


class _Run:
    def __init__(self, path: Path, domain: Domain) -> None:
        self.path, self.domain, self.symbols = path, domain, path.tokens()
        self.n = len(self.symbols)
        self.found: dict[core.Node, list] = {}


def _require_one_kind(values: list[Any]) -> None:
    if len({kind_of(value) == "string" for value in values}) > 1 or any(value is None for value in values):
        raise RaspError("a sequence holds values of different kinds")


def _tokens(run: _Run, node: core.Tokens) -> list:
    if node.kind == "bool":
        return [truth(run.path, run.domain.token(symbol, "asis")) for symbol in run.symbols]
    return [run.domain.token(symbol, node.kind) for symbol in run.symbols]


def _map(run: _Run, node: core.Map) -> list:
    columns = [run.found[argument] for argument in node.arguments]
    rows = zip(*columns, strict=True) if columns else [()] * run.n
    return [apply_symbolic(run.path, node.operation, row) for row in rows]


def _select(run: _Run, node: core.Select) -> list[int]:
    keys, queries = run.found[node.keys], run.found[node.queries]
    return [sum(_selected(run, node, key, query) << k for k, key in enumerate(keys)) for query in queries]


def _selected(run: _Run, node: core.Select, key: Any, query: Any) -> bool:
    return truth(run.path, apply_symbolic(run.path, node.predicate, (key, query)))


def _combine(run: _Run, node: core.Combine) -> list[int]:
    operands = [run.found[operand] for operand in node.operands]
    if node.connective == "not":
        return [((1 << run.n) - 1) & ~row for row in operands[0]]
    both = node.connective == "and"
    return [a & b if both else a | b for a, b in zip(*operands, strict=True)]


def _best(run: _Run, node: core.Best) -> list[int]:
    keys, queries = (_numbers([run.found[part] for part in side]) for side in (node.keys, node.queries))
    rows = run.found[node.selector]
    return [
        _largest(run, row, [list(zip(key, query, strict=True)) for key in keys])
        for row, query in zip(rows, queries, strict=True)
    ]


def _numbers(columns: list[list[Any]]) -> list[tuple[Any, ...]]:
    """Per position, the numbers of several sequences."""
    if any(kind_of(value) == "string" for values in columns for value in values):
        raise RaspError("best scores by values that are no numbers", expected="numbers")
    return list(zip(*columns, strict=True))


def _largest(run: _Run, row: int, factors: list[list[tuple[Any, Any]]]) -> int:
    """The keys of a row with the largest sum of products; every comparison asks for a sign."""
    space, found, top = run.path.space, 0, None
    for k, pairs in enumerate(factors):
        if not row >> k & 1:
            continue
        score: Any = 0
        for key, query in pairs:
            score = space.add(score, space.multiply(key, query))
        sign = 1 if top is None else run.path.sign(space.subtract(score, top))
        if sign > 0:
            found, top = 0, score
        found |= (sign >= 0) << k
    return found


def _aggregate(run: _Run, node: core.Aggregate) -> list:
    values, means = run.found[node.values], {0: in_mode(node.default)}
    for row in run.found[node.selector]:
        if row not in means:
            means[row] = _mean(run, values, row)
    return [means[row] for row in run.found[node.selector]]


def _mean(run: _Run, values: list[Any], row: int) -> Any:
    chosen = [value for k, value in enumerate(values) if row >> k & 1]
    if len(chosen) == 1:
        return chosen[0]
    kinds = set(map(kind_of, values))
    if not kinds <= {"number", "boolean"} or "number" not in kinds:
        raise RaspError("several values that are no numbers would be averaged")
    space, total = run.path.space, 0
    for value in chosen:
        total = space.add(total, value)
    return space.multiply(total, space.power(len(chosen), -1))


_RULES: dict[type, Callable[[Any, Any], list]] = {
    core.Tokens: _tokens,
    core.Indices: lambda run, node: list(range(run.n)),
    core.Constant: lambda run, node: [in_mode(node.value)] * run.n,
    core.Map: _map,
    core.Aggregate: _aggregate,
    core.SelectorWidth: lambda run, node: [row.bit_count() for row in run.found[node.selector]],
    core.Select: _select,
    core.Combine: _combine,
    core.Best: _best,
}
