"""The backbone of the upper bounds: scores are products of two linear forms in a few free numbers.

Main definitions: `upper_width`, `backbone`.
The program holds `v_p z_{l,s}` for every path p of length l - 1 (with one head `z_s`, once for all layers) and `v_p`
for every full path.  n products take all values at once in n >= 2 variables: pairs z_1 z_2, z_1^2 - z_2^2, and, if n
is odd, one triple; a single product needs two variables (proofs/FORMAT.md, 11.4).
"""

from __future__ import annotations

from itertools import product
from typing import Any

from symut.statement.search import WEAK

PAIR = (((1, 0), (0, 1)), ((1, -1), (1, 1)))
TRIPLE = (((0, 0, 1), (0, 1, 0)), ((0, 1, -1), (1, -1, 0)), ((1, 0, -1), (1, 0, 1)))
SINGLE = (((1, 0), (0, 1)),)
"""Products of linear forms; all determinants of one form from each product are nonzero, an odd number negative."""


def upper_width(H: int, L: int, targets: str) -> int:
    """sum of H^l + H^L, but 3 at (1,1) for strong targets: the width that `backbone` needs."""
    return sum(H**layer for layer in range(1, L + 1)) + H**L + (H == L == 1 and targets != WEAK)


def _blocks(n: int) -> list[Any]:
    if n == 1:
        return [SINGLE]
    return [PAIR] * ((n - 3 * (n % 2)) // 2) + [TRIPLE] * (n % 2)


def _forms(n: int) -> tuple[list[Any], list[list[int]]]:
    """For each product two dicts variable (from 1) -> coefficient, and the partition of the products into blocks."""
    forms: list[Any] = []
    partition: list[list[int]] = []
    start = 1
    for block in _blocks(n):
        partition.append(list(range(len(forms), len(forms) + len(block))))
        forms += [[{start + s: c for s, c in enumerate(form) if c} for form in pair] for pair in block]
        start += len(block[0][0])
    return forms, partition


def backbone(H: int, L: int, m: int, targets: str) -> dict[str, Any]:
    """The fields of FORMAT.md, 11.4; needs m >= upper_width(H, L, targets)."""
    if H == L == 1 and targets == WEAK:
        return _padded(m, [[[], 1], [[1], 0]], [[[[0, 0], [1, 1]]]], [[[[[0, 1]], [[1, 1]]]]], [1], [[[0]]])
    heads = range(1, H + 1)
    forms, partition = _forms(H if H > 1 else L)
    variables = range(1, 1 + len({s for pair in forms for form in pair for s in form}))
    slots: list[Any] = [
        [list(path), s]
        for layer in range(L if H > 1 else 1)
        for path in product(heads, repeat=layer)
        for s in variables
    ]
    slots += [[list(path), 0] for path in product(heads, repeat=L)]
    place = {(tuple(path), s): c for c, (path, s) in enumerate(slots)}

    def kept(layer: int, h: int) -> list[list[int]]:
        """Slots stay where they are if their path has the letter h here; variables that all layers share always do."""
        shared = H == 1
        return [[c, c] for (path, s), c in place.items() if shared or (len(path) > layer and path[layer] == h)]

    def read(layer: int, form: dict[int, int]) -> list[list[int]]:
        paths = product(heads, repeat=layer) if H > 1 else [()]
        return [[place[path, s], c] for path in paths for s, c in form.items()]

    values = [[kept(layer, h) for h in heads] for layer in range(L)]
    rows = [[[read(layer, f) for f in forms[h if H > 1 else layer]] for h in range(H)] for layer in range(L)]
    readout = [c for (_, s), c in place.items() if s == 0]
    return _padded(m, slots, values, rows, readout, [partition] * (L if H > 1 else 1))


def _padded(m: int, slots: list[Any], values: Any, forms: Any, readout: Any, blocks: Any) -> dict[str, Any]:
    padded = [*slots, *[None] * (m - len(slots))]
    return {"slots": padded, "values": values, "forms": forms, "readout": readout, "blocks": blocks}
