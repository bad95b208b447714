"""The ring of section 13.3: normal forms are identities of functions, and those that FORMAT.md names are found."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest

from tests.check import build

R, S, W = (build.rule(f"encoder_{name}") for name in ("ring", "signs", "work"))
Element = dict[tuple[int, ...], Any]


class Tree:
    """The same random expression as an element and as a function of a point."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.ring = R.Ring(W.Work(), 3)

    def grown(self, depth: int) -> tuple[Element, Any]:
        kind = (
            self.rng.choice(["x", "number"])
            if depth == 0
            else self.rng.choice(["sum", "times", "exp", "rho", "relu", "root"])
        )
        return getattr(self, kind)(depth)

    def x(self, _: int) -> tuple[Element, Any]:
        i = self.rng.randrange(3)
        return self.ring.variable(i), lambda p: p[i]

    def number(self, _: int) -> tuple[Element, Any]:
        c = self.rng.choice([-2, 1, 3])
        return self.ring.constant(c), lambda p: c

    def sum(self, depth: int) -> tuple[Element, Any]:
        (a, f), (b, g), c = self.grown(depth - 1), self.grown(depth - 1), self.rng.choice([-1, 2])
        return self.ring.combination([(1, a), (c, b)]), lambda p: f(p) + c * g(p)

    def times(self, depth: int) -> tuple[Element, Any]:
        (a, f), (b, g) = self.grown(depth - 1), self.grown(depth - 1)
        return self.ring.times(a, b), lambda p: f(p) * g(p)

    def exp(self, depth: int) -> tuple[Element, Any]:
        """Of a bounded multiple, so that floats can follow."""
        a, f = self.grown(depth - 1)
        return self.ring.exp(self.ring.scaled(a, 64)), lambda p: math.exp(f(p) / 64)

    def rho(self, depth: int) -> tuple[Element, Any]:
        """Of exp(a) + exp(b)."""
        (a, f), (b, g) = self.exp(depth), self.exp(depth)
        return self.ring.rho(self.ring.combination([(3, a), (2, b)])), lambda p: 1 / (3 * f(p) + 2 * g(p))

    def relu(self, depth: int) -> tuple[Element, Any]:
        a, f = self.grown(depth - 1)
        return self.ring.relu(a) if a else {}, lambda p: max(f(p), 0.0)

    def root(self, depth: int) -> tuple[Element, Any]:
        """Of exp(a) + exp(b)."""
        (a, f), (b, g), (p, q) = self.exp(depth), self.exp(depth), self.rng.choice([(1, 2), (2, 3)])
        total = self.ring.combination([(3, a), (2, b)])
        return self.ring.root(total, (p, q)), lambda at: (3 * f(at) + 2 * g(at)) ** (p / q)


def evaluated(ring: Any, element: Element, point: list[float]) -> float:
    """By the tables of the ring alone: atoms and exponents by their keys."""
    names = {number: key for key, number in ring.atoms.items()}

    def at(e: Element) -> float:
        return sum(float(c) * math.exp(at(ring.exponents[m[0]])) * math.prod(map(atom, m[1:])) for m, c in e.items())

    def atom(number: int) -> float:
        kind, what = names[number]
        if kind == "root":
            return at(dict(what[0])) ** (what[1][0] / what[1][1])
        return point[what] if kind == "x" else 1 / at(dict(what)) if kind == "rho" else max(at(dict(what)), 0.0)

    return at(element)


@pytest.mark.parametrize("seed", range(150))
def test_an_element_has_the_value_of_its_expression(seed: int) -> None:
    tree = Tree(seed)
    element, function = tree.grown(4)
    for _ in range(3):
        point = [tree.rng.uniform(-1.5, 1.5) for _ in range(3)]
        try:
            expected = function(point)
            found = evaluated(tree.ring, element, point)
        except OverflowError:  # a tower of exponentials
            continue
        assert math.isclose(found, expected, rel_tol=1e-9, abs_tol=1e-9)


@pytest.mark.parametrize("seed", range(60))
def test_expressions_that_differ_somewhere_are_not_equal(seed: int) -> None:
    tree = Tree(1000 + seed)
    (a, f), (b, g) = tree.grown(3), tree.grown(3)
    points = [[tree.rng.uniform(-1, 1) for _ in range(3)] for _ in range(5)]
    differ = any(not math.isclose(f(p), g(p), rel_tol=1e-6, abs_tol=1e-6) for p in points)
    assert not differ or tree.ring.minus(a, b)


def three() -> tuple[Any, list[Element]]:
    ring = R.Ring(W.Work(), 3)
    return ring, [ring.variable(i) for i in range(3)]


def test_exponentials_multiply_by_adding() -> None:
    ring, (x, y, _) = three()
    xy = ring.times(x, y)
    assert ring.times(ring.exp(x), ring.exp(xy)) == ring.exp(ring.combination([(1, x), (1, xy)]))
    assert ring.exp({}) == ring.constant(1)
    assert ring.times(ring.exp(x), ring.exp(ring.scaled(x, -1))) == ring.constant(1)
    assert ring.exp(ring.exp(x)) != ring.exp(x)
    assert ring.exp(ring.constant(1)) != ring.constant(1)


@pytest.mark.parametrize("factor", [1, -2, R.Fraction(3, 5)])
def test_rho_leaves_numbers_and_exponentials_out(factor: Any) -> None:
    """rho(c exp(P) D) = rho(D) exp(-P) / c, for sums of exponentials, with polynomials between them."""
    ring, (x, y, z) = three()
    terms = [ring.exp(x), ring.times(y, ring.exp(y)), ring.times(y, z), ring.exp(ring.times(y, z)), x]
    for size in range(1, len(terms) + 1):
        D = ring.combination([(i + 1, term) for i, term in enumerate(terms[:size])])
        for P in (x, ring.scaled(x, -1), ring.times(y, z), ring.combination([(1, ring.times(x, x)), (-5, z)])):
            scaled = ring.times(ring.times(D, ring.exp(P)), ring.constant(factor))
            expected = ring.scaled(ring.times(ring.rho(D), ring.exp(ring.scaled(P, -1))), factor)
            assert ring.rho(scaled) == expected


def test_rho_of_one_exponential_is_no_atom() -> None:
    ring, (x, _, _) = three()
    assert ring.rho(ring.exp(x)) == ring.exp(ring.scaled(x, -1))
    assert ring.rho(ring.constant(-4)) == ring.constant(R.Fraction(-1, 4))
    assert len(ring.atoms) == 3


def test_rho_of_different_elements_differs() -> None:
    ring, (x, y, _) = three()
    one, both = ring.constant(1), ring.combination([(1, x), (1, y)])
    elements = [x, both, ring.combination([(1, x), (2, y)]), ring.combination([(1, both), (1, one)]), ring.times(x, x)]
    assert len({tuple(ring.rho(D)) for D in elements}) == len(elements)


def test_relu_is_positively_homogeneous_only() -> None:
    ring, (x, y, _) = three()
    P = ring.combination([(2, x), (-3, y)])
    assert ring.relu(ring.scaled(P, R.Fraction(1, 7))) == ring.scaled(ring.relu(P), R.Fraction(1, 7))
    assert ring.relu(ring.scaled(P, -1)) not in (ring.relu(P), ring.scaled(ring.relu(P), -1))
    assert ring.relu(ring.combination([(1, P), (1, ring.constant(1))])) != ring.relu(P)


def test_roots_of_0_and_1_are_no_atoms_and_others_are_atoms_of_their_own() -> None:
    ring, (x, y, _) = three()
    assert (ring.root({}, (1, 2)), ring.root(ring.constant(1), (2, 3))) == ({}, ring.constant(1))
    found = [ring.root(P, A) for P in (x, y, ring.scaled(x, 4), ring.constant(4)) for A in ((1, 2), (1, 3), (2, 3))]
    assert len({tuple(P) for P in found}) == 12
    assert ring.root(x, (1, 2)) == found[0]
    assert all(S.by_terms(P) == {-1, 0, 1} for P in found)


def test_means_of_other_rows_or_coordinates_are_other_atoms() -> None:
    ring, _ = three()
    assert len({tuple(ring.mean(row, c)) for row in range(3) for c in range(3)}) == 9
    assert ring.mean(0, 1) == ring.mean(0, 1)


def test_the_order_of_exponents_is_total_and_does_not_change_under_shifts() -> None:
    ring, (x, y, z) = three()
    pieces = [x, y, z, ring.times(x, y), ring.exp(x), ring.constant(1), ring.rho(ring.combination([(1, x), (1, y)]))]
    rng = random.Random(3)
    numbers = []
    for _ in range(12):
        numbers.append(ring.exponent(ring.combination([(rng.randrange(-2, 3), piece) for piece in pieces])))
    for e in numbers:
        for f in numbers:
            assert ring.larger(e, f) + ring.larger(f, e) == (e != f)
            assert all(ring.larger(ring.added(e, g), ring.added(f, g)) == ring.larger(e, f) for g in numbers[:4])


def test_signs_by_terms() -> None:
    ring, (x, y, _) = three()
    e, f = ring.exp(x), ring.exp(ring.times(x, y))
    known = {
        1: [ring.constant(3), e, ring.combination([(1, e), (2, f), (R.Fraction(1, 2), ring.constant(1))])],
        -1: [ring.constant(-1), ring.combination([(-1, e), (-2, f)])],
        0: [{}],
    }
    for sign, elements in known.items():
        assert all(S.by_terms(element) == {sign} for element in elements)
    unknown = [x, ring.times(x, x), ring.minus(e, f), ring.times(x, e), ring.rho(ring.combination([(1, e), (1, f)]))]
    assert all(S.by_terms(element) == {-1, 0, 1} for element in unknown)


def test_signs_where_a_polynomial_is_zero_or_not() -> None:
    ring, (x, y, z) = three()
    g = ring.minus(ring.times(x, y), z)
    square, one = ring.times(g, g), ring.constant(1)
    zero, other = S.assumed_zero(ring, g), S.assumed_not_zero(ring, g)
    assert zero(ring.combination([(2, g), (-5, square)])) == {0}
    assert zero(ring.combination([(2, g), (-5, square), (-3, one)])) == {-1}
    assert zero(ring.combination([(1, g), (1, x)])) == {-1, 0, 1}
    assert zero(ring.times(g, x)) == {-1, 0, 1}
    assert other(ring.scaled(g, -3)) == {-1, 1}
    assert (other(square), other(ring.scaled(square, -2))) == ({1}, {-1})
    assert other(ring.combination([(1, square), (1, g)])) == {-1, 0, 1}
    assert other(ring.combination([(1, square), (1, one)])) == {-1, 0, 1}


def test_denominators_that_grow_on_the_way_to_a_sum_are_bounded():
    """The sum cancels at the end, so that the limit on results alone would not meet the large denominators."""
    from fractions import Fraction

    ring = R.Ring(W.Work(), 1)
    parts = [(Fraction(sign, p), ring.variable(0)) for sign in (1, -1) for p in (2**89 - 1, 2**107 - 1, 2**127 - 1)]
    with pytest.raises(build.rule("strict").Invalid, match="too large to check"):
        ring.combination(parts)


def test_every_exponential_costs_work():
    ring = R.Ring(W.Work(), 2)
    P = ring.combination([(1, ring.variable(0)), (1, ring.variable(1))])
    before = ring.work.left
    ring.exp(P)
    ring.exp(P)
    assert before - ring.work.left >= 2 * len(P)
