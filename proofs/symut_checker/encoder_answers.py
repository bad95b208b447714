"""The answers of the tasks with numbers as tokens (FORMAT.md, section 13.5).

A matrix is a list of rows of elements.  An answer is the list of the values at tokens 0, 1, ...
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain, permutations

from .encoder_ring import ONE, Element, Ring
from .encoder_texts import Sizes

Matrix = list[list[Element]]


class Layout:
    """The tokens, taken from the left."""

    def __init__(self, tokens: list[Element]) -> None:
        self.tokens, self.start = tokens, 0

    def matrix(self, rows: int, columns: int) -> Matrix:
        first, self.start = self.start, self.start + rows * columns
        return [self.tokens[first + i * columns : first + (i + 1) * columns] for i in range(rows)]

    def one(self) -> Element:
        return self.matrix(1, 1)[0][0]


# ---- linear algebra


def transposed(A: Matrix) -> Matrix:
    return [list(column) for column in zip(*A, strict=True)]


def product(ring: Ring, A: Matrix, B: Matrix) -> Matrix:
    return [[kept(ring, ring.dot(row, column)) for column in transposed(B)] for row in A]


def total(ring: Ring, A: Matrix, B: Matrix) -> Matrix:
    pairs = [zip(*rows, strict=True) for rows in zip(A, B, strict=True)]
    return [[kept(ring, ring.combination([(1, a), (1, b)])) for a, b in row] for row in pairs]


def kept(ring: Ring, a: Element) -> Element:
    """Counted, since a matrix stays in memory."""
    ring.keep(1 + len(a))
    return a


def row_by_row(A: Matrix) -> list[Element]:
    return list(chain(*A))


def determinant(ring: Ring, A: Matrix) -> Element:
    """The sum over all permutations; 1 for no rows."""
    terms = []
    for columns in permutations(range(len(A))):
        inversions = sum(a > b for i, b in enumerate(columns) for a in columns[:i])
        term: Element = {ONE: (-1) ** inversions}
        for row, column in zip(A, columns, strict=True):
            term = ring.times(term, row[column])
        terms.append((1, term))
    return ring.combination(terms)


def inverse(ring: Ring, A: Matrix) -> Matrix:
    """rho(det A) times the cofactors, for det A not 0."""
    whole, n = ring.rho(determinant(ring, A)), range(len(A))

    def cofactor(i: int, j: int) -> Element:
        minor = determinant(ring, [[A[r][c] for c in n if c != j] for r in n if r != i])
        return ring.times(minor, {ONE: (-1) ** (i + j)})

    return [[ring.times(whole, cofactor(j, i)) for j in n] for i in n]


def softmax(ring: Ring, S: Matrix) -> Matrix:
    powers = [[ring.exp(s) for s in row] for row in S]
    sums = [ring.rho(ring.combination([(1, power) for power in row])) for row in powers]
    return [[ring.times(power, rho) for power in row] for row, rho in zip(powers, sums, strict=True)]


def attended(ring: Ring, b: Element, X: Matrix, WQ: Matrix, WK: Matrix, V: Matrix) -> Matrix:
    """softmax(b X WQ WK^T X^T) V."""
    scores = product(ring, product(ring, X, WQ), transposed(product(ring, X, WK)))
    return product(ring, softmax(ring, [[ring.times(b, s) for s in row] for row in scores]), V)


# ---- answers


def answer_matmul(ring: Ring, s: Sizes, tokens: Layout) -> list[Element]:
    A, B = tokens.matrix(s["r"], s["k"]), tokens.matrix(s["k"], s["c"])
    return row_by_row(product(ring, A, B))


def answer_attention(ring: Ring, s: Sizes, tokens: Layout) -> list[Element]:
    n, d, k, f = (s[name] for name in ("n", "d", "k", "f"))
    WQ, WK, WV = tokens.matrix(d, k), tokens.matrix(d, k), tokens.matrix(d, d)
    b, X = tokens.one(), tokens.matrix(n, d)
    Y = attended(ring, b, X, WQ, WK, product(ring, X, WV))
    if f:
        W1, b1, W2, b2 = tokens.matrix(d, f), tokens.matrix(1, f), tokens.matrix(f, d), tokens.matrix(1, d)
        inner = total(ring, product(ring, Y, W1), b1 * n)
        Y = total(ring, product(ring, [[ring.relu(P) for P in row] for row in inner], W2), b2 * n)
    return row_by_row(Y)


def answer_multihead(ring: Ring, s: Sizes, tokens: Layout) -> list[Element]:
    n, d, k, H = (s[name] for name in ("n", "d", "k", "H"))
    heads = [[tokens.matrix(d, k) for _ in range(3)] for _ in range(H)]
    WO, b, X = tokens.matrix(H * k, d), tokens.one(), tokens.matrix(n, d)
    Y: Matrix = [[{}] * d] * n
    for h, (WQ, WK, WV) in enumerate(heads):
        out = attended(ring, b, X, WQ, WK, product(ring, X, WV))
        Y = total(ring, Y, product(ring, out, WO[h * k : (h + 1) * k]))
    return row_by_row(Y)


def answer_head_step(ring: Ring, s: Sizes, tokens: Layout) -> list[Element]:
    n, d, k = (s[name] for name in ("n", "d", "k"))
    WQ, WK, WV, WO = *(tokens.matrix(d, k) for _ in range(3)), tokens.matrix(k, d)
    b, X, Y = tokens.one(), tokens.matrix(n, d), tokens.matrix(n, d)
    return row_by_row(total(ring, Y, product(ring, attended(ring, b, X, WQ, WK, product(ring, X, WV)), WO)))


def answer_hierarchy(ring: Ring, s: Sizes, tokens: Layout) -> list[Element]:
    """With the number n in place of the length token."""
    d, k = s["d"], s["k"]
    WQ, WK, WV = tokens.matrix(d, k), tokens.matrix(d, k), tokens.matrix(d, d)
    b, n = tokens.one(), tokens.one()[ONE]
    Z = tokens.matrix(int(n), d)
    return row_by_row(attended(ring, b, Z, WQ, WK, product(ring, Z, WV)))


def answer_inverse(ring: Ring, s: Sizes, tokens: Layout) -> list[Element]:
    """Where det A is not 0: the inverse, and 1."""
    return [*row_by_row(inverse(ring, tokens.matrix(s["order"], s["order"]))), {ONE: 1}]


Answer = Callable[[Ring, Sizes, Layout], list[Element]]
ANSWERS: dict[str, tuple[Callable[[Sizes], int], Answer]] = {
    "transpose": (
        lambda s: s["r"] * s["c"],
        lambda ring, s, tokens: row_by_row(transposed(tokens.matrix(s["r"], s["c"]))),
    ),
    "matmul": (lambda s: s["r"] * s["k"] + s["k"] * s["c"], answer_matmul),
    "determinant": (
        lambda s: s["order"] ** 2,
        lambda ring, s, tokens: [determinant(ring, tokens.matrix(s["order"], s["order"]))],
    ),
    "inverse": (lambda s: s["order"] ** 2, answer_inverse),
    "relu": (lambda s: s["n"], lambda ring, s, tokens: [ring.relu(x) for x in row_by_row(tokens.matrix(1, s["n"]))]),
    "softmax": (
        lambda s: s["r"] * s["c"],
        lambda ring, s, tokens: row_by_row(softmax(ring, tokens.matrix(s["r"], s["c"]))),
    ),
    "attention": (
        lambda s: s["d"] * (2 * s["k"] + s["d"] + s["n"]) + 1 + s["f"] * (2 * s["d"] + 1) + bool(s["f"]) * s["d"],
        answer_attention,
    ),
    "multihead": (lambda s: 4 * s["H"] * s["d"] * s["k"] + 1 + s["n"] * s["d"], answer_multihead),
    "head_step": (lambda s: 4 * s["d"] * s["k"] + 1 + 2 * s["n"] * s["d"], answer_head_step),
    "hierarchy": (lambda s: s["d"] * (2 * s["k"] + s["d"] + s["N"]) + 2, answer_hierarchy),
}
"""By task: how many tokens are not blank, and the answers from token 0 on."""


def scalars(task: str, sizes: Sizes) -> int:
    """How many tokens hold the input."""
    if task == "maxmin":
        return sizes["groups"] * sizes["size"]
    if task == "lipschitz":
        return sizes["dim"] + sizes["steps"] ** min(sizes["dim"], 64)
    return ANSWERS[task][0](sizes)
