"""Rule A: rational scores and algebraic programs that solve a slice system.

A program lies in Q(theta): theta is a real root of an integer polynomial, and every coordinate is a polynomial in
theta with rational coefficients.  An equation that is 0 modulo the polynomial holds at each of its roots.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from .matching_polynomial import Polynomial
from .matching_slice import Slice, pinned, system
from .matching_work import Budget, bits
from .strict import fields, integers, listing, need

Element = list[Fraction]  # coefficients of 1, theta, theta^2, ...
MAX_DEGREE = 64
MAX_MODEL_WORK = 5 * 10**6  # the growth of numbers is bounded generously


def rule_model(chosen: Slice, value: Any) -> None:
    table = fields(value, "model", ("scores", "programs"))
    built, budget = system(chosen), Budget("model", MAX_MODEL_WORK)
    scores = [rational(x, "model.scores", budget) for x in listing(table["scores"], "model.scores")]
    programs = listing(table["programs"], "model.programs", len(chosen.points))
    free = [t for t in range(len(chosen.points)) if pinned(chosen, t) is None]
    need(len(scores) == len(built.names) - chosen.r * len(free), "model.scores: not one number for each coefficient")
    for t, program in enumerate(programs):
        modulus, coordinates = read_program(program, chosen.r, budget)
        known = pinned(chosen, t)
        need(
            known is None or coordinates == [element([Fraction(x)]) for x in known],
            f"model.programs: {t + 1} is pinned",
        )
        # the variables of other programs do not occur in the equations of this one
        start = len(scores) + chosen.r * free.index(t) if t in free else len(built.names)
        values = [element([x]) for x in scores] + [[]] * (start - len(scores)) + coordinates
        for equation in built.equations[t * chosen.n : (t + 1) * chosen.n]:
            need(not evaluate(equation, values, modulus, budget), f"model: point {t + 1} is not reached")


def read_program(value: Any, r: int, budget: Budget) -> tuple[Element, list[Element]]:
    where = "model.programs"
    table = fields(value, where, ("polynomial", "interval", "coordinates"))
    modulus = integers(table["polynomial"], where, -math.inf, math.inf)
    need(2 <= len(modulus) <= MAX_DEGREE and modulus[-1] != 0, f"{where}.polynomial: degree 0 or too large")
    for c in modulus:
        budget.number(c)
    low, high = (rational(x, f"{where}.interval", budget) for x in listing(table["interval"], f"{where}.interval", 2))
    changes = low < high and sign_at(modulus, low, budget) * sign_at(modulus, high, budget) < 0
    need(changes, f"{where}.interval: no change of sign")
    rows = [listing(row, f"{where}.coordinates") for row in listing(table["coordinates"], f"{where}.coordinates", r)]
    need(all(len(row) < len(modulus) for row in rows), f"{where}.coordinates: not reduced")
    read = [element([rational(x, f"{where}.coordinates", budget) for x in row]) for row in rows]
    return [Fraction(c) for c in modulus], read


def rational(value: Any, where: str, budget: Budget) -> Fraction:
    numerator, denominator = integers(value, where, -math.inf, math.inf, 2)
    need(denominator >= 1, f"{where}: a denominator below 1")
    budget.number(numerator)
    budget.number(denominator)
    return Fraction(numerator, denominator)


def sign_at(polynomial: list[int], point: Fraction, budget: Budget) -> int:
    """The sign of the polynomial at p/q, from the integer sum of c_i p^i q^(degree - i)."""
    budget.spend(len(polynomial) * weight(bits(polynomial) + len(polynomial) * size([point])))
    total, power = 0, 1
    for c in reversed(polynomial):
        total = total * point.numerator + c * power
        power *= point.denominator
    return (total > 0) - (total < 0)


def size(x: Element) -> int:
    """The length of the longest numerator or denominator."""
    return max(bits(c.numerator for c in x), bits(c.denominator for c in x))


def weight(length: int) -> int:
    """Units for an operation with rational numbers of this length in bits, which takes the greatest common divisor."""
    return 1 + length // 64 + (length // 1024) ** 2


def element(coefficients: Element) -> Element:
    """Without leading zeros, so that 0 is the empty list."""
    end = len(coefficients)
    while end and coefficients[end - 1] == 0:
        end -= 1
    return coefficients[:end]


def times(left: Element, right: Element, modulus: Element) -> Element:
    product = [Fraction(0)] * (len(left) + len(right))
    for i, a in enumerate(left):
        for j, b in enumerate(right):
            product[i + j] += a * b
    while len(product) >= len(modulus):
        factor, shift = product[-1] / modulus[-1], len(product) - len(modulus)
        for i, c in enumerate(modulus):
            product[shift + i] -= factor * c
        product.pop()
    return element(product)


def work(left: Element, right: Element, modulus: Element) -> int:
    """Units for `times`.  A sum of k products has a denominator that is the product of theirs at worst, and each step
    of the reduction multiplies by the modulus and divides by its leading coefficient."""
    steps = max(0, len(left) + len(right) + 1 - len(modulus))
    length = min(len(left), len(right)) * (size(left) + size(right)) + 2 * steps * size(modulus)
    return 4 * (1 + len(left) * len(right) + steps * len(modulus)) * weight(length)


def evaluate(equation: Polynomial, values: list[Element], modulus: Element, budget: Budget) -> Element:
    result: Element = []
    for monomial, coefficient in equation.items():
        term = [Fraction(coefficient)]
        for variable in monomial:
            budget.spend(work(term, values[variable], modulus))
            term = times(term, values[variable], modulus)
        width = max(len(result), len(term))
        budget.spend(width * weight(size(result) + size(term)))
        result = element([sum(x[i] for x in (result, term) if i < len(x)) + Fraction(0) for i in range(width)])
    return result
