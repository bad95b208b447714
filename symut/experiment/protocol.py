"""A cell of the table: init and learning rate chosen on validation by the first steps of a run, then several seeds.

Main definitions: `Cell`, `run_cell`, `select`.
Every backbone gets the same grid, the same number of steps and the same seeds; the seed of the grid is none of them.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from symut.experiment.configuration import Configuration
from symut.experiment.record import Record
from symut.experiment.running import Place, run
from symut.experiment.training import Progress

SELECTION = "selection"
_SEED = 1000
"""The seed of the runs that select, apart from those that are reported."""


@dataclass(frozen=True)
class Cell:
    """`template`: the runs but for init, lr and seed; the grid `inits` x `rates`; `trial_steps` of a trial; `seeds`."""

    template: Configuration
    inits: Sequence[float]
    rates: Sequence[float]
    trial_steps: int
    seeds: Sequence[int] = (0, 1, 2)

    @property
    def grid(self) -> list[tuple[float, float]]:
        """All pairs (init, lr)."""
        return list(itertools.product(self.inits, self.rates))

    @property
    def steps(self) -> int:
        """Steps of all runs together, if none ends early."""
        trials = len(self.grid) if len(self.grid) > 1 else 0
        return trials * self.trial_steps + len(self.seeds) * self.template.steps


def select(cell: Cell, place: Place, progress: Progress) -> list[dict[str, Any]]:
    """The trials {init, lr, validation_accuracy, validation_loss}, by loss, at the evaluation where it was smallest.

    The loss decides because accuracies are equal, up to noise, while a task is at its first plateau.  Trials that
    diverged before their first evaluation come last, without numbers.  A grid of one pair needs no trial: [].
    """
    if len(cell.grid) == 1:
        return []
    found = [{"init": init, "lr": lr} | _trial(cell, init, lr, place, progress) for init, lr in cell.grid]
    return sorted(found, key=lambda trial: math.inf if trial["validation_loss"] is None else trial["validation_loss"])


def _trial(cell: Cell, init: float, lr: float, place: Place, progress: Progress) -> dict[str, Any]:
    about = cell.template.with_(init=init, lr=lr, seed=_SEED)
    name = f"{cell.template.cell}-init{init:g}-lr{lr:g}"
    record = run(about, place.within(SELECTION), progress, name=name, trial_steps=cell.trial_steps)
    evaluated = [point for point in record.curve if "validation_loss" in point]
    lowest = min(evaluated, key=lambda point: point["validation_loss"], default={})
    return {key: lowest.get(key) for key in ("validation_accuracy", "validation_loss")}


def run_cell(cell: Cell, place: Place, progress: Progress, *, keep_weights: bool = False) -> Iterator[Record]:
    """Select, then one record per seed."""
    trials = select(cell, place, progress)
    init, lr = (trials[0]["init"], trials[0]["lr"]) if trials else cell.grid[0]
    for seed in cell.seeds:
        chosen = cell.template.with_(init=init, lr=lr, seed=seed)
        yield run(chosen, place, progress, selection=trials, keep_weights=keep_weights)
