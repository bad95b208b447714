"""The shape (H, L, d, k) of a target and every count that follows from it.

Main definitions: `Shape`, `Linear`, `slot_count`, `degree`, `width_formula`.
Main result: the number of slots N = 2k (H + H^2 + ... + H^L) + d H^L, which is the width of the sparse backbone
and the threshold of the random one.  Source: Fixed Universal Transformers, Theorem 3.1 (O(H^L d) for H >= 2).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from symut.errors import UsageError, shown

if TYPE_CHECKING:
    import sympy


@dataclass(frozen=True)
class Linear:
    """A count that is linear in d and k: `per_k * k + per_d * d`."""

    per_k: int
    per_d: int

    def at(self, d: int, k: int) -> int:
        """The exact integer at head width k and token width d."""
        return self.per_k * k + self.per_d * d

    def __str__(self) -> str:
        return f"{self.per_k}*k + {self.per_d}*d"


BITS_LIMIT = 1000
"""H^L with more bits than this is refused before it is computed."""


def _require_countable(H: int, L: int) -> None:
    if (H.bit_length() - 1) * L > BITS_LIMIT:
        raise UsageError(
            "H^L is beyond any machine",
            expected=f"at most {BITS_LIMIT} bits",
            got=f"{H}^{L}",
            remedy="lower --L",
        )


def slot_count(H: int, L: int) -> Linear:
    """N(H, L, d, k) = 2k sum_{l=1..L} H^l + d H^L as a linear function of d and k.

    Raises UsageError if H^L has more than 1000 bits.
    """
    _require_countable(H, L)
    geometric = L if H == 1 else (H ** (L + 1) - H) // (H - 1)
    return Linear(per_k=2 * geometric, per_d=H**L)


def block_count(H: int, L: int) -> int:
    """Number of blocks (columns of width k or d): 2 sum_l H^l + H^L; 5 * 2^L - 4 at H = 2."""
    return slot_count(H, L).at(d=1, k=1)


def degree(H: int, L: int) -> Linear:
    """Degree bound D = sum_l 2k l H^l + d (L + 1) H^L of an N x N minor of M(R) in the backbone's entries.

    Raises UsageError if H^L has more than 1000 bits.
    """
    _require_countable(H, L)
    return Linear(
        per_k=2 * sum(layer * H**layer for layer in range(1, L + 1)),
        per_d=(L + 1) * H**L,
    )


SIZE_LIMIT = 10**7
"""Sizes above this are refused at once: no machine can hold what they describe."""


def positive(**sizes: int) -> None:
    """Raise UsageError unless every size is an integer from 1 to SIZE_LIMIT."""
    for name, value in sizes.items():
        if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= SIZE_LIMIT:
            raise UsageError(
                f"--{name} out of range",
                expected=f"an integer from 1 to {SIZE_LIMIT}",
                got=shown(value),
                remedy=f"change --{name}",
            )


@dataclass(frozen=True)
class Shape:
    """H heads, L layers, token width d, head width k; all >= 1.

    Raises UsageError for any size below 1.
    """

    H: int
    L: int
    d: int
    k: int

    def __post_init__(self) -> None:
        positive(H=self.H, L=self.L, d=self.d, k=self.k)

    @property
    def N(self) -> int:
        """Number of slots, which is the number of columns of M(R)."""
        return slot_count(self.H, self.L).at(self.d, self.k)

    @property
    def degree(self) -> int:
        """Degree bound D of an N x N minor of M(R)."""
        return degree(self.H, self.L).at(self.d, self.k)

    def state_width(self, layer: int) -> int:
        """Width m_l of the merging form's state before layer l (1..L+1): m_{L+1} = d, m_l = 2kH + H m_{l+1}."""
        if not 1 <= layer <= self.L + 1:
            raise UsageError("layer out of range", expected=f"1..{self.L + 1}", got=str(layer))
        return slot_count(self.H, self.L - layer + 1).at(self.d, self.k)


def size_symbols() -> tuple[sympy.Symbol, ...]:
    """The sympy symbols H, L, d, k (positive integers) of the formulas below."""
    import sympy

    return sympy.symbols("H L d k", positive=True, integer=True)


def width_formula() -> sympy.Expr:
    """N as a sympy expression in `size_symbols()`: the closed form of 2k sum_l H^l + d H^L."""
    import sympy

    H, L, d, k = size_symbols()
    geometric = sympy.Piecewise((L, sympy.Eq(H, 1)), (H * (H**L - 1) / (H - 1), True))
    return 2 * k * geometric + d * H**L


def degree_formula() -> sympy.Expr:
    """D as a sympy expression in `size_symbols()`: the closed form of sum_l 2k l H^l + d (L + 1) H^L."""
    import sympy

    H, L, d, k = size_symbols()
    weighted = sympy.Piecewise(
        (L * (L + 1) / 2, sympy.Eq(H, 1)), (H * (1 - (L + 1) * H**L + L * H ** (L + 1)) / (1 - H) ** 2, True)
    )
    return 2 * k * weighted + d * (L + 1) * H**L
