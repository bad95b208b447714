"""The sizes and counts of a statement as Coq terms.

Main definitions: `numbers_of`, `coq_number`, `coq_score_bound`.
A size that the statement leaves open is a variable of instance.v; so is the width m of "every m >= N" or "m < N".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from symut.backbone.shape import slot_count
from symut.errors import UsageError, shown
from symut.statement import ScoreMatchingBound, Statement
from symut.statement.simulator import Simulator

SIZES = ("H", "L", "d", "k", "m", "n", "r", "c")
_SIMULATOR = {"H": None, "free": [], "bound": None}


def coq_number(text: str) -> str:
    """A count of a claim as a Coq term, e.g. `28 * k + 8 * d`."""
    return text.replace("*", " * ")


def _positive(statement: Statement) -> None:
    """No theorem is asked for empty sizes, where its hypotheses fail or its claim says nothing.

    Raises UsageError if a size is not an integer above 0.
    """
    sizes = statement.sizes if isinstance(statement, Simulator) else statement.parameters
    for name, value in sizes.items():
        if (
            isinstance(value, int)
            and (isinstance(value, bool) or value < 1)
            and name in ("H", "L", "d", "k", "m", "n", "r", "c")
        ):
            raise UsageError(f"{name} out of range", expected="an integer from 1 on", got=shown(value))


def _binder(names: Sequence[str]) -> str:
    return f"({' '.join(names)} : nat) " if names else ""


def numbers_of(statement: Statement) -> dict[str, Any]:
    """What a template of a network's goal has: H, L, d, k, m, N, D, `free` and `sizes`; raises UsageError.

    `at` is the width of the 0/1 backbone, `out` the number of outputs, `free` are the widths that stay variables,
    `open` is their binder, and `sizes` that of all variables.
    """
    _positive(statement)
    if isinstance(statement, Simulator):
        return _SIMULATOR | dict(statement.sizes)
    degree = getattr(statement, "degree", None)
    out = "d_out" if "d_out" in statement.parameters else "d"
    free = [name for name in ("k", out) if re.search(rf"\*{name}\b", statement.width)]
    variables = [*free, *([] if statement.m is not None or "m" not in statement.parameters else ["m"])]
    return {
        "H": statement.H,
        "L": statement.L,
        **{name: getattr(statement, name) or name for name in ("d", "k", "m")},
        "out": getattr(statement, out) or out,
        "N": coq_number(statement.width),
        "at": coq_number(statement.width) if statement.m is None else statement.m,
        "D": coq_number(degree) if degree else None,
        "weights": statement.weights,
        "free": free,
        "open": _binder(free),
        "sizes": _binder(variables),
        **(_score_bounds(statement) if isinstance(statement, ScoreMatchingBound) else {"bound": None}),
    }


def _score_bounds(statement: ScoreMatchingBound) -> dict[str, int]:
    """The dimensions that outputs and scores need together (`both`) and scores `alone`, and the bounds on m."""
    both, alone = score_dimensions(statement, True), score_dimensions(statement, False)
    bounds = {"bound": coq_score_bound(statement, True), "bound_alone": coq_score_bound(statement, False)}
    return {"both": both, "alone": alone, **bounds}


def score_dimensions(statement: ScoreMatchingBound, outputs: bool) -> int:
    """(2kd - k^2) (H + ... + H^L), and d^2 H^L more with outputs."""
    H, L, d, k = statement.H, statement.L, statement.d, statement.k
    return (2 * k * d - k * k) * (slot_count(H, L).per_k // 2) + (d * d * H**L if outputs else 0)


def coq_score_bound(statement: ScoreMatchingBound, outputs: bool) -> int:
    """The least m for which d m reaches these dimensions."""
    return -(-score_dimensions(statement, outputs) // statement.d)
