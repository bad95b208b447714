"""The progress of training runs on standard error: a bar with the loss and the last validation accuracy.

Main definition: `training_bar`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from symut.cli.show import console

if TYPE_CHECKING:
    from symut.experiment.training import Event


@contextmanager
def training_bar(quiet: bool) -> Iterator[Callable[[Event], None]]:
    """A callback for events; it draws on a terminal only."""
    screen = console(error=True, quiet=quiet)
    if quiet or not screen.is_terminal:
        yield lambda event: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    words = TextColumn("loss {task.fields[loss]} validation {task.fields[accuracy]}")
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), words, TimeRemainingColumn())
    with Progress(*columns, console=screen, transient=True) as progress:
        task = progress.add_task("", total=None, loss="", accuracy="")

        def update(event: Event) -> None:
            if event.step == 1:
                progress.reset(task)
            accuracy = "" if event.accuracy is None else f"{event.accuracy:.4f}"
            progress.update(
                task,
                description=event.name,
                completed=event.step,
                total=event.steps,
                loss="" if event.loss is None else f"{event.loss:.3f}",
                accuracy=accuracy,
            )

        yield update
