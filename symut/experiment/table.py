"""The table of results, one row per cell, computed from the records alone.

Main definitions: `Row`, `rows`, `COLUMNS`, `RIGHT`, `cells`, `baseline_lines`.
Accuracies are shown as the median over seeds with the least and the largest.
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from symut.experiment.configuration import ARCHITECTURES, BACKBONES, DYCK, Configuration
from symut.experiment.record import Record

COLUMNS = ("task", "architecture", "backbone", "m", "init", "lr", "test", "stress", "best baseline", "CPU s")
RIGHT = ("m", "init", "lr", "CPU s")
SETS = ("test", "seen", "unseen", "stress")
ARCHITECTURE_WORDS: dict[str, str] = dict(
    zip(ARCHITECTURES, ("attention only", "residual + norm", "residual + norm + MLP"), strict=True)
)


@dataclass(frozen=True)
class Row:
    """All seeds of one cell: `accuracies` {set: one per seed}, the baselines and how the runs ended.

    `seconds` are CPU seconds of a run, the median over seeds; `trained`, `frozen` count weights.
    """

    about: Configuration
    seeds: Sequence[int]
    accuracies: Mapping[str, Sequence[float]]
    baselines: Mapping[str, Mapping[str, float]]
    uniform_loss: float
    stopped: Sequence[str]
    seconds: float
    trained: int
    frozen: int

    @property
    def task(self) -> str:
        """The task with its size, as in file names."""
        return self.about.build_task().name

    @property
    def best_baseline(self) -> tuple[str, float]:
        """The predictor without a network that scores most on the test set."""
        return max(self.baselines["test"].items(), key=lambda item: item[1])

    @property
    def backbone(self) -> str:
        """sparse, random or trained, with what is unusual about it."""
        about = self.about
        extra = [about.distribution] * (about.distribution != "gaussian") + ["shared"] * about.shared
        return ", ".join([about.backbone, *extra, *["not causal"] * (not about.causal)])


def rows(records: Sequence[Record]) -> list[Row]:
    """One row for all records that differ in the seed alone; by task, architecture and backbone."""
    groups: dict[Configuration, list[Record]] = {}
    for record in sorted(records, key=lambda record: record.configuration.seed):
        groups.setdefault(record.configuration.with_(seed=0), []).append(record)
    return sorted((_row(about, found) for about, found in groups.items()), key=_place)


def _place(row: Row) -> tuple[object, ...]:
    about = row.about
    size = about.pairs if about.task == DYCK else (about.hops, about.n)
    order = ARCHITECTURES.index(about.arch), BACKBONES.index(about.backbone)
    return about.task, size, *order, about.width, row.backbone, about.init, about.lr, about.steps


def _row(about: Configuration, found: Sequence[Record]) -> Row:
    names = [name for name in SETS if any(name in record.test for record in found)]
    first = found[0]
    return Row(
        about=about,
        seeds=[record.configuration.seed for record in found],
        accuracies={name: [r.test[name]["accuracy"] for r in found if name in r.test] for name in names},
        baselines=first.baselines,
        uniform_loss=first.uniform_loss,
        stopped=[record.stopped for record in found],
        seconds=statistics.median(record.measured["cpu_seconds"] for record in found),
        trained=first.weights["trained"],
        frozen=first.weights["frozen"],
    )


def spread(accuracies: Sequence[float] | None) -> str:
    """.998 (.991 to 1.000): the median, and the least and largest if there are several; - for none."""
    if not accuracies:
        return "-"
    middle = f"{statistics.median(accuracies):.3f}"
    return middle if len(accuracies) == 1 else f"{middle} ({min(accuracies):.3f} to {max(accuracies):.3f})"


def cells(row: Row) -> list[str]:
    """The row in the order of COLUMNS."""
    name, accuracy = row.best_baseline
    return [
        row.task,
        ARCHITECTURE_WORDS[row.about.arch],
        row.backbone,
        str(row.about.width),
        f"{row.about.init:g}",
        f"{row.about.lr:g}",
        spread(row.accuracies.get("test")),
        spread(row.accuracies.get("stress")),
        f"{accuracy:.3f} {name}",
        f"{row.seconds:.0f}",
    ]


def baseline_lines(found: Sequence[Row]) -> list[str]:
    """Per task one line with every baseline on every set, and the loss of a uniform guess."""
    by_task = {row.task: row for row in found}
    lines = []
    for task, row in by_task.items():
        for name, scores in row.baselines.items():
            listed = ", ".join(f"{rule} {accuracy:.3f}" for rule, accuracy in scores.items())
            guess = f"; loss of a uniform guess {row.uniform_loss:.3f}" if name == "test" else ""
            lines.append(f"{task}, {name}: {listed}{guess}")
    return lines
