"""Running a program and its target on the same tokens, in float32 and float64.

Main definitions: `Run`, `measured`, `discrepancy`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from symut.compiler.inputs import Inputs
from symut.compiler.loaded import Loaded
from symut.compiler.report import DTYPES, Discrepancy
from symut.compiler.target import Target


@dataclass(frozen=True)
class Run:
    """Everything that was compiled and measured.

    `E` (r x m) and the direct evaluation `exact` (..., n, d_out) are float64; `outputs` (..., n, d_out) are the
    programmed backbone's by dtype; only the rows `compared` (..., n) count.
    """

    loaded: Loaded
    target: Target
    inputs: Inputs
    causal: bool
    E: np.ndarray
    compared: np.ndarray
    exact: np.ndarray
    outputs: dict[str, np.ndarray]
    errors: dict[str, Discrepancy | None]
    rounding: Discrepancy | None


def measured(loaded: Loaded, target: Target, inputs: Inputs, causal: bool) -> Run:
    """Compile the target's program and run both networks on the inputs; a constant 1 joins X if there are biases.

    (An affine module appends it itself.)

    Raises TargetError if the backbone cannot be programmed.
    """
    tokens, compared = inputs.X, inputs.rows_with_keys(causal)
    if target.has_biases and not loaded.form.affine:
        tokens = np.concatenate([tokens, np.ones((*tokens.shape[:-1], 1))], axis=-1)
    with np.errstate(over="ignore", invalid="ignore"):
        E = loaded.compile_program(target)
        direct = {name: target.direct(inputs.X, inputs.mask, causal, name) for name in DTYPES}
        outputs = {
            name: loaded.run(tokens, E.astype(name), mask=inputs.mask, causal=causal, scale=target.scale)
            for name in DTYPES
        }
        exact = direct["float64"]
        errors = {name: discrepancy(outputs[name], exact, compared) for name in DTYPES}
        rounding = discrepancy(direct["float32"], exact, compared)
    return Run(loaded, target, inputs, causal, E, compared, exact, outputs, errors, rounding)


def discrepancy(got: np.ndarray, expected: np.ndarray, rows: np.ndarray) -> Discrepancy | None:
    """Compare two (..., n, d_out) arrays at the rows (..., n) that are True; None if a number there is not finite."""
    kept = rows[..., None]
    got, expected = got.astype(np.float64), expected.astype(np.float64)
    if not np.isfinite(np.where(kept, got, 0)).all() or not np.isfinite(np.where(kept, expected, 0)).all():
        return None
    difference = np.abs(np.where(kept, got - expected, 0))
    where = np.unravel_index(int(difference.argmax()), difference.shape)
    error, size = float(difference[where]), float(np.abs(np.where(kept, expected, 0)).max())
    return Discrepancy(error, error / size if size else error, tuple(int(index) for index in where))
