"""`symut train` prints baselines beside results, writes tables from the records alone, and refuses bad input."""

import io
import json
import re
from pathlib import Path

import numpy as np
import pytest

import symut
from symut.cli import main
from symut.errors import UsageError
from symut.experiment.publication import FILES, publish
from symut.experiment.record import read_records

ROOT = Path(__file__).resolve().parents[2]
QUICK = ["--steps", "4", "--batch", "8", "--every", "2", "--validation", "30", "--test", "40"]
ONE = ["--init", "1", "--lr", "0.01", "--seeds", "1", *QUICK]
NAME = "dyck8-sparse-attention-H2-L2-d8-k8-m128-s0"


def train(*arguments):
    return main(["train", *arguments])


def test_a_run_prints_its_baselines_and_writes_record_table_and_plots(tmp_path, capsys):
    assert train("dyck", "--pairs", "8", *ONE, "--out", str(tmp_path)) == 0
    shown = capsys.readouterr()
    assert shown.out.startswith(f"{NAME}: all steps done at step 4: test ")
    for rule in ("majority", "equal counts", "equal counts, ( first, ) last"):
        assert rule in shown.err
        assert rule in shown.out
    assert "loss of a uniform guess 0.693" in shown.out
    assert {path.name for path in tmp_path.iterdir()} == {f"{NAME}.json", f"{NAME}.safetensors", *FILES}


def test_the_table_is_made_from_the_records_alone(tmp_path, capsys):
    train("khop", "--hops", "2", *ONE, "--out", str(tmp_path), "--seeds", "2")
    before = {name: (tmp_path / name).read_bytes() for name in FILES}
    for path in tmp_path.iterdir():
        if path.suffix != ".json":
            path.unlink()
    publish(tmp_path)
    assert {name: (tmp_path / name).read_bytes() for name in FILES} == before
    row = next(line for line in before["table.md"].decode().splitlines() if line.startswith("| khop2-n30"))
    accuracies = [record.test["test"]["accuracy"] for record in read_records(tmp_path)]
    assert f"({min(accuracies):.3f} to {max(accuracies):.3f})" in row
    assert row.replace("|", "&").strip("& ").split(" & ")[0] in before["table.tex"].decode()


def test_on_a_terminal_a_bar_shows_loss_and_validation_accuracy(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert train("khop", *ONE, "--out", str(tmp_path)) == 0
    assert re.search(r"loss \d\.\d+ validation 0\.\d+", capsys.readouterr().err)


@pytest.mark.parametrize("label", ["dyck20 sparse seed 5", "khop16-n100 trained seed 0"])
@pytest.mark.parametrize("started", [False, True])
def test_the_bar_shows_a_short_label_and_all_numbers_in_80_columns(monkeypatch, label, started):
    from rich.console import Console
    from rich.progress import Progress

    from symut.cli import train_bar
    from symut.experiment.suites import cell
    from symut.experiment.training import Event

    task, backbone, seed = ("dyck", "sparse", 5) if label.startswith("dyck") else ("khop", "trained", 0)
    sizes = {"pairs": 20} if task == "dyck" else {"hops": 16}
    made = cell(backbone, "paper", task, "attention", **sizes, init=1, lr=0.01, seed=seed)
    screen = Console(file=io.StringIO(), width=80, force_terminal=True, color_system=None)
    drawn = []
    monkeypatch.setattr(Progress, "stop", lambda bar: drawn.append(bar.get_renderable()))
    monkeypatch.setattr(Progress, "start", lambda bar: None)
    monkeypatch.setattr(train_bar, "console", lambda **options: screen)
    steps = made.template.steps
    with train_bar.training_bar(made, quiet=False) as update:
        if started:
            update(Event(made.template.with_(seed=seed).name, steps // 2, steps, 0.6931, 0.5123))
    screen.print(*drawn)
    (line,) = screen.file.getvalue().splitlines()
    assert line.startswith(label)
    assert f" {steps // 2 if started else 0}/{steps} " in line
    assert ("loss 0.693 validation 0.5123" if started else "preparing data and network") in line
    assert line.rstrip().endswith("-:--:--")


def test_the_bar_calls_a_run_of_the_grid_a_trial():
    from symut.cli.train_bar import _first_run, _label
    from symut.experiment.suites import cell

    made = cell("sparse", "cpu", "dyck", "attention")
    assert _label(made, *_first_run(made)) == "dyck20 sparse trial"
    assert _label(made, made.template.with_(seed=2).name, made.template.steps) == "dyck20 sparse seed 2"
    assert _label(made, made.template.with_(seed=1000).name, made.trial_steps) == "dyck20 sparse trial"


@pytest.mark.parametrize("columns", [80, 81, 83, 100])
def test_the_printed_table_has_all_its_columns(tmp_path, capsys, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    assert train("dyck", "--pairs", "8", *ONE, "--out", str(tmp_path)) == 0
    shown = capsys.readouterr()
    assert re.search(r"CPU s( \d|$)", shown.out, flags=re.MULTILINE)
    assert f"written to {tmp_path}: {', '.join(FILES)}\n" in shown.err


def test_json_is_one_list_of_records_with_their_paths(tmp_path, capsys):
    assert train("khop", *ONE, "--out", str(tmp_path), "--json") == 0
    (found,) = json.loads(capsys.readouterr().out)
    stored = json.loads(Path(found.pop("path")).read_text())
    assert stored == found


def test_the_function_returns_the_records_that_the_command_writes(tmp_path):
    sizes = {"steps": 4, "batch": 8, "every": 2, "validation": 30, "test": 40}
    (found,) = symut.train("dyck", pairs=8, init=(1,), lr=(0.01,), seeds=1, out=tmp_path / "function", **sizes)
    assert train("dyck", "--pairs", "8", *ONE, "--out", str(tmp_path / "command")) == 0
    (written,) = read_records(tmp_path / "command")
    assert {**found.as_json(), "measured": None} == {**written.as_json(), "measured": None}
    assert {path.name for path in (tmp_path / "function").iterdir()} == {f"{NAME}.json", f"{NAME}.safetensors", *FILES}


@pytest.mark.parametrize("given", [0.3, [0.3], (0.3,), np.float64(0.3), np.array([0.3])], ids=repr)
def test_the_function_takes_one_number_or_several(given):
    from symut.experiment.suites import cell

    made = cell("sparse", "cpu", "dyck", "attention", init=given, lr=given)
    assert made.grid == [(0.3, 0.3)]


@pytest.mark.parametrize("given", ["0.3", ["0.3"], None, True, [True], {"a": 1}, 1j, 10**400, 0, [0.3, -1]], ids=str)
@pytest.mark.parametrize("name", ["init", "lr"])
def test_what_is_no_number_is_refused_in_one_line(name, given, tmp_path):
    with pytest.raises(UsageError, match=f"--{name} out of range: expected a number") as refused:
        symut.train("dyck", **{name: given}, out=tmp_path / "none")
    assert "\n" not in str(refused.value)
    assert not (tmp_path / "none").exists()


def test_a_suite_lists_its_cells_as_json_with_grid_and_seeds(capsys):
    assert train("--suite", "cpu", "--list", "--only", "khop1", "--json") == 0
    cells = json.loads(capsys.readouterr().out)
    assert [sorted(cell) for cell in cells] == [["cell", "init", "lr", "seeds", "steps", "trial_steps"]] * len(cells)
    assert {cell["cell"].split("-")[2] for cell in cells} == {"sparse", "random", "trained"}
    assert all(cell["init"] == [0.02, 0.3, 1.0] and cell["seeds"] == [0, 1, 2] for cell in cells)


def test_a_suite_lists_its_cells(capsys):
    assert train("--suite", "cpu", "--list") == 0
    cells = capsys.readouterr().out.splitlines()
    assert len(cells) == len(set(cells)) > 10
    assert any(cell.startswith("dyck20-sparse-attention-H2-L2-d8-k8-m128:") for cell in cells)
    assert train("--suite", "cpu", "--list", "--only", "khop1") == 0
    assert set(capsys.readouterr().out.splitlines()) < set(cells)


def test_every_backbone_of_a_task_has_the_same_grid_steps_and_seeds():
    from symut.experiment.suites import suite

    for name in ("cpu", "full"):
        budgets = {}
        for cell in suite(name):
            about = cell.template
            budget = (tuple(cell.grid), cell.trial_steps, tuple(cell.seeds), about.steps, about.batch, about.every)
            budgets.setdefault((about.build_task().name, about.arch), set()).add(budget)
        assert all(len(found) == 1 for found in budgets.values())
        assert all(len(cell.seeds) >= 3 for cell in suite(name))


def test_a_loss_that_is_no_number_exits_with_2_and_keeps_the_record(tmp_path, capsys):
    assert train("khop", *ONE, "--lr", "1e30", "--out", str(tmp_path)) == 2
    (line,) = [line for line in capsys.readouterr().err.splitlines() if line.startswith("symut:")]
    assert "NaN or infinity at step" in line
    assert [record.stopped for record in read_records(tmp_path)] == ["diverged"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "needs a task"),
        (("sorting",), "unknown task"),
        (("khop", "--hops", "17"), "--hops out of range"),
        (("khop", "--hops", "9", "--n", "10"), "larger than the sequence allows"),
        (("dyck", "--pairs", "3"), "--pairs out of range"),
        (("dyck", "--hops", "1"), "--hops is a size of khop"),
        (("khop", "--pairs", "9"), "--pairs is a size of dyck"),
        (("dyck", "--backbone", "dense"), "--backbone out of range"),
        (("dyck", "--arch", "mamba"), "--arch out of range"),
        (("dyck", "--preset", "huge"), "--preset out of range"),
        (("dyck", "--init", "0"), "--init out of range"),
        (("dyck", "--lr", "nan"), "--lr out of range"),
        (("dyck", "--lr", "fast"), "--lr out of range"),
        (("dyck", "--seeds", "0"), "--seeds out of range"),
        (("dyck", "--seed", "-1"), "--seed out of range"),
        (("dyck", "--H", "-2"), "--H out of range"),
        (("dyck", "--m", "100"), "a sparse backbone has one width"),
        (("dyck", "--shared"), "for random backbones"),
        (("dyck", "--device", "tpu"), "--device out of range"),
        (("dyck", "--only", "khop"), "--only matches no cell"),
        (("--suite", "gpu"), "--suite out of range"),
        (("--suite", "cpu", "--H", "3"), "a suite fixes its cells"),
        (("dyck", "--suite", "cpu"), "a suite fixes its cells"),
        (("dyck", "--backbone", "random", "--m", "100000"), "more memory than allowed"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(tmp_path, capsys, arguments, message):
    assert train(*arguments, "--out", str(tmp_path / "none")) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    (line,) = shown.err.splitlines()
    assert line.startswith("symut: ")
    assert message in line
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize("task", ["dyck", "khop"])
@pytest.mark.parametrize("arch", ["attention", "residual"])
def test_the_paper_preset_runs_for_fifty_steps_at_reduced_batch(tmp_path, capsys, task, arch):
    small = ["--steps", "50", "--batch", "2", "--every", "50", "--validation", "8", "--test", "16"]
    arguments = [task, "--arch", arch, "--preset", "paper", *small, "--init", "0.3", "--lr", "0.01", "--seeds", "1"]
    assert train(*arguments, "--out", str(tmp_path)) == 0
    (record,) = read_records(tmp_path)
    assert record.step == 50
    assert record.configuration.width > 900
