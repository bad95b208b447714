"""The leaves of a tree of cases, and the values of the variables there (FORMAT.md, sections 12.3 and 13.4)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .encoder_ring import Element, Ring
from .encoder_signs import assumed_forms
from .encoder_work import Work, need_bits
from .rasp_cases import SIGNS, branches
from .rasp_polynomial import Polynomial
from .rasp_polynomial import Work as Products
from .rasp_signs import Assumed, Assumption
from .strict import need

ORDER = list(SIGNS.values())  # -, 0, + and !


class Leaf:
    """What is assumed, and the variables, where those that equations determine are replaced."""

    def __init__(self, n: int, assumptions: list[Assumption], work: Work) -> None:
        assumed = Assumed(assumptions)
        self.ring, self.assumptions = Ring(work, n), assumptions
        self.facts = assumed_forms(self.ring, assumed)
        self.tokens = [self.ring.variable(i) for i in range(n)]
        self.tokens = [self.element(assumed.images[i]) if i in assumed.images else self.tokens[i] for i in range(n)]

    def element(self, form: Polynomial) -> Element:
        """The value of a linear form."""
        terms = [
            (c, self.tokens[monomial.index(1)] if any(monomial) else self.ring.constant(1))
            for monomial, c in form.items()
        ]
        return self.ring.combination(terms)


def leaves(n: int, tree: Any, work: Work) -> Iterator[Leaf]:
    """In the order of a walk that takes the signs -, 0, +, ! in turn; together they cover all values."""
    waiting: list[tuple[Any, list[Assumption]]] = [(tree, [])]
    while waiting:
        node, assumptions = waiting.pop()
        spend(n, assumptions, work)
        Products.begin()  # its limit is for section 12, `spend` is the one of this section
        if type(node) is list:
            need(node == [], "a leaf that is not empty")
            yield Leaf(n, assumptions, work)
        else:
            need_small(node)
            found = branches(n, node, assumptions)
            waiting += sorted(found, key=lambda branch: -ORDER.index(branch[1][-1][1]))


def need_small(node: Any) -> None:
    """The numbers of a node, in its form and in its combinations, are within the limits."""
    waiting: list[Any] = [node.get("form"), node.get("excluded")] if type(node) is dict else []
    while waiting:
        value = waiting.pop()
        if type(value) is int:
            need_bits(value, 1)
        elif isinstance(value, (list, dict)):
            waiting.extend(value.values() if isinstance(value, dict) else value)


def spend(n: int, assumptions: list[Assumption], work: Work) -> None:
    """What reducing all assumptions by the equations among them costs."""
    equations = sum(signs == {0} for _, signs in assumptions)
    work.spend(10 + (1 + equations) * (n + 1) * (n + sum(len(form) for form, _ in assumptions)) // 4)
