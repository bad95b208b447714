"""Rules that exclude a width: Z (identity) for a slice system, and T (dimension) for all quadratic maps at once."""

from __future__ import annotations

import math
from typing import Any

from .matching_polynomial import Polynomial, add_product, constant, read_polynomial
from .matching_slice import Slice, system
from .matching_work import Budget
from .strict import fields, integers, listing, need


def rule_identity(chosen: Slice, value: Any, where: str) -> None:
    """scale + sum of weight * square^2 = sum of cofactor * equation, so no real point solves all equations."""
    table = fields(value, where, ("scale", "squares", "cofactors"))
    built, budget = system(chosen), Budget(where)
    variables = len(built.names)
    scale = integers([table["scale"]], f"{where}.scale", 1, math.inf)[0]
    budget.number(scale)
    difference: Polynomial = constant(scale)
    for entry in listing(table["squares"], f"{where}.squares"):
        weight, root = listing(entry, f"{where}.squares", 2)
        budget.number(integers([weight], f"{where}.squares", 1, math.inf)[0])
        s = read_polynomial(root, f"{where}.squares", variables, budget)
        add_product(difference, weight, s, s, budget)
    cofactors = listing(table["cofactors"], f"{where}.cofactors", len(built.equations))
    for cofactor, equation in zip(cofactors, built.equations, strict=True):
        c = read_polynomial(cofactor, f"{where}.cofactors", variables, budget)
        add_product(difference, -1, c, equation, budget)
    need(not any(difference.values()), f"{where}: the two sides are different polynomials")


def rule_dimension(H: int, L: int, m: int, value: Any) -> None:
    """Below H^L the outputs are too many; else some polynomial of this degree vanishes on the image of every map
    R^r -> R^n of degree 2, because there are more monomials before the substitution than after it.  With two heads and
    two layers the programs lie on a quadric, modulo which there are still fewer."""
    degree = integers([fields(value, "dimension", ("degree",))["degree"]], "dimension.degree", 1, math.inf)[0]
    # a gigantic H^L, which exceeds m, is not formed
    if (H.bit_length() - 1) * L > m.bit_length():
        return
    n, r = L * H, m - H**L
    if r < 0:
        return
    need(n * degree.bit_length() <= 2 * 10**5, "dimension: too large")
    quadric = H >= 2 and L >= 2
    need(r < n + quadric, f"dimension: {r} free coordinates are enough for {n} scores")
    after = math.comb(2 * degree + r, r) - quadric * math.comb(2 * degree - 2 + r, r)
    more = math.comb(degree + n, n) > after
    need(more, "dimension: no more monomials of this degree than of twice the degree in the free coordinates")
