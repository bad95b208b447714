"""What `program` answers: the errors, where they are, and under which hypotheses.

Main definitions: `Discrepancy`, `Report`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

DTYPES = ("float32", "float64")


@dataclass(frozen=True)
class Discrepancy:
    """max |Y - Y'|, the same divided by max |Y'|, and the index (.., token, column) of the maximum.

    If Y' is zero everywhere the relative error is the absolute one.
    """

    max_abs_error: float
    max_rel_error: float
    where: tuple[int, ...]


@dataclass(frozen=True)
class Report:
    """A program E (`rows` x `width`, stored as `dtype` in `embedding`) and how far it is from its target.

    `max_abs_error`, `max_rel_error`, `where`: of the stored program on the programmed backbone, computed in `dtype`,
    against the target's direct evaluation in float64.  `errors`: the same for float32 and float64; `rounding`, the
    yardstick: the target's own direct evaluation in float32 against the one in float64.  `reference`: the programmed
    backbone against the Y of the inputs file, and `direct_reference`: the float64 direct evaluation against it.
    None stands for a precision in which numbers overflow.  `condition`: of M(R) with unit columns, None if sparse.
    """

    embedding: Path
    backbone: Path
    target: Path
    max_abs_error: float
    max_rel_error: float
    where: tuple[int, ...]
    dtype: str
    scheme: str
    layer: int | None
    scale: float
    causal: bool
    lifted: bool
    shape: Mapping[str, int]
    rows: int
    width: int
    inputs: str
    rows_compared: int
    rows_left_out: int
    errors: Mapping[str, Discrepancy | None]
    rounding: Discrepancy | None
    reference: Mapping[str, Discrepancy | None] | None
    direct_reference: Discrepancy | None
    condition: float | None
    hypotheses: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """Plain JSON values, paths as text."""
        return {name: str(value) if isinstance(value, Path) else value for name, value in asdict(self).items()}
