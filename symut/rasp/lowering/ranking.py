"""Selectors with `best`: what a head that ranks keys needs, and what of it has no encoder.

Main definitions: `ranked`, `issue_of_best`.

A ranking head hides keys by position and scores the others by a bilinear form of numbers, which may be unbounded. Its
scores have no gap, so neither a selector of contents nor a second selector can be added to them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from symut.rasp import core
from symut.rasp.lowering.ranges import Real
from symut.rasp.lowering.selections import Selection

if TYPE_CHECKING:
    from symut.rasp.lowering.facts import Analysis
    from symut.rasp.lowering.selections import Selections

Issue = tuple[core.Node, str, str, str]


def ranked(chooser: Selections, best: core.Best) -> Selection:
    """The selection of `best` over a selector that depends on positions only."""
    return Selection(chooser.of(best.selector).mask, ranking=best)


def issue_of_best(found: Analysis, chooser: Selections, node: core.Aggregate | core.SelectorWidth) -> Issue | None:
    """(node, what, reason, remedy) of a `best` in the selector of an aggregate or a width that no head computes."""
    selector = node.selector
    inner = _inside(selector.selector if isinstance(selector, core.Best) else selector)
    if not isinstance(selector, core.Best) and inner is None:
        return None
    if inner is not None:
        remedy = "read best by an aggregate of its own; combine the selectors in its first argument"
        return inner, "best", "it is combined with another selector", remedy
    assert isinstance(selector, core.Best)
    if isinstance(node, core.SelectorWidth):
        return node, "selector_width", "it counts the ties of a best, which a head averages", "select keys by =="
    if not chooser.of(selector.selector).positional:
        remedy = "its first argument must select by positions, for example select(indices, indices, <=) or full_s"
        return selector, "best", "the keys that it chooses from depend on the tokens", remedy
    parts = [found.ranges[part] for part in (*selector.keys, *selector.queries)]
    if not all(isinstance(part, Real) or part.numeric for part in parts):
        return selector, "best", "it scores by values that may be no numbers", "score by numbers only"
    return None


def _inside(selector: core.Selector) -> core.Best | None:
    """A best that a selector is, or is combined from."""
    if isinstance(selector, core.Best):
        return selector
    operands = selector.operands if isinstance(selector, core.Combine) else ()
    return next((found for found in map(_inside, operands) if found is not None), None)
