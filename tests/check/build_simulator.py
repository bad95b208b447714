"""Encoders of section 13 and their artifacts, written by hand from FORMAT.md, without the checker and the prover.

Main definitions: `Draft` (an encoder, one layer or level after the other), `stated` (its artifact).
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from tests.check.build import Artifact, signed

GOAL = "simulator"
Form = list[list[Any]]


def one(c: int) -> Form:
    """The form that is coordinate c."""
    return [[c, 1]]


class Draft:
    """Every method that writes a coordinate returns its number; a gate is a level of its own unless `beside`."""

    def __init__(self, tokens: int, letters: list[int] | None = None) -> None:
        self.tokens, self.letters, self.width = tokens, letters, 1
        self.fields: dict[str, Any] = {"position": [], "token": [], "position_class": [], "token_class": []}
        self.groups: list[int] = []
        self.layers: list[dict[str, Any]] = [{"heads": [], "levels": []}]
        self.number = None if letters is not None else self.new()

    def new(self) -> int:
        self.width += 1
        return self.width - 1

    @property
    def token(self) -> int:
        """The coordinate that holds the token."""
        if self.number is None:
            raise ValueError("letters have no number")
        return self.number

    def held(self, name: str, values: list[Any]) -> int:
        """`position` or `token`."""
        self.fields[name].append([self.new(), values])
        return self.width - 1

    def group(self, name: str, size: int, classes: list[int]) -> int:
        """`position_class` or `token_class`."""
        self.groups.append(size)
        self.fields[name].append([len(self.groups) - 1, classes])
        return len(self.groups) - 1

    # ---- layers

    def layer(self) -> None:
        self.layers.append({"heads": [], "levels": []})

    def head(self, form: Form, default: Any = 0, **fields: Any) -> int:
        c = self.new()
        head = {"mask": None, "hidden": None, "bilinear": [], "classes": [], "guard": -2} | fields
        self.layers[-1]["heads"].append(head | {"values": [[form, c, default]]})
        return c

    def copy(self, key: int, c: int | None = None) -> int:
        """What one token holds, in all rows."""
        return self.head(one(self.token if c is None else c), mask=[[key] for _ in range(self.tokens)])

    def gate(self, kind: str, *parts: Any, beside: bool = False) -> int:
        c = self.new()
        self.level(beside).append([kind, *parts, c])
        return c

    def level(self, beside: bool = False) -> list[Any]:
        if not beside:
            self.layers[-1]["levels"].append([])
        return self.layers[-1]["levels"][-1]

    def times(self, *coordinates: int) -> int:
        """Their product."""
        first, *others = coordinates
        for c in others:
            first = self.gate("product", one(first), one(c))
        return first

    # ---- results

    def encoder(self, readout: Form) -> dict[str, Any]:
        own = {"tokens": self.tokens, "letters": self.letters, "width": self.width, "groups": self.groups}
        return own | {"number": self.number, **self.fields, "layers": self.layers, "readout": readout}


# ---- claims

ATTENTION = "real matrices WQ, WK (d x k), WV (d x d), a real number b, X (n x d)"
FORWARD = ", W1 (d x f), b1 (1 x f), W2 (f x d), b2 (1 x d)"
SQUARE, ANY = "a real matrix A", "a real matrix A (r x c)"
POINTS = "a point x of [0, 1]^dim and the values f(p_j) of a function that satisfies |f(x) - f(y)| <= K |x - y|"
GRID = " in the sum norm, at the points of the grid"


def texts(task: str, s: dict[str, int]) -> tuple[str, str, str]:
    """SIZES, LAYOUT and ANSWER."""
    listed = ", ".join(f"{name} = {value}" for name, value in s.items())
    if task in ("determinant", "inverse"):
        flag = s["order"] ** 2
        whole = f"answers 1 at token {flag} and the inverse of A if det A is not 0, and 0 at token {flag} if it is 0"
        return f"order {s['order']}", SQUARE, whole if task == "inverse" else "answers det A at token 0"
    if task == "attention":
        f = s["f"]
        sizes = ", ".join(f"{name} = {value}" for name, value in s.items() if value or name != "f")
        answer = "answers Y = softmax(b X WQ WK^T X^T) X WV" + ", taken to relu(Y W1 + b1) W2 + b2" * bool(f)
        return sizes, ATTENTION + FORWARD * bool(f), answer
    if task == "maxmin":
        answer = "answers the rows of A, each sorted from the largest to the smallest number"
        return f"{s['groups']} groups of {s['size']}", "a real matrix A (groups x size)", answer
    if task == "match2":
        other = "" if s["self"] else " different from i"
        answer = f"answers at token i whether x_i + x_j = 0 modulo p for some j{other}, with 1 for yes and 0 for no"
        return f"p = {s['p']}, n = {s['n']}", f"letters x_i from 0 to {s['p'] - 1}", answer
    if task == "lipschitz":
        K, error = ratio(s["top"], s["bottom"]), ratio(s["top"] * s["dim"], s["bottom"] * s["steps"])
        sizes = f"dim = {s['dim']}, {s['steps']} points per dimension, K = {K}"
        power = f"^({s['up']}/{s['down']})" * (s["up"] != s["down"])
        if power:
            error = f"{ratio(2 * s['top'], s['bottom'])} ({ratio(s['dim'], 2 * s['steps'])}){power}"
        return sizes, POINTS + power + GRID, f"answers at token 0 a number from f(x) to f(x) + {error}"
    return listed, *PLAIN[task]


def ratio(top: int, bottom: int) -> str:
    from fractions import Fraction

    return str(Fraction(top, bottom))


PLAIN = {
    "transpose": (ANY, "answers the transpose of A"),
    "matmul": ("real matrices A (r x k) and B (k x c)", "answers A B"),
    "relu": ("real numbers x_0, .., x_(n-1)", "answers max(x_i, 0) at token i"),
    "softmax": (ANY, "answers exp(A_ij) / sum_j' exp(A_ij')"),
    "multihead": (
        "real matrices WQ_h, WK_h, WV_h (d x k) for h = 1..H, WO (H k x d), a real number b, X (n x d)",
        "answers the sum over h of softmax(b X WQ_h WK_h^T X^T) X WV_h WO_h, where WO_h are rows (h-1) k to h k - 1 "
        "of WO",
    ),
    "head_step": (
        "real matrices WQ, WK, WV (d x k), WO (k x d), a real number b, X (n x d), Y (n x d)",
        "answers Y + softmax(b X WQ WK^T X^T) X WV WO",
    ),
    "hierarchy": (
        "real matrices WQ, WK (d x k), WV (d x d), a real number b, a length n from 1 to N, a real matrix X (N x d)",
        "answers softmax(b Z WQ WK^T Z^T) Z WV at its first n d tokens, where Z are the first n rows of X",
    ),
    "parity": (
        "letters b_i + 2 s_i with bits b_i and s_i, exactly k of the s_i being 1",
        "answers, at every token, the sum of b_i s_i modulo 2",
    ),
}


def gates(layer: dict[str, Any]) -> int:
    every = [gate for level in layer["levels"] for gate in level]
    return sum(len(gate[1]) if gate[0] == "relu" else gate[0] != "linear" for gate in every)


def cost(encoder: dict[str, Any]) -> str:
    layers = encoder["layers"]
    heads = ", ".join(str(len(layer["heads"])) for layer in layers[1:])
    counts = ", ".join(str(gates(layer)) for layer in layers)
    depths = ", ".join(str(len(layer["levels"])) for layer in layers)
    width = encoder["width"] + sum(encoder["groups"])
    if len(layers) == 1:
        return f"0 attention layers, {counts} gates per token of depth {depths}, and stream width {width}"
    return (
        f"{len(layers) - 1} attention layers with {heads} heads, {counts} gates per token of depth {depths} after "
        f"them, and stream width {width}"
    )


def claim(task: str, sizes: dict[str, int], encoder: dict[str, Any]) -> str:
    compact = json.dumps(encoder, sort_keys=True, separators=(",", ":"))
    sha = hashlib.sha256(compact.encode()).hexdigest()
    size, layout, answer = texts(task, sizes)
    count = "n" if task in ("parity", "match2") else encoder["tokens"]
    start = f"{size}: the encoder with SHA-256 {sha} has {cost(encoder)} and, on every sequence of "
    blank = ", and 0 at the other tokens" if count != "n" and held(task, sizes) < encoder["tokens"] else ""
    return start + f"{count} tokens that holds {layout}{blank}, {answer}."


def held(task: str, s: dict[str, int]) -> int:
    """How many tokens hold the input."""
    if task == "attention":
        hidden = s["d"] * s["f"] + s["f"] + s["f"] * s["d"] + s["d"] if s["f"] else 0
        return 2 * s["d"] * s["k"] + s["d"] ** 2 + 1 + s["n"] * s["d"] + hidden
    if task == "hierarchy":
        return 2 * s["d"] * s["k"] + s["d"] ** 2 + 2 + s["N"] * s["d"]
    return {
        "transpose": lambda: s["r"] * s["c"],
        "matmul": lambda: s["r"] * s["k"] + s["k"] * s["c"],
        "determinant": lambda: s["order"] ** 2,
        "inverse": lambda: s["order"] ** 2,
        "relu": lambda: s["n"],
        "maxmin": lambda: s["groups"] * s["size"],
        "softmax": lambda: s["r"] * s["c"],
        "multihead": lambda: 3 * s["H"] * s["d"] * s["k"] + s["H"] * s["k"] * s["d"] + 1 + s["n"] * s["d"],
        "head_step": lambda: 3 * s["d"] * s["k"] + s["k"] * s["d"] + 1 + 2 * s["n"] * s["d"],
        "lipschitz": lambda: s["dim"] + s["steps"] ** s["dim"],
    }[task]()


def stated(task: str, sizes: dict[str, int], encoder: dict[str, Any], **certificate: Any) -> Artifact:
    """The files, with the claim that fits them."""
    parameters = {"task": task, "sizes": sizes}
    statement = {"format": "symut-statement-1", "goal": GOAL, "parameters": parameters}
    statement["claims"] = [claim(task, sizes, encoder)]
    return signed(statement, {"format": "symut-certificate-1", "encoder": encoder, **certificate})
