"""Layers that keep all heads in one matrix, as torch.nn.Linear's convention has it: weights map columns to columns.

Main definitions: `head_width`, `joined_heads`.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from symut.backbone import Shape
from symut.compiler.reader import Request, Tensors
from symut.compiler.target import Target
from symut.errors import TargetError


def head_width(request: Request, columns: int, path: Path) -> tuple[int, int]:
    """(H, k) with H k = columns; raises TargetError if the number of heads is unknown or does not divide."""
    if request.heads is None:
        raise TargetError(
            f"{path} does not say how many heads there are",
            expected="a divisor of " + str(columns),
            remedy="pass --heads",
        )
    if columns % request.heads:
        raise TargetError(
            f"{request.heads} heads do not divide the width of {path}",
            expected=f"a divisor of {columns}",
            got=str(request.heads),
            remedy="pass the right --heads",
        )
    return request.heads, columns // request.heads


def joined_heads(tensors: Tensors, shape: Shape, scale: float) -> Target:
    """One layer from matrices that map columns to columns, all heads in one (torch.nn.Linear's convention).

    Roles q, k, v: (H k) x d; o: d x (H k); optional bq, bk, bv: H k; bo: d.  Head h owns rows h k .. (h+1) k - 1 of
    q, k, v and the same columns of o.
    """
    H, d, k = shape.H, shape.d, shape.k

    def split(name: str) -> np.ndarray:
        return tensors[name].reshape(1, H, k, d).swapaxes(-1, -2)

    def bias(name: str) -> np.ndarray | None:
        return tensors[name].reshape(1, H, k) if name in tensors else None

    return Target(
        query=split("q"),
        key=split("k"),
        value=split("v"),
        output=tensors["o"].T.reshape(1, H, k, d),
        query_bias=bias("bq"),
        key_bias=bias("bk"),
        value_bias=bias("bv"),
        output_bias=tensors["bo"].reshape(1, d) if "bo" in tensors else None,
        scale=scale,
    )
