"""What a certificate of section 10 proves, recomputed densely by other methods than the checker's.

`proved` is true if the certificate supports the claims that its statement's goal and parameters determine: exact ranks
and dense block matrices over the rationals, binomials, and for softmax the ball arithmetic of python-flint.
"""

from __future__ import annotations

import itertools
import json
import math
import random
from fractions import Fraction
from typing import Any

import flint

from tests.check import build
from tests.check import build_bounds as bb
from tests.check.build import Artifact, matmul

Matrix = list[list[Any]]


def proved(files: Artifact, weights: dict[str, Any] | None = None) -> bool:
    """Weights are the stored backbone as nested lists, for the goal that has one."""
    statement, c = (json.loads(files[name]) for name in ("statement.json", "certificate.json"))
    goal, p = statement["goal"], statement["parameters"]
    if goal == bb.HEAD_WIDTH:
        return one_sign(p["m"], c["ball"])
    H, L = p["H"], p["L"]
    if goal in (bb.BOTH, bb.ALONE):
        lower = c.get("signs") == [1, -1] or degree_suffices(H, L, 1, c["filter"])
        return lower and (matches_outputs(H, L, c["routing"]) if goal == bb.BOTH else matches(H, L, c["forms"]))
    if goal == bb.SCORES:
        return degree_suffices(H, L, 2 * p["k"] * p["d"] - p["k"] ** 2, c["filter"])
    spanned = len(c["spanning"]["basis"]) == L and all(invertible(H, basis) for basis in c["spanning"]["basis"])
    if goal == bb.SINGULAR and weights is not None:
        image = matmul(bb.dense(p, weights), [[x] for x in c["kernel"]])
        return spanned and any(c["kernel"]) and not any(x for (x,) in image)
    if goal == bb.SOFTMAX:
        return spanned and all(
            independent(c["spanning"]["basis"], word, target, p["n"])
            for word, target in zip(bb.words(H, L), c["targets"], strict=True)
        )
    return spanned


def invertible(H: int, basis: Matrix) -> bool:
    return build.rank([[Fraction(x) for x in row] for row in basis]) == H and all(x for row in basis for x in row)


def degree_suffices(H: int, L: int, z: int, table: dict[str, Any]) -> bool:
    a = table["degree"]
    sizes = [j * H * z for j in range(1, L + 1)]
    return invertible(H, table["basis"]) and all(math.comb(a + n, n) > math.comb(2 * a + n - 1, n - 1) for n in sizes)


# ---- softmax


def independent(basis: Any, word: tuple[int, ...], target: dict[str, Any], n: int) -> bool:
    """The determinant of F, enclosed with 400 bits, is not 0."""
    values = [basis[layer][i] for layer, i in enumerate(word)]
    with flint.ctx.workprec(400):
        rows = [flint_values(target["queries"], values, point) for point in target["points"]]
        return all(len(point["x"]) == n for point in target["points"]) and not flint.arb_mat(rows).det().contains(0)


def flint_values(queries: Any, values: Any, point: dict[str, Any]) -> list[Any]:
    x = flint.arb_mat([[flint.arb(a) / b] for a, b in point["x"]])
    paths, n = [x], x.nrows()
    for layer, row in enumerate(queries):
        heads = []
        for a, b in row:
            scores = (flint.arb(a) / b) * x * x.transpose()
            weights = [[scores[i, j].exp() for j in range(n)] for i in range(n)]
            heads.append(flint.arb_mat([[w / sum(line) for w in line] for line in weights]))
        paths = [A * y for y in paths for A in heads]
        x = sum(
            (v * (A * x) for v, A in zip(values[layer][1:], heads[1:], strict=True)), values[layer][0] * (heads[0] * x)
        )
    return [y[point["token"], 0] for y in paths]


# ---- matched scores, on random targets and densely


def random_target(H: int, L: int, seed: int) -> dict[tuple[int, int], Fraction]:
    source = random.Random(seed)
    grid = itertools.product(range(L), range(H))
    return {at: Fraction(source.choice([-3, -2, -1, 1, 2, 3]), source.randint(1, 4)) for at in grid}


def value(v: dict[tuple[int, int], Fraction], path: tuple[int, ...], start: int = 0) -> Fraction:
    return math.prod((v[start + i, h] for i, h in enumerate(path)), start=Fraction(1))


def rows(e: list[Fraction], values: Any) -> dict[tuple[int, ...], list[Fraction]]:
    """e R_p for all paths p."""
    result = {(): e}
    for path in itertools.chain(*(bb.words(len(values[0]), j) for j in range(1, len(values) + 1))):
        before, V = result[path[:-1]], values[len(path) - 1][path[-1]]
        row = [Fraction(0)] * len(e)
        for i, x in enumerate(before):
            if x:
                row = [y + x * a if a else y for y, a in zip(row, V[i], strict=True)]
        result[path] = row
    return result


def read(row: list[Fraction], column: Matrix) -> Fraction:
    return sum((x * a for x, (a,) in zip(row, column, strict=True) if a), start=Fraction(0))


def matches_outputs(H: int, L: int, routing: dict[str, Any]) -> bool:
    """MATCH and the outputs, with RK_l = RV_{l,1} ... RV_{L,1} U, on random targets."""
    R = build.zero_one_backbone({"H": H, "L": L}, routing)
    keys = [R["U"]]
    for layer in range(L - 1, -1, -1):
        keys.insert(0, matmul(R["RV"][layer][0], keys[0]))
    for seed in range(3):
        q, v = random_target(H, L, seed), random_target(H, L, 100 + seed)
        word = [
            value(v, path) * (1 if h < 0 else q[len(path), h] / value(v, (0,) * (L - len(path)), len(path)))
            for path, h in bb.readoff_slots(H, L)
        ]
        e = [word[slot] for slot in routing["slots"]]
        reads = [[(R["RQ"][layer][h], keys[layer]) for h in range(H)] for layer in range(L)]
        after = rows(e, R["RV"])
        outputs = all(read(after[path], R["U"]) == value(v, path) for path in bb.words(H, L))
        if not (outputs and agree(H, L, after, reads, q, v)):
            return False
    return True


def agree(H: int, L: int, after: dict[tuple[int, ...], Any], reads: Any, q: Any, v: Any) -> bool:
    for layer, h in itertools.product(range(L), range(H)):
        paths = bb.words(H, layer)
        queries, keys = ([read(after[path], column) for path in paths] for column in reads[layer][h])
        words = [value(v, path) for path in paths]
        for (a, x), (b, y) in itertools.product(zip(queries, words, strict=True), zip(keys, words, strict=True)):
            if a * b != x * q[layer, h] * y:
                return False
    return True


def matches(H: int, L: int, forms: dict[str, Any]) -> bool:
    """MATCH for the targets that random numbers z give, q being the products of the wanted forms in z."""
    W = len(forms["slots"])
    R = build.zero_one_backbone({"H": H, "L": L}, forms | {"queries": [], "readout": [], "keys": []})

    def column(pairs: list[list[int]]) -> Matrix:
        return [[sum(a for c, a in pairs if c == i)] for i in range(W)]

    reads = [
        [(column(forms["queries"][layer][h]), column(forms["keys"][layer][h])) for h in range(H)] for layer in range(L)
    ]
    for seed in range(3):
        v, source = random_target(H, L, seed), random.Random(200 + seed)
        number = {slot: Fraction(source.randint(1, 9), source.randint(1, 4)) for slot in range(W)}
        z, e = program(H, L, v, number)
        q = {}
        for layer, h in itertools.product(range(L), range(H)):
            A, B = (sum(a * z[layer, s] for s, a in form.items()) for form in bb.wanted(H, L, layer, h))
            q[layer, h] = A * B / (value(v, (0,) * layer) ** 2 if H == 1 else 1)
        if not agree(H, L, rows([e[slot] for slot in forms["slots"]], R["RV"]), reads, q, v):
            return False
    return True


def program(H: int, L: int, v: Any, number: Any) -> tuple[dict[tuple[int, int], Fraction], list[Fraction]]:
    """z by layer and variable, and the words of the slots."""
    if H == 1:
        return {(layer, s): number[s] for layer in range(L) for s in number}, [number[s] for s in sorted(number)]
    z = {(layer, s): number[layer * H + s] for layer in range(L) for s in range(H)}
    return z, [value(v, path) * z[len(path), s] for path, s in bb.form_slots(H, L)]


# ---- one sign


def one_sign(m: int, ball: dict[str, Any]) -> bool:
    """The symmetric part of A B^T is positive definite at the centre and at random corners of the ball, exactly."""
    source, radius = random.Random(m), ball["radius"]
    for corner in range(20):
        A, B = (
            [[Fraction(x + (corner > 0) * source.choice([-radius, radius])) for x in row] for row in ball[name]]
            for name in ("RQ", "RK")
        )
        M = matmul(A, [list(column) for column in zip(*B, strict=True)])
        if not positive_definite([[M[i][j] + M[j][i] for j in range(m)] for i in range(m)]):
            return False
    return True


def positive_definite(S: Matrix) -> bool:
    """All pivots of the elimination are positive."""
    S = [row[:] for row in S]
    for j in range(len(S)):
        if S[j][j] <= 0:
            return False
        for i in range(j + 1, len(S)):
            factor = S[i][j] / S[j][j]
            S[i] = [x - factor * y for x, y in zip(S[i], S[j], strict=True)]
    return True
