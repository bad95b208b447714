"""Which shape a width holds: from --m, --H, --L, --d, --k to one shape and one width.

Main definitions: `Fit`, `fit`.
"""

from __future__ import annotations

from dataclasses import dataclass

from symut.backbone.shape import Linear, Shape, positive, slot_count
from symut.errors import UsageError


@dataclass(frozen=True)
class Fit:
    """A shape with N <= m slots; `padding` = m - N coordinates stay zero (sparse) or spare (random)."""

    shape: Shape
    m: int

    @property
    def padding(self) -> int:
        """Coordinates beyond N."""
        return self.m - self.shape.N


def fit(
    H: int | None = None, L: int | None = None, d: int | None = None, k: int | None = None, m: int | None = None
) -> Fit:
    """H and L default to 2.  With m, missing d and k become the largest d = k that fits, one missing its largest value.

    Without m the width is N.  Raises UsageError if neither m nor d and k are given, or if m is too small (naming the
    smallest width that is not).
    """
    H, L = 2 if H is None else H, 2 if L is None else L
    positive(H=H, L=L, **{name: size for name, size in (("d", d), ("k", k), ("m", m)) if size is not None})
    count = slot_count(H, L)
    if d is not None and k is not None:
        return _full_shape(Shape(H, L, d, k), m)
    if m is None:
        raise UsageError("no width and no full shape", expected="--m, or --d and --k", remedy="for example --m 48")
    d, k = _largest(count, d, k, m)
    if d < 1 or k < 1:
        smallest = count.at(max(d, 1), max(k, 1))
        raise UsageError(
            f"--m {m} holds no shape with H = {H}, L = {L}",
            expected=f"at least {smallest}",
            got=str(m),
            remedy=f"pass --m {smallest}",
        )
    return Fit(Shape(H, L, d, k), m)


def _full_shape(shape: Shape, m: int | None) -> Fit:
    if m is not None and m < shape.N:
        raise UsageError(
            f"--m {m} is below N", expected=f"at least {shape.N}", got=str(m), remedy=f"pass --m {shape.N}"
        )
    return Fit(shape, shape.N if m is None else m)


def _largest(count: Linear, d: int | None, k: int | None, m: int) -> tuple[int, int]:
    """The largest sizes with per_k k + per_d d <= m, keeping the one that is given; 0 or less where nothing fits."""
    if k is not None:
        return (m - count.per_k * k) // count.per_d, k
    if d is not None:
        return d, (m - count.per_d * d) // count.per_k
    both = m // (count.per_k + count.per_d)
    return both, both
