"""The leaves of a tree of cases, and the values of the variables there (FORMAT.md, sections 12.3 and 13.4)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .encoder_ring import Element, Ring
from .encoder_signs import assumed_forms
from .encoder_work import Work, need_bits, need_small_numbers
from .rasp_cases import SIGNS, branches, node_cost
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
        work.spend(node_cost(n, node, assumptions))
        Products.begin()  # its limit is for section 12, `spend` is the one of this section
        need_small_images(assumptions)
        if type(node) is list:
            need(node == [], "a leaf that is not empty")
            yield Leaf(n, assumptions, work)
        else:
            need_small_numbers([node.get("form"), node.get("excluded")] if type(node) is dict else [])
            found = branches(n, node, assumptions)
            waiting += sorted(found, key=lambda branch: -ORDER.index(branch[1][-1][1]))


def need_small_images(assumptions: list[Assumption]) -> None:
    """What the last equation, solved, gives is within the limits, too."""
    if assumptions and assumptions[-1][1] == {0}:
        for image in Assumed(assumptions).images.values():
            for c in image.values():
                need_bits(c.numerator, c.denominator)
