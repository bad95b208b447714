"""Symbolic execution against the interpreter: every input lies in exactly one case, and has that case's values."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from symut.rasp import RaspError, core, evaluate, read_program
from symut.rasp.arithmetic import normal
from symut.rasp.inputs import READERS
from symut.rasp.symbolic.domain import Letters, Numbers, Text
from symut.rasp.symbolic.execute import Outcome, execute
from symut.rasp.symbolic.path import EmptyCaseError, Path
from symut.rasp.symbolic.ratio import Ratio, RestartError, Space, rational
from symut.rasp.symbolic.rules import in_mode
from tests.rasp.generated import ALPHABET, Program, programs

SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]
NUMBERS = st.fractions(min_value=-3, max_value=3, max_denominator=3)


def node(text: str) -> core.Node:
    return read_program(text).node("y")


def all_cases(root: core.Node, n: int, domain: Any, most: int = 3000) -> Iterator[tuple[Path, Outcome]]:
    space, waiting = Space(n), [[]]
    for _ in range(most):
        if not waiting:
            return
        path = Path(space, waiting.pop())
        with suppress(EmptyCaseError):
            yield path, execute(root, path, domain)
        chosen = [step.chosen for step in path.steps]
        new = range(len(path.prescribed), len(chosen))
        waiting += [[*chosen[:i], other] for i in new for other in path.steps[i].others]
    pytest.skip("too many cases")


def value_at(value: Any, space: Space, numbers: list[Fraction]) -> Any:
    from flint import fmpq

    if not isinstance(value, Ratio):
        return value
    at = [fmpq(x.numerator, x.denominator) for x in numbers] + [fmpq(0)] * space.capacity
    return normal(Fraction(rational(value.num(*at))) / Fraction(rational(value.den(*at))))


def contains(path: Path, numbers: list[Fraction]) -> bool:
    signs = [value_at(Ratio(step.form, path.space.one), path.space, numbers) for step in path.steps]
    return all((v > 0) - (v < 0) in step.chosen for v, step in zip(signs, path.steps, strict=True))


def at_point(root: core.Node, domain: Any, numbers: list[Fraction]) -> list | None:
    """The values of the only case that contains the point, None if the program stops there."""
    found = [(p, o) for p, o in all_cases(root, len(numbers), domain) if contains(p, numbers)]
    assert len(found) == 1
    path, outcome = found[0]
    if outcome.error:
        return None
    return [shown(value, path.space, numbers) for value in outcome.values]


def shown(value: Any, space: Space, numbers: list[Fraction]) -> Any:
    """A value at a point; a text as the string that it is."""
    if not isinstance(value, Text):
        return value_at(value, space, numbers)
    number = value_at(value.number, space, numbers)
    return value.domain.ordered[number] if isinstance(value.domain, Letters) else READERS["str"](number)


def interpreted(root: core.Node, given_input: list) -> list | None:
    try:
        return evaluate(root, given_input)
    except RaspError:
        return None


@settings(deadline=None, max_examples=40, suppress_health_check=SLOW)
@given(program=programs(depth=3), tokens=st.text(alphabet=ALPHABET, min_size=1, max_size=3))
def test_a_random_program_on_letters_has_the_interpreters_values(program: Program, tokens: str) -> None:
    root, domain = node(f"y = {program[0]};"), Letters(tuple(ALPHABET))
    numbers = [Fraction(ALPHABET.index(token)) for token in tokens]
    assert at_point(root, domain, numbers) == interpreted(root, list(tokens))


@settings(deadline=None, max_examples=40, suppress_health_check=SLOW)
@given(program=programs(depth=3), numbers=st.lists(NUMBERS, min_size=1, max_size=3))
def test_a_random_program_on_numbers_has_the_interpreters_values(program: Program, numbers: list[Fraction]) -> None:
    text = re.sub(r"\b(tokens|indices)\b", "tokens_float", program[0]).replace('"', "")
    for number, letter in enumerate(ALPHABET):
        text = text.replace(f"== {letter})", f"== {number})")
    root = node(f"y = {text};")
    assert at_point(root, Numbers(), numbers) == interpreted(root, numbers)


RATIONAL = [
    "y = tokens_float / (tokens_float - 1);",
    "y = (tokens_float + 1) ^ 3 / length;",
    "y = (tokens_float - 1) ^ -2;",
    "y = average(tokens_float) * tokens_float;",
    "y = aggregate(select(tokens_float, 1, <), tokens_float, -7);",
    "y = sort(tokens_float, tokens_float);",
    "y = sort(tokens, -tokens_float);",
    "y = tokens_float * tokens_float > 2;",
    "y = 1 / (tokens_float * tokens_float - 1);",
    "y = tokens_float if tokens_bool else 5;",
    'y = tokens == "1/2" or tokens == "2" or tokens == "0.5";',
    "y = tokens_float in [1, 2, 0.5];",
    "y = [3, 4][tokens_float];",
    "y = {1: 5, 0.5: 6, 0: 2, 2: 1}[tokens_float];",
    "y = indicator(tokens_float) + indicator(not tokens_float);",
    "y = max(tokens_float, 1 - tokens_float) - min(tokens_float, 0);",
    'y = "x" if tokens_float > 1 else "y";',
    "y = aggregate(select(tokens_float, 0, >), tokens_float > 1);",
    "y = 1 / (selector_width(select(tokens_float, tokens_float, <)) - 1);",
]


@pytest.mark.parametrize("text", RATIONAL)
@settings(deadline=None, max_examples=12, suppress_health_check=SLOW)
@given(numbers=st.lists(st.sampled_from([Fraction(k, 2) for k in range(-4, 5)]), min_size=1, max_size=3))
def test_every_operation_has_the_interpreters_values(text: str, numbers: list[Fraction]) -> None:
    root = node(text)
    given_input = [in_mode(number) for number in numbers]
    assert at_point(root, Numbers(), numbers) == interpreted(root, given_input)


def exponentials(*texts: str) -> list[Any]:
    """The values of sequences at the first of two numeric tokens, in one space."""
    space = Space(2)
    while True:
        try:
            path = Path(space)
            found = [execute(node(f"y = {text};"), path, Numbers()).values[0] for text in texts]
            return [v.key if isinstance(v, Ratio) else v for v in found]
        except RestartError:
            space = space.enlarged()


X, OTHER = "tokens_float", "reversed(tokens_float)"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (f"exp({X} + {OTHER})", f"exp({X}) * exp({OTHER})"),
        (f"exp({X} - {OTHER})", f"exp({X}) / exp({OTHER})"),
        (f"exp({X}) ^ 3", f"exp(3 * {X})"),
        (f"exp({X} / 2) * exp({X} / 3)", f"exp(5 * {X} / 6)"),
        (f"exp({X} + 1)", f"exp({X}) * exp(1)"),
        (f"exp({X} * {OTHER}) ^ 2", f"exp({X} * {OTHER} + {OTHER} * {X})"),
        (f"exp(exp({X}) * 2)", f"exp(exp({X})) ^ 2"),
        (f"exp({X} - {X})", f"{X} - {X} + 1"),
        (f"exp(0 * {X})", "length - 1"),
    ],
)
def test_exponentials_have_a_normal_form(one: str, other: str) -> None:
    first, second = exponentials(one, other)
    assert first == second


@pytest.mark.parametrize(("one", "other"), [(f"exp({X})", f"exp({OTHER})"), (f"exp({X} + 1)", f"exp({X}) + 1")])
def test_different_exponentials_differ(one: str, other: str) -> None:
    first, second = exponentials(one, other)
    assert first != second


def test_more_exponents_than_the_first_space_holds() -> None:
    sums = " + ".join(f"exp({X} ^ {k})" for k in range(1, 20))
    first, second = exponentials(sums, f"{sums} + 0")
    assert first == second


def test_an_exact_run_knows_the_exponential_of_0_only() -> None:
    root = node("y = exp(indices);")
    assert evaluate(root, [5]) == [1]
    assert evaluate(root, [5, 5], floats=True) == [1, math.exp(1)]
    with pytest.raises(RaspError, match=r"program:1:5: an exponential has no exact value at position 1"):
        evaluate(root, [5, 5])
