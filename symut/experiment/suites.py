"""Suites: the cells of one table, with the same grid, steps and seeds for every backbone of a task.

Main definitions: `SUITES`, `suite`, `cell`.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from numbers import Real
from typing import Any

from symut.errors import UsageError
from symut.experiment.configuration import ARCHITECTURES, BACKBONES, DYCK, KHOP, OPTIONS, RANDOM, SPARSE, Configuration
from symut.experiment.kinds import require_integer, require_known
from symut.experiment.presets import INITS, RATES, TRIAL_SHARE
from symut.experiment.presets import preset as options_of
from symut.experiment.protocol import Cell
from symut.experiment.refusal import out_of_range, require_choice

ATTENTION, RESIDUAL, MLP = ARCHITECTURES
MOST_SEEDS = 1000
_SIZES_OF = {DYCK: ("pairs",), KHOP: ("hops", "n")}
_THREE = {"L": 3, "batch": 32}
_CPU: tuple[tuple[str, str, dict[str, Any], tuple[str, ...]], ...] = (
    (DYCK, ATTENTION, {"pairs": 10}, (RANDOM,)),
    (DYCK, ATTENTION, {"pairs": 20}, BACKBONES),
    (KHOP, ATTENTION, {"hops": 1, "steps": 1500}, BACKBONES),
    (KHOP, RESIDUAL, {"hops": 2}, BACKBONES),
    (KHOP, ATTENTION, {"hops": 2, "steps": 1500} | _THREE, (SPARSE,)),
    (KHOP, ATTENTION, {"hops": 3, "steps": 1500} | _THREE, (SPARSE,)),
    (KHOP, MLP, {"hops": 2}, (RANDOM,)),
)
"""Task, architecture, sizes and backbones of the table that a laptop makes in an hour."""
_CPU_RATES = (0.003, 0.03)
"""Two of the three learning rates of the whole grid, to save a third of the trials."""


def cell(
    backbone: str,
    preset: str,
    task: str,
    arch: str,
    *,
    init: float | Iterable[float] = (),
    lr: float | Iterable[float] = (),
    seed: int = 0,
    seeds: int = 3,
    **changes: Any,
) -> Cell:
    """One cell of a preset with `changes`; seeds from `seed` on.

    `init` and `lr` are one number, or several to choose from; if there are none, those of the whole grid.

    Raises UsageError for an option out of range.
    """
    require_known(changes, OPTIONS)
    inits, rates = _numbers("init", init), _numbers("lr", lr)
    _require_own(task, changes)
    require_integer("seeds", 1, MOST_SEEDS, seeds)
    require_integer("seed", 0, 2**32 - 1, seed)
    template = Configuration(**options_of(preset, task, arch, backbone) | changes)
    trial_steps = max(1, template.steps // TRIAL_SHARE[task])
    found = Cell(template, inits or INITS, rates or RATES, trial_steps, range(seed, seed + seeds))
    for (one, other), first_or_last in itertools.product(found.grid, (found.seeds[0], found.seeds[-1])):
        template.with_(init=one, lr=other, seed=first_or_last)
    return found


def _numbers(name: str, given: float | Iterable[float]) -> tuple[float, ...]:
    """One number or several, as floats; UsageError for anything else."""
    refused = out_of_range(name, "a number or several", given)
    try:
        found = (given,) if isinstance(given, Real) else tuple(given)  # type: ignore[arg-type]
        if all(isinstance(number, Real) and not isinstance(number, bool) for number in found):
            return tuple(map(float, found))
    except (TypeError, OverflowError):
        raise refused from None
    raise refused


def _require_own(task: str, changes: Mapping[str, Any]) -> None:
    """Sizes of the other task are refused, not ignored."""
    for other, names in _SIZES_OF.items():
        foreign = [name for name in names if name in changes and task != other]
        if foreign:
            raise UsageError(f"--{foreign[0]} is a size of {other}", got=f"the task {task}"[:60], remedy="drop it")


def _cpu() -> Iterator[Cell]:
    for task, arch, sizes, backbones in _CPU:
        for backbone in backbones:
            yield cell(backbone, "cpu", task, arch, lr=_CPU_RATES, **sizes)


def _full() -> Iterator[Cell]:
    for arch in ARCHITECTURES:
        for backbone in BACKBONES:
            for pairs in (10, 20, 30):
                yield cell(backbone, "paper", DYCK, arch, pairs=pairs, seeds=5)
            for hops in (1, 2, 4, 8, 16):
                yield cell(backbone, "paper", KHOP, arch, hops=hops, seeds=5)


SUITES = {"cpu": _cpu, "full": _full}


def suite(name: str) -> list[Cell]:
    """The cells of a suite; UsageError for an unknown name."""
    require_choice("suite", tuple(SUITES), name)
    return list(SUITES[name]())
