"""Certificates of section 10 of FORMAT.md, straight from the definitions, without checker or prover."""

from __future__ import annotations

import itertools
import math
import random
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

from tests.check import build
from tests.check.build import Artifact
from tests.check.claims_bounds import claims

SHARP, SINGULAR = "sharp_width", "singular_backbone"
OUTPUTS, SOFTMAX = "output_lower_bound", "softmax_output_lower_bound"
BOTH, ALONE = "attention_output_width", "attention_width"
SCORES, HEAD_WIDTH = "score_matching_lower_bound", "head_width_obstruction"

Rational = list[int]
Matrix = list[list[Any]]


def artifact(goal: str, p: dict[str, Any], certificate: dict[str, Any], weights: bytes | None = None) -> Artifact:
    return build.artifact(goal, p, certificate, weights, claims)


def words(H: int, L: int) -> list[tuple[int, ...]]:
    return list(itertools.product(range(H), repeat=L))


# ---- rules K, G and N


def spanning(H: int, L: int) -> dict[str, Any]:
    """The basis ones + identity in every layer."""
    basis = [[1 + (i == j) for j in range(H)] for i in range(H)]
    inverse = [[(H + 1) * (i == j) - 1 for j in range(H)] for i in range(H)]
    return {"basis": [basis] * L, "inverse": [inverse] * L, "scale": [H + 1] * L}


def least_degree(most: int, step: int) -> int:
    """The least n0 with C(n0 + n, n) > C(2 n0 + n - 1, n - 1) for n = step, 2 step, ..., most."""
    sizes = range(step, most + 1, step)
    degree = 1
    while not all(math.comb(degree + n, n) > math.comb(2 * degree + n - 1, n - 1) for n in sizes):
        degree += 1
    return degree


def filtered(H: int, L: int, z: int = 1) -> dict[str, Any]:
    base = spanning(H, 1)
    return {
        "basis": base["basis"][0],
        "inverse": base["inverse"][0],
        "scale": H + 1,
        "degree": least_degree(L * H * z, H * z),
    }


def kernel_vector(M: Matrix) -> list[int] | None:
    """A nonzero integer vector with M x = 0, by elimination over the rationals."""
    A, pivots = [[Fraction(x) for x in row] for row in M], []
    for j in range(len(A[0])):
        r = len(pivots)
        pivot = next((i for i in range(r, len(A)) if A[i][j]), None)
        if pivot is None:
            x = [Fraction(0)] * len(A[0])
            x[j] = Fraction(1)
            for i, column in enumerate(pivots):
                x[column] = -A[i][j]
            common = math.lcm(*(y.denominator for y in x))
            return [int(y * common) for y in x]
        A[r], A[pivot] = A[pivot], A[r]
        A[r] = [y / A[r][j] for y in A[r]]
        for i in range(len(A)):
            if i != r:
                A[i] = [y - A[i][j] * z for y, z in zip(A[i], A[r], strict=True)]
        pivots.append(j)
    return None


def dense(p: dict[str, Any], R: dict[str, Any]) -> Matrix:
    exact = build.map_backbone(R, lambda x: Fraction(*x.as_integer_ratio()))
    return build.dense_block_matrix(p["H"], p["L"], p["k"], p["d"], exact)


def singular_artifact(p: dict[str, Any], seed: int = 0, dtypes: dict[str, str] | None = None, **equal: str) -> Artifact:
    """A random backbone whose tensor RK, for example, is replaced by RQ with RK="RQ"."""
    R = build.random_backbone(p, seed)
    for name, other in equal.items():
        R[name] = R[other]
    kernel = kernel_vector(dense(p, R))
    if kernel is None:
        raise ValueError("the backbone is not singular")
    certificate = {"spanning": spanning(p["H"], p["L"]), "kernel": kernel}
    return artifact(SINGULAR, p, certificate, build.safetensors(R, dtypes or {}))


# ---- rule B


def softmax_artifact(H: int, L: int, n: int, seed: int) -> Artifact:
    source = random.Random(seed)
    span = spanning(H, L)
    targets = [softmax_target(H, L, n, span, word, source) for word in words(H, L)]
    return artifact(SOFTMAX, {"H": H, "L": L, "n": n}, {"spanning": span, "targets": targets})


def softmax_target(H: int, L: int, n: int, span: Any, word: tuple[int, ...], source: random.Random) -> dict[str, Any]:
    """Random points until the matrix F is well-conditioned; its inverse is rounded to 30 decimal digits."""
    values = [span["basis"][layer][i] for layer, i in enumerate(word)]
    while True:
        queries = [[[source.randint(-9, 9), source.randint(4, 7)] for _ in range(H)] for _ in range(L)]
        points = [
            {"x": [[source.randint(-9, 9), source.randint(3, 6)] for _ in range(n)], "token": source.randrange(n)}
            for _ in range(H**L)
        ]
        with localcontext() as context:
            context.prec = 90
            F = decimal_values(queries, values, points)
            inverse = decimal_inverse(F)
            if inverse is not None:
                scale = 10**30
                rounded = [[int((x * scale).to_integral_value()) for x in row] for row in inverse]
                return {"queries": queries, "points": points, "inverse": rounded, "scale": scale}


def decimal_values(queries: Any, values: Any, points: Any) -> list[list[Decimal]]:
    def run(x: list[Decimal], token: int) -> list[Decimal]:
        paths, state = [x], x
        for layer, row in enumerate(queries):
            heads = []
            for a, b in row:
                weights = [[((Decimal(a) / b) * y * z).exp() for z in state] for y in state]
                heads.append([[w / sum(line) for w in line] for line in weights])
            moved = [[sum(w * y for w, y in zip(line, state, strict=True)) for line in A] for A in heads]
            paths = [[sum(w * z for w, z in zip(line, y, strict=True)) for line in A] for y in paths for A in heads]
            state = [sum(v * y[t] for v, y in zip(values[layer], moved, strict=True)) for t in range(len(x))]
        return [y[token] for y in paths]

    return [run([Decimal(a) / b for a, b in point["x"]], point["token"]) for point in points]


def decimal_inverse(F: list[list[Decimal]]) -> list[list[Decimal]] | None:
    size = len(F)
    A = [[*row, *(Decimal(i == j) for j in range(size))] for i, row in enumerate(F)]
    for j in range(size):
        pivot = max(range(j, size), key=lambda i: abs(A[i][j]))
        if abs(A[pivot][j]) < Decimal("1e-12"):
            return None
        A[j], A[pivot] = A[pivot], A[j]
        A[j] = [x / A[j][j] for x in A[j]]
        for i in range(size):
            if i != j:
                A[i] = [x - A[i][j] * y for x, y in zip(A[i], A[j], strict=True)]
    return [row[size:] for row in A]


# ---- the upper bounds: rule R for the read-off form, rule P


def readoff_slots(H: int, L: int) -> list[tuple[tuple[int, ...], int]]:
    """(path, head) of a query slot, (path, -1) of a read-out slot, in canonical order."""
    if L == 0:
        return [((), -1)]
    return [((), h) for h in range(H)] + [((h, *path), g) for h in range(H) for path, g in readoff_slots(H, L - 1)]


def readoff_routing(H: int, L: int) -> dict[str, Any]:
    """Coordinate = slot; a head keeps the slots whose path has it at its layer."""
    table = readoff_slots(H, L)
    return {
        "slots": list(range(len(table))),
        "queries": [
            [[[c for c, (path, g) in enumerate(table) if (len(path), g) == (layer, h)]] for h in range(H)]
            for layer in range(L)
        ],
        "values": [[kept(table, layer, h) for h in range(H)] for layer in range(L)],
        "readout": [[c for c, (path, _) in enumerate(table) if len(path) == L]],
    }


def kept(table: list[tuple[tuple[int, ...], int]], layer: int, h: int) -> list[list[int]]:
    return build.runs([(c, c) for c, (path, _) in enumerate(table) if len(path) > layer and path[layer] == h])


def form_slots(H: int, L: int) -> list[tuple[tuple[int, ...], int]]:
    """(path, s), s from 0, in canonical order, for H >= 2."""
    if L == 0:
        return []
    return [((), s) for s in range(H)] + [((h, *path), s) for h in range(H) for path, s in form_slots(H, L - 1)]


def wanted(H: int, L: int, layer: int, h: int) -> tuple[dict[int, int], dict[int, int]]:
    """A and B of this head, as {variable: coefficient}."""
    if (H, L) == (1, 1):
        return {0: 1}, {1: 1}
    j = h if H >= 2 else layer
    special = [({0: 1, 1: -1}, {0: 1, 1: 1}), ({0: 2}, {1: 1})]
    return special[j] if j < 2 else ({0: 1}, {j: 1})


def score_forms(H: int, L: int, seed: int | None = None) -> dict[str, Any]:
    """Coordinate = slot (or a random relabelling of it); a head keeps the slots whose path has it at its layer."""
    table = form_slots(H, L) if H >= 2 else [((), s) for s in range(2 if L == 1 else L)]
    new = list(range(len(table))) if seed is None else random.Random(seed).sample(range(len(table)), len(table))

    def read(combination: dict[int, int], layer: int) -> list[list[int]]:
        held = [(c, s) for c, (path, s) in enumerate(table) if s in combination and (H == 1 or len(path) == layer)]
        return sorted([new[c], combination[s]] for c, s in held)

    def moves(layer: int, h: int) -> list[list[int]]:
        stay = [c for c, (path, _) in enumerate(table) if H == 1 or (len(path) > layer and path[layer] == h)]
        return build.runs([(new[c], new[c]) for c in stay])

    return {
        "slots": [new.index(c) for c in range(len(table))],
        "queries": [[read(wanted(H, L, layer, h)[0], layer) for h in range(H)] for layer in range(L)],
        "keys": [[read(wanted(H, L, layer, h)[1], layer) for h in range(H)] for layer in range(L)],
        "values": [[moves(layer, h) for h in range(H)] for layer in range(L)],
    }


def attention_artifact(goal: str, H: int, L: int, seed: int | None = None) -> Artifact:
    lower = {"signs": [1, -1]} if (goal, H, L) == (ALONE, 1, 1) else {"filter": filtered(H, L)}
    upper = {"routing": readoff_routing(H, L)} if goal == BOTH else {"forms": score_forms(H, L, seed)}
    return artifact(goal, {"H": H, "L": L}, lower | upper)


# ---- rule O


def ball(m: int, denominator: int = 16, radius: int = 1) -> dict[str, Any]:
    identity = [[denominator * (i == j) for j in range(m)] for i in range(m)]
    return {"RQ": identity, "RK": identity, "denominator": denominator, "radius": radius}
