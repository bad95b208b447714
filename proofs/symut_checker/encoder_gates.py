"""What a coordinate of a row holds, by what writes it (FORMAT.md, section 13.3)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .encoder_ring import ONE, Element, Exponent, Number
from .encoder_scope import Form
from .strict import need

if TYPE_CHECKING:
    from .encoder_execute import Run


def by_place(kind: str) -> Callable[..., Element]:
    """The entry of a list, by position or by token."""
    return lambda run, row, c, values: run.ring.constant(values[run.stream.place(row, kind)])


def by_table(run: Run, row: int, c: int, data: tuple[Any, list[Number]]) -> Element:
    table, values = data
    return run.ring.constant(values[run.found(row, table)])


def head(run: Run, row: int, c: int, data: tuple[Any, Form, Number]) -> Element:
    """The mean over the best candidates, an atom if they are not determined."""
    best = run.best(row, data[0])
    if best is None:
        return run.ring.mean(row, c)
    values = [(candidate.weight, run.at(candidate, *data[1:])) for candidate in best]
    if len(values) == 1:
        return values[0][1]
    total = sum(weight for weight, _ in values)
    return run.ring.scaled(run.ring.combination(values), total)


def product(run: Run, row: int, c: int, forms: tuple[Form, Form]) -> Element:
    return run.ring.times(run.form(row, forms[0]), run.form(row, forms[1]))


def reciprocal(run: Run, row: int, c: int, form: Form) -> Element:
    D = run.form(row, form)
    need(0 not in run.signs(D), f"row {row}: coordinate {c} is the reciprocal of a value that may be 0")
    return run.ring.rho(D)


def root(run: Run, row: int, c: int, data: tuple[Form, Exponent]) -> Element:
    P = run.form(row, data[0])
    signs = run.signs(P)
    need(signs in ({0}, {1}), f"row {row}: coordinate {c} is the root of a value that may be negative")
    return run.ring.root(P, data[1]) if signs == {1} else {}


def relu(run: Run, row: int, c: int, units: list[tuple[Form, Number]]) -> Element:
    return run.ring.combination((weight, positive_part(run, run.form(row, form))) for form, weight in units)


def positive_part(run: Run, P: Element) -> Element:
    """0 or P if its sign is determined, else an atom."""
    signs = run.signs(P)
    if len(signs) != 1:
        return run.ring.relu(P)
    return P if signs == {1} else {}


SOURCES: dict[str, Callable[..., Element]] = {
    "one": lambda run, row, c, data: {ONE: 1},
    "number": lambda run, row, c, data: run.stream.number(row),
    "position": by_place("position"),
    "token": by_place("token"),
    "head": head,
    "linear": lambda run, row, c, form: run.form(row, form),
    "product": product,
    "relu": relu,
    "reciprocal": reciprocal,
    "exp": lambda run, row, c, form: run.ring.exp(run.form(row, form)),
    "root": root,
    "table": by_table,
}
