"""Small encoders for Lipschitz and Hölder functions from their values on a grid, built by hand."""

from __future__ import annotations

from typing import Any

from tests.check.build import Artifact
from tests.check.build_rasp import split
from tests.check.build_simulator import Draft, one, stated

QUARTER, MINUS_HALF, HALF = {"q": [1, 4]}, {"q": [-1, 2]}, {"q": [1, 2]}
LIPSCHITZ_TREE = split(
    [4, 0, 0, -1],
    {
        "-": split([4, 0, 0, -3], {"-": []}, zero=[[0, 1, 1]], plus=[[0, 1, 1], [1, 1, 1]]),
        "0": [],
        "+": split([4, 0, 0, -3], {"-": split([2, 0, 0, -1], {"-": [], "0": [], "+": []}), "0": [], "+": []}),
    },
)
"""x - 1/4, x - 3/4 and x - 1/2."""
LIPSCHITZ_LEAVES = [
    [0, [[2, 2, 1]]],
    [0, []],
    [0, [[2, 1, 1]]],
    [0, []],
    [1, [[2, 1, 1]]],
    [1, []],
    [1, [[3, 2, 1]]],
]


def lipschitz(tree: Any = LIPSCHITZ_TREE, leaves: Any = None) -> Artifact:
    """K = 1, points 1/4 and 3/4."""
    draft = Draft(3)
    point = draft.held("position", [0, QUARTER, {"q": [3, 4]}])
    draft.layer()
    x = draft.copy(0)
    side = [[[[point, 1], [x, -1]], 1], [[[point, -1], [x, 1]], 1]]
    distance = draft.gate("relu", side)
    draft.layer()
    value = [[draft.token, 1], [distance, 1]]
    scores = [[[[[0, -3]]], [value]]]
    least = draft.head(value, bilinear=scores, hidden=[[0]] * 3)
    certificate = {"cases": [tree], "leaves": LIPSCHITZ_LEAVES if leaves is None else leaves}
    sizes = {"dim": 1, "steps": 2, "top": 1, "bottom": 1, "up": 1, "down": 1}
    return stated("lipschitz", sizes, draft.encoder(one(least)), **certificate)


def hoelder() -> Artifact:
    """K = 1, A = 1/2, points 1/4 and 3/4: the same grid and cases; the row of x has a distance, too."""
    draft = Draft(3)
    point = draft.held("position", [QUARTER, QUARTER, {"q": [3, 4]}])
    draft.layer()
    x = draft.copy(0)
    distance = draft.gate("relu", [[[[point, 1], [x, -1]], 1], [[[point, -1], [x, 1]], 1]])
    reach = draft.gate("root", one(distance), [1, 2])
    draft.layer()
    value = [[draft.token, 1], [reach, 1]]
    least = draft.head(value, bilinear=[[[[[0, -3]]], [value]]], hidden=[[0]] * 3)
    sizes = {"dim": 1, "steps": 2, "top": 1, "bottom": 1, "up": 1, "down": 2}
    certificate = {"cases": [LIPSCHITZ_TREE], "leaves": LIPSCHITZ_LEAVES}
    return stated("lipschitz", sizes, draft.encoder(one(least)), **certificate)


def hoelder_square() -> Artifact:
    """K = 3/2, A = 2/3, the point (1/2, 1/2) of a square, from which the distance is a sum of two."""
    draft = Draft(3)
    draft.layer()
    places = [draft.copy(i) for i in range(2)]
    forms = [form for c in places for form in ([[0, HALF], [c, -1]], [[0, MINUS_HALF], [c, 1]])]
    distance = draft.gate("relu", [[form, 1] for form in forms])
    reach = draft.gate("root", one(distance), [2, 3])
    draft.layer()
    value = [[draft.token, 1], [reach, {"q": [3, 2]}]]
    least = draft.head(value, bilinear=[[[[[0, -1]]], [value]]], hidden=[[0, 1]] * 3)
    sides = {"-": [], "0": [], "+": []}
    tree = split([2, 0, 0, -1], {sign: split([0, 2, 0, -1], sides) for sign in sides})
    bounds: list[list[list[list[int]]]] = [[[[2 + 2 * a, 3, 1]], [], [[3 + 2 * a, 3, 1]]] for a in range(2)]
    leaves = [[0, first + second] for first in bounds[0] for second in bounds[1]]
    sizes = {"dim": 2, "steps": 1, "top": 3, "bottom": 2, "up": 2, "down": 3}
    return stated("lipschitz", sizes, draft.encoder(one(least)), cases=[tree], leaves=leaves)
