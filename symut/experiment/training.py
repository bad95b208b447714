"""One training run: AdamW with clipping, evaluations on the validation split, checkpoints, an early end.

Main definitions: `Trainer`, `Event`; `STEPS`, `SOLVED`, `STALLED`, `DIVERGED` and `TRIED` say why a run ended.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.nn.functional import cross_entropy

from symut.experiment import checkpoint
from symut.experiment.answered import require_answers
from symut.experiment.building import build
from symut.experiment.checkpoint import Checkpoint
from symut.experiment.configuration import Configuration
from symut.experiment.ending import DIVERGED, SOLVED, STALLED, STEPS, TRIED
from symut.experiment.evaluation import evaluate, tensors
from symut.experiment.schedule import rate
from symut.experiment.stream import Stream
from symut.experiment.tasks import IGNORED
from symut.experiment.tasks.splits import Split

__all__ = ["DIVERGED", "SOLVED", "STALLED", "STEPS", "TRIED", "Event", "Progress", "Trainer"]

_SOLVED, _SOLVED_LOSS = 0.9995, 0.01
"""A run whose validation accuracy is at least the first and whose loss is below the second has little to learn."""
_MOMENTS = ("exp_avg", "exp_avg_sq")


@dataclass(frozen=True)
class Event:
    """Where a run is: `step` of `steps`, its training loss, and the last validation accuracy, if there is one."""

    name: str
    step: int
    steps: int
    loss: float | None
    accuracy: float | None


Progress = Callable[[Event], None]


class Trainer:
    """A run in memory, checkpointed to `folder` (if there is one) at every evaluation.

    A trial is the beginning of a run: with its learning rates, but only `trial_steps` steps.

    `curve` lists {step, loss, validation_loss, validation_accuracy}, `loss` being the mean since the entry before, and
    the last entry has no validation if the run diverged.  `best` is the entry with the highest validation accuracy, of
    these the one with the smallest loss.  `stopped` is empty while the run goes on, then says why it ended.
    """

    def __init__(
        self,
        configuration: Configuration,
        device: torch.device,
        folder: Path | None = None,
        trial_steps: int | None = None,
    ) -> None:
        self.about, self.device, self.folder = configuration, device, folder
        self.last = configuration.steps if trial_steps is None else min(trial_steps, configuration.steps)
        self.task = configuration.build_task()
        self.network = build(configuration).to(device)
        self.optimizer = torch.optim.AdamW(
            self.network.parameters(), lr=configuration.lr, weight_decay=configuration.weight_decay
        )
        self.stream = Stream(self.task, configuration.seed, configuration.batch)
        held_out = self.task.block(Split.VALIDATION, 0, 0, configuration.validation)
        self.held_out = require_answers("validation", held_out)
        self.step, self.stopped = 0, ""
        self.curve: list[dict[str, Any]] = []
        self.kept = self._weights()

    def run(self, progress: Progress) -> None:
        """Train until the run ends, and leave the best weights in the network."""
        losses = []
        while not self.stopped:
            losses.append(self._train_step())
            self.step += 1
            if not math.isfinite(losses[-1]):
                self._diverge()
            elif self.step % self.about.every == 0 or self.step == self.last:
                self._evaluate(float(np.mean(losses)))
                losses.clear()
                self._save()
            progress(self._event(losses))
        with torch.no_grad():
            for name, parameter in self.network.named_parameters():
                parameter.copy_(self.kept[name])

    def _train_step(self) -> float:
        """One step on batch `step`; nothing changes if its loss is not finite.

        A batch without answers has loss 0 and gradient 0, so that the optimizer counts all steps.
        """
        tokens, answers = tensors(self.stream.batch(self.step), self.device)
        scored = answers != IGNORED
        logits = self.network(tokens, scored)
        loss = cross_entropy(logits, answers[scored]) if len(logits) else logits.sum()
        if torch.isfinite(loss):
            for group in self.optimizer.param_groups:
                group["lr"] = rate(self.step, self.about.steps, self.about.warmup, self.about.lr)
            self.optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.network.parameters(), self.about.clip)
            self.optimizer.step()
        return loss.item()

    def _evaluate(self, loss: float) -> None:
        score = evaluate(self.network, self.held_out)
        if not math.isfinite(score.loss):
            self._diverge()
            return
        found = {"validation_loss": score.loss, "validation_accuracy": score.accuracy}
        self.curve.append({"step": self.step, "loss": loss} | found)
        if self.best is self.curve[-1]:
            self.kept = self._weights()
        lowest = min(self.evaluations, key=lambda point: point["validation_loss"])
        if score.accuracy >= _SOLVED and score.loss < _SOLVED_LOSS:
            self.stopped = SOLVED
        elif self.step == self.last:
            self.stopped = STEPS if self.last == self.about.steps else TRIED
        elif self.step - lowest["step"] >= self.about.patience * self.about.every:
            self.stopped = STALLED

    def _diverge(self) -> None:
        self.stopped = DIVERGED
        self.curve.append({"step": self.step, "loss": None})

    @property
    def evaluations(self) -> list[dict[str, Any]]:
        """The entries of the curve that have a validation."""
        return [point for point in self.curve if "validation_loss" in point]

    @property
    def best(self) -> dict[str, Any] | None:
        """See the class."""
        return min(self.evaluations, key=_rank, default=None)

    def _event(self, losses: list[float]) -> Event:
        loss = losses[-1] if losses else self.curve[-1]["loss"]
        accuracy = self.evaluations[-1]["validation_accuracy"] if self.evaluations else None
        return Event(self.about.name, self.step, self.last, loss, accuracy)

    def _weights(self) -> dict[str, torch.Tensor]:
        return {name: value.detach().clone() for name, value in self.network.named_parameters()}

    def _save(self) -> None:
        if self.folder is None:
            return
        found = {f"now.{name}": tensor for name, tensor in self._weights().items()}
        found |= {f"best.{name}": tensor for name, tensor in self.kept.items()}
        for name, parameter in self.network.named_parameters():
            state = self.optimizer.state[parameter]
            found |= {f"{moment}.{name}": state[moment] for moment in _MOMENTS}
        arrays = {name: tensor.cpu().numpy() for name, tensor in found.items()}
        progress = {"step": self.step, "curve": self.curve, "stopped": self.stopped}
        checkpoint.save(self.folder, self.about, Checkpoint(arrays, progress))

    def resume(self) -> None:
        """Go on from the checkpoint in `folder`; UsageError if it is missing, damaged or of another configuration."""
        assert self.folder is not None
        found = checkpoint.load(self.folder, self.about)
        checkpoint.require_progress(self.folder, found.progress, self.last)
        checkpoint.require_tensors(self.folder, found.tensors, self._expected())
        stored = {name: torch.from_numpy(array).to(self.device) for name, array in found.tensors.items()}
        self.step, self.curve, self.stopped = (found.progress[name] for name in ("step", "curve", "stopped"))
        with torch.no_grad():
            for name, parameter in self.network.named_parameters():
                parameter.copy_(stored[f"now.{name}"])
                self.kept[name] = stored[f"best.{name}"]
                moments = {moment: stored[f"{moment}.{name}"] for moment in _MOMENTS}
                self.optimizer.state[parameter] = {"step": torch.tensor(float(self.step)), **moments}

    def _expected(self) -> dict[str, tuple[int, ...]]:
        """Names and shapes of a checkpoint's tensors."""
        parts = ("now", "best", *_MOMENTS)
        parameters = list(self.network.named_parameters())
        return {f"{part}.{name}": tuple(value.shape) for part in parts for name, value in parameters}


def _rank(point: dict[str, Any]) -> tuple[float, float]:
    return -point["validation_accuracy"], point["validation_loss"]
