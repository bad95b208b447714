"""Functions of numbers in the sequence: ReLU, sorting in groups, and softmax.

Main definitions: `RELU`, `MAXMIN`, `SOFTMAX`.
Main result: no attention for ReLU, two layers for sorting groups of any size, one for softmax with the largest entry
subtracted.
Source: On the Existence of Universal Simulators of Attention; the sorting by convex functions is symut's.
"""

from __future__ import annotations

from typing import Any

from constructions.simulators.programs import sequence
from symut.errors import UsageError, shown
from symut.machine import Block, Machine, Sizes
from symut.theorem import Parameter

SOURCE = "On the Existence of Universal Simulators of Attention"
MOST_SORTED, MOST_CASES = 5, 600
ORDERS = {1: 1, 2: 3, 3: 13, 4: 75, 5: 541}
"""The cases of a group are all weak orders of its numbers: 541 of five numbers."""

RELU = Machine(
    id="relu",
    statement="one encoder takes the positive parts of all sequences of real numbers",
    source=SOURCE,
    task="relu",
    parameters=(Parameter("n", "numbers", default=4),),
    sizes=lambda values: {"n": values["n"]},
    program=lambda s: sequence("relu", "relu", s["n"]),
    tokens=lambda s: s["n"],
    inputs=lambda s: (Block("x", 1, s["n"], axes=1),),
    output=lambda s: Block("y", 1, s["n"], axes=1),
    work=lambda s: s["n"],
    instances=({"n": 4},),
)


def _require_few(sizes: Sizes) -> None:
    if sizes["size"] > MOST_SORTED:
        raise UsageError(
            "--size out of range for a proof",
            expected=f"an integer from 1 to {MOST_SORTED}",
            got=shown(sizes["size"]),
            remedy="the proof tells all orders of a group apart; `symut emit maxmin` takes any size",
        )
    if sizes["groups"] * ORDERS[sizes["size"]] > MOST_CASES:
        raise UsageError(
            "too many cases for a proof",
            expected=f"groups times the {ORDERS[sizes['size']]} orders of a group at most {MOST_CASES}",
            got=f"{sizes['groups']} groups",
            remedy="`symut emit maxmin` takes any number of groups, and they do not interact",
        )


def _orders(sizes: Sizes) -> dict[str, Any]:
    """A tree over the orders of each group's numbers: that of one group, read at the tokens of the others, too."""
    from symut.prover.cases import order_cases

    size, groups = sizes["size"], sizes["groups"]
    tree = order_cases(sequence("maxmin", "maxmin", 1, size), size)
    return {"cases": [shifted(tree, group * size, groups * size) for group in range(groups)]}


def shifted(tree: Any, first: int, width: int) -> Any:
    """The tree over `width` variables whose forms read those from `first` on."""
    if tree == []:
        return []
    form = tree["form"]
    wide = [0] * first + form[:-1] + [0] * (width - first - len(form) + 1) + form[-1:]
    cases = {sign: shifted(case, first, width) for sign, case in tree["cases"].items()}
    return {**tree, "form": wide, "cases": cases}


MAXMIN = Machine(
    id="maxmin",
    statement="one encoder sorts the rows of all real matrices of a size",
    source=SOURCE,
    task="maxmin",
    parameters=(Parameter("groups", "groups", default=2), Parameter("size", "numbers in each group", default=3)),
    sizes=lambda values: {"groups": values["groups"], "size": values["size"]},
    program=lambda s: sequence("maxmin", "maxmin", s["groups"], s["size"]),
    tokens=lambda s: s["groups"] * s["size"],
    inputs=lambda s: (Block("A", s["groups"], s["size"]),),
    output=lambda s: Block("B", s["groups"], s["size"]),
    work=lambda s: s["size"],
    evidence=_orders,
    require_provable=_require_few,
    instances=(
        {"groups": 2, "size": 3},
        {"groups": 3, "size": 1},
        {"groups": 3, "size": 2},
        {"groups": 1, "size": 4},
    ),
)

SOFTMAX = Machine(
    id="softmax",
    statement="one encoder takes the softmax of the rows of all real matrices of a size",
    source=SOURCE,
    task="softmax",
    parameters=(Parameter("r", "rows of A", default=3), Parameter("c", "columns of A", default=4)),
    sizes=lambda values: {"r": values["r"], "c": values["c"]},
    program=lambda s: sequence("softmax", "softmax", s["r"], s["c"]),
    tokens=lambda s: s["r"] * s["c"],
    inputs=lambda s: (Block("A", s["r"], s["c"]),),
    output=lambda s: Block("P", s["r"], s["c"]),
    work=lambda s: max(s["r"], s["c"]),
    instances=({"r": 3, "c": 4}, {"r": 1, "c": 1}, {"r": 5, "c": 2}),
)
