"""A checkpoint that no run can have written is refused in one line."""

import json

import numpy as np
import pytest

from symut.backbone.stored import read_tensors, serialize, tensor_shapes
from symut.errors import UsageError
from symut.experiment.configuration import Configuration
from symut.experiment.running import CHECKPOINTS, Place, run
from symut.experiment.training import DIVERGED, SOLVED, STEPS, TRIED

QUICK = {"steps": 6, "batch": 8, "every": 2, "validation": 30, "test": 40}
SMALL = Configuration(task="khop", backbone="sparse", arch="attention", n=8, d=3, k=2, **QUICK)
POINT = {"step": 4, "loss": 1.0, "validation_loss": 1.0, "validation_accuracy": 0.5}


def quiet(event):
    return None


@pytest.fixture
def folder(tmp_path):
    """A checkpoint at step 4 of 6."""

    def stop(event):
        if event.step == 5:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        run(SMALL, Place(tmp_path), stop)
    return tmp_path / CHECKPOINTS / SMALL.name


def refused(folder):
    with pytest.raises(UsageError, match=r"^cannot resume from .*; drop --resume$") as caught:
        run(SMALL, Place(folder.parents[1], resume=True), quiet)
    return caught.value.got


@pytest.mark.parametrize(
    "changes",
    [
        {"step": 0},
        {"step": -4},
        {"step": 7},
        {"step": 10**400},
        {"step": 6},
        {"step": 6, "curve": [POINT | {"step": 6}]},
        {"stopped": "tired"},
        {"stopped": STEPS},
        {"stopped": TRIED},
        {"stopped": DIVERGED},
        {"stopped": DIVERGED, "curve": [{"step": 4.0, "loss": None}]},
        {"curve": []},
        {"curve": [3]},
        {"curve": [{}]},
        {"curve": [POINT, POINT]},
        {"curve": [POINT | {"step": 2}]},
        {"curve": [POINT | {"step": True}, POINT]},
        {"curve": [POINT | {"loss": None}]},
        {"curve": [POINT | {"loss": float("nan")}]},
        {"curve": [POINT | {"loss": "1"}]},
        {"curve": [POINT | {"more": 1.0}]},
        {"curve": [{"step": 4, "loss": None}]},
    ],
    ids=lambda changes: repr(changes)[:60],
)
def test_progress_that_no_run_makes_is_refused(folder, changes):
    path = folder / "progress.json"
    about = json.loads(path.read_text())
    path.write_text(json.dumps(about | {"progress": about["progress"] | changes}))
    assert "progress.json with" in refused(folder)


@pytest.mark.parametrize(
    "changes",
    [
        {"curve": [POINT], "stopped": SOLVED},
        {"curve": [{"step": 4, "loss": None}], "stopped": DIVERGED},
        {"curve": [POINT | {"step": 2}, {"step": 4, "loss": None}], "stopped": DIVERGED},
    ],
)
def test_progress_of_a_run_that_ended_early_is_taken(folder, changes):
    path = folder / "progress.json"
    about = json.loads(path.read_text())
    path.write_text(json.dumps(about | {"progress": about["progress"] | changes}))
    record = run(SMALL, Place(folder.parents[1], resume=True), quiet)
    assert (record.step, record.stopped, record.curve) == (4, changes["stopped"], changes["curve"])


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("now.E", lambda tensor: tensor.astype(np.float64), "now.E in float64"),
        ("best.P", lambda tensor: tensor.astype(np.int32), "best.P in int32"),
        ("exp_avg.U", lambda tensor: tensor[:-1], "other tensors: exp_avg.U"),
        ("exp_avg_sq.E", lambda tensor: tensor - 1, "negative squares in exp_avg_sq.E"),
        ("now.U", lambda tensor: tensor * np.float32(np.nan), "now.U"),
    ],
)
def test_tensors_that_no_run_has_are_refused(folder, name, change, message):
    path = folder / "tensors.safetensors"
    tensors = read_tensors(path, tuple(tensor_shapes(path)))
    path.write_bytes(serialize(tensors | {name: change(tensors[name])}, {}))
    assert message in refused(folder)
