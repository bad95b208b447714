"""Why runs end, and whether what a checkpoint says about a run can be true.

Main definitions: `STEPS`, `SOLVED`, `STALLED`, `DIVERGED`, `TRIED`, `fault`.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from typing import Any

from symut.errors import shown

STEPS, SOLVED, STALLED, DIVERGED = "all steps done", "solved", "no progress", "diverged"
TRIED = "end of the trial"
_ENDINGS = ("", STEPS, SOLVED, STALLED, DIVERGED, TRIED)
_MEASURED = {"step", "loss", "validation_loss", "validation_accuracy"}


def fault(progress: Mapping[str, Any], last: int) -> str:
    """What is wrong with the {step, curve, stopped} of a run of `last` steps, as words; empty if nothing is."""
    step, stopped = progress["step"], progress["stopped"]
    if not 0 < step <= last:
        return f"step {shown(step)} of {last}"
    if stopped not in _ENDINGS:
        return "an unknown reason for the end"
    if (step == last and not stopped) or (step < last and stopped in (STEPS, TRIED)):
        return f"a run that {'ended' if stopped else 'goes on'} at step {step} of {last}"
    return "" if _is_curve(progress["curve"], step, stopped == DIVERGED) else "a curve that no run has"


def _is_curve(curve: list[Any], end: int, diverged: bool) -> bool:
    """Whether the steps increase up to `end`, and all entries are measured, but for the last of a run that diverged."""
    measured = curve[:-1] if diverged else curve
    if diverged and curve[-1:] != [{"step": end, "loss": None}]:
        return False
    if not all(isinstance(point, dict) and _is_measured(point) for point in measured):
        return False
    steps = [0, *(point["step"] for point in curve)]
    return type(steps[-1]) is int and steps[-1] == end and all(one < other for one, other in itertools.pairwise(steps))


def _is_measured(point: dict[str, Any]) -> bool:
    numbers = [value for name, value in point.items() if name != "step"]
    finite = all(type(number) is float and math.isfinite(number) for number in numbers)
    return point.keys() == _MEASURED and type(point["step"]) is int and finite
