"""Polynomials with integer coefficients in numbered variables: add, multiply, read from JSON.

A polynomial is a dict from monomials to nonzero integers; a monomial is the non-decreasing tuple of its variables, so
`x_0^2 x_3` is (0, 0, 3) and the constant is ().
"""

from __future__ import annotations

from typing import Any

from .strict import integers, listing, need

Monomial = tuple[int, ...]
Polynomial = dict[Monomial, int]

MAX_PRODUCTS = 10**7  # products of two terms in one certificate, a limit of this program
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


def read_polynomial(value: Any, where: str, variables: int) -> Polynomial:
    """A list of [coefficient, [variable, ...]]: coefficients nonzero, variables non-decreasing, no monomial twice."""
    result: Polynomial = {}
    for term in listing(value, where):
        coefficient, monomial = listing(term, where, 2)
        integers([coefficient], where, -float("inf"), float("inf"))
        numbers = tuple(integers(monomial, where, 0, variables - 1))
        need(len(numbers) <= MAX_DEGREE, f"{where}: a degree is above {MAX_DEGREE}")
        need(coefficient != 0 and list(numbers) == sorted(numbers), f"{where}: a term is zero or out of order")
        need(numbers not in result, f"{where}: a monomial occurs twice")
        result[numbers] = coefficient
    return result
