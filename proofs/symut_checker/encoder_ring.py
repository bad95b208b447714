"""The ring of values: polynomials in variables, exponentials and atoms (FORMAT.md, section 13.3).

A *monomial* is the number of an exponent P, for exp(P), followed by the numbers of its atoms in increasing order.  An
*element* maps monomials to rational numbers that are not 0.  Exponents and atoms are numbered when they first occur;
elements are never changed after that.  Every operation is an identity of real functions, so equal elements have equal
values, whatever numbers the atoms mu stand for.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from fractions import Fraction

from .encoder_work import MAX_DEGREE, MAX_TERMS, Work, need_bits
from .strict import need

Number = int | Fraction
Monomial = tuple[int, ...]
Element = dict[Monomial, Number]
Exponent = tuple[int, int]  # p / q
ONE: Monomial = (0,)  # exponent number 0 is the exponent 0


def whole(c: Number) -> Number:
    """The same number, as an int if it is one."""
    return c if type(c) is int or c.denominator != 1 else c.numerator


def inverted(c: Number) -> Number:
    return whole(1 / Fraction(c))


class Ring:
    """Atoms number 0, .., n - 1 are the variables."""

    def __init__(self, work: Work, variables: int = 0) -> None:
        self.work, self.variables, self.kept = work, variables, 0
        self.exponents: list[Element] = [{}]
        self.exponent_numbers: dict[Hashable, int] = {frozenset(): 0}
        self.sums: dict[tuple[int, int], int] = {}
        self.atoms: dict[Hashable, int] = {("x", i): i for i in range(variables)}

    # ---- polynomials

    def constant(self, value: Number) -> Element:
        return {ONE: value} if value else {}

    def variable(self, i: int) -> Element:
        return {(0, i): 1}

    def combination(self, terms: Iterable[tuple[Number, Element]]) -> Element:
        """The sum of factor times element."""
        total: Element = {}
        for factor, element in terms:
            self.work.spend(1 + len(element))
            for monomial, coefficient in element.items():
                total[monomial] = added = total.get(monomial, 0) + factor * coefficient
                if type(added) is not int:  # coprime denominators grow on the way to a sum
                    need_bits(added.numerator, added.denominator)
            self.need_room(len(total))
        return self.settled(total)

    def minus(self, a: Element, b: Element) -> Element:
        return self.combination([(1, a), (-1, b)])

    def scaled(self, a: Element, divisor: Number) -> Element:
        """a / divisor."""
        return self.combination([(inverted(divisor), a)])

    def times(self, a: Element, b: Element) -> Element:
        total: Element = {}
        self.work.spend(1)
        for m, c in a.items():
            self.work.spend(1 + len(b))
            for other, factor in b.items():
                product = self.joined(m, other)
                total[product] = added = total.get(product, 0) + c * factor
                if type(added) is not int:
                    need_bits(added.numerator, added.denominator)
            self.need_room(len(total))
        return self.settled(total)

    def dot(self, a: Iterable[Element], b: Iterable[Element]) -> Element:
        """The sum of the products, one at a time."""
        return self.combination((1, self.times(x, y)) for x, y in zip(a, b, strict=True))

    def joined(self, m: Monomial, other: Monomial) -> Monomial:
        """The product of two monomials."""
        exponent = self.added(m[0], other[0])
        return (
            (exponent, *sorted(m[1:] + other[1:])) if len(m) > 1 and len(other) > 1 else (exponent, *m[1:], *other[1:])
        )

    def settled(self, total: Element) -> Element:
        """Without zeros, within the limits."""
        element = {monomial: whole(c) for monomial, c in total.items() if c}
        for monomial, c in element.items():
            need_bits(c.numerator, c.denominator)
            need(len(monomial) <= MAX_DEGREE + 1, f"a product of more than {MAX_DEGREE} values is too large to check")
        return element

    def keep(self, terms: int) -> None:
        """Terms that stay in memory."""
        self.kept += terms
        self.need_room(0)

    def need_room(self, terms: int) -> None:
        need(self.kept + terms <= MAX_TERMS, "the values of the encoder are too large to check")

    # ---- exponentials

    def exp(self, P: Element) -> Element:
        return {(self.exponent(P),): 1}

    def exponent(self, P: Element) -> int:
        """The number of an exponent."""
        self.work.spend(1 + len(P))
        key = frozenset(P.items())
        if key not in self.exponent_numbers:
            self.keep(1 + 2 * len(P))
            self.exponent_numbers[key] = len(self.exponents)
            self.exponents.append(P)
        return self.exponent_numbers[key]

    def added(self, e: int, f: int) -> int:
        """The number of the sum of two exponents."""
        if e == 0 or f == 0:
            return e or f
        pair = (e, f) if e < f else (f, e)
        if pair not in self.sums:
            self.keep(1)
            self.sums[pair] = self.exponent(self.combination([(1, self.exponents[e]), (1, self.exponents[f])]))
        return self.sums[pair]

    def larger(self, e: int, f: int) -> bool:
        """Whether the difference of two exponents has a positive coefficient at its last monomial: a total order that
        adding an exponent to both does not change."""
        P, Q = self.exponents[e], self.exponents[f]
        self.work.spend(len(P) + len(Q))
        last = max((m for m in P.keys() | Q.keys() if P.get(m, 0) != Q.get(m, 0)), default=ONE)
        return P.get(last, 0) > Q.get(last, 0)

    # ---- atoms

    def atom(self, key: Hashable, terms: int = 0) -> int:
        if key not in self.atoms:
            self.keep(1 + terms)
            self.atoms[key] = len(self.atoms)
        return self.atoms[key]

    def mean(self, row: int, coordinate: int) -> Element:
        """The atom mu of one head, query and coordinate: a coordinate belongs to one head."""
        return {(0, self.atom(("mu", row, coordinate))): 1}

    def relu(self, P: Element) -> Element:
        """The atom of P, where P is scaled to have the last coefficient 1 or -1."""
        factor = abs(P[max(P)])
        scaled = self.scaled(P, factor)
        return {(0, self.atom(("relu", frozenset(scaled.items())), len(P))): factor}

    def root(self, P: Element, exponent: Exponent) -> Element:
        """P^(p/q) for P >= 0."""
        if not P or P == {ONE: 1}:
            return P
        return {(0, self.atom(("root", (frozenset(P.items()), exponent)), len(P))): 1}

    def rho(self, D: Element) -> Element:
        """1 / D for D that is not 0: D = c exp(P) E, where P is its largest exponent and c the coefficient of the last
        monomial with it; E is the same for all multiples by a number and an exponential."""
        top = -1
        for exponent in {monomial[0] for monomial in D}:
            top = exponent if top < 0 or self.larger(exponent, top) else top
        leading = max(monomial for monomial in D if monomial[0] == top)
        inverse = self.exponent(self.combination([(-1, self.exponents[top])]))
        factor = inverted(D[leading])
        E = self.times(D, {(inverse,): factor})
        if E == {ONE: 1}:
            return {(inverse,): factor}
        return {(inverse, self.atom(("rho", frozenset(E.items())), len(E))): factor}
