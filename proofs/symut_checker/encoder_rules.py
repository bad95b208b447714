"""Rules E and C: an encoder with numbers as tokens answers a task (FORMAT.md, section 13.4)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .encoder_answers import ANSWERS, Layout, determinant
from .encoder_cases import leaves
from .encoder_execute import Run
from .encoder_read import Encoder
from .encoder_ring import Element, Ring
from .encoder_signs import Facts, assumed_not_zero, assumed_zero, nothing
from .encoder_stream import Numbers
from .encoder_texts import Sizes
from .encoder_work import Work
from .strict import listing, need

Situation = tuple[Ring, Facts, list[Element], list[tuple[int, Element]]]


def padded(encoder: Encoder, tokens: list[Element]) -> Numbers:
    """With blank tokens up to T."""
    need(encoder.letters is None, "encoder.letters: null for tokens that are numbers")
    need(len(tokens) <= encoder.tokens, f"encoder.tokens: fewer than the {len(tokens)} that hold the input")
    return Numbers([*tokens, *[{}] * (encoder.tokens - len(tokens))])


def rule_everywhere(task: str, sizes: Sizes, encoder: Encoder, work: Work) -> None:
    """Rule E: without cases, or for each assumption that the task makes."""
    scalars, _ = ANSWERS[task]
    need(scalars(sizes) <= encoder.tokens, f"encoder.tokens: fewer than the {scalars(sizes)} that hold the input")
    for ring, facts, tokens, answers in SITUATIONS.get(task, plain)(task, sizes, work):
        check(Run(encoder, ring, facts, padded(encoder, tokens)), answers)


def check(run: Run, answers: list[tuple[int, Element]]) -> None:
    """The answers at the tokens named, and values everywhere."""
    run.defined()
    for token, value in answers:
        need(token < run.stream.rows, f"encoder.tokens: token {token}, which should answer, is missing")
        need(run.equal(run.answer(token), value), f"token {token}: not what the task answers")


def variables(ring: Ring) -> list[Element]:
    return [ring.variable(i) for i in range(ring.variables)]


def plain(task: str, sizes: Sizes, work: Work) -> Iterator[Situation]:
    scalars, answer = ANSWERS[task]
    ring = Ring(work, scalars(sizes))
    tokens = variables(ring)
    yield ring, nothing, tokens, list(enumerate(answer(ring, sizes, Layout(tokens))))


def with_determinant(task: str, sizes: Sizes, work: Work) -> Iterator[Situation]:
    """The determinant is not 0, and it is 0."""
    flag, n = sizes["order"] ** 2, sizes["order"]
    (situation,) = plain(task, sizes, work)
    ring, _, tokens, answers = situation
    yield ring, assumed_not_zero(ring, determinant(ring, Layout(tokens).matrix(n, n))), tokens, answers
    ring = Ring(work, flag)
    yield ring, assumed_zero(ring, determinant(ring, Layout(tokens).matrix(n, n))), tokens, [(flag, {})]


def with_length(task: str, sizes: Sizes, work: Work) -> Iterator[Situation]:
    """The length token, after WQ, WK, WV and b, is each number from 1 to N."""
    scalars, answer = ANSWERS[task]
    place = sizes["d"] * (2 * sizes["k"] + sizes["d"]) + 1
    for n in range(1, sizes["N"] + 1):
        ring = Ring(work, scalars(sizes) - 1)
        tokens = variables(ring)
        tokens.insert(place, ring.constant(n))
        yield ring, nothing, tokens, list(enumerate(answer(ring, sizes, Layout(tokens))))


SITUATIONS = {"inverse": with_determinant, "hierarchy": with_length}


def rule_cases(sizes: Sizes, encoder: Encoder, cases: Any, work: Work) -> None:
    """Rule C for `maxmin`: a tree for each group."""
    groups, size = sizes["groups"], sizes["size"]
    trees = listing(cases, "cases", groups)
    for group, tree in enumerate(trees):
        for leaf in leaves(groups * size, tree, work):
            run = Run(encoder, leaf.ring, leaf.facts, padded(encoder, leaf.tokens))
            first = group * size
            ordered = descending(run, leaf.tokens[first : first + size])
            check(run, list(enumerate(ordered, first)))


def descending(run: Run, numbers: list[Element]) -> list[Element]:
    """From the largest to the smallest, by signs that must be determined."""
    ordered: list[Element] = []
    for x in numbers:
        place = 0
        while place < len(ordered) and not larger(run, x, ordered[place]):
            place += 1
        ordered.insert(place, x)
    return ordered


def larger(run: Run, x: Element, y: Element) -> bool:
    signs = run.signs(run.ring.minus(x, y))
    need(len(signs) == 1, "the assumptions of a case do not determine the order of the numbers")
    return signs == {1}
