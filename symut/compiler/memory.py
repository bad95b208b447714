"""How much memory compiling and checking a program takes, from shapes alone.

Main definition: `predicted_bytes`.
"""

from __future__ import annotations

import math

from symut.backbone.forms import FormShape
from symut.emitter.kinds import KINDS

DOUBLE = 8


def predicted_bytes(kind: str, shape: FormShape, m: int, rows: int, tokens: tuple[int, ...]) -> int:
    """Peak bytes of `program`, in float64 numbers: target, program, backbone, and one run on X of the shape `tokens`.

    Target: 2k + 2d columns for each layer, head and row, and d_out for each row, held four times (stored, split,
    lifted, as tensors).
    Program: B (rows x N) and E (rows x m), three times with the partial columns.  Random backbone: its
    2LHmk + LHm^2 + md numbers stored and working (L = 1 if the layers share them), and M, Q (m x N), R (N x N) with one
    copy.  Run: scores (H x n x n) four times, states and values of the widest layer (N for 0/1 tables; H m and m for
    random) three times.
    """
    H, L, d, k, N = shape.H, shape.L, shape.d, shape.k, shape.N
    *batch, n, _ = tokens
    sequences = math.prod(batch)
    target = 4 * rows * (L * H * (2 * k + 2 * d) + shape.output_width)
    program = 3 * rows * (N + m)
    widest = N + H * rows
    backbone = 0
    if KINDS[kind].random:
        stored = 1 if shape.form.shared else L
        backbone = 2 * (2 * stored * H * m * k + stored * H * m * m + m * d) + 2 * (2 * m * N + N * N)
        widest = (H + 1) * m + H * (2 * k)
    run = sequences * (4 * H * n * n + 3 * n * widest)
    return DOUBLE * (target + program + backbone + run)
