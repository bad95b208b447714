"""Exact programs of a map with rational coefficients: for each value q a real x with f(x) = q, as algebraic numbers.

Main definitions: `values_at`, `exact_programs`.
Every program lies in Q(theta) for one real root theta of an integer polynomial, found by elimination: a lexicographic
Groebner basis of f(x) = q and theta = a small combination of the coordinates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import Any


def values_at(scores: Sequence[Any], x: Sequence[Any], kind: str, number: Callable[[Fraction], Any]) -> list[Any]:
    """f_1(x), ..., f_n(x).  A score is a list of coefficients of x_a x_b (a <= b, x_0 = 1 on the slice `ones`), or,
    for a rank-one head, two lists of coefficients of x_a."""
    point = [*([number(Fraction(1))] if kind == "ones" else []), *x]

    def form(coefficients: Sequence[str]) -> Any:
        return sum((number(Fraction(c)) * y for c, y in zip(coefficients, point, strict=True)), number(Fraction(0)))

    def quadratic(coefficients: Sequence[str]) -> Any:
        pairs = combinations_with_replacement(point, 2)
        zero = number(Fraction(0))
        return sum((number(Fraction(c)) * y * z for c, (y, z) in zip(coefficients, pairs, strict=True)), zero)

    return [form(s[0]) * form(s[1]) if s and isinstance(s[0], list) else quadratic(s) for s in scores]


def exact_programs(scores: Sequence[Any], r: int, kind: str, points: Sequence[Any]) -> list[Any] | None:
    """For each point {polynomial, interval, coordinates} as in FORMAT.md, section 11; None if one is not found."""
    import sympy

    x = sympy.symbols(f"x1:{r + 1}")
    values = values_at(scores, x, kind, lambda c: sympy.Rational(c.numerator, c.denominator))
    found = []
    for point in points:
        program = _program([value - q for value, q in zip(values, point, strict=True)], x)
        if program is None:
            return None
        found.append(program)
    return found


def _program(equations: Sequence[Any], x: Sequence[Any]) -> dict[str, Any] | None:
    """The first real solution; free coordinates are tried at 0, 1 and -1."""
    for fixed in _fixings(len(x)):
        left = [y for y, value in zip(x, fixed, strict=True) if value is None]
        known = {y: value for y, value in zip(x, fixed, strict=True) if value is not None}
        rest = [e for e in (equation.subs(known) for equation in equations) if e != 0]
        if any(e.is_number for e in rest):
            continue
        solved = _solve(rest, left)
        if solved is not None:
            theta, interval, own = solved
            coordinates = [own[y] if y in own else [Fraction(known[y])] for y in x]
            return {
                "polynomial": theta,
                "interval": [_pair(end) for end in interval],
                "coordinates": [[_pair(c) for c in row] for row in coordinates],
            }
    return None


def _fixings(r: int) -> Iterator[tuple[int | None, ...]]:
    """None for a coordinate to be solved for; as few fixed ones as possible come first."""
    yield from sorted(product((None, 0, 1, -1), repeat=r), key=lambda f: sum(value is not None for value in f))


def _pair(value: Any) -> list[int]:
    return [int(value.numerator), int(value.denominator)]


def _solve(equations: Sequence[Any], x: Sequence[Any]) -> Any:
    """(polynomial, interval, coordinates by symbol) for a system with finitely many solutions, or None."""
    import sympy

    if not x:
        return [0, 1], (Fraction(-1), Fraction(1)), {}
    theta = sympy.Symbol("theta")
    for weights in (range(len(x)), range(1, len(x) + 1), [(-1) ** i * (i + 1) for i in range(len(x))]):
        total = sum(((w + (len(x) == 1)) * y for w, y in zip(weights, x, strict=True)), sympy.Integer(0))
        basis = sympy.groebner([*equations, theta - total], *x, theta, order="lex")
        if not basis.is_zero_dimensional:
            return None
        for factor, _ in sympy.factor_list(basis.exprs[-1], theta)[1]:
            own = _in_field(basis, factor, x, theta)
            root = _first_root(factor, theta)
            if own is not None and root is not None:
                return [int(c) for c in reversed(factor.as_poly(theta).all_coeffs())], root, own
    return None


def _in_field(basis: Any, factor: Any, x: Sequence[Any], theta: Any) -> Any:
    """Every coordinate as the coefficients of a polynomial in theta, if the basis has that form."""
    import sympy

    own = {}
    reduced = sympy.groebner([*basis.exprs, factor], *x, theta, order="lex")
    if sympy.degree(factor, theta) < 1 or reduced.exprs == [1]:
        return None
    for y in x:
        remainder = reduced.reduce(y)[1]
        if remainder.free_symbols - {theta}:
            return None
        row = reversed(sympy.Poly(remainder, theta).all_coeffs())
        own[y] = [Fraction(int(c.p), int(c.q)) for c in row]
    return own


def _first_root(factor: Any, theta: Any) -> tuple[Fraction, Fraction] | None:
    """An interval around the first real root at whose ends the polynomial has different signs."""
    import sympy

    polynomial: Any = sympy.Poly(factor, theta)
    if polynomial.degree() == 1:
        root = -polynomial.nth(0) / polynomial.nth(1)
        middle = Fraction(int(root.p), int(root.q))
        return middle - 1, middle + 1
    for (low, high), _ in polynomial.intervals(eps=sympy.Rational(1, 1024)):
        ends = [Fraction(int(end.p), int(end.q)) for end in (low, high)]
        if polynomial.eval(low) * polynomial.eval(high) < 0:
            return ends[0], ends[1]
    return None
