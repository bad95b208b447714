"""Rule B: for every target of rule K the functions x -> A_p(x) x of its paths are independent (FORMAT.md, section 10).

The certificate gives, for each target, points at which the matrix F of their values is invertible, and an approximate
inverse.  Enclosures of F prove that I - inverse F / scale has norm below 1, so F is invertible.
"""

from __future__ import annotations

import itertools
import math
from typing import Any

from .intervals import BITS, ONE, Interval, multiple, product, quotient, softmax, total
from .matrices import Matrix
from .spanning import MAX_ENTRY
from .strict import Invalid, fields, integers, listing, need

# limits of this program, not of the format: operations on intervals, and the absolute value of a state
MAX_WORK = 2 * 10**6
MAX_STATE = 2**1024

Vector = list[Interval]
Layers = list[list[Interval]]  # one number for each layer and head


def rule_balls(H: int, L: int, n: int, bases: list[Matrix], value: Any) -> None:
    """For every word i the matrix F of the target with v_{l,h} = bases[l][i_l][h] is invertible.  The bases have
    passed rule K, so L and H are sizes of lists in the certificate."""
    need((H - 1).bit_length() * L <= 32 and n * n <= MAX_WORK, "targets: too large to check")
    count = H**L
    work = count**2 * n**2 * (10 * L * H + 2 * count) + count**4
    need(work <= MAX_WORK, "targets: too large to check")
    targets = listing(value, "targets", count)
    for number, word in enumerate(itertools.product(range(H), repeat=L)):
        values = [[quotient(v, 1) for v in bases[layer][i]] for layer, i in enumerate(word)]
        rule_target(n, values, targets[number], f"targets[{number}]")


def rule_target(n: int, values: Layers, value: Any, where: str) -> None:
    H, L = len(values[0]), len(values)
    count = H**L
    table = fields(value, where, ("queries", "points", "inverse", "scale"))
    queries = [
        [rational(q, f"{where}.queries") for q in listing(row, f"{where}.queries", H)]
        for row in listing(table["queries"], f"{where}.queries", L)
    ]
    F = []
    for j, point in enumerate(listing(table["points"], f"{where}.points", count)):
        entry = fields(point, f"{where}.points[{j}]", ("x", "token"))
        x = [rational(a, f"{where}.points[{j}].x") for a in listing(entry["x"], f"{where}.points[{j}].x", n)]
        (token,) = integers([entry["token"]], f"{where}.points[{j}].token", 0, n - 1)
        F.append([path[token] for path in path_values(queries, values, x)])
    (scale,) = integers([table["scale"]], f"{where}.scale", 1, math.inf)
    listed = listing(table["inverse"], f"{where}.inverse", count)
    inverse = [integers(row, f"{where}.inverse", -math.inf, math.inf, count) for row in listed]
    near_inverse(inverse, F, scale, where)


def rational(value: Any, where: str) -> Interval:
    """[numerator, denominator] with denominator >= 1."""
    a, b = integers(value, where, -MAX_ENTRY, MAX_ENTRY, 2)
    need(b >= 1, f"{where}: the denominator {b} is below 1")
    return quotient(a, b)


def path_values(queries: Layers, values: Layers, x: Vector) -> list[Vector]:
    """A_{L,h_L} ... A_{1,h_1} x for every path (h_1, ..., h_L), in lexicographic order."""
    paths, state = [x], x
    for q, v in zip(queries, values, strict=True):
        heads = [attention(factor, state) for factor in q]
        mixed = [apply(A, state) for A in heads]
        state = [total([product(v[h], y[a]) for h, y in enumerate(mixed)]) for a in range(len(x))]
        need(all(max(-low, high) <= MAX_STATE << BITS for low, high in state), "targets: a state is too large to check")
        paths = [apply(A, y) for y in paths for A in heads]
    return paths


def attention(q: Interval, x: Vector) -> list[Vector]:
    """softmax by rows of q x x^T."""
    scaled = [product(q, a) for a in x]
    return [softmax([product(a, b) for b in x]) for a in scaled]


def apply(A: list[Vector], x: Vector) -> Vector:
    return [total([product(a, b) for a, b in zip(row, x, strict=True)]) for row in A]


def near_inverse(inverse: Matrix, F: list[Vector], scale: int, where: str) -> None:
    """Every absolute row sum of I - inverse F / scale is below 1, whatever F is within its intervals."""
    columns = list(zip(*F, strict=True))
    for i, row in enumerate(inverse):
        norm = 0
        for p, column in enumerate(columns):
            low, high = total([multiple(a, y) for a, y in zip(row, column, strict=True)])
            unit = scale * ONE * (i == p)
            norm += max(unit - low, high - unit)
        if norm >= scale * ONE:
            raise Invalid(f"{where}: row {i} of I - inverse F / scale is not proved to have absolute sum below 1")
