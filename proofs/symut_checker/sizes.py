"""The sizes of a statement about universality: its parameters, its number of slots, and their names."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from .strict import fields, integers, need


class Sizes(NamedTuple):
    goal: str
    H: int
    L: int
    d: int | None
    k: int | None
    m: int | None
    weights: str | None

    @property
    def q(self) -> int:  # units per query or key slot
        return self.k or 1

    @property
    def u(self) -> int:  # units per read-out slot
        return self.d or 1


def read_sizes(goal: str, parameters: Any) -> Sizes:
    where = "statement.parameters"
    values = fields(parameters, where, ("H", "L", "d", "k", "m", "weights"))
    H, L, d, k, m, weights = (values[name] for name in ("H", "L", "d", "k", "m", "weights"))
    integers([H, L] + [x for x in (d, k, m) if x is not None], where, 1, math.inf)
    need((d is None) == (k is None), f"{where}: d and k must be both integers or both null")
    need(d is not None or m is None, f"{where}: m must be null if d and k are")
    need(weights is None or m is not None, f"{where}: weights needs m")
    hexadecimal = type(weights) is str and len(weights) == 64 and set(weights) <= set("0123456789abcdef")
    need(weights is None or hexadecimal, f"{where}.weights: expected 64 lower-case hexadecimal digits")
    return Sizes(goal, H, L, d, k, m, weights)


def counts(st: Sizes, listed: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """N and D as pairs (A, B) meaning A k + B d.  Stops as soon as N exceeds the number of slots that the
    certificate lists: nothing exponential in L is computed for a certificate that is too short."""
    A = degree = 0
    power = 1
    for layer in range(1, st.L + 1):
        power *= st.H
        A += 2 * power
        degree += 2 * layer * power
        need(A * st.q + power * st.u <= listed, f"certificate: lists only {listed} slots, fewer than N")
    return (A, power), (degree, (st.L + 1) * power)


def slot_name(st: Sizes, slot: int, layer: int = 1) -> str:
    """The slot with this number in S(layer)."""
    path: list[str] = []
    kind, rest, head = "U", slot, ""
    for n in range(st.L - layer, -1, -1):
        role, rest = divmod(slot, st.H * st.q)
        if role < 2:
            kind, head = "QK"[role], f", head {rest // st.q + 1}"
            break
        tail = st.u * st.H**n + sum(2 * st.q * st.H**i for i in range(1, n + 1))
        letter, slot = divmod(slot - 2 * st.H * st.q, tail)
        path, rest = [*path, str(letter + 1)], slot
    column = "" if st.d is None else f", column {rest % (st.u if kind == 'U' else st.q) + 1}"
    return f"({kind}, path ({','.join(path)}){head}{column})"
