"""The statement that one encoder computes a task for all inputs: a simulator whose program comes in the sequence.

Main definitions: `Simulator`, `TASKS`.  Specification: proofs/FORMAT.md, section 13.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, NamedTuple

from symut.rasp.encoder.exported import cost_text
from symut.statement.base import Statement
from symut.statement.rasp import compact

SIMULATOR = "simulator"
Sizes = Mapping[str, int]


class Task(NamedTuple):
    """The names of a task's sizes, and the texts SIZES, LAYOUT and ANSWER of FORMAT.md, section 13.5."""

    names: tuple[str, ...]
    sizes: str
    layout: str
    answer: str


_MATRIX = "a real matrix A (r x c)"
_HEAD = "real matrices WQ, WK (d x k), WV (d x d), a real number b, "
TASKS: dict[str, Task] = {
    "transpose": Task(("r", "c"), "r = {r}, c = {c}", _MATRIX, "answers the transpose of A"),
    "matmul": Task(
        ("r", "k", "c"), "r = {r}, k = {k}, c = {c}", "real matrices A (r x k) and B (k x c)", "answers A B"
    ),
    "determinant": Task(("order",), "order {order}", "a real matrix A", "answers det A at token 0"),
    "inverse": Task(
        ("order",),
        "order {order}",
        "a real matrix A",
        "answers 1 at token {square} and the inverse of A if det A is not 0, and 0 at token {square} if it is 0",
    ),
    "relu": Task(("n",), "n = {n}", "real numbers x_0, .., x_(n-1)", "answers max(x_i, 0) at token i"),
    "maxmin": Task(
        ("groups", "size"),
        "{groups} groups of {size}",
        "a real matrix A (groups x size)",
        "answers the rows of A, each sorted from the largest to the smallest number",
    ),
    "softmax": Task(("r", "c"), "r = {r}, c = {c}", _MATRIX, "answers exp(A_ij) / sum_j' exp(A_ij')"),
    "attention": Task(
        ("n", "d", "k", "f"),
        "n = {n}, d = {d}, k = {k}{if_f}",
        _HEAD + "X (n x d){if_weights}",
        "answers Y = softmax(b X WQ WK^T X^T) X WV{if_answer}",
    ),
    "multihead": Task(
        ("n", "d", "k", "H"),
        "n = {n}, d = {d}, k = {k}, H = {H}",
        "real matrices WQ_h, WK_h, WV_h (d x k) for h = 1..H, WO (H k x d), a real number b, X (n x d)",
        "answers the sum over h of softmax(b X WQ_h WK_h^T X^T) X WV_h WO_h, where WO_h are rows (h-1) k to h k - 1 "
        "of WO",
    ),
    "head_step": Task(
        ("n", "d", "k"),
        "n = {n}, d = {d}, k = {k}",
        "real matrices WQ, WK, WV (d x k), WO (k x d), a real number b, X (n x d), Y (n x d)",
        "answers Y + softmax(b X WQ WK^T X^T) X WV WO",
    ),
    "hierarchy": Task(
        ("N", "d", "k"),
        "N = {N}, d = {d}, k = {k}",
        _HEAD + "a length n from 1 to N, a real matrix X (N x d)",
        "answers softmax(b Z WQ WK^T Z^T) Z WV at its first n d tokens, where Z are the first n rows of X",
    ),
    "parity": Task(
        ("k", "n"),
        "k = {k}, n = {n}",
        "letters b_i + 2 s_i with bits b_i and s_i, exactly k of the s_i being 1",
        "answers, at every token, the sum of b_i s_i modulo 2",
    ),
    "match2": Task(
        ("p", "n", "self"),
        "p = {p}, n = {n}",
        "letters x_i from 0 to {last}",
        "answers at token i whether x_i + x_j = 0 modulo p for some j{if_other}, with 1 for yes and 0 for no",
    ),
    "lipschitz": Task(
        ("dim", "steps", "top", "bottom", "up", "down"),
        "dim = {dim}, {steps} points per dimension, K = {K}",
        "a point x of [0, 1]^dim and the values f(p_j) of a function that satisfies |f(x) - f(y)| <= K |x - y|{power} "
        "in the sum norm, at the points of the grid",
        "answers at token 0 a number from f(x) to f(x) + {error}",
    ),
}


SCALARS: dict[str, Callable[[Sizes], int]] = {
    "transpose": lambda s: s["r"] * s["c"],
    "matmul": lambda s: s["k"] * (s["r"] + s["c"]),
    "determinant": lambda s: s["order"] ** 2,
    "inverse": lambda s: s["order"] ** 2,
    "relu": lambda s: s["n"],
    "maxmin": lambda s: s["groups"] * s["size"],
    "softmax": lambda s: s["r"] * s["c"],
    "attention": lambda s: (
        s["d"] * (2 * s["k"] + s["d"] + s["n"]) + 1 + (s["f"] * (2 * s["d"] + 1) + s["d"]) * (s["f"] > 0)
    ),
    "multihead": lambda s: 4 * s["H"] * s["d"] * s["k"] + 1 + s["n"] * s["d"],
    "head_step": lambda s: 4 * s["d"] * s["k"] + 1 + 2 * s["n"] * s["d"],
    "hierarchy": lambda s: s["d"] * (2 * s["k"] + s["d"] + s["N"]) + 2,
    "lipschitz": lambda s: s["dim"] + s["steps"] ** s["dim"],
}
"""By task on numbers: how many tokens hold the input; the others are blank."""


def _words(task: str, sizes: Sizes) -> dict[str, Any]:
    """What the texts of a task have beside its sizes."""
    given: dict[str, Callable[[], dict[str, Any]]] = {
        "inverse": lambda: {"square": sizes["order"] ** 2},
        "attention": lambda: {
            "if_f": f", f = {sizes['f']}" if sizes["f"] else "",
            "if_weights": ", W1 (d x f), b1 (1 x f), W2 (f x d), b2 (1 x d)" if sizes["f"] else "",
            "if_answer": ", taken to relu(Y W1 + b1) W2 + b2" if sizes["f"] else "",
        },
        "match2": lambda: {"if_other": "" if sizes["self"] else " different from i", "last": sizes["p"] - 1},
        "lipschitz": lambda: _bounds(sizes),
    }
    return {**sizes, **given.get(task, dict)()}


def _bounds(sizes: Sizes) -> dict[str, Any]:
    """K, the exponent A as ^(A), and the error 2 K (dim / (2 s))^A."""
    K, A = Fraction(sizes["top"], sizes["bottom"]), Fraction(sizes["up"], sizes["down"])
    radius = Fraction(sizes["dim"], 2 * sizes["steps"])
    if A == 1:
        return {"K": K, "power": "", "error": 2 * K * radius}
    return {"K": K, "power": f"^({A})", "error": f"{2 * K} ({radius})^({A})"}


@dataclass(frozen=True, kw_only=True)
class Simulator(Statement):
    """The encoder `encoder` (exported) computes `task` at `sizes` for all inputs."""

    goal: str = SIMULATOR
    task: str
    sizes: Sizes
    encoder: Mapping[str, Any]
    template: ClassVar[str] = "simulator.md.j2"

    @property
    def parameters(self) -> dict[str, Any]:
        """The task and its sizes."""
        return {"task": self.task, "sizes": dict(self.sizes)}

    @property
    def digest(self) -> str:
        """SHA-256 of the encoder's description."""
        return hashlib.sha256(compact(self.encoder).encode("ascii")).hexdigest()

    @property
    def cost(self) -> str:
        """Layers, heads, gates and width, in words."""
        return cost_text(self.encoder)

    @property
    def claims(self) -> list[str]:
        """One sentence."""
        task, words = TASKS[self.task], _words(self.task, self.sizes)
        tokens = f"{self.encoder['tokens']} tokens" if self.encoder["letters"] is None else "n tokens"
        return [
            f"{task.sizes.format(**words)}: the encoder with SHA-256 {self.digest} has {self.cost} and, on every "
            f"sequence of {tokens} that holds {task.layout.format(**words)}{self._blank}, "
            f"{task.answer.format(**words)}."
        ]

    @property
    def _blank(self) -> str:
        held = SCALARS[self.task](self.sizes) if self.encoder["letters"] is None else self.encoder["tokens"]
        return ", and 0 at the other tokens" if held < self.encoder["tokens"] else ""

    @property
    def width(self) -> str:
        """The width of the stream."""
        return str(self.encoder["width"] + sum(self.encoder["groups"]))

    @property
    def summary(self) -> str:
        """The encoder's cost."""
        return self.cost
