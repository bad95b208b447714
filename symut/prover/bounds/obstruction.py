"""Head width k = m at H = L = d = 1: an open ball of backbones whose scores never change their sign.

Main definitions: `head_width_obstruction`.
Main result: around RQ = RK = identity the symmetric part of RQ RK^T stays strictly diagonally dominant while
m (2 r + m r^2) < 1, so every score e RQ RK^T e^T is at least 0 (proofs/FORMAT.md, rule O).
"""

from __future__ import annotations

from math import isqrt

from symut.certificate import Certificate
from symut.errors import UsageError
from symut.prover.argument import Argument
from symut.statement import HeadWidthObstruction, Step

STEPS = 10**6
"""The radius is the largest multiple of 1 / (10^6 m) that the rule allows."""
WIDTH_LIMIT = 200


def largest_radius(m: int) -> tuple[int, int]:
    """(a, b) with r = a / b the largest multiple of 1 / (10^6 m) for which (m r)^2 + 2 m r < 1.

    With m r = a / s, s = 10^6, that is (a + s)^2 < 2 s^2.
    """
    return isqrt(2 * STEPS**2 - 1) - STEPS, STEPS * m


def head_width_obstruction(statement: HeadWidthObstruction) -> Argument:
    """A ball of backbones without a program for targets with negative scores (goal head_width_obstruction)."""
    m = statement.m
    if m > WIDTH_LIMIT:
        raise UsageError("--m is too large for check.py", expected=f"at most {WIDTH_LIMIT}", got=str(m))
    radius, denominator = largest_radius(m)
    identity = [[denominator * (i == j) for j in range(m)] for i in range(m)]
    ball = {"RQ": identity, "RK": identity, "denominator": denominator, "radius": radius}
    steps = (
        Step(
            "ball",
            f"A = B = identity, r = {radius}/{denominator}: in this ball every entry of RQ RK^T differs from the "
            "identity's by at most t = 2 r + m r^2",
            "triangle inequality",
        ),
        Step(
            "sign",
            "m t < 1, so the symmetric part of RQ RK^T is strictly diagonally dominant with positive diagonal, hence "
            "positive definite: e RQ RK^T e^T >= 0 for every program e",
            "diagonal dominance, exact integers",
        ),
        Step(
            "separation",
            "for one token x = 1 the target's score WQ WK^T is negative; the attention function that is 1 at this "
            "number and 0 elsewhere makes the target answer WV != 0 and the backbone 0",
            "one attention function",
        ),
    )
    return Argument(statement, Certificate(statement.sha256, parts={"ball": ball}), steps, ())
