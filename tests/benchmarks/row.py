"""One measured number beside what it must reach; ratios compare two things timed in the same run."""

import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """`measured` in `unit`; `wanted` is the bound as text, `reached` whether it holds."""

    what: str
    measured: float
    unit: str
    wanted: str = ""
    reached: bool = True


def at_most(what: str, measured: float, unit: str, bound: float) -> Row:
    return Row(what, measured, unit, f"<= {bound:g}", measured <= bound)


def at_least(what: str, measured: float, unit: str, bound: float) -> Row:
    return Row(what, measured, unit, f">= {bound:g}", measured >= bound)


def report(what: str, measured: float, unit: str) -> Row:
    return Row(what, measured, unit)


def cpu_seconds(work: Callable[[], object], repeats: int = 3) -> float:
    """The least process time of some repetitions."""
    times = []
    for _ in range(repeats):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def wall_seconds(work: Callable[[], object], repeats: int = 3) -> float:
    """The least wall time of some repetitions."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)
