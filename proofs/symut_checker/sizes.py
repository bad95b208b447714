"""The sizes of a statement about universality: its parameters, its number of slots, and their names."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

from .form import FORMS, Form
from .strict import fields, integers, need


class Sizes(NamedTuple):
    goal: str
    H: int
    L: int
    d: int | None
    k: int | None
    m: int | None
    weights: str | None
    d_out: int | None = None

    @property
    def form(self) -> Form:
        return FORMS[self.goal]

    @property
    def q(self) -> int:  # units per query or key slot
        return getattr(self, self.form.read) or 1

    @property
    def u(self) -> int:  # units per read-out slot
        return getattr(self, self.form.out) or 1


def read_sizes(goal: str, parameters: Any) -> Sizes:
    where, names = "statement.parameters", FORMS[goal].sizes
    values = fields(parameters, where, ("H", "L", *names, "m", "weights"))
    widths = [values[name] for name in names]
    m, weights = values["m"], values["weights"]
    integers([values["H"], values["L"]] + [x for x in (*widths, m) if x is not None], where, 1, math.inf)
    both = "both" if len(names) == 2 else "all"
    together = f"{', '.join(names[:-1])} and {names[-1]} must be {both} integers or {both} null"
    need(widths.count(None) in (0, len(widths)), f"{where}: {together}")
    need(widths[0] is not None or m is None, f"{where}: m must be null if d and k are")
    need(weights is None or m is not None, f"{where}: weights needs m")
    hexadecimal = type(weights) is str and len(weights) == 64 and set(weights) <= set("0123456789abcdef")
    need(weights is None or hexadecimal, f"{where}.weights: expected 64 lower-case hexadecimal digits")
    return Sizes(goal, **values)


def counts(st: Sizes, listed: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """N and D as pairs (A, B): A units of query and key slots, B of read-out slots, so N = A q + B u.  A slot after
    the path p counts 1 + the letters of p that are not 0 towards D.  Stops as soon as N exceeds the number of slots
    that the certificate lists: nothing exponential in L is computed for a certificate that is too short."""
    form, reads = st.form, st.H + st.form.key_slots(st.H)
    A = B = A_degree = B_degree = 0
    paths, heads = 1, 0  # the paths of the length reached, and their letters that are not 0, all together
    for _ in range(st.L):
        A, A_degree = A + reads * paths, A_degree + reads * (paths + heads)
        if form.anywhere:
            B, B_degree = B + paths, B_degree + paths + heads
        paths, heads = form.letters(st.H) * paths, form.letters(st.H) * heads + st.H * paths
        need(A * st.q + (B + paths) * st.u <= listed, f"certificate: lists only {listed} slots, fewer than N")
    return (A, B + paths), (A_degree, B_degree + paths + heads)


def linear(st: Sizes, pair: tuple[int, int]) -> str:
    """A pair of counts as text: a number in a scalar statement, else 28*k + 8*d, or 13*d if all slots have size d."""
    if st.d is not None:
        return str(pair[0] * st.q + pair[1] * st.u)
    total = {st.form.read: 0, st.form.out: 0}
    for name, number in zip((st.form.read, st.form.out), pair, strict=True):
        total[name] += number
    return " + ".join(f"{number}*{name}" for name, number in total.items())


def state_sizes(st: Sizes) -> Iterator[int]:
    """|S(L+1)|, |S(L)|, ..., |S(1)|, the last of which is N."""
    form, size = st.form, st.u
    own = (st.H + form.key_slots(st.H)) * st.q + form.anywhere * st.u
    yield size
    for _ in range(st.L):
        size = own + form.letters(st.H) * size
        yield size


def slot_name(st: Sizes, slot: int, layer: int = 1) -> str:
    """The slot with this number in S(layer)."""
    form, path, size = st.form, [], list(state_sizes(st))  # size[j] = |S(L+1-j)|
    queries, keys, outputs = st.H * st.q, form.key_slots(st.H) * st.q, form.anywhere * st.u
    for tail in size[st.L - layer :: -1] if layer <= st.L else []:
        if slot < queries + keys + outputs:
            break
        letter, slot = divmod(slot - queries - keys - outputs, tail)
        path.append(str(letter + (not form.skip)))
    else:
        queries = keys = 0
    kind = "Q" if slot < queries else "K" if slot < queries + keys else "U"
    rest = slot - {"Q": 0, "K": queries, "U": queries + keys}[kind]
    named = kind == "Q" or (kind == "K" and form.keys == "heads")
    head = f", head {rest // st.q + 1}" if named else ""
    column = "" if st.d is None else f", column {rest % (st.u if kind == 'U' else st.q) + 1}"
    return f"({kind}, path ({','.join(path)}){head}{column})"
