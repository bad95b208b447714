"""Checkpoints: one folder with tensors (safetensors) and progress (JSON), replaced as a whole or not at all.

Main definitions: `Checkpoint`, `save`, `load`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from symut.backbone.stored import read_tensors, serialize, tensor_shapes
from symut.errors import TargetError, UsageError
from symut.experiment.configuration import Configuration
from symut.experiment.ending import fault
from symut.publish import publish_folder

FORMAT = "symut-checkpoint-1"
TENSORS, PROGRESS = "tensors.safetensors", "progress.json"
SECOND_MOMENT = "exp_avg_sq."
_LIMIT = 2**26
_PROGRESS = {"step": int, "curve": list, "stopped": str}


@dataclass(frozen=True)
class Checkpoint:
    """`tensors` by name and `progress`: {step, curve, stopped} as in `Trainer`."""

    tensors: Mapping[str, np.ndarray]
    progress: Mapping[str, Any]


def save(folder: Path, configuration: Configuration, checkpoint: Checkpoint) -> None:
    """Replace the folder's checkpoint; after any interruption it holds the old one or the new one.

    Raises UsageError if the place cannot be written.
    """
    about = {"format": FORMAT, "configuration": configuration.as_json(), "progress": dict(checkpoint.progress)}
    files = {TENSORS: serialize(checkpoint.tensors, {"format": FORMAT}), PROGRESS: json.dumps(about).encode()}
    publish_folder(folder, files)


def load(folder: Path, configuration: Configuration) -> Checkpoint:
    """The checkpoint of this very configuration.

    Raises UsageError if there is none, if it cannot be read, or if it belongs to another configuration.
    """
    about = _progress(folder)
    difference = configuration.difference(Configuration.from_json(about["configuration"]))
    if difference:
        raise UsageError(
            f"the checkpoint {folder} is of another configuration",
            expected="the options that it was started with",
            got=difference,
            remedy="give the same options, or drop --resume",
        )
    try:
        tensors = read_tensors(folder / TENSORS, tuple(tensor_shapes(folder / TENSORS)))
    except TargetError as error:
        raise _damaged(folder, str(error)) from None
    return Checkpoint(tensors, about["progress"])


def _progress(folder: Path) -> dict[str, Any]:
    path = folder / PROGRESS
    if not path.is_file():
        raise UsageError("there is nothing to resume", expected=f"a checkpoint at {folder}", remedy="drop --resume")
    try:
        with path.open("rb") as file:
            about = json.loads(file.read(_LIMIT))
    except (OSError, ValueError, RecursionError) as error:
        raise _damaged(folder, str(error) or type(error).__name__) from None
    if not isinstance(about, dict) or about.get("format") != FORMAT or "configuration" not in about:
        raise _damaged(folder, f"{PROGRESS} of another format")
    progress = about.get("progress")
    if not isinstance(progress, dict) or {name: type(value) for name, value in progress.items()} != _PROGRESS:
        raise _damaged(folder, f"{PROGRESS} without {', '.join(_PROGRESS)}")
    return about


def require_progress(folder: Path, progress: Mapping[str, Any], last: int) -> None:
    """UsageError unless a run of `last` steps can have made this progress."""
    wrong = fault(progress, last)
    if wrong:
        raise _damaged(folder, f"{PROGRESS} with {wrong}")


def require_tensors(folder: Path, found: Mapping[str, np.ndarray], expected: Mapping[str, tuple[int, ...]]) -> None:
    """UsageError unless the tensors are those with the names and shapes that are expected, and such as AdamW has."""
    shapes = {name: tuple(tensor.shape) for name, tensor in found.items()}
    if shapes != expected:
        wrong = sorted(name for name in shapes.keys() | expected.keys() if shapes.get(name) != expected.get(name))
        raise _damaged(folder, f"{TENSORS} with other tensors: {', '.join(wrong[:3])}")
    for name, tensor in found.items():
        if tensor.dtype != np.float32:
            raise _damaged(folder, f"{TENSORS} with {name} in {tensor.dtype}")
        if name.startswith(SECOND_MOMENT) and (tensor < 0).any():
            raise _damaged(folder, f"{TENSORS} with negative squares in {name}")


def _damaged(folder: Path, got: str) -> UsageError:
    return UsageError(f"cannot resume from {folder}", expected="a checkpoint", got=got[:200], remedy="drop --resume")
