"""Rules I and C: two nodes of a graph have the same values on all inputs, or in all cases (FORMAT.md, section 12)."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

from .rasp_execute import execute
from .rasp_polynomial import Polynomial, Ratio, constant, plus, scaled, token
from .rasp_signs import Assumed, Assumption, contradicts
from .rasp_values import Case
from .rasp_work import MAX_LENGTH_STEPS, Steps
from .strict import Invalid, fields, integers, listing, need

SIGNS = {"-": frozenset((-1,)), "0": frozenset((0,)), "+": frozenset((1,)), "!": frozenset((-1, 1))}
MAX_INPUTS = 2**16  # of one length, a limit of this program


class Pair(NamedTuple):
    """Two nodes of a graph and, in order, what each is computed from.

    With `defined`, only inputs on which both have values count.
    """

    nodes: list[list[Any]]
    first: int
    second: int
    needed: tuple[list[int], list[int]]
    defined: bool


def agree(pair: Pair, case: Case, tokens: list[Any]) -> bool:
    one, other = (execute(case, pair.nodes, tokens, needed) for needed in pair.needed)
    if one is None or other is None:
        return pair.defined or one is other
    return all(same(case, a, b) for a, b in zip(one, other, strict=True))


def same(case: Case, left: Any, right: Any) -> bool:
    if type(left) is list or type(right) is list:
        return left == right
    return case.equal(left, right)


def rule_inputs(pair: Pair, letters: list[Any], n: int, steps: Steps) -> None:
    """Rule I: every input over the alphabet is run."""
    need(len(letters) ** n <= MAX_INPUTS, f"more than {MAX_INPUTS} inputs of length {n}")
    foreseen = len(letters) ** n * sum(map(len, pair.needed)) * n * n
    need(foreseen <= MAX_LENGTH_STEPS, f"inputs: more than {MAX_LENGTH_STEPS} steps at length {n}, too large to check")
    case = Case(n, Assumed([]), steps)
    for word in product(letters, repeat=n):
        if not agree(pair, case, list(word)):
            raise Invalid(f"the sequences differ on the input {list(word)!r:.60}")


def rule_cases(pair: Pair, n: int, tree: Any, steps: Steps) -> None:
    """Rule C: the tree covers all rational tokens, and the sequences agree at each of its leaves."""
    one = constant(n, 1)
    tokens = [Ratio(token(n, i), one) for i in range(n)]
    waiting: list[tuple[Any, list[Assumption]]] = [(tree, [])]
    while waiting:
        node, assumptions = waiting.pop()
        steps.spend(node_cost(n, node, assumptions))
        if type(node) is list:
            need(node == [], "a leaf that is not empty")
            need(agree(pair, Case(n, Assumed(assumptions), steps), tokens), "the sequences differ in a case")
        else:
            waiting += branches(n, node, assumptions)


def node_cost(n: int, node: Any, assumptions: list[Assumption]) -> int:
    """What reducing all assumptions by the equations among them costs, and adding up combinations."""
    equations = sum(signs == {0} for _, signs in assumptions)
    reducing = (1 + equations) * (n + 1) * (n + sum(len(form) for form, _ in assumptions)) // 4
    excluded = node.get("excluded") if type(node) is dict else None
    lists = excluded.values() if type(excluded) is dict else ()
    return 100 + reducing + (n + 1) * sum(len(entry) for entry in lists if type(entry) is list)


def branches(n: int, node: Any, assumptions: list[Assumption]) -> list[tuple[Any, list[Assumption]]]:
    """The cases of one form; every sign that is open must have one, or be excluded."""
    table = fields(node, "a case", ["form", "cases"], ["excluded"])
    form = read_form(n, table["form"])
    cases = fields(table["cases"], "cases", [], SIGNS)
    excluded = fields(table.get("excluded", {}), "excluded", [], ["-", "0", "+"])
    for key, multipliers in excluded.items():
        extended = [*assumptions, (form, SIGNS[key])]
        combination = read_multipliers(multipliers, len(extended))
        need(contradicts(extended, combination), f"a sign {key} is not excluded by its combination")
    covered = frozenset(sign for key in (*cases, *excluded) for sign in SIGNS[key])
    need(Assumed(assumptions).signs(form) <= covered, "a sign of a form is not covered")
    return [(subtree, [*assumptions, (form, SIGNS[key])]) for key, subtree in cases.items()]


def read_form(n: int, value: Any) -> Polynomial:
    """n coefficients and a constant."""
    numbers = integers(value, "form", -math.inf, math.inf, n + 1)
    need(any(numbers[:n]), "a form that is constant")
    form = constant(n, numbers[n])
    for i, coefficient in enumerate(numbers[:n]):
        form = plus(form, scaled(token(n, i), Fraction(coefficient)))
    return form


def read_multipliers(value: Any, count: int) -> list[tuple[int, Fraction]]:
    """[number of an assumption, numerator, denominator], each number at most once."""
    found = []
    for entry in listing(value, "a combination"):
        number, top, bottom = integers(entry, "a combination", 0, math.inf, 3)
        need(number < count and bottom > 0, "a combination: no such assumption, or a denominator 0")
        found.append((number, Fraction(top, bottom)))
    need(len({number for number, _ in found}) == len(found), "a combination names an assumption twice")
    return found
