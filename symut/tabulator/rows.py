"""What a row of the table is: a problem, its value at every shape, its hypotheses and the theorem that certifies it.

Main definitions: `Row`, `form_width`, `unit_shape`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from symut.backbone.forms import Form, form_count
from symut.backbone.shape import Shape
from symut.searcher.artifact import ID
from symut.tabulator.problem import ALL, ANY, Problem

UNIVERSAL = Problem(ANY, ALL)
MATCHING = "attention_matching_lower_bound"
SEARCH = ID
"""Artifacts of `symut search attention_matching`, which is no theorem of `symut prove`."""
NO_RULE = "not certified, because check.py has no rule for it"
UNIT_TARGETS = "d = k = 1, real weights, all q and v nonzero"


@dataclass(frozen=True)
class Row:
    """A fact about the width of backbones, one integer for each shape with `applies(shape)`.

    `theorem` and `goal` name the statement that certifies it (None: nothing in symut does); `linear` says that a lower
    bound uses linear conditions on programs only: the right-hand sides that a backbone can solve are a linear space,
    hence closed, and generic targets are dense, so the bound for all targets is one for generic targets;
    `superseded` names the row that implies this one, which then never counts as the best; `instances_only` says that
    the theorem covers some sizes only, so that the row is listed where an artifact of that size passes; `search` gives
    the heads and the targets of the statement for rows whose theorem is SEARCH.
    """

    id: str
    problem: Problem
    value: Callable[[Shape], int]
    hypotheses: str
    theorem: str | None = None
    goal: str | None = None
    applies: Callable[[Shape], bool] = lambda shape: True
    linear: bool = False
    superseded: str = ""
    instances_only: bool = False
    search: tuple[str, str] = ("", "")

    @property
    def is_certified(self) -> bool:
        """Whether a theorem of symut says it, so that check.py can judge it."""
        return self.theorem is not None


def form_width(form: Form) -> Callable[[Shape], int]:
    """The number of slots of a form as a function of the shape, with d outputs."""
    return lambda shape: form_count(form, shape.H, shape.L).at(shape.d, shape.k)


def unit_shape(shape: Shape) -> bool:
    """Whether d = k = 1, where the widths that matching needs are known exactly."""
    return shape.d == shape.k == 1
