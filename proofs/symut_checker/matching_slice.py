"""The slice system: which polynomial equations a backbone of width m solves if it matches certain targets.

FORMAT.md, section 11.2, says what a slice is and why every backbone gives a solution.  The system is built here from
the parameters and the points alone, and written as an SMT-LIB query.
"""

from __future__ import annotations

import itertools
from typing import Any, NamedTuple

from .matching_polynomial import Polynomial, add, constant, multiply, variable
from .strict import integers, listing, need

MAX_EQUATIONS, MAX_WIDTH, MAX_TERMS = 400, 64, 100_000
SLICES = ("ones", "zero")


class Slice(NamedTuple):
    n: int  # scores: L H
    r: int  # free coordinates of a program: m - H^L
    kind: str  # "ones": every v is 1; "zero": the values of the last layer are 0
    heads: str  # "general" or "rank-one"
    points: tuple[tuple[int, ...], ...]  # the scores asked for, one tuple of n integers for each target

    @property
    def axes(self) -> range:
        """The coordinates of (x_0, x_1, ..., x_r) that the scores depend on; x_0 = 1 is there on the slice `ones`."""
        return range(0 if self.kind == "ones" else 1, self.r + 1)

    @property
    def terms(self) -> int:
        """The products of coordinates in all equations, as if no program were known."""
        a = len(self.axes)
        return len(self.points) * self.n * (a * (a + 1) // 2 if self.heads == "general" else a * a)


class System(NamedTuple):
    names: list[str]
    equations: list[Polynomial]


def read_slice(H: int, L: int, m: int, heads: str, targets: str, kind: Any, points: Any, where: str) -> Slice:
    need(type(kind) is str and kind in SLICES, f"{where}: slice is none of {', '.join(SLICES)}")
    need(kind == "ones" or targets == "strong", f"{where}: the slice zero has targets with a value 0")
    need(H.bit_length() * L <= 32 and L * H <= MAX_WIDTH, f"{where}: too large")
    n, r = L * H, m - H**L
    need(0 <= r <= MAX_WIDTH, f"{where}: m - H^L lies outside 0..{MAX_WIDTH}")
    rows = [tuple(integers(point, where, -(10**9), 10**9, n)) for point in listing(points, where)]
    need(0 < len(rows) * n <= MAX_EQUATIONS, f"{where}: no point, or more than {MAX_EQUATIONS} equations")
    need(targets == "strong" or all(map(all, rows)), f"{where}: a weak target has no score 0")
    chosen = Slice(n, r, kind, heads, tuple(rows))
    need(chosen.terms <= MAX_TERMS, f"{where}: the equations have more than {MAX_TERMS} terms, too large")
    need(pins_allowed(chosen), f"{where}: the first two points may have the same or dependent programs")
    return chosen


def pins_allowed(chosen: Slice) -> bool:
    """Whether the programs of the first two points are different (ones) or independent (zero) in every solution."""
    first = chosen.points[0]
    second = chosen.points[1] if len(chosen.points) > 1 else None
    if chosen.kind == "ones":
        return second is None or first != second
    if not any(first):
        return False
    # on the slice zero x_2 = c x_1 would give the second point as c^2 times the first
    return second is None or chosen.r < 2 or not nonnegative_multiple(second, first)


def nonnegative_multiple(second: tuple[int, ...], first: tuple[int, ...]) -> bool:
    dependent = all(a * y == b * x for (a, x), (b, y) in itertools.combinations(zip(first, second, strict=True), 2))
    return dependent and sum(a * b for a, b in zip(first, second, strict=True)) >= 0


def pinned(chosen: Slice, t: int) -> list[int] | None:
    """The program of point t (from 0) where a change of coordinates makes it known: x_1..x_r, or None."""
    unit = t if chosen.kind == "ones" else t + 1  # ones: the origin, then e_1; zero: e_1, then e_2
    return [int(axis == unit) for axis in range(1, chosen.r + 1)] if t < 2 and unit <= chosen.r else None


def system(chosen: Slice) -> System:
    """Variables: the coefficients of f_1..f_n, then the programs; equations: f_i(x_t) = point, by (t, i)."""
    names: list[str] = []

    def new(name: str) -> Polynomial:
        names.append(name)
        return variable(len(names) - 1)

    pairs = list(itertools.combinations_with_replacement(chosen.axes, 2))
    scores: list[Any] = []
    for i in range(1, chosen.n + 1):
        if chosen.heads == "general":
            scores.append({(a, b): new(f"c{i}_{a}_{b}") for a, b in pairs})
        else:
            scores.append([{a: new(f"{side}{i}_{a}") for a in chosen.axes} for side in "ab"])
    programs = []
    for t in range(len(chosen.points)):
        known = pinned(chosen, t)
        rest = map(constant, known) if known is not None else (new(f"x{t + 1}_{a}") for a in range(1, chosen.r + 1))
        programs.append([constant(1), *rest])
    rows = zip(programs, chosen.points, strict=True)
    return System(
        names, [add(value(f, x), constant(-q)) for x, point in rows for f, q in zip(scores, point, strict=True)]
    )


def value(score: Any, x: list[Polynomial]) -> Polynomial:
    """f(x): the sum of c_ab x_a x_b, or for a rank-one head the product (sum of a_i x_i) (sum of b_i x_i)."""
    if isinstance(score, dict):
        return add(*(multiply(c, multiply(x[a], x[b])) for (a, b), c in score.items()))
    left, right = (add(*(multiply(c, x[a]) for a, c in form.items())) for form in score)
    return multiply(left, right)


def query(chosen: Slice, seed: int) -> str:
    """The SMT-LIB 2 text of the system."""
    built = system(chosen)
    lines = [f"(set-option :random-seed {seed})", "(set-logic QF_NRA)"]
    lines += [f"(declare-const {name} Real)" for name in built.names]
    lines += [
        f"(assert (= {side(equation, built.names)} {number(-equation.get((), 0))}))" for equation in built.equations
    ]
    return "\n".join([*lines, "(check-sat)", ""])


def side(equation: Polynomial, names: list[str]) -> str:
    """The terms that are not constant; every coefficient is 1, because pinned programs are 0 or 1."""
    terms = [monomial for monomial in sorted(equation) if monomial]
    texts = [names[term[0]] if len(term) == 1 else f"(* {' '.join(names[v] for v in term)})" for term in terms]
    return "0" if not texts else texts[0] if len(texts) == 1 else f"(+ {' '.join(texts)})"


def number(value: int) -> str:
    return str(value) if value >= 0 else f"(- {-value})"
