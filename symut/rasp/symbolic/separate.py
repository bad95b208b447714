"""An exact input on which two programs differ: candidates from a case, or any, re-evaluated by the interpreter.

Main definitions: `Separation`, `judged`, `from_case`, `at_random`.

Nothing here is trusted: an input separates two programs only because the reference interpreter, run on both, says so.
It has no exact exponentials, so programs with them are evaluated in balls, and enclosures must be disjoint.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from symut.rasp import core
from symut.rasp.arithmetic import Value
from symut.rasp.errors import LimitError, RaspError
from symut.rasp.interpret import evaluate
from symut.rasp.symbolic.domain import Domain, UnsupportedError
from symut.rasp.symbolic.execute import Outcome, execute
from symut.rasp.symbolic.path import EmptyCaseError, Path
from symut.rasp.symbolic.point import PointPath, UndecidedError
from symut.rasp.symbolic.ratio import Ratio, RestartError, Space, rational
from symut.rasp.symbolic.rules import equal

TRIES = 120


@dataclass(frozen=True)
class Separation:
    """An input on which two programs differ, and what each gives: its values, or the error that stops it."""

    input: list[Value]
    first: list | str
    second: list | str


def judged(first: core.Node, second: core.Node, given: list[Value], *, defined: bool = False) -> Separation | None:
    """The separation if the programs differ on an input: by values, or (not with `defined`) by an error of one."""
    if _has_exponentials(first) or _has_exponentials(second):
        return _judged_in_balls(first, second, given, defined)
    try:
        one, other = _outcome(first, given), _outcome(second, given)
    except LimitError:
        return None
    errors = isinstance(one, str), isinstance(other, str)
    if all(errors) or (defined and any(errors)) or (not any(errors) and one == other):
        return None
    return Separation(given, one, other)


def _outcome(node: core.Node, given: list[Value]) -> list | str:
    try:
        return evaluate(node, given)
    except LimitError:
        raise
    except RaspError as error:
        return str(error)


def _has_exponentials(node: core.Node) -> bool:
    return any(isinstance(part, core.Map) and part.operation.name == "exp" for part in core.order([node]))


def _judged_in_balls(first: core.Node, second: core.Node, given: list[Value], defined: bool) -> Separation | None:
    from symut.rasp.symbolic.domain import Numbers

    if not all(isinstance(token, (int, Fraction)) for token in given):
        return None
    space = Space(0)
    while True:
        path = PointPath([Fraction(token) for token in given], space)
        try:
            one, other = (execute(node, path, Numbers(True)) for node in (first, second))
            return _separated_in_balls(path, one, other, given, defined)
        except RestartError:
            space = space.enlarged()
        except (UndecidedError, UnsupportedError, EmptyCaseError):
            return None


def _separated_in_balls(
    path: PointPath, one: Outcome, other: Outcome, given: list[Value], defined: bool
) -> Separation | None:
    if one.error or other.error:
        same = defined or bool(one.error and other.error)
    else:
        same = all(equal(path, a, b) for a, b in zip(one.values, other.values, strict=True))
    return None if same else Separation(given, _printed(path, one), _printed(path, other))


def _printed(path: PointPath, outcome: Outcome) -> list | str:
    """Exact values as they are, others as decimals."""
    if outcome.error:
        return str(outcome.error)
    return [path.ball(v).str(15, radius=False) if isinstance(v, Ratio) else v for v in outcome.values]


def from_case(
    path: Path, first: core.Node, second: core.Node, domain: Domain, *, defined: bool = False
) -> Separation | None:
    """A separation on an input of the domain near the case's own point, None if no try separates."""
    for numbers in _near(path):
        given = domain.input(numbers)
        found = judged(first, second, given, defined=defined) if given is not None else None
        if found:
            return found
    return None


def _near(path: Path) -> Iterator[list[Fraction]]:
    """The point of the case, its order pattern in small integers, roundings, and random points close to it."""
    try:
        base = [Fraction(int(x.p), int(x.q)) for x in map(_fmpq, path.point())]
    except EmptyCaseError:
        return
    source, scale = random.Random(0), Fraction(1)
    for number in range(TRIES):
        shift = [scale * source.randint(-9, 9) / 9 if number else Fraction(0) for _ in base]
        at = _completed(path, [x + s for x, s in zip(base, shift, strict=True)])
        if number < 20:
            yield [Fraction(sorted(set(at)).index(x)) for x in at]
            yield _completed(path, [Fraction(round(x + 9 * s)) for x, s in zip(base, shift, strict=True)])
        yield at
        scale = scale / 2 if number % 12 == 11 else scale


def _fmpq(number: Any) -> Any:
    from flint import fmpq

    return fmpq(number)


def _completed(path: Path, free: list[Fraction]) -> list[Fraction]:
    """The tokens with these values of the free ones; the solved ones follow."""
    from flint import fmpq

    values = [fmpq(x.numerator, x.denominator) for x in free] + [fmpq(0)] * path.space.capacity
    solved = {i: Fraction(rational(p(*values))) for i, p in path.substitution.solved.items()}
    return [solved.get(i, x) for i, x in enumerate(free)]


def at_random(
    first: core.Node, second: core.Node, n: int, domain: Domain, deadline: float, *, defined: bool = False
) -> Separation | None:
    """A separation among small inputs with many ties, from a fixed seed."""
    source = random.Random(0)
    for number in range(4 * TRIES):
        if time.monotonic() > deadline:
            return None
        given = domain.input(domain.sample(source, n, number))
        found = judged(first, second, given, defined=defined) if given is not None else None
        if found:
            return found
    return None
