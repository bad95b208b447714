"""The progress of training runs on standard error: a bar with the loss and the last validation accuracy.

Main definition: `training_bar`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from symut.cli.show import console

if TYPE_CHECKING:
    from symut.experiment.protocol import Cell
    from symut.experiment.training import Event

_OTHERS = len("  loss 0.693 validation 0.5000 0:00:00 ")
"""Characters of a line beside label, steps and bar."""
_LEAST_BAR = 4
_PREPARING = "preparing data and network"


@contextmanager
def training_bar(cell: Cell, quiet: bool) -> Iterator[Callable[[Event], None]]:
    """A callback for the events of a cell's runs; it draws on a terminal only."""
    screen = console(error=True, quiet=quiet)
    if quiet or not screen.is_terminal:
        yield lambda event: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    room = screen.width - _beside(cell)
    bar = [BarColumn(bar_width=min(40, room))] if room >= _LEAST_BAR else []
    words = TextColumn("{task.fields[words]}")
    columns = (TextColumn("{task.description}"), *bar, MofNCompleteColumn(), words, TimeRemainingColumn())
    with Progress(*columns, console=screen, transient=True) as progress:
        first, steps = _first_run(cell)
        task = progress.add_task(_label(cell, first, steps), total=steps, words=_PREPARING)

        def update(event: Event) -> None:
            if event.step == 1:
                progress.reset(task)
            label, words = _label(cell, event.name, event.steps), _words(event)
            progress.update(task, description=label, completed=event.step, total=event.steps, words=words)

        yield update


def _beside(cell: Cell) -> int:
    """Characters that a run of the cell needs beside the bar."""
    steps = cell.template.steps
    label = max(len(_label(cell, cell.template.with_(seed=seed).name, steps)) for seed in cell.seeds)
    return label + len(f"{steps}/{steps}") + _OTHERS


def _first_run(cell: Cell) -> tuple[str, int]:
    """The name and the steps of what runs first: a trial, or the only pair of the grid with the first seed."""
    if len(cell.grid) > 1:
        return cell.template.cell, cell.trial_steps
    return cell.template.with_(seed=cell.seeds[0]).name, cell.template.steps


def _label(cell: Cell, name: str, steps: int) -> str:
    """Task, backbone, and the seed or that it is a trial; the rest of the name is the same for all runs of the cell."""
    about = cell.template
    seeds = {about.with_(seed=seed).name: seed for seed in cell.seeds}
    which = f"seed {seeds[name]}" if name in seeds and steps == about.steps else "trial"
    return f"{about.build_task().name} {about.backbone} {which}"


def _words(event: Event) -> str:
    loss = "" if event.loss is None else f"loss {event.loss:.3f}"
    return loss + ("" if event.accuracy is None else f" validation {event.accuracy:.4f}")
