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
from .strict import fields, integers, listing, need

Element = list[Fraction]  # coefficients of 1, theta, theta^2, ...
MAX_DEGREE = 64


def rule_model(chosen: Slice, value: Any) -> None:
    table = fields(value, "model", ("scores", "programs"))
    built = system(chosen)
    scores = [rational(x, "model.scores") for x in listing(table["scores"], "model.scores")]
    programs = listing(table["programs"], "model.programs", len(chosen.points))
    free = [t for t in range(len(chosen.points)) if pinned(chosen, t) is None]
    need(len(scores) == len(built.names) - chosen.r * len(free), "model.scores: not one number for each coefficient")
    for t, program in enumerate(programs):
        modulus, coordinates = read_program(program, chosen.r)
        known = pinned(chosen, t)
        need(
            known is None or coordinates == [element([Fraction(x)]) for x in known],
            f"model.programs: {t + 1} is pinned",
        )
        # the variables of other programs do not occur in the equations of this one
        start = len(scores) + chosen.r * free.index(t) if t in free else len(built.names)
        values = [element([x]) for x in scores] + [[]] * (start - len(scores)) + coordinates
        for equation in built.equations[t * chosen.n : (t + 1) * chosen.n]:
            need(not evaluate(equation, values, modulus), f"model: point {t + 1} is not reached")


def read_program(value: Any, r: int) -> tuple[Element, list[Element]]:
    table = fields(value, "model.programs", ("polynomial", "interval", "coordinates"))
    modulus = [Fraction(c) for c in integers(table["polynomial"], "model.programs", -math.inf, math.inf)]
    need(2 <= len(modulus) <= MAX_DEGREE and modulus[-1] != 0, "model.programs.polynomial: degree 0 or too large")
    low, high = (
        rational(x, "model.programs.interval") for x in listing(table["interval"], "model.programs.interval", 2)
    )
    need(low < high and at(modulus, low) * at(modulus, high) < 0, "model.programs.interval: no change of sign")
    rows = listing(table["coordinates"], "model.programs.coordinates", r)
    read = [
        [rational(x, "model.programs.coordinates") for x in listing(row, "model.programs.coordinates")] for row in rows
    ]
    need(all(len(row) < len(modulus) for row in read), "model.programs.coordinates: not reduced")
    return modulus, [element(row) for row in read]


def rational(value: Any, where: str) -> Fraction:
    numerator, denominator = integers(value, where, -math.inf, math.inf, 2)
    need(denominator >= 1, f"{where}: a denominator below 1")
    return Fraction(numerator, denominator)


def at(polynomial: Element, point: Fraction) -> Fraction:
    result = Fraction(0)
    for coefficient in reversed(polynomial):
        result = result * point + coefficient
    return result


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


def evaluate(equation: Polynomial, values: list[Element], modulus: Element) -> Element:
    result: Element = []
    for monomial, coefficient in equation.items():
        term = [Fraction(coefficient)]
        for variable in monomial:
            term = times(term, values[variable], modulus)
        width = max(len(result), len(term))
        result = element([sum(x[i] for x in (result, term) if i < len(x)) + Fraction(0) for i in range(width)])
    return result
