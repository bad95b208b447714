"""The tasks of section 13.5 with numbers as tokens, computed from their definitions."""

from __future__ import annotations

from fractions import Fraction

from tests.check.numeric_encoder import power

Matrix = list[list[Fraction]]


def times(A: Matrix, B: Matrix) -> Matrix:
    return [
        [sum((a * b for a, b in zip(row, column, strict=True)), Fraction(0)) for column in zip(*B, strict=True)]
        for row in A
    ]


def attention(b: Fraction, X: Matrix, Q: Matrix, K: Matrix, V: Matrix) -> Matrix:
    keys = [list(column) for column in zip(*times(X, K), strict=True)]
    powers = [[power(b * s) for s in row] for row in times(times(X, Q), keys)]
    return times([[p / sum(row) for p in row] for row in powers], times(X, V))


def cut(numbers: list[Fraction], *shapes: tuple[int, int]) -> list[Matrix]:
    found, start = [], 0
    for r, c in shapes:
        found.append([numbers[start + i * c : start + (i + 1) * c] for i in range(r)])
        start += r * c
    return found


def flat(A: Matrix) -> dict[int, Fraction]:
    return dict(enumerate(x for row in A for x in row))


def determinant(A: Matrix) -> Fraction:
    if not A:
        return Fraction(1)
    minors = [determinant([row[:j] + row[j + 1 :] for row in A[1:]]) for j in range(len(A))]
    return sum(((-1) ** j * A[0][j] * minor for j, minor in enumerate(minors)), Fraction(0))


def shapes(task: str, s: dict[str, int]) -> list[tuple[int, int]]:
    d, k, n = (s.get(name, 0) for name in "dkn")
    if task == "attention":
        f = s["f"]
        return [(d, k), (d, k), (d, d), (1, 1), (n, d), *([(d, f), (1, f), (f, d), (1, d)] if f else [])]
    if task == "multihead":
        return [*[(d, k)] * 3 * s["H"], (s["H"] * k, d), (1, 1), (n, d)]
    if task == "head_step":
        return [(d, k), (d, k), (d, k), (k, d), (1, 1), (n, d), (n, d)]
    if task == "matmul":
        return [(s["r"], s["k"]), (s["k"], s["c"])]
    if task in ("determinant", "inverse"):
        return [(s["order"],) * 2]  # type: ignore[list-item]
    return [(s["groups"], s["size"])] if task == "maxmin" else [(1, n)] if task == "relu" else [(s["r"], s["c"])]


def numbers_answer(task: str, s: dict[str, int], parts: list[Matrix]) -> dict[int, Fraction]:
    A = parts[0]
    if task == "transpose":
        return flat([list(column) for column in zip(*A, strict=True)])
    if task == "matmul":
        return flat(times(A, parts[1]))
    if task == "determinant":
        return {0: determinant(A)}
    if task == "inverse":
        whole, n = determinant(A), s["order"]
        if whole == 0:
            return {n * n: Fraction(0)}
        rest = [
            [determinant([[A[r][c] for c in range(n) if c != i] for r in range(n) if r != j]) for j in range(n)]
            for i in range(n)
        ]
        return flat([[(-1) ** (i + j) * x / whole for j, x in enumerate(row)] for i, row in enumerate(rest)]) | {
            n * n: Fraction(1)
        }
    if task == "relu":
        return {i: max(x, Fraction(0)) for i, x in enumerate(A[0])}
    if task == "maxmin":
        return flat([sorted(row, reverse=True) for row in A])
    if task == "softmax":
        powers = [[power(x) for x in row] for row in A]
        return flat([[p / sum(row) for p in row] for row in powers])
    return flat(attention_answer(task, s, parts))


def attention_answer(task: str, s: dict[str, int], parts: list[Matrix]) -> Matrix:
    if task == "multihead":
        *heads, WO, b, X = parts
        k, total = s["k"], [[Fraction(0)] * s["d"] for _ in range(s["n"])]
        for h in range(s["H"]):
            Q, K, V = heads[3 * h : 3 * h + 3]
            total = plus(total, times(attention(b[0][0], X, Q, K, V), WO[h * k : (h + 1) * k]))
        return total
    if task == "head_step":
        Q, K, V, WO, b, X, Y = parts
        return plus(Y, times(attention(b[0][0], X, Q, K, V), WO))
    Q, K, V, b, X, *rest = parts
    Y = attention(b[0][0], X, Q, K, V)
    if rest:
        W1, b1, W2, b2 = rest
        inner = [[max(x, Fraction(0)) for x in row] for row in plus(times(Y, W1), b1 * len(Y))]
        Y = plus(times(inner, W2), b2 * len(Y))
    return Y


def plus(A: Matrix, B: Matrix) -> Matrix:
    return [[a + b for a, b in zip(*rows, strict=True)] for rows in zip(A, B, strict=True)]
