"""Tokens that an equation determines, replaced by polynomials in the others.

Main definition: `Substitution`.
"""

from __future__ import annotations

from symut.rasp.arithmetic import Value
from symut.rasp.symbolic.ratio import Polynomial, Ratio, Space, rational, terms


class Substitution:
    """`self(value)` is the value without the tokens that have been solved for; their exponentials are renewed."""

    def __init__(self, space: Space) -> None:
        self.space = space
        self.solved: dict[int, Polynomial] = {}
        self._images: dict[int, Ratio | Value] = {}

    def solve(self, form: Polynomial) -> bool:
        """Assume form = 0, for a form free of solved tokens; False if it isolates no token."""
        column = self._isolated(form)
        if column is None:
            return False
        generator = self.space.generators[column]
        factor = form.derivative(column).leading_coefficient()
        image = generator - form / factor
        images = list(self.space.generators)
        images[column] = image
        self.solved = {i: p.compose(*images, ctx=self.space.context) for i, p in self.solved.items()}
        self.solved[column] = image
        self._images = {}
        return True

    def _isolated(self, form: Polynomial) -> int | None:
        """The last token that occurs linearly, with a constant coefficient, and in no exponential of the form."""
        degrees = form.degrees()
        used = [j for j in range(len(self.space.exponents)) if degrees[self.space.n + j]]
        if used:
            return None
        for i in reversed(range(self.space.n)):
            if degrees[i] == 1 and form.derivative(i).is_constant():
                return i
        return None

    def __call__(self, value: Ratio | Value) -> Ratio | Value:
        """Raises ZeroDivisionError if the denominator becomes 0."""
        if not isinstance(value, Ratio) or not self.solved:
            return value
        num, den = self._polynomial(value.num), self._polynomial(value.den)
        if den == 0:
            raise ZeroDivisionError
        over = self.space.ratio(den)
        return self.space.multiply(num, Ratio(over.den, over.num))

    def _polynomial(self, polynomial: Polynomial) -> Ratio | Value:
        degrees = polynomial.degrees()
        if any(degrees[self.space.n :]):
            return self._termwise(polynomial)
        if not any(degrees[i] for i in self.solved):
            return self.space.quotient(polynomial, self.space.one)
        images = [self.solved.get(i, generator) for i, generator in enumerate(self.space.generators)]
        return self.space.quotient(polynomial.compose(*images, ctx=self.space.context), self.space.one)

    def _termwise(self, polynomial: Polynomial) -> Ratio | Value:
        total: Ratio | Value = 0
        for monomial, coefficient in terms(polynomial):
            term: Ratio | Value = rational(coefficient)
            for i, exponent in enumerate(monomial):
                if exponent:
                    term = self.space.multiply(term, self.space.power(self._image(i), exponent))
            total = self.space.add(total, term)
        return total

    def _image(self, i: int) -> Ratio | Value:
        if i not in self._images:
            if i < self.space.n:
                polynomial = self.solved.get(i, self.space.generators[i])
                self._images[i] = self.space.quotient(polynomial, self.space.one)
            else:
                self._images[i] = self.space.exponential(self(self.space.exponents[i - self.space.n]))
        return self._images[i]
