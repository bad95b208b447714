"""Which shape a width holds: from --m, --H, --L, --d, --k and a form to one shape and one width.

Main definitions: `Fit`, `fit`.
"""

from __future__ import annotations

from dataclasses import dataclass

from symut.backbone.forms import LAYERED, Form, FormShape, form_count
from symut.backbone.shape import positive
from symut.errors import UsageError


@dataclass(frozen=True)
class Fit:
    """A shape with N <= m slots; `padding` = m - N coordinates stay zero (0/1 tables) or spare (random)."""

    shape: FormShape
    m: int

    @property
    def padding(self) -> int:
        """Coordinates beyond N."""
        return self.m - self.shape.N


def fit(
    H: int | None = None,
    L: int | None = None,
    d: int | None = None,
    k: int | None = None,
    m: int | None = None,
    *,
    form: Form = LAYERED,
    d_out: int | None = None,
) -> Fit:
    """H and L default to 2.  With m, missing d and k become the largest d = k that fits, one missing its largest value.

    N is that of the form; where it does not depend on a missing width, that width is the other one.  Without m the
    width is N.  Raises UsageError if neither m nor the widths that N depends on are given, or if m is too small (naming
    the smallest width that is not).
    """
    H, L = 2 if H is None else H, 2 if L is None else L
    given = {"d": d, "k": k, "m": m, "d-out": d_out}
    positive(H=H, L=L, **{name: size for name, size in given.items() if size is not None})
    reads, rows, fixed = _coefficients(form, H, L, d_out)
    d, k = (k if d is None and not rows else d), (d if k is None and not reads else k)
    if d is not None and k is not None:
        return _full_shape(FormShape(form, H, L, d, k, d_out), m)
    if m is None:
        raise UsageError("no width and no full shape", expected="--m, or --d and --k", remedy="for example --m 48")
    d, k = _largest(reads, rows, d, k, m - fixed)
    if d < 1 or k < 1:
        smallest = fixed + rows * max(d, 1) + reads * max(k, 1)
        raise UsageError(
            f"--m {m} holds no shape with H = {H}, L = {L}",
            expected=f"at least {smallest}",
            got=str(m),
            remedy=f"pass --m {smallest}",
        )
    return Fit(FormShape(form, H, L, d, k, d_out), m)


def _coefficients(form: Form, H: int, L: int, d_out: int | None) -> tuple[int, int, int]:
    """(a, b, c) with N = a k + b d + c; without d_out the outputs are as many as d."""
    count = form_count(form, H, L)
    if d_out is None:
        return count.per_k, count.per_d + count.per_out, 0
    return count.per_k, count.per_d, count.per_out * d_out


def _full_shape(shape: FormShape, m: int | None) -> Fit:
    if m is not None and m < shape.N:
        raise UsageError(
            f"--m {m} is below N", expected=f"at least {shape.N}", got=str(m), remedy=f"pass --m {shape.N}"
        )
    return Fit(shape, shape.N if m is None else m)


def _largest(reads: int, rows: int, d: int | None, k: int | None, m: int) -> tuple[int, int]:
    """The largest sizes with reads k + rows d <= m, keeping the one that is given; 0 or less where nothing fits."""
    if k is not None:
        return (m - reads * k) // rows, k
    if d is not None:
        return d, (m - rows * d) // reads
    both = m // (reads + rows)
    return both, both
