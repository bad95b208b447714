"""Rule F: the least of v_i + K |x - p_i|^A lies within 2 K (dim / (2 s))^A of every function with K and A (13.6)."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

from .encoder_cases import Leaf, leaves
from .encoder_execute import Run
from .encoder_layers import Head
from .encoder_read import Encoder
from .encoder_ring import ONE, Element, Exponent, Number, Ring
from .encoder_rules import padded
from .encoder_scope import Form
from .encoder_signs import Facts, sign
from .encoder_texts import Sizes
from .encoder_work import Work
from .rasp_cases import read_multipliers
from .strict import integers, listing, need

Point = tuple[Fraction, ...]
POSITIVE = frozenset((1,))


class Ranking(NamedTuple):
    """The answer is factor times a value of a head plus a number."""

    head: Head
    form: Form
    default: Number
    factor: Number
    number: Number


def rule_lipschitz(sizes: Sizes, encoder: Encoder, table: dict[str, Any], work: Work) -> None:
    dim, steps = sizes["dim"], sizes["steps"]
    need(dim + steps**dim <= encoder.tokens, "encoder.tokens: fewer than those that hold the input")
    points = list(product([Fraction(2 * a + 1, 2 * steps) for a in range(steps)], repeat=dim))
    (tree,) = listing(table["cases"], "cases", 1)
    entries = listing(table["leaves"], "leaves")
    count = 0
    for leaf in leaves(dim + len(points), tree, work):
        need(count < len(entries), "leaves: fewer entries than leaves")
        check_leaf(sizes, points, encoder, leaf, entries[count])
        count += 1
    need(count == len(entries), "leaves: more entries than leaves")


def check_leaf(sizes: Sizes, points: list[Point], encoder: Encoder, leaf: Leaf, entry: Any) -> None:
    run = Run(encoder, leaf.ring, leaf.facts, padded(encoder, leaf.tokens))
    K, x, values = Fraction(sizes["top"], sizes["bottom"]), leaf.tokens[: sizes["dim"]], leaf.tokens[sizes["dim"] :]
    distances = [distance(run, x, p) for p in points]
    run.facts = with_distances(leaf.facts, distances)
    run.defined()
    reach = [power(run.ring, r, (sizes["up"], sizes["down"])) for r in distances]
    check_least(run, [run.ring.combination([(1, v), (K, r)]) for v, r in zip(values, reach, strict=True)])
    nearest, multipliers = listing(entry, "an entry of leaves", 2)
    integers([nearest], "an entry of leaves", 0, len(points) - 1)
    error = {ONE: K * sizes["dim"] / sizes["steps"]}
    close = [(1, error), (-2 * K, distances[nearest]), *negatives(leaf, sizes["dim"], multipliers)]
    rest = run.ring.combination(close)
    need(rest.keys() <= {ONE} and rest.get(ONE, 0) >= 0, "a combination does not bound the distance to the grid")


def distance(run: Run, x: list[Element], point: Point) -> Element:
    """|x - p| in the sum norm, by signs that are determined."""
    terms: list[tuple[Number, Element]] = []
    for xa, pa in zip(x, point, strict=True):
        difference = run.ring.minus(xa, run.ring.constant(pa))
        signs = run.signs(difference)
        need(len(signs) == 1, "the assumptions of a case do not determine on which side of the grid x is")
        terms.append((next(iter(signs)), difference))
    return run.ring.combination(terms)


def with_distances(facts: Facts, distances: list[Element]) -> Facts:
    """A distance is positive, unless it is the element 0."""
    positive = keys(distances)
    return lambda P: POSITIVE if P and frozenset(P.items()) in positive else facts(P)


def power(ring: Ring, r: Element, A: Exponent) -> Element:
    return r if A == (1, 1) else ring.root(r, A)


def negatives(leaf: Leaf, dim: int, multipliers: Any) -> list[tuple[Number, Element]]:
    """Elements that are at most 0, with their factors: assumptions, then -x_a and x_a - 1."""
    known, found = len(leaf.assumptions), []
    for number, factor in read_multipliers(multipliers, known + 2 * dim):
        need(factor > 0, "a combination with a factor that is not positive")
        if number < known:
            form, signs = leaf.assumptions[number]
            need(signs in ({-1}, {1}), "a combination of an assumption that is no strict inequality")
            found.append((-factor * next(iter(signs)), leaf.element(form)))
        else:
            found += box(leaf.ring, leaf.tokens[(number - known) // 2], (number - known) % 2, factor)
    return found


def box(ring: Ring, x: Element, upper: int, factor: Fraction) -> list[tuple[Number, Element]]:
    """-x, or x - 1."""
    return [(factor, x), (-factor, ring.constant(1))] if upper else [(-factor, x)]


def check_least(run: Run, bounds: list[Element]) -> None:
    """The answer is the least of some c_j, each of which is one of the bounds, and each bound is one."""
    ranking = ranked(run)
    candidates = run.candidates(0, ranking.head)
    scores = [run.score(0, ranking.head, candidate) for candidate in candidates]
    found = []
    for candidate in candidates:
        value = run.at(candidate, ranking.form, ranking.default)
        found.append(run.ring.combination([(ranking.factor, value), (ranking.number, {ONE: 1})]))
    need(opposite(run.ring, found, scores), "the scores do not rank the values from the least on")
    need(keys(found) == keys(bounds), "the values that are ranked are not v_i + K |x - p_i|^A for all i")


def ranked(run: Run) -> Ranking:
    """The last value of a head, with token 0 as query, that the answer is an increasing function of."""
    answer = run.answer(0)
    run.ring.work.spend(len(run.encoder.coordinates))
    heads = [(c, source.data) for c, source in run.encoder.coordinates.items() if source.kind == "head"]
    for c, (head, form, default) in reversed(heads):
        value = run.value(0, c)
        leading = max(value, default=ONE)
        if leading == ONE or sign(answer.get(leading, 0)) != sign(value[leading]):
            continue
        factor = Fraction(answer[leading]) / value[leading]
        rest = run.ring.combination([(1, answer), (-factor, value)])
        if rest.keys() <= {ONE}:
            return Ranking(head, form, default, factor, rest.get(ONE, 0))
    need(False, "the answer at token 0 is no increasing function of a value of a head")
    raise AssertionError


def opposite(ring: Ring, values: list[Element], scores: list[Element]) -> bool:
    """Whether value + b score is the same for all candidates, for one number b > 0."""
    steps = [(ring.minus(c, values[0]), ring.minus(s, scores[0])) for c, s in zip(values, scores, strict=True)]
    b = next((-Fraction(c.get(max(s), 0)) / s[max(s)] for c, s in steps if s), Fraction(1))
    return b > 0 and not any(ring.combination([(1, c), (b, s)]) for c, s in steps)


def keys(elements: list[Element]) -> set[frozenset]:
    return {frozenset(element.items()) for element in elements}
