"""Some columns of the block matrix M(R) of a stored backbone: exactly, and before that how long their entries are.

Main definitions: `exact_columns`, `log_columns`.
Column R_p r is computed from its end, R_{1,p_1} (... (R_{j,p_j} r)), for all chosen columns together; matrices that no
chosen path meets are not looked at.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

from symut.backbone.paths import KEY, OUTPUT, QUERY, Slot

if TYPE_CHECKING:
    import numpy as np

    from symut.exact.integers import Integers

Column = TypeVar("Column")
NAMES = {QUERY: "RQ", KEY: "RK", OUTPUT: "U"}
"""The tensor that the slots of a role read."""


def last_factor(tensors: Mapping[str, np.ndarray], slot: Slot) -> np.ndarray:
    """The column r of RQ, RK or U that ends R_p r."""
    tensor = tensors[NAMES[slot.role]]
    return tensor[:, slot.column] if slot.role == OUTPUT else tensor[len(slot.path), slot.head - 1, :, slot.column]


def _columns(
    chosen: Sequence[Slot],
    last: Callable[[Slot], Column],
    move: Callable[[int, int, list[Column]], list[Column]],
) -> list[Column]:
    """`move(l, h, columns)` multiplies columns by RV_{l,h} (numbered from 0)."""
    found = [last(slot) for slot in chosen]
    for layer in range(max(len(slot.path) for slot in chosen) - 1, -1, -1):
        groups: dict[int, list[int]] = defaultdict(list)
        for i, slot in enumerate(chosen):
            if len(slot.path) > layer:
                groups[slot.path[layer]].append(i)
        for head, members in groups.items():
            moved = move(layer, head - 1, [found[i] for i in members])
            for i, column in zip(members, moved, strict=True):
                found[i] = column
    return found


def exact_columns(tensors: Mapping[str, np.ndarray], bits: Mapping[str, int], chosen: Sequence[Slot]) -> Integers:
    """The chosen columns (m x their number), each times 2^b with b = |p| bits[RV] + bits[RQ, RK or U]."""
    import numpy as np

    from symut.exact.dyadic import scaled_integers
    from symut.exact.integers import Integers

    def last(slot: Slot) -> list[int]:
        return scaled_integers(last_factor(tensors, slot)[np.newaxis], bits[NAMES[slot.role]])[0]

    def move(layer: int, head: int, columns: list[list[int]]) -> list[list[int]]:
        RV = scaled_integers(tensors["RV"][layer, head], bits["RV"])
        moved = Integers.from_rows(RV, len(RV)) @ Integers.from_rows(list(zip(*columns, strict=True)), len(columns))
        return [list(column) for column in zip(*moved.inner.tolist(), strict=True)]

    columns = _columns(chosen, last, move)
    return Integers.from_rows(list(zip(*columns, strict=True)), len(columns))


def log_columns(tensors: Mapping[str, np.ndarray], chosen: Sequence[Slot]) -> np.ndarray:
    """log2 of the absolute entries of the chosen columns (m x their number), in floating point; -inf for 0."""
    import numpy as np

    def scaled(array: np.ndarray) -> tuple[np.ndarray, int]:
        """Entries of absolute value at most 1, and the power of two that was taken out."""
        fractions, exponents = np.frexp(array.astype(np.float64))
        largest = int(exponents.max(where=fractions != 0, initial=-(2**30)))
        return np.ldexp(fractions, np.maximum(exponents - largest, -2000)), largest

    def last(slot: Slot) -> tuple[np.ndarray, int]:
        return scaled(last_factor(tensors, slot))

    def move(layer: int, head: int, columns: list[tuple[np.ndarray, int]]) -> list[tuple[np.ndarray, int]]:
        RV, power = scaled(tensors["RV"][layer, head])
        moved = RV @ np.stack([column for column, _ in columns], axis=1)
        pairs = ((scaled(column), before) for column, (_, before) in zip(moved.T, columns, strict=True))
        return [(column, own + power + before) for (column, own), before in pairs]

    with np.errstate(divide="ignore"):
        return np.stack([np.log2(np.abs(column)) + power for column, power in _columns(chosen, last, move)], axis=1)
