"""Real numbers as balls: midpoint and radius, rounded outwards (python-flint's `arb`).

Main definitions: `precision`, `ball`, `pivot_rows`, `scaled_inverse`, `inverts`.
Main result: `inverts` proves that a square matrix of balls is invertible, whatever numbers of the balls are meant.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction

import flint

Rows = Sequence[Sequence[flint.arb]]


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """Compute with this many bits inside the block."""
    before = flint.ctx.prec
    flint.ctx.prec = bits
    try:
        yield
    finally:
        flint.ctx.prec = before


def ball(number: Fraction | int) -> flint.arb:
    """The smallest ball around a rational at the current precision."""
    fraction = Fraction(number)
    return flint.arb(fraction.numerator) / fraction.denominator


def pivot_rows(rows: Rows, count: int) -> list[int]:
    """`count` rows that are far from dependent: Gaussian elimination on midpoints with complete pivoting."""
    left = {i: [x.mid() for x in row] for i, row in enumerate(rows)}
    chosen: list[int] = []
    columns = set(range(count))
    while columns:
        places = ((i, j) for i in left for j in sorted(columns))
        i, j = max(places, key=lambda place: abs(float(left[place[0]][place[1]])))
        pivot = left.pop(i)
        if pivot[j].is_zero():
            break
        chosen.append(i)
        columns.remove(j)
        for other, row in left.items():
            factor = (row[j] / pivot[j]).mid()
            left[other] = [(x - factor * y).mid() for x, y in zip(row, pivot, strict=True)]
    return chosen


def scaled_inverse(rows: Rows, scale_bits: int) -> list[list[int]] | None:
    """The inverse of the midpoints times 2^scale_bits, rounded to integers; None if the precision does not give it."""
    try:
        inverse = flint.arb_mat([list(row) for row in rows]).mid().inv()
    except ZeroDivisionError:
        return None
    if not all(x.is_finite() for x in inverse.entries()):
        return None
    return [[_nearest(x, scale_bits) for x in row] for row in inverse.tolist()]


def _nearest(x: flint.arb, bits: int) -> int:
    mantissa, exponent = (int(part) for part in x.mid().man_exp())
    shift = exponent + bits
    return mantissa << shift if shift >= 0 else (mantissa + (1 << (-shift - 1))) >> -shift


def total(balls: Iterable[flint.arb]) -> flint.arb:
    """Their sum."""
    return sum(balls, flint.arb(0))  # type: ignore[return-value]


def inverts(inverse: Sequence[Sequence[int]], scale: int, rows: Rows) -> bool:
    """Whether every absolute row sum of I - inverse . rows / scale is certainly below 1."""
    product = flint.arb_mat([list(row) for row in inverse]) * flint.arb_mat([list(row) for row in rows]) / scale
    return all(
        bool(total(abs(x - int(i == j)) for j, x in enumerate(row)) < 1) for i, row in enumerate(product.tolist())
    )
