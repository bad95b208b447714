"""A program on many inputs over a finite alphabet at once, by the interpreter's rules on arrays.

Main definitions: `Batch`, `Result`.

A sequence is an array (inputs x n) of numbers of values, a selector one of booleans (inputs x queries x keys).  Each
elementwise operation is computed once per distinct combination of values.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import lcm
from typing import Any

import numpy as np

from symut.rasp import core
from symut.rasp.arithmetic import Value, normal
from symut.rasp.inputs import READERS
from symut.rasp.operations import Operation, apply
from symut.rasp.symbolic.columns import FAILED, Values
from symut.rasp.symbolic.domain import UnsupportedError
from symut.rasp.symbolic.rules import in_mode


@dataclass(frozen=True, eq=False)
class Result:
    """`failed` per input; `values` (inputs x n) of a sequence as objects' equality classes, or a selector's
    booleans."""

    failed: np.ndarray
    values: np.ndarray
    table: Values | None


class Batch:
    def __init__(self, letters: Sequence[Value], batch: np.ndarray) -> None:
        self.letters, self.batch = letters, batch
        self.inputs, self.n = batch.shape
        self.table = Values()
        self.failed = np.zeros(self.inputs, dtype=bool)
        self.found: dict[core.Node, np.ndarray] = {}

    def run(self, root: core.Node) -> Result:
        for node in core.order([root]):
            values = _RULES[type(node)](self, node)
            self.found[node] = self._checked(values) if isinstance(node, core.Sequence) else values
        sequence = isinstance(root, core.Sequence)
        return Result(self.failed, self.found[root], self.table if sequence else None)

    def _checked(self, numbers: np.ndarray) -> np.ndarray:
        """Note the inputs whose values do not exist or are of different kinds, and give them some value."""
        bad = numbers == FAILED
        self.failed |= bad.any(axis=1)
        numbers = np.where(bad, self.table.number(0), numbers)
        kinds = self.table.kinds[numbers]
        strings = kinds == 2
        self.failed |= (strings.any(axis=1) & ~strings.all(axis=1)) | (kinds == 3).any(axis=1)
        return numbers

    def constant(self, value: Value) -> np.ndarray:
        return np.full((self.inputs, self.n), self.table.number(in_mode(value)), dtype=np.int64)


def _exact(operation: Operation, *values: Value) -> Value:
    return in_mode(apply(operation, values))


def _tokens(run: Batch, node: core.Tokens) -> np.ndarray:
    given = np.array([run.table.number(letter) for letter in run.letters], dtype=np.int64)
    return run.table.map(lambda letter: in_mode(READERS[node.kind](letter)), given)[run.batch]


def _indices(run: Batch, node: core.Indices) -> np.ndarray:
    row = np.array([run.table.number(i) for i in range(run.n)], dtype=np.int64)
    return np.broadcast_to(row, (run.inputs, run.n))


def _map(run: Batch, node: core.Map) -> np.ndarray:
    if not node.arguments:
        return np.broadcast_to(run.table.map(partial(_exact, node.operation)), (run.inputs, run.n))
    return run.table.map(partial(_exact, node.operation), *(run.found[a] for a in node.arguments))


def _select(run: Batch, node: core.Select) -> np.ndarray:
    keys, queries = run.found[node.keys][:, None, :], run.found[node.queries][:, :, None]
    if node.predicate.name in ("eq", "ne"):
        classes = run.table.classes
        same = classes[keys] == classes[queries]
        return same if node.predicate.name == "eq" else ~same
    chosen = run.table.map(lambda k, q: bool(_exact(node.predicate, k, q)), keys, queries)
    run.failed |= (chosen == FAILED).any(axis=(1, 2))
    return chosen == run.table.number(True)


def _combine(run: Batch, node: core.Combine) -> np.ndarray:
    operands = [run.found[operand] for operand in node.operands]
    if node.connective == "not":
        return ~operands[0]
    return operands[0] & operands[1] if node.connective == "and" else operands[0] | operands[1]


def _best(run: Batch, node: core.Best) -> np.ndarray:
    """Scores compare as integers: by their rank among all that occur."""
    selected = run.found[node.selector]
    total = np.full(selected.shape, run.table.number(0))
    for key, query in zip(node.keys, node.queries, strict=True):
        sides = run.found[key][:, None, :], run.found[query][:, :, None]
        for side in sides:
            run.failed |= (run.table.kinds[side] >= 2).any(axis=(1, 2))
        total = run.table.map(_with_product, total, *sides)
    if (total == FAILED).any():
        raise UnsupportedError("scores with too many digits")
    used, places = np.unique(total, return_inverse=True)
    ordered = sorted({run.table.values[i] for i in used})
    ranks = np.array([bisect_left(ordered, run.table.values[i]) for i in used])[places.reshape(total.shape)]
    ranks = np.where(selected, ranks, -1)
    return selected & (ranks == ranks.max(axis=2, keepdims=True))


def _with_product(total: Value, key: Value, query: Value) -> Value:
    """total + key query; inputs with strings have failed before."""
    return total if isinstance(key, str) or isinstance(query, str) else in_mode(normal(total + key * query))


def _width(run: Batch, node: core.SelectorWidth) -> np.ndarray:
    counts = run.found[node.selector].sum(axis=2)
    numbers = np.array([run.table.number(count) for count in range(run.n + 1)], dtype=np.int64)
    return numbers[counts]


def _aggregate(run: Batch, node: core.Aggregate) -> np.ndarray:
    selected, values = run.found[node.selector], run.found[node.values]
    counts = selected.sum(axis=2)
    single = np.take_along_axis(values, selected.argmax(axis=2), axis=1)
    several = counts > 1
    kinds = run.table.kinds[values]
    averaged = several.any(axis=1)
    run.failed |= averaged & ((kinds >= 2).any(axis=1) | ~(kinds == 0).any(axis=1))
    result = np.where(counts == 0, run.constant(node.default), single)
    rows = averaged & ~run.failed
    if rows.any():
        result[rows] = np.where(several[rows], _means(run, selected[rows], values[rows], counts[rows]), result[rows])
    return result


def _means(run: Batch, selected: np.ndarray, values: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """The numbers of the exact means, by integer sums over a common denominator."""
    used = np.unique(values)
    common = lcm(*(Fraction(run.table.values[i]).denominator for i in used))
    scaled: list[Any] = [0] * len(run.table.values)
    for i in used:
        scaled[i] = int(run.table.values[i] * common)
    small = max(map(abs, scaled)) * selected.shape[2] < 2**62
    numerators = np.array(scaled, dtype=np.int64 if small else object)[values]
    sums = np.where(selected, numerators[:, None, :], 0).sum(axis=2)
    distinct, where = np.unique(sums, return_inverse=True)
    # (sum, count) pairs in one integer
    pairs = where.reshape(counts.shape) * (run.n + 1) + counts
    found, places = np.unique(pairs, return_inverse=True)
    totals = [(int(distinct[pair // (run.n + 1)]), int(pair % (run.n + 1))) for pair in found]
    numbers = [run.table.number(normal(Fraction(s, common * max(1, c)))) for s, c in totals]
    return np.array(numbers, dtype=np.int64)[places.reshape(counts.shape)]


_RULES: dict[type, Callable[[Any, Any], np.ndarray]] = {
    core.Tokens: _tokens,
    core.Indices: _indices,
    core.Constant: lambda run, node: run.constant(node.value),
    core.Map: _map,
    core.Aggregate: _aggregate,
    core.SelectorWidth: _width,
    core.Select: _select,
    core.Combine: _combine,
    core.Best: _best,
}
