"""Where an encoder in floating point is exact: error bounds for every coordinate, compared with the gaps that matter.

Main definitions: `Bound`, `Floats`, `floats`.

A coordinate is exact if its values are multiples of a power of two small enough that sums of them are not rounded.
Scores must be exact, or ties would break; ties of scores of unbounded numbers are exact only where the scores are
exactly representable. A head that averages multiples of its score, such as a maximum, loses only rounding with a tie.
Averages are rational: they carry rounding errors, which end where a coordinate with values in steps of 1/D is rounded
to them (`snaps`), where a table looks its inputs up, and in the answer; there the bound must be below half of the gap
between values.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from symut.rasp.encoder.extent import LARGEST, constants, fits
from symut.rasp.encoder.model import GUARD, ONE, Bilinear, Encoder, Form, Gate, Head, Number, Table

UNIT = {"float32": 2.0**-24, "float64": 2.0**-53}
MAX_SNAP = 2**12
_MARGIN = 0.49


@dataclass(frozen=True)
class Bound:
    """|value| <= size, |float - value| <= error; `step`, a power of two, divides the values and floats if known."""

    size: float
    error: float
    step: float | None

    def exact(self) -> bool:
        return self.error == 0 and self.step is not None


@dataclass(frozen=True)
class Floats:
    """`problems` tells in words what is not exact in this dtype; `snaps` the D of each coordinate that is rounded.

    `rounded`: answers are neither finitely many nor exactly representable, so that they carry rounding errors.
    """

    dtype: str
    problems: tuple[str, ...]
    snaps: dict[int, int]
    rounded: bool = False


def _held(values: Iterable[Number], unit: float) -> Bound:
    """Constants as they are stored: exact if they are short dyadic rationals, else rounded."""
    every = [Fraction(value) for value in values]
    size = float(max(map(abs, every), default=Fraction(0)))
    below = math.lcm(*{value.denominator for value in every})
    if below & (below - 1) == 0 and size * below < 1 / unit:
        return Bound(size, 0.0, 1 / below)
    return Bound(size, unit * size, None)


class _Bounds:
    def __init__(self, encoder: Encoder, dtype: str) -> None:
        self.encoder, self.dtype, self.unit = encoder, dtype, UNIT[dtype]
        self.bounds: dict[int, Bound] = {ONE: Bound(1, 0, 1), GUARD: Bound(1, 0, 1)}
        self.problems: list[str] = []
        self.snaps: dict[int, int] = {}
        for columns in (encoder.token_columns, encoder.position_columns):
            self.bounds.update({c: _held(column, self.unit) for c, column in columns.items()})
        if encoder.number is not None:
            self.bounds[encoder.number] = Bound(math.inf, math.inf, None)

    def form(self, form: Form) -> Bound:
        """The bound of a linear form."""
        terms = [(self.bounds[c], abs(float(weight)), _held([weight], self.unit)) for c, weight in form.items()]
        size = _sum(weight * bound.size for bound, weight, _ in terms)
        if all(bound.exact() and held.exact() for bound, _, held in terms):
            step = min([bound.step * held.step for bound, _, held in terms], default=1.0)  # type: ignore[operator]
            if size / step < 1 / self.unit:
                return Bound(size, 0.0, step)
        error = _sum(weight * bound.error for bound, weight, _ in terms) + self.unit * (len(terms) + 2) * size
        return Bound(size, error, None)

    def settle(self, coordinate: int, bound: Bound) -> None:
        """The bound of what was written, after rounding to its steps where its values are known."""
        values = self.encoder.finite.get(coordinate)
        if values and not bound.exact():
            below = math.lcm(*{Fraction(value).denominator for value in values})
            size = float(max(map(abs, values)))
            if below <= MAX_SNAP and size * below < 0.25 / self.unit and bound.error * below < _MARGIN:
                self.snaps[coordinate] = below
                bound = _held(values, self.unit)
            else:
                bound = Bound(min(size, bound.size), bound.error, None)
        self.bounds[coordinate] = bound

    def head(self, head: Head) -> None:
        self._score(head)
        for form, output in head.values:
            guard = abs(float(form.get(GUARD, 0)))
            tokens = self.form({c: weight for c, weight in form.items() if c != GUARD})
            size = max(tokens.size, guard)
            whole = tokens.exact() and _held([form.get(GUARD, 0)], self.unit).exact()
            border = head.moves.get(output)
            if border and border.numbers is not None:
                self.told_apart(tokens, (border.numbers, border.others), f"the kind of a value of head {head.name}")
            lost = self._lost(head, size)
            if whole and not lost and (head.sources is not None or (border and border.numbers is None)):
                self.settle(
                    output, Bound(size, 0.0, min(tokens.step or 1, _held([form.get(GUARD, 0)], self.unit).step or 1))
                )
                continue
            summed = whole and not lost and (self.encoder.n + 1) * size / (tokens.step or 1) < 1 / self.unit
            error = self.unit * size if summed else tokens.error + (self.encoder.n + 3) * self.unit * size
            if head.sources is not None:
                error = max(tokens.error, self.unit * guard)
            self.settle(output, Bound(size, error + lost, None))

    def _lost(self, head: Head, size: float) -> float:
        """How far from the largest value a head may be that takes a key with nearly the largest score."""
        if not _averages_its_score(head) or self._ranks_exactly(head.bilinear[0]):
            return 0.0
        key = self.form(head.bilinear[0].keys[0])
        return 2 * size * (key.error / key.size + 2 * self.unit) if 0 < key.size < math.inf else math.inf

    def _ranks_exactly(self, term: Bilinear) -> bool:
        query, key = self.form(term.queries[0]), self.form(term.keys[0])
        if query.step is None or key.step is None or query.error or key.error:
            return False
        return query.size * key.size / (query.step * key.step) < 1 / self.unit

    def _score(self, head: Head) -> None:
        if _averages_its_score(head):
            return
        for term in head.bilinear:
            pairs = [(self.form(a), self.form(b)) for a, b in zip(term.queries, term.keys, strict=True)]
            total = _sum(a.size * b.size for a, b in pairs) + 8 * (1 + len(head.classes) + len(head.bilinear))
            steps = [a.step * b.step for a, b in pairs if a.exact() and b.exact()]  # type: ignore[operator]
            if len(steps) < len(pairs) or total / min(steps) >= 1 / self.unit:
                what = "ties are not kept: " * (head.hidden is not None)
                what += f"the scores of head {head.name} are not exactly representable in {self.dtype}"
                self.problems.append(what)

    def gate(self, gate: Gate | Table) -> None:
        inputs = [self.form(form) for form in gate.inputs]
        if isinstance(gate, Table):
            for place, bound in enumerate(inputs):
                self.told_apart(bound, gate.alphabets[place], f"an input of a table at {gate.at or 'a gate'}")
            for output, column in gate.columns.items():
                self.bounds[output] = _held(column, self.unit)
            return
        self.settle(gate.output, _KINDS[gate.kind](self, gate, inputs))

    def told_apart(self, bound: Bound, values: Iterable[Number], what: str) -> None:
        """Report if values could be confused."""
        ordered = sorted(map(Fraction, values))
        gap = min((float(b - a) for a, b in pairwise(ordered)), default=math.inf)
        if not bound.error + 2 * self.unit * bound.size < _MARGIN * gap:
            self.problems.append(f"{what} is not told apart in {self.dtype}")


def _averages_its_score(head: Head) -> bool:
    """Whether keys are ranked by one number, of which all values are multiples: a lost tie changes only rounding."""
    if head.hidden is None or len(head.bilinear) != 1 or len(head.bilinear[0].keys) != 1:
        return False
    (query,), (key,) = head.bilinear[0].queries, head.bilinear[0].keys
    return set(query) == {ONE} and all(_multiple(form, key) for form, _ in head.values)


def _multiple(form: Form, of: Form) -> bool:
    """Whether a value, without what the guard holds, is a multiple of another form."""
    own = {c: Fraction(weight) for c, weight in form.items() if c != GUARD}
    ratios = {own[c] / Fraction(of[c]) for c in own if of.get(c)}
    return not own or (set(own) == {c for c in of if of[c]} and len(ratios) == 1)


def _sum(terms: Iterable[float]) -> float:
    return float(sum(term for term in terms if term == term))


def _relu(run: _Bounds, gate: Gate, inputs: Sequence[Bound]) -> Bound:
    size = _sum(abs(float(w)) * bound.size for w, bound in zip(gate.weights, inputs, strict=True))
    if all(bound.exact() for bound in inputs) and _held(gate.weights, run.unit).exact():
        step = min(bound.step for bound in inputs) * _held(gate.weights, run.unit).step  # type: ignore[type-var, operator]
        if size / step < 1 / run.unit:
            return Bound(size, 0.0, step)
    error = _sum(abs(float(w)) * bound.error for w, bound in zip(gate.weights, inputs, strict=True))
    return Bound(size, error + (len(inputs) + 2) * run.unit * size, None)


def _product(run: _Bounds, gate: Gate, inputs: Sequence[Bound]) -> Bound:
    a, b = inputs
    size = _sum([a.size * b.size])
    if a.exact() and b.exact() and size / (a.step * b.step) < 1 / run.unit:  # type: ignore[operator]
        return Bound(size, 0.0, a.step * b.step)  # type: ignore[operator]
    error = _sum([a.size * b.error, b.size * a.error, a.error * b.error, 2 * run.unit * size])
    return Bound(size, error, None)


def _reciprocal(run: _Bounds, gate: Gate, inputs: Sequence[Bound]) -> Bound:
    values = run.encoder.finite.get(gate.output)
    if not values:
        return Bound(math.inf, math.inf, None)
    size = float(max(map(abs, values)))
    return Bound(size, 2 * size * size * inputs[0].error + 2 * run.unit * size, None)


_KINDS = {
    "relu": _relu,
    "product": _product,
    "reciprocal": _reciprocal,
    "exp": lambda run, gate, inputs: Bound(math.inf, math.inf, None),
    "root": lambda run, gate, inputs: Bound(math.inf, math.inf, None),
    "linear": lambda run, gate, inputs: inputs[0],
}


def floats(encoder: Encoder, dtype: str) -> Floats:
    """The bounds of an encoder run in "float32" or "float64": what is not exact, and what is rounded to steps."""
    try:
        run = _Bounds(encoder, dtype)
        _follow(run, encoder)
    except OverflowError:
        return Floats(dtype, (f"a number is too large for {dtype}",), {})
    sizes = (Fraction(bound.size) for bound in run.bounds.values() if math.isfinite(bound.size))
    if not fits(constants(encoder), dtype) or any(size > LARGEST[dtype] for size in sizes):
        run.problems.append(f"a number is too large or too small for {dtype}")
    rounded = encoder.codes is None and encoder.below is None and not run.form(encoder.readout).exact()
    return Floats(dtype, tuple(dict.fromkeys(run.problems)), run.snaps, rounded)


def _follow(run: _Bounds, encoder: Encoder) -> None:
    for layer in encoder.layers:
        for head in layer.heads:
            run.head(head)
        for level in layer.levels:
            for gate in level:
                run.gate(gate)
    for check in encoder.checks:
        run.told_apart(
            run.form(check.form), check.strings | check.others, f"the kind of a value at {check.at or 'a check'}"
        )
    answer = run.form(encoder.readout)
    if encoder.codes is not None:
        run.told_apart(answer, encoder.codes, "the answer")
    elif encoder.below is not None:
        run.told_apart(answer, (0, Fraction(1, encoder.below**2)), "the answer")
