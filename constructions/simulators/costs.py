"""What simulators cost, as formulas in their sizes.

Main definitions: `Cost`, `FORMULAS`, `cost_of`.

Counted are attention layers, heads and gates of all layers (gates per token; a table and each unit of a ReLU gate count
as one), and the width of the stream, which is 3 and one coordinate for each head, gate and position code.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from symut.machine import Machine, Sizes


class Cost(NamedTuple):
    """Counts, or formulas of them."""

    layers: int | str
    heads: int | str
    gates: int | str
    tokens: int | str
    width: int | str


class Formula(NamedTuple):
    """The texts of a table, and (layers, heads, gates, position codes) of sizes."""

    text: Cost
    counts: Callable[[Sizes, int], tuple[int, int, int, int]]


def _product(size: int, work: int) -> tuple[int, int, int]:
    """(layers, heads, gates) of a sum of `size` products, of which a layer adds up to `work`."""
    parts = -(-size // work)
    share = -(-size // parts)
    return (1, 2 * size, size) if parts == 1 else (2, 2 * share + 1, share)


def _head(n: int, d: int, k: int) -> tuple[int, int, int]:
    return 3, 2 * n + 2 * d + 2 * k + 2, 2 * n + d + k + 3


def _attention(s: Sizes, work: int) -> tuple[int, int, int, int]:
    layers, heads, gates = _head(s["n"], s["d"], s["k"])
    if not s["f"]:
        return layers, heads, gates, 0
    more, second, products = _product(s["f"], work)
    return layers + 1 + more, heads + 2 * s["d"] + 1 + second + 1, gates + s["d"] + 1 + products, 0


def _multihead(s: Sizes, work: int) -> tuple[int, int, int, int]:
    layers, heads, gates = _head(s["n"], s["d"], s["k"])
    more, projection, products = _product(s.get("H", 1) * s["k"], work)
    return layers + more, heads + projection + ("H" not in s), gates + products, 0


def _hierarchy(s: Sizes, work: int) -> tuple[int, int, int, int]:
    layers, heads, gates = _head(s["N"], s["d"], s["k"])
    return layers, heads + (s["N"] > 1), gates + 2 * (s["N"] - 1), 0


_DETERMINANT = {1: (1, 1, 0, 0), 2: (1, 4, 2, 0), 3: (1, 8, 9, 0), 4: (2, 9, 5, 0)}
_INVERSE = {1: (2, 2, 4, 1), 2: (2, 6, 8, 3), 3: (2, 10, 14, 2), 4: (3, 16, 14, 3)}

FORMULAS: dict[str, Formula] = {
    "attention_simulator": Formula(
        Cost(
            "3; with a feed-forward layer 5, or 6 if f > max(n, d, k)",
            "2n + 2d + 2k + 2",
            "2n + d + k + 3",
            "max(2dk + d^2 + nd + 1, n(2k + d), n^2)",
            "4n + 3d + 3k + 8",
        ),
        _attention,
    ),
    "multihead_simulator": Formula(
        Cost(
            "4, or 5 if Hk > max(n, d, k)",
            "2n + 2d + 2k + 2 + 2Hk",
            "2n + d + k + 3 + Hk",
            "max(4Hdk + nd + 1, 3Hnk, Hn^2)",
            "4n + 3d + 3k + 3Hk + 8",
        ),
        _multihead,
    ),
    "hierarchy": Formula(
        Cost(
            "3",
            "2N + 2d + 2k + 3 (N > 1)",
            "4N + d + k + 1",
            "max(2dk + d^2 + Nd + 2, N(2k + d), N^2)",
            "6N + 3d + 3k + 7 (N > 1)",
        ),
        _hierarchy,
    ),
    "transpose": Formula(Cost("1", "1", "0", "rc", "4"), lambda s, work: (1, 1, 0, 0)),
    "matmul": Formula(Cost("1", "2k", "k", "max(rk + kc, rc)", "3k + 3"), lambda s, work: (1, 2 * s["k"], s["k"], 0)),
    "determinant": Formula(
        Cost("1; 2 at order 4", "1, 4, 8, 9", "0, 2, 9, 5", "1, 4, 9, 42", "4, 9, 20, 17"),
        lambda s, work: _DETERMINANT[s["order"]],
    ),
    "inverse": Formula(
        Cost("2; 3 at order 4", "2, 6, 10, 16", "4, 8, 14, 14", "2, 5, 10, 42", "10, 20, 29, 36"),
        lambda s, work: _INVERSE[s["order"]],
    ),
    "softmax": Formula(Cost("1", "c + 1", "c + 3", "rc", "2c + 7"), lambda s, work: (1, s["c"] + 1, s["c"] + 3, 0)),
    "relu": Formula(Cost("0", "0", "1", "n", "4"), lambda s, work: (0, 0, 1, 0)),
    "maxmin": Formula(
        Cost("2", "size + 1", "size", "groups * size", "2 size + 5"),
        lambda s, work: (2, s["size"] + 1, s["size"], int(s["size"] > 1)),
    ),
    "lipschitz": Formula(
        Cost("2", "dim + 1", "2 dim; 1 more if A < 1", "dim + s^dim", "4 dim + 4; 1 more if A < 1"),
        lambda s, work: (2, s["dim"] + 1, 2 * s["dim"] + (s["up"] < s["down"]), s["dim"]),
    ),
}
"""Without `parity` and `match2`, which have one head and at most three gates whatever their sizes."""


def cost_of(machine: Machine, sizes: Sizes) -> Cost:
    """The formulas at these sizes."""
    layers, heads, gates, codes = FORMULAS[machine.id].counts(sizes, machine.work(sizes))
    return Cost(layers, heads, gates, machine.tokens(sizes), 3 + heads + gates + codes)
