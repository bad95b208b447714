"""One run from its configuration to its record on the disk.

Main definitions: `Place`, `run`.
"""

from __future__ import annotations

import math
import shutil
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import torch

from symut.backbone.stored import serialize
from symut.experiment.answered import require_answers
from symut.experiment.building import find_device, predicted_bytes
from symut.experiment.configuration import Configuration
from symut.experiment.evaluation import scores
from symut.experiment.kinds import require_integer
from symut.experiment.record import SUFFIX, Record
from symut.experiment.reprogramming import as_target, is_target
from symut.experiment.tasks import Block, Task
from symut.experiment.tasks.splits import Split
from symut.experiment.training import TRIED, Progress, Trainer
from symut.limits import require_memory
from symut.publish import publish_file

CHECKPOINTS, WEIGHTS = "checkpoints", ".safetensors"
MOST_THREADS = 256


@dataclass(frozen=True)
class Place:
    """Where runs happen: the folder `out` for their records, the device, threads, and a limit on memory in bytes.

    With `resume` a finished run of the same configuration is read instead of repeated, and an interrupted one goes on.

    Raises UsageError unless `threads` is an integer from 1 to 256.
    """

    out: Path
    device: str = "cpu"
    threads: int = 1
    max_memory: int = 2**62
    resume: bool = False

    def __post_init__(self) -> None:
        require_integer("threads", 1, MOST_THREADS, self.threads)

    def path_of(self, name: str) -> Path:
        """The file of a run's record."""
        return self.out / (name + SUFFIX)

    def within(self, folder: str) -> Place:
        """The same in a folder below."""
        return Place(self.out / folder, self.device, self.threads, self.max_memory, self.resume)


def run(
    configuration: Configuration,
    place: Place,
    progress: Progress,
    *,
    name: str | None = None,
    selection: Sequence[Mapping[str, Any]] = (),
    keep_weights: bool = False,
    trial_steps: int | None = None,
) -> Record:
    """Train, test (unless it is a trial of so many steps), and write `out/name.json`; the record.

    `name` is the configuration's by default.  The weights are kept in `out/name.safetensors` if asked for.  An
    interruption leaves the last checkpoint in `out/checkpoints/name`, which a finished run removes.

    Raises UsageError if the device is absent, memory would not suffice, the validation or test set has no answer, a
    file cannot be written, or the checkpoint to resume from is damaged or of another configuration.
    """
    name = name or configuration.name
    path, folder = place.path_of(name), place.out / CHECKPOINTS / name
    finished = _finished(path, configuration, trial_steps) if place.resume else None
    if finished is not None:
        return _with_selection(finished, path, selection)
    device = find_device(place.device)
    require_memory(predicted_bytes(configuration), place.max_memory, "training")
    torch.set_num_threads(place.threads)
    start, trainer = time.process_time(), Trainer(configuration, device, folder, trial_steps)
    require_answers("test", _test_set(trainer.task, "test", configuration.test))
    if place.resume and folder.is_dir():
        trainer.resume()
    trainer.run(progress)
    seconds = round(time.process_time() - start, 1)
    measured = {"cpu_seconds": seconds, "device": place.device, "threads": place.threads, "torch": torch.__version__}
    record = _record(trainer, list(selection), measured, trial_steps is not None)
    if keep_weights:
        stored = {key: value.detach().cpu().numpy() for key, value in trainer.network.state_dict().items()}
        stored |= as_target(stored) if is_target(configuration) else {}
        publish_file(path.with_name(name + WEIGHTS), serialize(stored, configuration.as_json()))
    record.write(path)
    shutil.rmtree(folder, ignore_errors=True)
    with suppress(OSError):  # other runs may have checkpoints there
        folder.parent.rmdir()
    return record


def _finished(path: Path, configuration: Configuration, trial_steps: int | None) -> Record | None:
    """The record of this configuration, if the file holds it; that of a trial only if it was as long."""
    if not path.is_file():
        return None
    record = Record.read(path)
    long_enough = record.step == trial_steps if record.stopped == TRIED else record.step <= (trial_steps or record.step)
    return record if long_enough and not configuration.difference(record.configuration) else None


def _with_selection(record: Record, path: Path, selection: Sequence[Mapping[str, Any]]) -> Record:
    """The same record with the trials that chose its options now, should they differ."""
    if list(record.selection) == list(selection):
        return record
    updated = replace(record, selection=list(selection))
    updated.write(path)
    return updated


def _record(trainer: Trainer, selection: list[Mapping[str, Any]], measured: dict[str, Any], trial: bool) -> Record:
    about, task, network = trainer.about, trainer.task, trainer.network
    sets = () if trial else ("test", *task.extra_tests)
    blocks = {name: _test_set(task, name, about.test) for name in sets}
    tested = {}
    if trainer.best is not None:
        for name, block in blocks.items():
            found = scores(network, block)
            tested[name] = asdict(found["all"])
            tested |= {group: asdict(found[group]) for group in found if name == "test" and group != "all"}
    return Record(
        configuration=about,
        stopped=trainer.stopped,
        step=trainer.step,
        curve=trainer.curve,
        best=trainer.best,
        test=tested,
        baselines={name: task.baselines(block) for name, block in blocks.items()},
        uniform_loss=math.log(task.classes),
        weights={
            "trained": sum(parameter.numel() for parameter in network.parameters()),
            "frozen": sum(buffer.numel() for buffer in network.buffers()),
        },
        selection=selection,
        measured=measured,
    )


def _test_set(task: Task, name: str, count: int) -> Block:
    """The test split, or a quarter as many sequences of another test set."""
    return task.block(Split.TEST, 0, 0, count) if name == "test" else task.extra_test(name, max(2, count // 4))
