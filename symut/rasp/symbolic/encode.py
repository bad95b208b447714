"""Programs as terms: each node of the core graph on n tokens, without resolving selectors.

Main definition: `encoded`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any

from symut.rasp import core
from symut.rasp.errors import LimitError, RaspError
from symut.rasp.operations import Operation
from symut.rasp.symbolic.domain import Numbers, UnsupportedError
from symut.rasp.symbolic.rules import in_mode
from symut.rasp.symbolic.term_rules import apply_term
from symut.rasp.symbolic.terms import BOOL, MIXED, REAL, TEXT, Encoded, Encoding, Term, sort


def encoded(run: Encoding, root: core.Node) -> Encoded:
    """The program's values as terms.  Raises UnsupportedError."""
    run.failures = []
    found: dict[core.Node, list] = {}
    for node in core.order([root]):
        try:
            found[node] = _RULES[type(node)](run, node, found)
            if isinstance(node, core.Sequence):
                _require_one_kind(found[node])
        except LimitError as reason:
            raise UnsupportedError(str(reason.placed(node.at))) from None
        except RaspError:  # whatever the input is
            return Encoded([], [True])
        except UnsupportedError as reason:
            raise UnsupportedError(f"{node.at}: {reason}" if node.at else str(reason)) from None
    return Encoded(found[root], run.failures)


def _require_one_kind(values: list[Any]) -> None:
    if len({sort(value) == TEXT for value in values}) > 1:
        raise RaspError("a sequence holds values of different kinds")


def _tokens(run: Encoding, node: core.Tokens, found: dict) -> list[Any]:
    if node.kind == "bool":
        return [run.truth(value) for value in _tokens(run, core.Tokens("asis"), found)]
    probe = run.domain.token(1, node.kind)
    kind = REAL if isinstance(run.domain, Numbers) and isinstance(probe, int) else TEXT
    return [Term(f"r{i}", kind) for i in range(run.n)]


def _map(run: Encoding, node: core.Map, found: dict) -> list[Any]:
    columns = [found[argument] for argument in node.arguments]
    rows = zip(*columns, strict=True) if columns else [()] * run.n
    return [apply_term(run, node.operation, row) for row in rows]


def _select(run: Encoding, node: core.Select, found: dict) -> list[Any]:
    keys, queries = found[node.keys], found[node.queries]
    return [run.truth(apply_term(run, node.predicate, (key, query))) for query in queries for key in keys]


def _combine(run: Encoding, node: core.Combine, found: dict) -> list[Any]:
    operands = [found[operand] for operand in node.operands]
    if node.connective == "not":
        return [run.negated(entry) for entry in operands[0]]
    return [run.joined(node.connective, a, b) for a, b in zip(*operands, strict=True)]


def _best(run: Encoding, node: core.Best, found: dict) -> list[Any]:
    keys, queries = ([found[part] for part in side] for side in (node.keys, node.queries))
    entries: list[Any] = []
    for q, row in enumerate(_rows(run, found[node.selector])):
        pairs = [[(key[k], query[q]) for key, query in zip(keys, queries, strict=True)] for k in range(run.n)]
        scores = [_score(run, factors) for factors in pairs]
        for k, entry in enumerate(row):
            rest = (_not_above(run, other, scores[i], scores[k]) for i, other in enumerate(row) if i != k)
            entries.append(run.joined("and", entry, *rest))
    return entries


def _score(run: Encoding, factors: list[tuple[Any, Any]]) -> Any:
    if any(sort(value) == TEXT for pair in factors for value in pair):
        raise RaspError("best scores by values that are no numbers")
    products = [apply_term(run, Operation("mul"), pair) for pair in factors]
    return reduce(lambda a, b: apply_term(run, Operation("add"), (a, b)), products)


def _not_above(run: Encoding, candidate: Any, score: Any, best: Any) -> Any:
    return run.joined("or", run.negated(candidate), apply_term(run, Operation("le"), (score, best)))


def _count(run: Encoding, row: list[Any]) -> Any:
    sure = sum(entry is True for entry in row)
    open_entries = [run.real(entry) for entry in row if isinstance(entry, Term)]
    return run.name(f"(+ {' '.join(open_entries)} {sure}.0)", REAL) if open_entries else sure


def _rows(run: Encoding, entries: list[Any]) -> list[list[Any]]:
    return [entries[q * run.n : (q + 1) * run.n] for q in range(run.n)]


def _aggregate(run: Encoding, node: core.Aggregate, found: dict) -> list[Any]:
    values, default = found[node.values], in_mode(node.default)
    rows = _rows(run, found[node.selector])
    if any(sort(value) == TEXT for value in values) and not isinstance(default, str):
        nothing = [run.negated(run.joined("or", *row)) for row in rows]
        everywhere = run.joined("and", *nothing)
        run.failures.append(run.joined("and", run.joined("or", *nothing), run.negated(everywhere)))
        run.gaps.append(everywhere)
        default = values[0]
    return [_mean(run, values, row, default) for row in rows]


def _mean(run: Encoding, values: list[Any], row: list[Any], default: Any) -> Any:
    """A chain of choices over the number of selected keys; one value is its own sum."""
    count, sorts = _count(run, row), {sort(value) for value in values}
    if isinstance(count, int) and count <= 1:
        return next((v for v, entry in zip(values, row, strict=True) if entry), default)
    if MIXED in sorts and not sorts & {REAL, TEXT}:
        raise UnsupportedError("a mean of values that may all be booleans")
    numeric = TEXT not in sorts and REAL in sorts
    if not numeric:
        run.failures.append(run.truth(run.name(f"(> {run.written(count)} 1.0)", BOOL)))
        result = default
        for value, entry in zip(values, row, strict=True):
            result = run.choice(entry, value, result)
        return result
    chosen = [run.real(run.choice(entry, value, 0)) for value, entry in zip(values, row, strict=True)]
    total = run.name(f"(+ {' '.join(chosen)} 0.0)", REAL)
    result = total
    for size in range(2, run.n + 1):
        part = run.name(f"(* (/ 1.0 {size}.0) {total.text})", REAL)
        result = run.choice(run.equal(count, size), part, result)
    return run.choice(run.equal(count, 0), default, result)


_RULES: dict[type, Callable[[Any, Any, dict], list[Any]]] = {
    core.Tokens: _tokens,
    core.Indices: lambda run, node, found: list(range(run.n)),
    core.Constant: lambda run, node, found: [in_mode(node.value)] * run.n,
    core.Map: _map,
    core.Aggregate: _aggregate,
    core.SelectorWidth: lambda run, node, found: [_count(run, row) for row in _rows(run, found[node.selector])],
    core.Select: _select,
    core.Combine: _combine,
    core.Best: _best,
}
