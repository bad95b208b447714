"""Runs are deterministic, can be interrupted and resumed without a trace, and say why they end."""

import json
import math
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import torch

from symut.errors import UsageError
from symut.experiment.configuration import Configuration
from symut.experiment.protocol import Cell, run_cell, select
from symut.experiment.record import Record
from symut.experiment.running import CHECKPOINTS, Place, run
from symut.experiment.schedule import rate
from symut.experiment.stream import Stream
from symut.experiment.training import DIVERGED, SOLVED, STALLED, STEPS, TRIED

ROOT = Path(__file__).resolve().parents[2]
QUICK = {"steps": 6, "batch": 8, "every": 2, "validation": 30, "test": 40}
OPTIONS = [word for name, value in QUICK.items() for word in (f"--{name}", str(value))]
SMALL = Configuration(task="khop", backbone="sparse", arch="attention", n=8, d=3, k=2, **QUICK)


class InterruptionError(Exception):
    """What stops a run in a test."""


def quiet(event):
    return None


def stop_after(step):
    def progress(event):
        if event.step == step:
            raise InterruptionError

    return progress


def without_measured(record):
    return {name: value for name, value in record.as_json().items() if name != "measured"}


@pytest.mark.parametrize("about", [SMALL, SMALL.with_(task="dyck", pairs=8, backbone="random", arch="mlp")])
def test_the_same_configuration_gives_the_same_record(tmp_path, about):
    one, other = (run(about, Place(tmp_path / name), quiet) for name in "ab")
    assert without_measured(one) == without_measured(other)
    assert without_measured(one) != without_measured(run(about.with_(seed=1), Place(tmp_path / "c"), quiet))


@pytest.mark.parametrize("backbone", ["sparse", "trained"])
@pytest.mark.parametrize("step", [1, 3, 5])
def test_an_interrupted_run_resumes_as_if_nothing_had_happened(tmp_path, backbone, step):
    about = SMALL.with_(backbone=backbone, arch="residual")
    with pytest.raises(InterruptionError):
        run(about, Place(tmp_path), stop_after(step))
    assert (tmp_path / CHECKPOINTS / about.name).is_dir() == (step > 2)
    resumed = run(about, Place(tmp_path, resume=True), quiet)
    assert without_measured(resumed) == without_measured(run(about, Place(tmp_path / "whole"), quiet))
    assert not (tmp_path / CHECKPOINTS).exists()


def test_a_checkpoint_of_another_configuration_is_refused(tmp_path):
    with pytest.raises(InterruptionError):
        run(SMALL, Place(tmp_path), stop_after(3))
    with pytest.raises(UsageError, match=r"another configuration.*lr = 0.03 instead of 0.01"):
        run(SMALL.with_(lr=0.01), Place(tmp_path, resume=True), quiet)


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("progress.json", b"{}"),
        ("progress.json", b"[" * 10000),
        ("progress.json", b'{"format": "symut-checkpoint-1", "configuration": {}, "progress": {}}'),
        ("tensors.safetensors", b"nothing"),
    ],
)
def test_a_damaged_checkpoint_is_refused(tmp_path, file, content):
    with pytest.raises(InterruptionError):
        run(SMALL, Place(tmp_path), stop_after(3))
    (tmp_path / CHECKPOINTS / SMALL.name / file).write_bytes(content)
    with pytest.raises(Exception, match="cannot re") as caught:
        run(SMALL, Place(tmp_path, resume=True), quiet)
    assert caught.value.exit_code == 2


def test_a_finished_run_is_read_and_not_repeated(tmp_path):
    first = run(SMALL, Place(tmp_path), quiet)
    assert run(SMALL, Place(tmp_path, resume=True), stop_after(1)) == Record.read(tmp_path / f"{SMALL.name}.json")
    assert first.as_json() == json.loads((tmp_path / f"{SMALL.name}.json").read_text())


def test_a_loss_that_is_no_number_ends_the_run_and_keeps_its_record(tmp_path):
    record = run(SMALL.with_(lr=1e30), Place(tmp_path), quiet)
    assert record.stopped == DIVERGED
    assert record.curve[-1] == {"step": record.step, "loss": None}
    assert Record.read(tmp_path / f"{SMALL.name}.json").stopped == DIVERGED
    assert "NaN" not in (tmp_path / f"{SMALL.name}.json").read_text()


def test_a_run_ends_when_it_is_solved_or_makes_no_progress(tmp_path):
    easy = SMALL.with_(hops=0, steps=400, every=20, batch=32)
    assert run(easy, Place(tmp_path), quiet).stopped == SOLVED
    frozen = SMALL.with_(lr=1e-30, patience=2, steps=400)
    record = run(frozen, Place(tmp_path / "frozen"), quiet)
    assert (record.stopped, record.step) == (STALLED, 6)
    assert run(SMALL, Place(tmp_path), quiet).stopped == STEPS


def test_the_best_weights_on_validation_are_tested(tmp_path):
    record = run(SMALL.with_(steps=40, every=4, lr=0.3), Place(tmp_path), quiet)
    best = max(point["validation_accuracy"] for point in record.curve)
    assert record.best["validation_accuracy"] == best


def test_records_hold_every_baseline_and_the_loss_of_a_guess(tmp_path):
    record = run(SMALL, Place(tmp_path), quiet)
    assert set(record.baselines["test"]) == {"x_{i-1}", "x_i", "last token", "last 2 tokens", "last 4 tokens"}
    assert record.uniform_loss == math.log(4)
    about = SMALL.with_(task="dyck", pairs=8)
    assert set(run(about, Place(tmp_path), quiet).test) == {"test", "seen", "unseen", "stress"}


def test_the_grid_chooses_on_validation_and_its_seed_is_no_seed_of_the_table(tmp_path):
    cell = Cell(SMALL, (0.3, 1.0), (0.01, 1e30), 4, (0, 1))
    trials = select(cell, Place(tmp_path), quiet)
    assert [trial["lr"] for trial in trials[2:]] == [1e30, 1e30]
    assert trials[0]["validation_loss"] <= trials[1]["validation_loss"]
    assert trials[3]["validation_loss"] is None
    records = list(run_cell(cell, Place(tmp_path, resume=True), quiet))
    assert [record.configuration.seed for record in records] == [0, 1]
    assert all(record.configuration.init == trials[0]["init"] for record in records)
    seeds = [json.loads(path.read_text())["configuration"]["seed"] for path in tmp_path.glob("selection/*.json")]
    assert len(seeds) == 4
    assert not {0, 1} & set(seeds)


def test_a_trial_is_the_beginning_of_the_run(tmp_path):
    whole = run(SMALL, Place(tmp_path), quiet)
    trial = run(SMALL, Place(tmp_path / "trial"), quiet, trial_steps=4)
    assert trial.curve == whole.curve[:2]
    assert (trial.stopped, trial.step, trial.test) == (TRIED, 4, {})
    assert run(SMALL, Place(tmp_path / "trial", resume=True), quiet).curve == whole.curve


def test_the_learning_rate_rises_then_falls_to_zero():
    rates = [rate(step, 100, 0.1, 2.0) for step in range(100)]
    assert rates[:10] == pytest.approx([0.2 * i for i in range(1, 11)])
    assert rates[10:] == sorted(rates[10:], reverse=True)
    assert rates[-1] < 0.001


def test_batches_do_not_depend_on_the_way_to_them():
    task = SMALL.build_task()
    forward, direct = Stream(task, 0, 16), Stream(task, 0, 16)
    batches = [forward.batch(step) for step in range(600)]
    assert (direct.batch(599).tokens == batches[599].tokens).all()
    assert (direct.batch(3).tokens == batches[3].tokens).all()
    assert len({batch.tokens.tobytes() for batch in batches}) == 600


def test_cuda_is_refused_where_it_is_absent(tmp_path, monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(UsageError, match="--device cuda is absent"):
        run(SMALL, Place(tmp_path, device="cuda"), quiet)


def test_too_much_memory_is_refused(tmp_path):
    huge = SMALL.with_(backbone="random", arch="mlp", m=20000)
    with pytest.raises(UsageError, match="more memory than allowed"):
        run(huge, Place(tmp_path, max_memory=2**32), quiet)


def started(tmp_path, *extra, **options):
    command = [sys.executable, "-m", "symut", "train", "khop", *OPTIONS[2:], "--steps", "100000", "--init", "1"]
    command += ["--lr", "0.01", "--hops", "3", "--seeds", "1", "--out", str(tmp_path), *extra]
    return subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True, **options)


def wait_for(path, process):
    while not path.exists():
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.05)


def test_ctrl_c_leaves_an_intact_checkpoint_and_exits_with_130(tmp_path):
    process = started(tmp_path)
    wait_for(tmp_path / CHECKPOINTS / "khop3-n30-sparse-attention-H2-L2-d8-k8-m128-s0" / "progress.json", process)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=100)
    assert process.returncode == 130, errors
    assert f"what is done is in {tmp_path}; to go on: the same command with --resume" in errors
    (folder,) = (tmp_path / CHECKPOINTS).iterdir()
    about = json.loads((folder / "progress.json").read_text())
    assert about["progress"]["step"] >= 2
    assert {path.name for path in folder.iterdir()} == {"progress.json", "tensors.safetensors"}


def limit_files():
    """Files of at most 20 kB, as on a disk that fills up when the checkpoint grows."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))


def test_a_full_disk_stops_with_one_line_and_leaves_the_last_checkpoint(tmp_path):
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    process = started(tmp_path, "--d", "2", "--k", "1", "--every", "1", preexec_fn=limit_files, env=environment)
    _, errors = process.communicate(timeout=200)
    assert process.returncode == 2, errors
    assert errors.startswith("symut: cannot write")
    assert errors.count("\n") == 1
    (folder,) = (tmp_path / CHECKPOINTS).iterdir()
    assert json.loads((folder / "progress.json").read_text())["progress"]["step"] >= 1
