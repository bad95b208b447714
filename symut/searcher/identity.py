"""Nullstellensatz identities: scale + sum of weight * square^2 = sum of cofactor * equation, over the integers.

Main definitions: `Identity`, `find_identity`.
Linear variables are eliminated first, with their cofactors kept.  Without squares Buchberger's algorithm with cofactors
does the rest; one square is found by exact linear algebra in growing degree: a reduction modulo a prime picks the
columns, a small rational system gives the numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from math import lcm
from typing import Any

from symut.searcher.groebner import Derived, constant_of, is_number
from symut.searcher.slice import System, terms

PRIME = 2**31 - 1
MAX_ROWS = 6000


@dataclass(frozen=True)
class Identity:
    """scale >= 1, `squares` (weight >= 1, polynomial), `cofactors`: one polynomial per equation; all with integers."""

    scale: int
    squares: tuple[tuple[int, Any], ...]
    cofactors: tuple[Any, ...]

    def as_json(self) -> dict[str, Any]:
        """The fields of FORMAT.md, section 11."""

        def listed(polynomial: Any) -> list[Any]:
            return [[int(c), list(monomial)] for monomial, c in terms(polynomial)]

        squares = [[weight, listed(root)] for weight, root in self.squares]
        return {"scale": self.scale, "squares": squares, "cofactors": [listed(c) for c in self.cofactors]}


def find_identity(built: System, max_degree: int = 4) -> Identity | None:
    """An identity without squares, or with one square and terms of degree at most `max_degree` after elimination."""
    one = built.equations[0] * 0 + 1
    remaining = _eliminate([Derived(f, {i: one}) for i, f in enumerate(built.equations)])
    number = constant_of([item for item in remaining if item.polynomial != 0])
    if number is not None:
        return _identity(built, [(number, one)], number.polynomial, [])
    for degree in range(1, max_degree + 1):
        found = _at_degree(built, remaining, degree)
        if found is not None:
            return found
    return None


def _eliminate(derived: Sequence[Derived]) -> list[Derived]:
    """Solve equations c y + g = 0 with a number c and few terms in g for y, and substitute."""
    work = list(derived)
    while (choice := _linear(work)) is not None:
        at, y = choice
        solved = work.pop(at)
        work = [_substitute(item, solved, y) for item in work]
        if any(map(is_number, work)):
            break
    return work


def _linear(work: Sequence[Derived]) -> tuple[int, int] | None:
    best: tuple[int, int, int] | None = None
    for at, item in enumerate(work):
        parts = terms(item.polynomial)
        for monomial, _ in parts:
            if len(monomial) == 1 and sum(monomial[0] in other for other, _ in parts) == 1:
                candidate = (len(parts), at, monomial[0])
                best = candidate if best is None or candidate < best else best
    return None if best is None or best[0] > 6 else best[1:]


def _substitute(item: Derived, solved: Derived, y: int) -> Derived:
    """Divide by the solved equation, which is linear in y with a constant coefficient: what is left is free of y."""
    f = solved.polynomial
    generator = f.context().gens()[y]
    lead = next(c for monomial, c in terms(f) if monomial == (y,))
    while (top := item.polynomial.degrees()[y]) > 0:
        item = item.minus(_coefficient(item.polynomial, y, top) * generator ** (top - 1) / lead, solved)
    return item


def _coefficient(polynomial: Any, y: int, power: int) -> Any:
    """The coefficient of y^power, a polynomial in the other variables."""
    found = polynomial.to_dict().items()
    kept = {tuple(0 if v == y else e for v, e in enumerate(powers)): c for powers, c in found if powers[y] == power}
    return polynomial.context().from_dict(kept)


# ---- linear algebra


def _monomials(ring: Any, variables: Sequence[int], degree: int) -> Iterator[Any]:
    generators = ring.gens()
    for size in range(degree + 1):
        for chosen in combinations_with_replacement(variables, size):
            product = ring.constant(1)
            for v in chosen:
                product *= generators[v]
            yield product


def _at_degree(built: System, remaining: Sequence[Derived], degree: int) -> Identity | None:
    """Cofactors such that no term has more than this degree, with the square of one monomial."""
    ring = built.equations[0].context()
    used = [v for v in range(ring.nvars()) if any(item.polynomial.degrees()[v] > 0 for item in remaining)]
    columns = [
        (item, factor)
        for item in remaining
        if item.polynomial.total_degree() <= degree
        for factor in _monomials(ring, used, degree - int(item.polynomial.total_degree()))
    ]
    products = [item.polynomial * factor for item, factor in columns]
    for root in _monomials(ring, used, degree // 2):
        numbers = _combination([*products, -root * root], ring.constant(1))
        if numbers is None or root.is_constant() or numbers.get(len(products), 0) <= 0:
            continue
        parts = [(columns[j][0], columns[j][1] * x) for j, x in numbers.items() if j < len(columns)]
        return _identity(built, parts, ring.constant(1), [(numbers[len(products)], root)])
    return None


def _combination(products: Sequence[Any], goal: Any) -> dict[int, Any] | None:
    """Rational numbers x with sum of x_j products_j = goal, by column; None if there are none (modulo a prime)."""
    from flint import nmod_mat

    tables = [product.to_dict() for product in products]
    rows = {powers: i for i, powers in enumerate(sorted({p for table in [*tables, goal.to_dict()] for p in table}))}
    if not tables or len(rows) > MAX_ROWS or len(tables) > MAX_ROWS:
        return None
    matrix = nmod_mat(len(rows), len(tables) + 1, PRIME)
    for j, table in enumerate([*tables, goal.to_dict()]):
        for powers, c in table.items():
            matrix[rows[powers], j] = int(c.p) * pow(int(c.q), -1, PRIME)
    reduced, rank = matrix.rref()
    pivots = _pivots(reduced, rank)
    if pivots[-1] == len(tables):
        return None
    support = [j for i, j in enumerate(pivots) if int(reduced[i, len(tables)])]
    return _solve([tables[j] for j in support], goal.to_dict(), support)


def _pivots(reduced: Any, rank: int) -> list[int]:
    found, j = [], 0
    for i in range(rank):
        while not int(reduced[i, j]):
            j += 1
        found.append(j)
    return found


def _solve(tables: Sequence[dict[Any, Any]], goal: dict[Any, Any], support: Sequence[int]) -> dict[int, Any] | None:
    """The unique exact solution on the columns of `support`, which are independent modulo the prime."""
    from flint import fmpq, fmpq_mat

    rows = sorted({powers for table in [*tables, goal] for powers in table})
    size = len(tables)
    matrix = fmpq_mat(len(rows), size + 1)
    for j, table in enumerate([*tables, goal]):
        for powers, c in table.items():
            matrix[rows.index(powers), j] = fmpq(c.p, c.q)
    reduced, rank = matrix.rref()
    if rank != size or any(reduced[i, i] != 1 for i in range(size)):
        return None
    return {support[j]: reduced[j, size] for j in range(size)}


def _identity(built: System, parts: Sequence[tuple[Derived, Any]], goal: Any, squares: Sequence[Any]) -> Identity:
    """From sum of factor * derived = goal + sum of weight * root^2 to one with integers."""
    zero = built.equations[0] * 0
    total = [zero] * len(built.equations)
    for item, factor in parts:
        for i, c in item.cofactors.items():
            total[i] = total[i] + factor * c
    constant = goal.to_dict()[next(iter(goal.to_dict()))]
    total = [c / constant for c in total]
    weights = [weight / constant for weight, _ in squares]
    scale = lcm(*[int(c.q) for p in total for _, c in terms(p)], *[int(w.q) for w in weights], 1)
    scaled = tuple(c * scale for c in total)
    return Identity(scale, tuple((int(w * scale), root) for w, (_, root) in zip(weights, squares, strict=True)), scaled)
