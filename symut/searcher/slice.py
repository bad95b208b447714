"""The slice system of a width: unknown quadratic maps and programs, and equations that they must solve.

Main definitions: `Slice`, `System`, `decisive`, `decisive_count`, `query`.
A backbone of width m has r = m - H^L free coordinates in its programs once the outputs are unit vectors.  On targets
with equal values its n = L H scores are polynomials f_1..f_n of degree at most 2 in them (proofs/FORMAT.md, 11.2).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement, islice
from typing import Any

from symut.statement.search import GENERAL, STRONG

Point = tuple[int, ...]
ONES, ZERO = "ones", "zero"
"""The slices: every value is 1, or the values of the last layer are 0 (for strong targets only)."""


@dataclass(frozen=True)
class Slice:
    """n scores of r free coordinates on the slice `kind`, asked to take the values `points` (tuples of n integers)."""

    n: int
    r: int
    kind: str
    heads: str
    points: tuple[Point, ...]

    def pin(self, t: int) -> tuple[int, ...] | None:
        """The program of point t if a change of coordinates makes it known: the origin or a unit vector (length r).

        On `ones` affine maps act, and different points have different programs; on `zero` linear maps act, and the
        first program is nonzero.
        """
        unit = t - (self.kind == ONES)
        if t > 1 or unit >= self.r:
            return None
        return tuple(int(axis == unit) for axis in range(self.r))

    @property
    def equations(self) -> int:
        """How many equations the system has."""
        return self.n * len(self.points)

    @property
    def terms(self) -> int:
        """The products of coordinates in all equations, as if no program were known (proofs/FORMAT.md, 11.7)."""
        axes = self.r + (self.kind == ONES)
        return self.equations * (axes * (axes + 1) // 2 if self.heads == GENERAL else axes * axes)

    def with_point(self, point: Point) -> Slice:
        """The slice with one more target."""
        return replace(self, points=(*self.points, point))


@dataclass(frozen=True)
class System:
    """`equations` are polynomials (`fmpq_mpoly`) in the variables `names`; the first `scores` of them are the f_i's."""

    names: tuple[str, ...]
    scores: int
    equations: tuple[Any, ...]


def score_names(chosen: Slice) -> list[list[Any]]:
    """For each score the names of its coefficients: [(name, a, b)] (general) or two lists of (name, a) (rank one)."""
    axes = range(chosen.kind == ZERO, chosen.r + 1)
    pairs = list(combinations_with_replacement(axes, 2))
    if chosen.heads == GENERAL:
        return [[(f"c{i}_{a}_{b}", a, b) for a, b in pairs] for i in range(1, chosen.n + 1)]
    return [[[(f"{side}{i}_{a}", a) for a in axes] for side in "ab"] for i in range(1, chosen.n + 1)]


def flat(name: Any) -> list[str]:
    """The names in the shape of `score_names` as one list."""
    if isinstance(name, tuple):
        return [name[0]]
    return [text for part in name for text in flat(part)]


def system(chosen: Slice) -> System:
    """f_i(x_t) - point_t,i for all targets t and scores i."""
    from flint import Ordering, fmpq_mpoly_ctx

    coefficients = score_names(chosen)
    free = [t for t in range(len(chosen.points)) if chosen.pin(t) is None]
    programs = [f"x{t + 1}_{a}" for t in free for a in range(1, chosen.r + 1)]
    scores = flat(coefficients)
    names = (*scores, *programs)
    ring = fmpq_mpoly_ctx.get(names or ("unused",), Ordering.degrevlex)
    value = dict(zip(names, ring.gens(), strict=False))
    equations = []
    for t, point in enumerate(chosen.points):
        pin = chosen.pin(t)
        own = [value[f"x{t + 1}_{a}"] for a in range(1, chosen.r + 1)] if pin is None else map(ring.constant, pin)
        x = [ring.constant(1), *own]
        equations += [_at(score, x, value, ring) - q for score, q in zip(coefficients, point, strict=True)]
    return System(names, len(scores), tuple(equations))


def _at(score: list[Any], x: list[Any], value: dict[str, Any], ring: Any) -> Any:
    zero = ring.constant(0)
    if score and isinstance(score[0], list):
        left, right = (sum((value[name] * x[a] for name, a in form), zero) for form in score)
        return left * right
    return sum((value[name] * x[a] * x[b] for name, a, b in score), zero)


def terms(polynomial: Any) -> list[tuple[tuple[int, ...], Any]]:
    """(non-decreasing variable numbers, coefficient) in lexicographic order."""
    found = polynomial.to_dict().items()
    return sorted((tuple(v for v, power in enumerate(powers) for _ in range(int(power))), c) for powers, c in found)


def _monomials(chosen: Slice) -> Iterator[tuple[list[list[str]], int]]:
    """For each equation its products of variables, in the order of the variables' numbers, and the value asked for."""
    scores = score_names(chosen)
    for t, point in enumerate(chosen.points):
        pin = chosen.pin(t)
        kept = {a for a in range(1, chosen.r + 1) if pin is None or pin[a - 1]} | {0}
        x = {a: [f"x{t + 1}_{a}"] if a and pin is None else [] for a in kept}
        for score, value in zip(scores, point, strict=True):
            if chosen.heads == GENERAL:
                products = [[name, *x[a], *x[b]] for name, a, b in score if a in kept and b in kept]
            else:
                left, right = ([(name, a) for name, a in form if a in kept] for form in score)
                products = [[u, v, *x[min(a, b)], *x[max(a, b)]] for u, a in left for v, b in right]
            yield products, value


def query(chosen: Slice, seed: int, prefix: str = "") -> str:
    """The SMT-LIB 2 text; `prefix` renames the variables, which changes nothing but a solver's luck."""
    free = [t for t in range(len(chosen.points)) if chosen.pin(t) is None]
    names = [*flat(score_names(chosen)), *[f"x{t + 1}_{a}" for t in free for a in range(1, chosen.r + 1)]]
    lines = [f"(set-option :random-seed {seed})", "(set-logic QF_NRA)"]
    lines += [f"(declare-const {prefix}{name} Real)" for name in names]
    for products, value in _monomials(chosen):
        texts = [" ".join(prefix + name for name in factors) for factors in products]
        texts = [f"(* {text})" if " " in text else text for text in texts]
        side = "0" if not texts else texts[0] if len(texts) == 1 else f"(+ {' '.join(texts)})"
        lines.append(f"(assert (= {side} {value if value >= 0 else f'(- {-value})'}))")
    return "\n".join([*lines, "(check-sat)", ""])


def decisive_count(H: int, L: int, targets: str) -> int:
    """How many targets `decisive` has."""
    n = L * H
    if targets == STRONG:
        return n + (n != 2)
    return 2 if n == 1 else 2 ** (n - 1) + 1 + (n - 1)


def decisive(H: int, L: int, m: int, heads: str, targets: str, most: int | None = None) -> Slice:
    """A slice whose targets exclude r < n free coordinates (r < 2 at n = 1, strong), or its first `most` targets.

    Zero: the unit vectors of the scores and the sum of the first two, for one score 1 and -1.  Ones: points of a line
    parallel to the first axis, then one off it along every other axis.  Collinear points force the preimage of the
    line to be large, so that the system has no complex solution either.
    """
    points = _strong(L * H) if targets == STRONG else _weak(L * H)
    return Slice(L * H, m - H**L, ZERO if targets == STRONG else ONES, heads, tuple(islice(points, most)))


def _unit(n: int) -> list[Point]:
    return [tuple(int(i == j) for j in range(n)) for i in range(n)]


def _strong(n: int) -> Iterator[Point]:
    if n == 1:
        yield from ((1,), (-1,))
        return
    unit = _unit(n)
    yield from unit[:2]
    if n > 2:
        yield tuple(a + b for a, b in zip(unit[0], unit[1], strict=True))
        yield from unit[2:]


def _weak(n: int) -> Iterator[Point]:
    if n == 1:
        yield from ((1,), (2,))
        return
    yield from ((s, *[1] * (n - 1)) for s in range(1, 2 ** (n - 1) + 2))
    yield from (tuple(1 + u for u in axis) for axis in _unit(n)[1:])
