"""The reference interpreter: what the nodes of a program are on one input, by average-hard attention.

Main definitions: `evaluate`, `evaluate_all`.

Values are exact rationals unless floats are asked for. `strict` follows the reference language: one sequence holds
values of one kind (numbers and booleans mix), and only numbers are averaged. Otherwise (Tracr's programs) kinds mix,
booleans are averaged as 0 and 1, and None is a value.
Source: Weiss, Goldberg, Yahav 2021, section 3.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction

from symut.errors import shown
from symut.limits import DEFAULT_MAX_MEMORY, parse_bytes, require_memory
from symut.rasp import core
from symut.rasp.arithmetic import Value, kind, normal, refuse, too_large
from symut.rasp.errors import Position, RaspError
from symut.rasp.inputs import READERS, tokens_of
from symut.rasp.operations import Operation, apply

_EQUALITIES = ("eq", "ne")


def evaluate(node: core.Node, given: str | list, *, floats: bool = False, strict: bool = True) -> list:
    """The values of a sequence (n of them) or the matrix of a selector (n rows of n booleans) on an input.

    Raises RaspError, with the place of the operation, where a value is not defined.
    """
    return evaluate_all([node], given, floats=floats, strict=strict)[0]


def evaluate_all(
    nodes: Iterable[core.Node], given: str | list, *, floats: bool = False, strict: bool = True
) -> list[list]:
    """As `evaluate`, for several nodes; what they share is computed once."""
    nodes = list(nodes)
    run = _Run(tokens_of(given), floats, strict)
    order = core.order(nodes)
    _require_room(run, order)
    for node in order:
        try:
            run.found[node] = _RULES[type(node)](run, node)
            if strict and isinstance(node, core.Sequence):
                _require_one_kind(run.found[node])
        except (RaspError, OverflowError) as error:
            raise _refused(error).placed(node.at or _place_of_use(node, nodes)) from None
    return [run.shown(node) for node in nodes]


def _refused(error: RaspError | OverflowError) -> RaspError:
    return error if isinstance(error, RaspError) else too_large()


def _require_room(run: _Run, order: list[core.Node]) -> None:
    selectors = sum(isinstance(node, core.Selector) for node in order)
    entries = run.n * (len(order) * 8 + selectors * run.n // 8)
    require_memory(entries, parse_bytes(DEFAULT_MAX_MEMORY), f"a run on {run.n} tokens")


def _place_of_use(node: core.Node, roots: list[core.Node]) -> Position | None:
    """Where the program first uses a node that has no place of its own, such as tokens_int."""
    return next((user.at for user in core.order(roots) if node in user.children and user.at), None)


class _Run:
    """One input; `found` holds values per sequence, and per selector one integer per query whose bit k is key k."""

    def __init__(self, tokens: list[Value], floats: bool, strict: bool) -> None:
        self.tokens, self.floats, self.strict = tokens, floats, strict
        self.n = len(tokens)
        self.found: dict[core.Node, list] = {}

    def shown(self, node: core.Node) -> list:
        if isinstance(node, core.Sequence):
            return list(self.found[node])
        return [[bool(row >> key & 1) for key in range(self.n)] for row in self.found[node]]

    def in_mode(self, value: Value) -> Value:
        """A rational as a float if floats are asked for, else a float as the rational that it is."""
        if isinstance(value, Fraction if self.floats else float):
            return normal(float(value)) if self.floats else normal(Fraction(value))
        return value

    def apply(self, operation: Operation, values: tuple[Value, ...]) -> Value:
        return self.in_mode(apply(operation, values, floats=self.floats))


def _require_one_kind(values: list[Value]) -> None:
    if len({kind(value) == "string" for value in values}) > 1 or any(value is None for value in values):
        raise RaspError(
            "a sequence holds values of different kinds",
            expected="only strings or only numbers",
            got=", ".join(dict.fromkeys(f"{kind(v)} {shown(v)!r}" for v in values[:8])),
            remedy="give aggregate a default of the right kind (it is 0 if none is given)",
        )


def _tokens(run: _Run, node: core.Tokens) -> list:
    return [run.in_mode(_at(READERS[node.kind], (token,), i)) for i, token in enumerate(run.tokens)]


def _map(run: _Run, node: core.Map) -> list:
    columns = [run.found[argument] for argument in node.arguments]
    rows = zip(*columns, strict=True) if columns else [()] * run.n
    return [_at(run.apply, (node.operation, row), i) for i, row in enumerate(rows)]


def _at(function: Callable, arguments: tuple, position: int) -> Value:
    try:
        return function(*arguments)
    except RaspError as error:
        error.what += f" at position {position}"
        raise


def _select(run: _Run, node: core.Select) -> list[int]:
    keys, queries = run.found[node.keys], run.found[node.queries]
    if node.predicate.name in _EQUALITIES:
        return _by_equality(node.predicate.name, keys, queries)
    rows: dict[tuple, int] = {}
    for query in queries:
        if (type(query), query) not in rows:
            chosen = (bool(run.apply(node.predicate, (key, query))) for key in keys)
            rows[type(query), query] = sum(1 << k for k, on in enumerate(chosen) if on)
    return [rows[type(query), query] for query in queries]


def _by_equality(name: str, keys: list[Value], queries: list[Value]) -> list[int]:
    equal: dict[Value, int] = {}
    for k, key in enumerate(keys):
        equal[key] = equal.get(key, 0) | 1 << k
    every = (1 << len(keys)) - 1
    rows = [equal.get(query, 0) for query in queries]
    return rows if name == "eq" else [every & ~row for row in rows]


def _combine(run: _Run, node: core.Combine) -> list[int]:
    operands = [run.found[operand] for operand in node.operands]
    if node.connective == "not":
        every = (1 << run.n) - 1
        return [every & ~row for row in operands[0]]
    both = node.connective == "and"
    return [a & b if both else a | b for a, b in zip(*operands, strict=True)]


def _best(run: _Run, node: core.Best) -> list[int]:
    keys = list(zip(*(_scored(run, side) for side in node.keys), strict=True))
    queries = list(zip(*(_scored(run, side) for side in node.queries), strict=True))
    rows = run.found[node.selector]
    return [_at(_largest, (row, keys, query), q) for q, (row, query) in enumerate(zip(rows, queries, strict=True))]


def _scored(run: _Run, node: core.Sequence) -> list[Value]:
    """The values of a sequence that scores are made of, as numbers."""
    values = run.found[node]
    if not all(kind(value) in ("number", "boolean") for value in values):
        raise refuse("best scores by values that are no numbers", tuple(values[:5]), "numbers")
    return values


def _largest(row: int, keys: list[tuple[Value, ...]], query: tuple[Value, ...]) -> int:
    scores = {k: normal(sum(a * b for a, b in zip(keys[k], query, strict=True))) for k in _bits(row)}
    top = max(scores.values(), default=None)
    return sum(1 << k for k, score in scores.items() if score == top)


def _width(run: _Run, node: core.SelectorWidth) -> list[int]:
    return [row.bit_count() for row in run.found[node.selector]]


def _aggregate(run: _Run, node: core.Aggregate) -> list:
    values, means = run.found[node.values], {0: run.in_mode(node.default)}
    for position, row in enumerate(run.found[node.selector]):
        if row not in means:
            means[row] = _at(_mean, (run, values, row), position)
    return [means[row] for row in run.found[node.selector]]


def _mean(run: _Run, values: list[Value], row: int) -> Value:
    chosen = [values[k] for k in _bits(row)]
    if len(chosen) == 1:
        return chosen[0] if run.strict or not isinstance(chosen[0], bool) else int(chosen[0])
    kinds = set(map(kind, values if run.strict else chosen))
    if not kinds <= {"number", "boolean"} or (run.strict and "number" not in kinds):
        raise RaspError(
            "several values that are no numbers would be averaged",
            expected="numbers, or a selector that selects one key per query",
            got=", ".join(shown(value) for value in chosen[:5]),
            remedy="average indicator(...) instead",
        )
    total = sum(chosen)
    return normal(total / len(chosen) if run.floats else Fraction(total, len(chosen)))


def _bits(row: int) -> Iterable[int]:
    while row:
        low = row & -row
        yield low.bit_length() - 1
        row ^= low


_RULES: dict[type, Callable[[_Run, core.Node], list]] = {
    core.Tokens: _tokens,  # type: ignore[dict-item]
    core.Indices: lambda run, node: list(range(run.n)),
    core.Constant: lambda run, node: [run.in_mode(node.value)] * run.n,  # type: ignore[attr-defined]
    core.Map: _map,  # type: ignore[dict-item]
    core.Aggregate: _aggregate,  # type: ignore[dict-item]
    core.SelectorWidth: _width,  # type: ignore[dict-item]
    core.Select: _select,  # type: ignore[dict-item]
    core.Combine: _combine,  # type: ignore[dict-item]
    core.Best: _best,  # type: ignore[dict-item]
}
