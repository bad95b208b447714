"""The lower bound d H^L for one fixed attention function, softmax: independent functions, certified with balls.

Main definitions: `softmax_output_bound`, `path_products`.
Main result: for every target T_i of the spanning family there are points at which the functions x -> A_p(x) x, one for
each path p of length L, have an invertible matrix; so outputs that agree for all inputs agree path by path
(proofs/FORMAT.md, rule B).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import ceil, isfinite
from typing import TYPE_CHECKING, Any, NamedTuple

from symut.backbone.shape import slot_count
from symut.certificate import Certificate
from symut.prover.argument import Argument, Context, Undecided
from symut.prover.bounds.spanning import KRONECKER, ones_and_identity, spanning_steps, spanning_targets
from symut.statement import UNKNOWN, SoftmaxOutputBound, Step

if TYPE_CHECKING:
    import flint

PRECISIONS = (200, 400, 800)
"""Bits, tried in this order."""
TARGET_LIMIT, EXPONENTIAL_LIMIT, NUMBER_LIMIT = 32, 30_000, 2**128
"""More targets, exponentials at all points together, or larger numbers in a query are not tried."""
LATTICE, GENERATOR, STEPS = 127, 78, 16
"""Candidate points lie on a lattice with 127 values per token, from -63/16 to 63/16."""
CANDIDATES = 3
"""Candidate points per path; the best are chosen by pivoting."""


class Evaluation(NamedTuple):
    """F (rows: points, columns: paths) is invertible: inverse . F is near scale times the identity."""

    points: list[tuple[list[Fraction], int]]
    inverse: list[list[int]]
    scale: int


def layer_queries(H: int, L: int) -> list[list[Fraction]]:
    """q_{l,h}, different for all heads; states grow by at most H + 1 a layer, so scores keep their size."""
    heads = [Fraction(2 * (3 * (2 * h - H - 1) + 1), H) for h in range(1, H + 1)]
    return [[q / (H + 1) ** (2 * layer) for q in heads] for layer in range(L)]


def candidate_points(n: int, count: int) -> list[list[Fraction]]:
    """`count` points of n tokens each, from a lattice of rank 1; all coordinates are dyadic."""
    centre = LATTICE // 2
    return [
        [Fraction(i * pow(GENERATOR, t, LATTICE) % LATTICE - centre, STEPS) for t in range(n)]
        for i in range(1, count + 1)
    ]


def path_products(
    queries: Sequence[Sequence[Fraction]], values: Sequence[Sequence[int]], point: Sequence[Fraction]
) -> list[list[flint.arb]]:
    """A_p x, n balls for every path p of length L in lexicographic order, of the scalar network on x_0 = x (n tokens).

    A_{l,h} = softmax by rows of q_{l,h} x_{l-1} x_{l-1}^T and x_l = sum_h v_{l,h} A_{l,h} x_{l-1}.
    """
    from symut.exact.balls import ball, total

    state = [ball(x) for x in point]
    along = [state]
    for layer_q, layer_v in zip(queries, values, strict=True):
        attention = [_softmax(ball(q), state) for q in layer_q]
        along = [_apply(rows, vector) for vector in along for rows in attention]
        heads = [_apply(rows, state) for rows in attention]
        state = [total(v * x for v, x in zip(layer_v, column, strict=True)) for column in zip(*heads, strict=True)]
    return along


def _softmax(q: flint.arb, state: Sequence[flint.arb]) -> list[list[flint.arb]]:
    """Every row i is exp(q x_i x_j) over its sum."""
    from symut.exact.balls import total

    weights = [[(q * x * y).exp() for y in state] for x in state]
    return [[weight / total(row) for weight in row] for row in weights]


def _apply(rows: Sequence[Sequence[flint.arb]], vector: Sequence[flint.arb]) -> list[flint.arb]:
    from symut.exact.balls import total

    return [total(a * x for a, x in zip(row, vector, strict=True)) for row in rows]


def evaluate(
    queries: Sequence[Sequence[Fraction]], values: Sequence[Sequence[int]], n: int, bits: int
) -> Evaluation | None:
    """Points and an approximate inverse that certify this target at the given precision, or None."""
    from symut.exact.balls import inverts, pivot_rows, precision, scaled_inverse

    paths = len(queries[0]) ** len(queries)
    candidates = candidate_points(n, CANDIDATES * paths)
    with precision(bits):
        found = [path_products(queries, values, point) for point in candidates]
        rows = [[vector[token] for vector in along] for along in found for token in range(n)]
        chosen = pivot_rows(rows, paths)
        if len(chosen) < paths:
            return None
        matrix = [rows[i] for i in chosen]
        largest = max(abs(float(x)) for row in matrix for x in row)
        if not isfinite(largest):
            return None
        scale_bits = (4 * paths * paths * (ceil(largest) + 1)).bit_length()
        inverse = scaled_inverse(matrix, scale_bits)
        if inverse is None or not inverts(inverse, 2**scale_bits, matrix):
            return None
    return Evaluation([(candidates[i // n], i % n) for i in chosen], inverse, 2**scale_bits)


def _first(queries: Sequence[Sequence[Fraction]], values: Sequence[Sequence[int]], n: int) -> Evaluation | None:
    tried = (evaluate(queries, values, n, bits) for bits in PRECISIONS)
    return next((found for found in tried if found is not None), None)


def _rational(number: Fraction) -> list[int]:
    return [number.numerator, number.denominator]


def _target(queries: Sequence[Sequence[Fraction]], found: Evaluation) -> dict[str, Any]:
    points = [{"x": [_rational(x) for x in point], "token": token} for point, token in found.points]
    shown = [[_rational(q) for q in layer] for layer in queries]
    return {"queries": shown, "points": points, "inverse": found.inverse, "scale": found.scale}


def is_tried(statement: SoftmaxOutputBound) -> bool:
    """Whether the evaluation is tried: by the targets, the exponentials at all points, and the size of a query."""
    H, L, n = statement.H, statement.L, statement.n
    targets = slot_count(H, L).per_d
    small = targets <= TARGET_LIMIT and targets * targets * L * H * n * n <= EXPONENTIAL_LIMIT
    return small and H * (H + 1) ** (2 * L) < NUMBER_LIMIT


def softmax_output_bound(statement: SoftmaxOutputBound, context: Context) -> Argument | Undecided:
    """Outputs need m >= d H^L for softmax, too, if attention matrices agree (goal softmax_output_lower_bound)."""
    if not is_tried(statement):
        limits = f"{TARGET_LIMIT} targets, {EXPONENTIAL_LIMIT} exponentials and queries of 128 bits"
        return _undecided(statement, f"sizes beyond {limits} are not tried")
    H, L = statement.H, statement.L
    queries, basis = layer_queries(H, L), ones_and_identity(H).basis
    certified: dict[tuple[int, ...], Evaluation] = {}
    for done, index in enumerate(product(range(H), repeat=L - 1)):
        context.progress("targets", done, H ** (L - 1))
        values = [*(basis[i] for i in index), basis[0]]
        found = _first(queries, values, statement.n)
        if found is None:
            tried = " or ".join(str(bits) for bits in PRECISIONS)
            return _undecided(statement, f"target number {done * H + 1} was not certified with {tried} bits")
        certified[index] = found
    targets = [_target(queries, certified[index[:-1]]) for index in product(range(H), repeat=L)]
    parts = {"spanning": spanning_targets(H, L, context), "targets": targets}
    return Argument(
        statement, Certificate(statement.sha256, parts=parts), _steps(statement, len(targets)), (KRONECKER,)
    )


def _undecided(statement: SoftmaxOutputBound, reason: str) -> Undecided:
    step = Step(
        "independence", f"the functions x -> A_p(x) x at n = {statement.n}: {reason}", "ball arithmetic", UNKNOWN
    )
    return Undecided(statement, f"no certificate was found: {reason}", (step,))


def _steps(statement: SoftmaxOutputBound, targets: int) -> tuple[Step, ...]:
    return (
        *spanning_steps(statement.H, statement.L),
        Step(
            "independence",
            f"for each of the {targets} targets the {targets} functions x -> A_p(x) x have an invertible matrix at "
            f"{targets} rational points of n = {statement.n} tokens",
            f"enclosures of softmax, at most {PRECISIONS[-1]} bits",
        ),
        Step(
            "outputs",
            "with attention that depends on the first column of X only, UT(X, E) = T(X) for all X implies "
            f"E R_p U = W_p for every path p of length {statement.L}",
            "linear independence",
        ),
        Step("width", f"the rows of [W_p]_p over all targets span {statement.width} dimensions", "linear algebra"),
    )
