"""One branch of a case analysis: the signs that have been assumed, what follows from them, and what is still open.

Main definitions: `Path`, `EmptyCaseError`, `Step`.

Every condition of a program is a question about the sign of a polynomial: "is it 0?" or "is it negative, 0 or
positive?". A polynomial is split into irreducible factors.  An equation that can be solved for a token is
substituted, so that all later forms are free of that token.  For linear factors an exact simplex method decides which
signs are possible; for others all signs count as possible, which can only make more cases.  An exponential is
positive, and exp(p) - exp(q) has the sign of p - q.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from symut.rasp.arithmetic import Value
from symut.rasp.symbolic.linear import Answer, Row, solve, value_at
from symut.rasp.symbolic.ratio import Polynomial, Ratio, Space
from symut.rasp.symbolic.substitution import Substitution

Signs = frozenset[int]
NEGATIVE, ZERO, POSITIVE = frozenset((-1,)), frozenset((0,)), frozenset((1,))
NONZERO, ANY = NEGATIVE | POSITIVE, NEGATIVE | ZERO | POSITIVE


class EmptyCaseError(Exception):
    """No input satisfies what has been assumed."""


@dataclass(frozen=True)
class Step:
    """One question: the `form`, the signs `chosen`, the `others` that are possible too, and why the rest is not."""

    form: Polynomial
    chosen: Signs
    others: tuple[Signs, ...] = ()
    exclusion: Answer | None = None


@dataclass
class _Fact:
    form: Polynomial
    signs: Signs
    row: Row | None = field(default=None)


class Path:
    """A branch over `space`; the first answers are prescribed, later ones are the first that is possible."""

    def __init__(self, space: Space, prescribed: Sequence[Signs] = ()) -> None:
        self.space = space
        self.prescribed = list(prescribed)
        self.steps: list[Step] = []
        self.substitution = Substitution(space)
        self.facts: dict[str, _Fact] = {}
        self.complete = True
        """Whether every assumption is linear, so that the branch is known to have an input."""
        self._point: tuple[Any, ...] | None = None

    def tokens(self) -> list[Ratio | Value]:
        """The symbols of the tokens."""
        return [self.space.token(i) for i in range(self.space.n)]

    # ---- questions

    def is_zero(self, value: Ratio | Value) -> bool:
        """Whether the value is 0 on this branch."""
        reduced = self.reduced(value)
        if not isinstance(reduced, Ratio):
            return reduced == 0
        if self.space.definite(reduced.num):
            return False
        return any(self._factor(form, (ZERO, NONZERO)) == ZERO for form, _ in _factors(reduced.num)[1])

    def sign(self, value: Ratio | Value) -> int:
        """-1, 0 or 1."""
        reduced = self.reduced(value)
        if not isinstance(reduced, Ratio):
            return (reduced > 0) - (reduced < 0)
        sign = self._sign_of(reduced.num, ANY)
        return sign * self._sign_of(reduced.den, NONZERO) if sign else 0

    def _sign_of(self, polynomial: Polynomial, among: Signs) -> int:
        known = self.space.definite(polynomial)
        if known:
            return known
        sign, factors = _factors(polynomial)
        for form, multiplicity in factors:
            sign *= self._sign_of_power(form, multiplicity, among) if sign else 1
        return sign

    def _sign_of_power(self, form: Polynomial, multiplicity: int, among: Signs) -> int:
        if multiplicity % 2 == 0:
            return 0 if self._factor(form, (ZERO & among, NONZERO)) == ZERO else 1
        (found,) = self._factor(form, (NEGATIVE, ZERO & among, POSITIVE))
        return found

    def reduced(self, value: Ratio | Value) -> Ratio | Value:
        """The value without the tokens that equations on this branch determine."""
        try:
            return self.substitution(value)
        except ZeroDivisionError:  # a denominator that was assumed to be nonzero
            raise EmptyCaseError from None

    def _factor(self, form: Polynomial, choices: Sequence[Signs]) -> Signs:
        """Which of the choices holds for an irreducible form with leading coefficient 1."""
        known = self.space.definite(form)
        if known:
            return next(choice for choice in choices if known in choice)
        difference = self.space.exponent_difference(form)
        if difference is not None:
            sign = ZERO if self.is_zero(difference) else None
            if sign is None and NONZERO in choices:
                return NONZERO
            found = 0 if sign else self.sign(difference)
            return next(choice for choice in choices if found in choice)
        return self._decide(form, choices)

    # ---- decisions

    def _decide(self, form: Polynomial, choices: Sequence[Signs]) -> Signs:
        fact = self.facts.get(str(form))
        possible = fact.signs if fact else ANY
        options = [choice & possible for choice in choices if choice & possible]
        if not options:
            raise EmptyCaseError
        if len(options) > 1:
            options = [self._chosen(form, options, possible)]
        return next(choice for choice in choices if options[0] <= choice)

    def _chosen(self, form: Polynomial, options: list[Signs], possible: Signs) -> Signs:
        exclusion = None
        if len(self.steps) < len(self.prescribed):
            options = [self.prescribed[len(self.steps)]]
        else:
            left, exclusion = self._possible(form, possible)
            options = [option & left for option in options if option & left]
        step = Step(form, options[0], tuple(options[1:]), exclusion)
        self.steps.append(step)
        self._learn(form, step.chosen)
        return step.chosen

    def _possible(self, form: Polynomial, signs: Signs) -> tuple[Signs, Answer | None]:
        """The signs that the form can still take, and a combination that excludes the others.

        On a relatively open convex set a linear form that is not constant takes one sign only, or all three.
        """
        row = self.space.row(form)
        if row is None:
            return signs, None
        here = value_at(row, self.point())
        if here == 0:
            return signs, None
        sign = 1 if here > 0 else -1
        answer = solve([*self._strict(), _times(row, sign)], self.space.n)
        if answer.point is not None:
            return signs, None
        return frozenset((sign,)), answer

    def point(self) -> tuple[Any, ...]:
        """Rational values of the tokens that have not been substituted, with all linear assumptions."""
        if self._point is None:
            self._point = solve(self._strict(), self.space.n).point
            if self._point is None:
                raise EmptyCaseError
        return self._point

    def _strict(self) -> list[Row]:
        """The linear forms that are negative here."""
        facts = [fact for fact in self.facts.values() if fact.row and len(fact.signs) == 1]
        return [_times(fact.row, -next(iter(fact.signs))) for fact in facts if fact.row]

    def _learn(self, form: Polynomial, signs: Signs) -> None:
        self._point = None
        row = self.space.row(form)
        self.complete = self.complete and row is not None
        if signs == ZERO and self.substitution.solve(form):
            self._renew()
        else:
            self._add(form, signs)

    def _add(self, form: Polynomial, signs: Signs) -> None:
        fact = self.facts.setdefault(str(form), _Fact(form, ANY, self.space.row(form)))
        fact.signs &= signs
        if not fact.signs:
            raise EmptyCaseError

    def _renew(self) -> None:
        """Restate all facts without the token that has just been substituted."""
        facts, self.facts = list(self.facts.values()), {}
        for fact in facts:
            reduced = self.reduced(Ratio(fact.form, self.space.one))
            if not isinstance(reduced, Ratio):
                if (reduced > 0) - (reduced < 0) not in fact.signs:
                    raise EmptyCaseError
                continue
            sign, factors = _factors(reduced.num)
            if len(factors) == 1 and factors[0][1] == 1 and reduced.den.is_one():
                self._add(factors[0][0], frozenset(sign * s for s in fact.signs))


def _times(row: Row, factor: int) -> Row:
    return tuple(factor * a for a in row[0]), factor * row[1]


def _factors(polynomial: Polynomial) -> tuple[int, list[tuple[Polynomial, int]]]:
    """The sign of the constant factor, and irreducible factors with leading coefficient 1 and their multiplicities."""
    if polynomial.is_constant():
        return (1 if polynomial.leading_coefficient() > 0 else -1), []
    lead = polynomial.leading_coefficient()
    if polynomial.total_degree() == 1:
        return (1 if lead > 0 else -1), [(polynomial / lead, 1)]
    found = [(form / form.leading_coefficient(), multiplicity) for form, multiplicity in polynomial.factor()[1]]
    return (1 if lead > 0 else -1), sorted(found, key=lambda pair: str(pair[0]))
