"""Rule O: a ball of backbones whose scores have one sign only (FORMAT.md, section 10)."""

from __future__ import annotations

import math
from operator import mul
from typing import Any

from .matrices import Matrix
from .strict import fields, integers, listing, need

MAX_SIZE = 200  # a limit of this program, not of the format


def rule_obstruction(m: int, value: Any) -> None:
    """For all A, B in the ball the symmetric part of A B^T is strictly diagonally dominant with positive diagonal.
    All numbers are over `denominator`, the products over its square, which cancels."""
    need(m <= MAX_SIZE, f"ball: m exceeds {MAX_SIZE}, too large to check")
    table = fields(value, "ball", ("RQ", "RK", "denominator", "radius"))
    integers([table["denominator"]], "ball.denominator", 1, math.inf)
    (radius,) = integers([table["radius"]], "ball.radius", 1, math.inf)
    A, B = (centre(table[name], f"ball.{name}", m) for name in ("RQ", "RK"))
    product = [[sum(map(mul, a, b)) for b in B] for a in A]
    sums_a, sums_b = ([sum(map(abs, row)) for row in X] for X in (A, B))
    error = [[radius * (sums_a[i] + sums_b[j]) + m * radius**2 for j in range(m)] for i in range(m)]
    for i in range(m):
        others = [abs(product[i][j] + product[j][i]) + error[i][j] + error[j][i] for j in range(m) if j != i]
        dominant = 2 * (product[i][i] - error[i][i]) > sum(others)
        need(dominant, f"ball: row {i} of the symmetric part of A B^T need not be strictly dominant with positive sign")


def centre(value: Any, where: str, m: int) -> Matrix:
    return [integers(row, where, -math.inf, math.inf, m) for row in listing(value, where, m)]
