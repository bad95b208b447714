"""The tasks: their sizes and the texts SIZES, LAYOUT and ANSWER (FORMAT.md, section 13.5)."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

Sizes = dict[str, int]
MAX_SIZE, MAX_RATIO = 64, 10**6
ONE_MATRIX = "a real matrix A (r x c)"
HEADS = "real matrices WQ_h, WK_h, WV_h (d x k) for h = 1..H, WO (H k x d), a real number b, X (n x d)"
HEADS_ANSWER = (
    "answers the sum over h of softmax(b X WQ_h WK_h^T X^T) X WV_h WO_h, where WO_h are rows (h-1) k to h k - 1 of WO"
)
STEP = "real matrices WQ, WK, WV (d x k), WO (k x d), a real number b, X (n x d), Y (n x d)"
HIERARCHY = "real matrices WQ, WK (d x k), WV (d x d), a real number b, a length n from 1 to N, a real matrix X (N x d)"
HIERARCHY_ANSWER = "answers softmax(b Z WQ WK^T Z^T) Z WV at its first n d tokens, where Z are the first n rows of X"
SORTED = "answers the rows of A, each sorted from the largest to the smallest number"
INVERSE = "answers 1 at token {flag} and the inverse of A if det A is not 0, and 0 at token {flag} if it is 0"
ATTENTION = "real matrices WQ, WK (d x k), WV (d x d), a real number b, X (n x d)"
FEED_FORWARD = ", W1 (d x f), b1 (1 x f), W2 (f x d), b2 (1 x d)"
BITS = "letters b_i + 2 s_i with bits b_i and s_i, exactly k of the s_i being 1"
POINTS = (
    "a point x of [0, 1]^dim and the values f(p_j) of a function that satisfies |f(x) - f(y)| <= K |x - y|{power} "
    "in the sum norm, at the points of the grid"
)


class Texts(NamedTuple):
    """Sizes by name with their largest values, and texts in which {name} stands for a size."""

    largest: Sizes
    sizes: str
    layout: str
    answer: str


def named(*names: str, **largest: int) -> Sizes:
    return dict.fromkeys(names, MAX_SIZE) | largest


TASKS: dict[str, Texts] = {
    "transpose": Texts(named("r", "c"), "r = {r}, c = {c}", ONE_MATRIX, "answers the transpose of A"),
    "matmul": Texts(
        named("r", "k", "c"),
        "r = {r}, k = {k}, c = {c}",
        "real matrices A (r x k) and B (k x c)",
        "answers A B",
    ),
    "determinant": Texts(named(order=4), "order {order}", "a real matrix A", "answers det A at token 0"),
    "inverse": Texts(named(order=4), "order {order}", "a real matrix A", INVERSE),
    "relu": Texts(named("n"), "n = {n}", "real numbers x_0, .., x_(n-1)", "answers max(x_i, 0) at token i"),
    "maxmin": Texts(named("groups", size=6), "{groups} groups of {size}", "a real matrix A (groups x size)", SORTED),
    "softmax": Texts(named("r", "c"), "r = {r}, c = {c}", ONE_MATRIX, "answers exp(A_ij) / sum_j' exp(A_ij')"),
    "attention": Texts(
        named("n", "d", "k", "f"),
        "n = {n}, d = {d}, k = {k}{forward}",
        ATTENTION + "{hidden}",
        "answers Y = softmax(b X WQ WK^T X^T) X WV{taken}",
    ),
    "multihead": Texts(named("n", "d", "k", "H"), "n = {n}, d = {d}, k = {k}, H = {H}", HEADS, HEADS_ANSWER),
    "head_step": Texts(
        named("n", "d", "k"), "n = {n}, d = {d}, k = {k}", STEP, "answers Y + softmax(b X WQ WK^T X^T) X WV WO"
    ),
    "hierarchy": Texts(named("N", "d", "k"), "N = {N}, d = {d}, k = {k}", HIERARCHY, HIERARCHY_ANSWER),
    "parity": Texts(named("k", "n"), "k = {k}, n = {n}", BITS, "answers, at every token, the sum of b_i s_i modulo 2"),
    "match2": Texts(
        named("p", "n", self=1),
        "p = {p}, n = {n}",
        "letters x_i from 0 to {last}",
        "answers at token i whether x_i + x_j = 0 modulo p for some j{other}, with 1 for yes and 0 for no",
    ),
    "lipschitz": Texts(
        named("dim", "steps", "up", "down", top=MAX_RATIO, bottom=MAX_RATIO),
        "dim = {dim}, {steps} points per dimension, K = {K}",
        POINTS,
        "answers at token 0 a number from f(x) to f(x) + {error}",
    ),
}
MAY_BE_ZERO = ("f", "self")
LETTERS = ("parity", "match2")


def written(task: str, sizes: Sizes, tokens: int) -> tuple[str, str, str, str]:
    """SIZES, the number of tokens, LAYOUT and ANSWER."""
    texts, more = TASKS[task], MORE.get(task, lambda _: {})(sizes)
    values = {**sizes, **more}
    count = "n" if task in LETTERS else str(tokens)
    # braces occur in the first and the last text and, for attention and lipschitz, in LAYOUT
    size, layout, answer = (text.format(**values) for text in (texts.sizes, texts.layout, texts.answer))
    return size, count, layout, answer


def forward(sizes: Sizes) -> dict[str, str]:
    if not sizes["f"]:
        return {"forward": "", "hidden": "", "taken": ""}
    taken = ", taken to relu(Y W1 + b1) W2 + b2"
    return {"forward": f", f = {sizes['f']}", "hidden": FEED_FORWARD, "taken": taken}


def ratio(sizes: Sizes) -> dict[str, str]:
    K, A = Fraction(sizes["top"], sizes["bottom"]), Fraction(sizes["up"], sizes["down"])
    if A == 1:
        return {"K": str(K), "power": "", "error": str(K * sizes["dim"] / sizes["steps"])}
    radius = Fraction(sizes["dim"], 2 * sizes["steps"])
    return {"K": str(K), "power": f"^({A})", "error": f"{2 * K} ({radius})^({A})"}


MORE: dict[str, Callable[[Sizes], dict[str, str]]] = {
    "inverse": lambda sizes: {"flag": str(sizes["order"] ** 2)},
    "attention": forward,
    "match2": lambda sizes: {"other": "" if sizes["self"] else " different from i", "last": str(sizes["p"] - 1)},
    "lipschitz": ratio,
}
