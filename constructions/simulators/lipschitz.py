"""Lipschitz and Hölder functions from a table of values: the least cone over a grid, by hard attention.

Main definitions: `LIPSCHITZ`, `violation`, `fewest_steps`.
Main result: for |f(x) - f(y)| <= K |x - y|^A (sum norm, 0 < A <= 1) and s points per dimension with
2 K (dim / (2 s))^A <= eps, two attention layers answer f on [0, 1]^dim up to eps, never from below; the table comes in
the sequence. A < 1 needs a gate for roots.
Source: On the Existence of Universal Simulators of Attention (approximation of Lipschitz functions); McShane 1934.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Any

from constructions.simulators.programs import sequence
from symut.errors import UsageError, shown
from symut.machine import Block, Machine, Sizes
from symut.theorem import RATIONAL, Parameter, Values

if TYPE_CHECKING:
    from symut.rasp.core import Sequence

SOURCE = "On the Existence of Universal Simulators of Attention"
MOST_LEAVES, MOST_STEPS, LARGEST_RATIO = 4000, 64, 10**6
"""Of a proof."""
LARGEST_EXPONENT = 64
"""Of the numerator and denominator of A."""


def _sizes(values: Values) -> dict[str, int]:
    K, eps, dim, A = Fraction(values["constant"]), Fraction(values["eps"]), values["dim"], _exponent(values)
    steps = fewest_steps(K, eps, dim, A)
    exponent = {"up": A.numerator, "down": A.denominator}
    return {"dim": dim, "steps": steps, "top": K.numerator, "bottom": K.denominator, **exponent}


def _exponent(values: Values) -> Fraction:
    A = Fraction(values["alpha"] or 1)
    if A > 1 or A.denominator > LARGEST_EXPONENT:
        raise UsageError(
            "--alpha out of range",
            expected=f"at most 1, with a denominator of at most {LARGEST_EXPONENT}",
            got=str(A),
            remedy="change --alpha",
        )
    return A


def fewest_steps(K: Fraction, eps: Fraction, dim: int, A: Fraction) -> int:
    """The least s >= 1 with 2 K (dim / (2 s))^A <= eps; for A = p/q that is (2 K / eps)^q dim^p <= (2 s)^p."""
    p, q = A.numerator, A.denominator
    least = (2 * K / eps) ** q * dim**p
    high = 1
    while (2 * high) ** p < least:
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if (2 * middle) ** p < least else (low, middle)
    return high


def _require_few(sizes: Sizes) -> None:
    steps, dim = sizes["steps"], sizes["dim"]
    if steps > MOST_STEPS or dim > MOST_STEPS or (4 * steps - 1) ** dim > MOST_LEAVES:
        raise UsageError(
            "too many cases for a proof",
            expected=f"s points per dimension, s <= {MOST_STEPS} and (4 s - 1)^dim <= {MOST_LEAVES}",
            got=f"s = {shown(steps)}, dim = {dim}",
            remedy="take a larger --eps or a smaller --dim; `symut emit lipschitz` takes more",
        )
    if max(sizes["top"], sizes["bottom"]) > LARGEST_RATIO:
        raise UsageError(
            "--constant is too long for a proof",
            expected=f"a numerator and a denominator of at most {LARGEST_RATIO}",
            got=f"{sizes['top']}/{sizes['bottom']}",
            remedy="round --constant up",
        )


def points(sizes: Sizes) -> list[tuple[Fraction, ...]]:
    """The grid, by rows: the last coordinate runs fastest."""
    steps = sizes["steps"]
    return list(product([Fraction(2 * a + 1, 2 * steps) for a in range(steps)], repeat=sizes["dim"]))


def violation(sizes: Sizes, table: list[Fraction]) -> tuple[int, int] | None:
    """Two grid points at which a table is steeper than K and A allow; None if there are none."""
    grid, K = points(sizes), Fraction(sizes["top"], sizes["bottom"])
    p, q = sizes["up"], sizes["down"]
    for i, x in enumerate(grid):
        for j in range(i):
            distance = sum((abs(a - b) for a, b in zip(x, grid[j], strict=True)), Fraction(0))
            if (abs(table[i] - table[j]) / K) ** q > distance**p:
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
    yield Block("x", 1, sizes["dim"], axes=1)
    yield Block("table", 1, sizes["steps"] ** sizes["dim"], axes=1)


def _program(sizes: Sizes) -> Sequence:
    dim, steps, points = sizes["dim"], sizes["steps"], sizes["steps"] ** sizes["dim"]
    exponent = (sizes["up"], sizes["down"])
    return sequence("lipschitz", "lipschitz", dim, steps, sizes["top"], sizes["bottom"], points, *exponent)


LIPSCHITZ = Machine(
    id="lipschitz",
    statement="one encoder approximates every Lipschitz or Hölder function from its values on a grid",
    source=SOURCE,
    task="lipschitz",
    parameters=(
        Parameter("dim", "dimension of the cube", default=1),
        Parameter("constant", "K, the constant of |f(x) - f(y)| <= K |x - y|^A", RATIONAL, default="1"),
        Parameter("eps", "the largest error", RATIONAL, default="1/4"),
        Parameter("alpha", "A, the exponent, at most 1; 1 if missing", RATIONAL),
    ),
    sizes=_sizes,
    program=_program,
    tokens=lambda s: s["dim"] + s["steps"] ** s["dim"],
    inputs=lambda s: tuple(_blocks(s)),
    output=lambda s: Block("y", 1, 1, axes=0),
    work=lambda s: max(s["dim"], s["steps"]),
    evidence=_evidence,
    require_provable=_require_few,
    instances=(
        {"dim": 1, "constant": "1", "eps": "1/4"},
        {"dim": 1, "constant": "3/2", "eps": "1/2"},
        {"dim": 2, "constant": "1", "eps": "1/2"},
        {"dim": 1, "constant": "1", "eps": "1/2", "alpha": "1/2"},
        {"dim": 2, "constant": "1/2", "eps": "1/2", "alpha": "2/3"},
    ),
)
