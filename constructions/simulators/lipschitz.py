"""Functions of bounded slope from a table of values: the least cone over a grid, by hard attention.

Main definition: `LIPSCHITZ`.
Main result: with s points per dimension, s >= K dim / eps, two attention layers answer every K-Lipschitz function on
[0, 1]^dim (sum norm) up to eps, never from below; the table comes in the sequence.
Source: On the Existence of Universal Simulators of Attention (approximation of Lipschitz functions); McShane 1934.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import ceil
from typing import Any

from constructions.simulators.programs import sequence
from symut.errors import UsageError
from symut.machine import Block, Machine, Sizes
from symut.theorem import RATIONAL, Parameter, Values

SOURCE = "On the Existence of Universal Simulators of Attention"
MOST_LEAVES = 4000


def _sizes(values: Values) -> dict[str, int]:
    K, eps, dim = Fraction(values["constant"]), Fraction(values["eps"]), values["dim"]
    steps = max(1, ceil(K * dim / eps))
    if (4 * steps - 1) ** dim > MOST_LEAVES:
        raise UsageError(
            "too many cases for a proof",
            expected=f"(4 s - 1)^dim of at most {MOST_LEAVES} with s = ceil(K dim / eps)",
            got=f"s = {steps}, dim = {dim}",
            remedy="take a larger --eps or a smaller --dim",
        )
    return {"dim": dim, "steps": steps, "top": K.numerator, "bottom": K.denominator}


def points(sizes: Sizes) -> list[tuple[Fraction, ...]]:
    """The grid, by rows: the last coordinate runs fastest."""
    steps = sizes["steps"]
    return list(product([Fraction(2 * a + 1, 2 * steps) for a in range(steps)], repeat=sizes["dim"]))


def violation(sizes: Sizes, table: list[Fraction]) -> tuple[int, int] | None:
    """Two grid points at which a table is steeper than K allows; None if there are none."""
    grid, K = points(sizes), Fraction(sizes["top"], sizes["bottom"])
    for i, p in enumerate(grid):
        for j in range(i):
            distance = sum(abs(a - b) for a, b in zip(p, grid[j], strict=True))
            if abs(table[i] - table[j]) > K * distance:
                return j, i
    return None


class _Cases:
    """The tree that compares x_a with u / (2 s), u = 1 .. 2 s - 1, for each a, and what each leaf needs.

    At a leaf x_a = u / (2 s), or x_a lies between (u - 1) / (2 s) and u / (2 s); the grid's coordinate at or beside it
    is the odd one of u - 1, u. Multipliers belong to the forms 2 s x_a - u, all with the factor K / s.
    """

    def __init__(self, sizes: Sizes) -> None:
        self.dim, self.steps = sizes["dim"], sizes["steps"]
        self.slope = Fraction(sizes["top"], sizes["bottom"])
        self.variables = self.dim + self.steps**self.dim
        self.questions = 2 * self.steps - 1
        self.leaves: list[Any] = []

    def tree(self, a: int = 0, places: tuple[tuple[int, bool], ...] = ()) -> Any:
        """The tree from dimension a on; `places` are (u, whether x equals it) of the dimensions before."""
        if a == self.dim:
            self.leaves.append(self.leaf(places))
            return []
        return self._undecided(a, 1, places)

    def _node(self, a: int, u: int, cases: dict[str, Any]) -> dict[str, Any]:
        form = [0] * (self.variables + 1)
        form[a], form[-1] = 2 * self.steps, -u
        return {"form": form, "cases": cases}

    def _undecided(self, a: int, u: int, places: tuple) -> Any:
        if u > self.questions:
            return self.tree(a + 1, (*places, (u, False)))
        below = self._decided(a, u, u + 1, False, places)
        equal = self._decided(a, u, u + 1, True, places)
        return self._node(a, u, {"-": below, "0": equal, "+": self._undecided(a, u + 1, places)})

    def _decided(self, a: int, at: int, u: int, equal: bool, places: tuple) -> Any:
        """x_a is below `at`, or equal to it, and so below u; the combinations say so."""
        if u > self.questions:
            return self.tree(a + 1, (*places, (at, equal)))
        node = self._node(a, u, {"-": self._decided(a, at, u + 1, equal, places)})
        known, new = (a * self.questions + v - 1 for v in (at, u))
        if not equal:
            node["excluded"] = {"0": [[known, 1, 1]], "+": [[known, 1, 1], [new, 1, 1]]}
        return node

    def leaf(self, places: tuple[tuple[int, bool], ...]) -> list[Any]:
        """[a grid point near x, multipliers that show how near]."""
        number, multipliers = 0, []
        for a, (u, equal) in enumerate(places):
            odd = u if u % 2 else u - 1
            number = number * self.steps + (odd - 1) // 2
            multipliers += [] if equal else [self._bound(a, u - 1 if u % 2 else u)]
        return [number, sorted(multipliers)]

    def _bound(self, a: int, u: int) -> list[int]:
        """The assumption that x_a is on this side of u / (2 s); at the ends of [0, 1] it is one of the box."""
        factor = self.slope / self.steps
        if 0 < u <= self.questions:
            return [a * self.questions + u - 1, factor.numerator, factor.denominator]
        factor *= 2 * self.steps
        return [self.dim * self.questions + 2 * a + (u > 0), factor.numerator, factor.denominator]


def _evidence(sizes: Sizes) -> dict[str, Any]:
    cases = _Cases(sizes)
    return {"cases": [cases.tree()], "leaves": cases.leaves}


def _blocks(sizes: Sizes) -> Iterator[Block]:
    yield Block("x", 1, sizes["dim"])
    yield Block("table", 1, sizes["steps"] ** sizes["dim"])


LIPSCHITZ = Machine(
    id="lipschitz",
    statement="one encoder approximates every K-Lipschitz function from its values on a grid",
    source=SOURCE,
    task="lipschitz",
    parameters=(
        Parameter("dim", "dimension of the cube", default=1),
        Parameter("constant", "K, the Lipschitz constant in the sum norm", RATIONAL, default="1"),
        Parameter("eps", "the largest error", RATIONAL, default="1/4"),
    ),
    sizes=_sizes,
    program=lambda s: sequence(
        "lipschitz", "lipschitz", s["dim"], s["steps"], s["top"], s["bottom"], s["steps"] ** s["dim"]
    ),
    tokens=lambda s: s["dim"] + s["steps"] ** s["dim"],
    inputs=lambda s: tuple(_blocks(s)),
    output=lambda s: Block("y", 1, 1),
    work=lambda s: max(s["dim"], s["steps"]),
    evidence=_evidence,
    instances=(
        {"dim": 1, "constant": "1", "eps": "1/4"},
        {"dim": 1, "constant": "3/2", "eps": "1/2"},
        {"dim": 2, "constant": "1", "eps": "1/2"},
    ),
)
