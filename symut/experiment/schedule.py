"""The learning rate over a run: a linear warm-up, then half a cosine down to zero.

Main definition: `rate`.
"""

from __future__ import annotations

import math


def rate(step: int, steps: int, warmup: float, peak: float) -> float:
    """The learning rate of step 0..steps-1; the first `warmup` share of the steps rises to `peak`."""
    rising = int(warmup * steps)
    if step < rising:
        return peak * (step + 1) / rising
    return peak * (1 + math.cos(math.pi * (step - rising) / (steps - rising))) / 2
