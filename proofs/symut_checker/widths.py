"""The widths that the statements of section 10 speak about, as closed forms."""

from __future__ import annotations

from typing import NamedTuple

from .strict import need

MAX_DIGITS_IN_BITS = 14000  # below 4300 decimal digits, the limit of the format's programs


class Case(NamedTuple):
    """The parameters of a statement of section 10; those that its goal does not have keep these values."""

    H: int = 1
    L: int = 1
    d: int | None = None
    k: int | None = None
    m: int | None = None
    n: int = 2
    weights: str | None = None


class Width(NamedTuple):
    """per_k k + per_d d."""

    per_k: int
    per_d: int

    def at(self, d: int, k: int) -> int:
        return self.per_k * k + self.per_d * d


def heads_to_the(st: Case) -> int:
    """H^L, refused before it is computed if it could have more than 4300 digits."""
    bits = (st.H - 1).bit_length() * st.L
    need(bits <= MAX_DIGITS_IN_BITS, "statement.parameters: H^L may have more than 4300 digits, too large to check")
    return st.H**st.L


def layers_sum(st: Case) -> int:
    """H + H^2 + ... + H^L."""
    return st.L if st.H == 1 else st.H * (heads_to_the(st) - 1) // (st.H - 1)


def number_of_slots(st: Case) -> Width:
    """N of section 1."""
    return Width(2 * layers_sum(st), heads_to_the(st))


def output_width(st: Case) -> Width:
    """d H^L."""
    return Width(0, heads_to_the(st))


def attention_width(st: Case, o: int) -> int:
    """The sum of H^l, and H^L with outputs (o = 1); without them 2 at (1, 1)."""
    return 2 if (st.H, st.L, o) == (1, 1, 0) else layers_sum(st) + o * heads_to_the(st)


def freedom(st: Case) -> int:
    """2kd - k^2, the free entries of a d x d matrix of rank k."""
    d, k = st.d or 1, st.k or 1
    return 2 * k * d - k * k


def filtered_width(st: Case, o: int) -> int:
    """s_L + G_L, where s_j = o d + ceil(j H z / d), G_0 = 0 and G_{j+1} = H G_j + (H-1) s_j."""
    d, z, G = st.d or 1, freedom(st), 0
    ranks = [o * d - (-j * st.H * z // d) for j in range(st.L + 1)]
    for rank in ranks[:-1]:
        G = st.H * G + (st.H - 1) * rank
    return ranks[-1] + G
