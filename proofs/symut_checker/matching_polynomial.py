"""Polynomials with integer coefficients in numbered variables: add, multiply, read from JSON.

A polynomial is a dict from monomials to nonzero integers; a monomial is the non-decreasing tuple of its variables, so
`x_0^2 x_3` is (0, 0, 3) and the constant is ().
"""

from __future__ import annotations

from typing import Any

from .matching_work import Budget, bits
from .strict import integers, listing, need

Monomial = tuple[int, ...]
Polynomial = dict[Monomial, int]

MAX_DEGREE = 64


def constant(value: int) -> Polynomial:
    return {(): value} if value else {}


def variable(number: int) -> Polynomial:
    return {(number,): 1}


def add(*terms: Polynomial) -> Polynomial:
    result: Polynomial = {}
    for polynomial in terms:
        for monomial, coefficient in polynomial.items():
            total = result.get(monomial, 0) + coefficient
            if total:
                result[monomial] = total
            else:
                result.pop(monomial, None)
    return result


def multiply(left: Polynomial, right: Polynomial) -> Polynomial:
    result: Polynomial = {}
    for a, x in left.items():
        for b, y in right.items():
            monomial = tuple(sorted(a + b))
            result[monomial] = result.get(monomial, 0) + x * y
    return {monomial: coefficient for monomial, coefficient in result.items() if coefficient}


def add_product(total: Polynomial, factor: int, left: Polynomial, right: Polynomial, budget: Budget) -> None:
    """total += factor * left * right, in place; coefficients that become 0 stay."""
    longest = bits([factor]) + bits(left.values()) + bits(right.values())
    highest = max(map(len, left), default=0) + max(map(len, right), default=0)
    budget.spend(10 + len(left) * len(right) * (1 + highest // 8 + longest // 64))
    for a, x in left.items():
        for b, y in right.items():
            monomial = tuple(sorted(a + b))
            total[monomial] = total.get(monomial, 0) + factor * x * y


def read_polynomial(value: Any, where: str, variables: int, budget: Budget) -> Polynomial:
    """A list of [coefficient, [variable, ...]]: coefficients nonzero, variables non-decreasing, no monomial twice."""
    result: Polynomial = {}
    for term in listing(value, where):
        coefficient, monomial = listing(term, where, 2)
        budget.number(integers([coefficient], where, -float("inf"), float("inf"))[0])
        numbers = tuple(integers(monomial, where, 0, variables - 1))
        need(len(numbers) <= MAX_DEGREE, f"{where}: a degree is above {MAX_DEGREE}")
        budget.spend(1 + len(numbers) // 8)
        need(coefficient != 0 and list(numbers) == sorted(numbers), f"{where}: a term is zero or out of order")
        need(numbers not in result, f"{where}: a monomial occurs twice")
        result[numbers] = coefficient
    return result
