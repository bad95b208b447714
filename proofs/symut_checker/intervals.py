"""Intervals [low, high] of real numbers as pairs of integers over 2^BITS, rounded outward; exp and softmax.

Every function returns an interval that contains the exact value for all numbers in its arguments, so that precision
decides only whether a rule accepts, never what it proves.
"""

from __future__ import annotations

from .strict import need

BITS = 512
ONE = 1 << BITS

Interval = tuple[int, int]


def quotient(a: int, b: int) -> Interval:
    """a / b as an interval, b >= 1."""
    return (a << BITS) // b, -((-a << BITS) // b)


def total(terms: list[Interval]) -> Interval:
    return sum(low for low, _ in terms), sum(high for _, high in terms)


def product(x: Interval, y: Interval) -> Interval:
    ends = [a * b for a in x for b in y]
    return min(ends) >> BITS, -(-max(ends) >> BITS)


def multiple(a: int, x: Interval) -> Interval:
    """a x for an integer a, without rounding."""
    return (a * x[0], a * x[1]) if a >= 0 else (a * x[1], a * x[0])


def exp_at(x: int) -> Interval:
    """exp(x / 2^BITS) for one number x <= 0: Taylor's polynomial at x / 2^s, then s squarings."""
    if x <= -BITS * ONE:
        return 0, 1  # exp(-BITS) < 2^-BITS
    s = max(0, x.bit_length() - BITS) + 8
    low, high = exp_near_zero((x >> s, -(-x >> s)))
    for _ in range(s):
        low, high = low * low >> BITS, -(-high * high >> BITS)
    return low, high


def exp_near_zero(r: Interval) -> Interval:
    """exp on [r0, r1] with -1 <= r0 <= r1 <= 0.  exp(r) is the sum of r^j / j! for j < n up to |r|^n / n!, because all
    derivatives of exp lie between 0 and 1 there (Lagrange); it stops at the first n where that term rounds to one
    unit."""
    term: Interval = (ONE, ONE)
    low, high = 0, 0
    n = 0
    while max(-term[0], term[1]) > 1:
        low, high = low + term[0], high + term[1]
        n += 1
        a, b = product(term, r)
        term = a // n, -(-b // n)
    return low - 1, high + 1


def exp(x: Interval) -> Interval:
    """exp on [x0, x1] with x1 <= 0: exp(x0) >= exp(x1) (1 - (x1 - x0))."""
    low, high = exp_at(x[1])
    return max(0, low * (ONE - (x[1] - x[0])) >> BITS), min(ONE, high)


def softmax(scores: list[Interval]) -> list[Interval]:
    """exp(s_b) / sum_c exp(s_c), after subtracting the largest upper end from all of them, which changes nothing."""
    top = max(high for _, high in scores)
    weights = [exp((low - top, high - top)) for low, high in scores]
    low, high = total(weights)
    need(low > 0, "softmax: the scores are not known well enough")
    return [((a << BITS) // high, -((-b << BITS) // low)) for a, b in weights]
