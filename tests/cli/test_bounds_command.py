"""`symut bounds`: documented keys, tables that fit the terminal, one line per bad input, and the README's table."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.test_commands import here, imported_by, run

ROOT = Path(__file__).resolve().parents[2]
__all__ = ["here"]
ENTRY = {
    "id",
    "status",
    "attention",
    "targets",
    "hypotheses",
    "head_width",
    "matches",
    "theorem",
    "goal",
    "command",
    "artifact",
}
BEST = {"attention", "targets", "head_width", "matches", "lower", "width", "lower_id", "width_id"}


def test_one_shape_is_one_object_with_the_documented_keys(here, capsys):
    code, out, err = run(capsys, "bounds", "--H", 2, "--L", 2, "--d", 3, "--k", 2, "--json")
    answer = json.loads(out)
    assert (code, err) == (0, "")
    assert set(answer) == {"shape", "lower", "constructions", "best", "remarks"}
    assert answer["shape"] == {"H": 2, "L": 2, "d": 3, "k": 2}
    assert all(set(row) == ENTRY | {"value"} for row in answer["lower"])
    assert all(set(row) == ENTRY | {"width"} for row in answer["constructions"])
    assert all(set(row) == BEST for row in answer["best"])
    assert {row["attention"] for row in answer["best"]} == {"any", "score-only", "matched"}
    assert {row["targets"] for row in answer["best"]} == {"all", "generic"}


def test_a_grid_is_a_list_of_objects(here, capsys):
    code, out, _ = run(capsys, "bounds", "--H", "1..2", "--L", "1,3", "--d", 2, "--json")
    shapes = [tuple(table["shape"].values()) for table in json.loads(out)]
    assert (code, shapes) == (0, [(1, 1, 2, 2), (1, 3, 2, 2), (2, 1, 2, 2), (2, 3, 2, 2)])


@pytest.mark.parametrize("sizes", [["--d", "3"], ["--d", "1"], ["--H", "1..3", "--L", "1..3", "--d", "1,2,4"]], ids=str)
@pytest.mark.parametrize("columns", [80, 120])
def test_tables_fit_the_terminal(here, capsys, monkeypatch, sizes, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    code, out, _ = run(capsys, "bounds", *sizes)
    lines = [line for line in out.splitlines() if not line.startswith("  python -m symut")]
    assert code == 0
    assert max(map(len, lines)) <= columns
    assert "…" not in out


def test_large_widths_fit_the_terminal(here, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    for sizes in (["--H", "96", "--L", "3,12,96", "--d", "768", "--k", "64"], ["--H", "96", "--L", "96", "--d", "768"]):
        out = run(capsys, "bounds", *sizes)[1]
        assert max(len(line) for line in out.splitlines() if not line.startswith("  python -m symut")) <= 80
        assert "…" not in out


def test_statuses_come_from_the_artifacts(here, capsys):
    def status():
        answer = json.loads(run(capsys, "bounds", "--json")[1])
        return next(row["status"] for row in answer["constructions"] if row["id"] == "sparse")

    assert status() == "not run"
    run(capsys, "prove", "sparse_universality")
    assert status() == "proved"


def test_files_and_views_go_together(here, capsys):
    code, out, err = run(capsys, "bounds", "--latex", "t.tex", "--plot", "p.svg", "--json")
    assert (code, err) == (0, "written: t.tex\nwritten: p.svg\n")
    assert json.loads(out)["shape"]["H"] == 2
    assert (here / "t.tex").read_text() == run(capsys, "bounds", "--latex")[1]
    assert (here / "p.svg").read_bytes().startswith(b"<?xml")


def test_formulas_are_listed_once_per_row(here, capsys):
    rows = json.loads(run(capsys, "bounds", "--formulas", "--json")[1])
    assert len({row["id"] for row in rows}) == len(rows) > 15
    out = run(capsys, "bounds", "--formulas")[1]
    assert all(f"{row['id']}\n  {row['formula']}\n  {row['latex']}\n" in out for row in rows)


BAD = [
    (["--H", "0"], "--H is no size or range"),
    (["--L", "3..1"], "--L is no size or range"),
    (["--d", "x"], "--d is no size or range"),
    (["--k", "1..2000"], "--k is no size or range"),
    (["--H", "1..16", "--L", "1..16", "--d", "1,2"], "too many shapes"),
    (["--L", "5000"], "beyond any machine"),
    (["--L", "999", "--plot", "p.svg"], "too large for --plot"),
    (["--plot", "p.pdf"], "unknown suffix"),
    (["--plot", "/dev/null/p.svg"], "cannot write"),
    (["--latex", "/dev/null/t.tex"], "cannot write"),
    (["--markdown", "--latex"], "one view at a time"),
    (["--h", "2"], "No such option"),
]


@pytest.mark.parametrize(
    ("arguments", "message"), BAD, ids=lambda value: " ".join(value) if isinstance(value, list) else ""
)
def test_bad_input_is_one_line(here, capsys, arguments, message):
    code, out, err = run(capsys, "bounds", *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert message in err
    assert list(here.iterdir()) == []


def test_a_table_imports_no_heavy_library(tmp_path):
    heavy = {"sympy", "numpy", "torch", "flint", "z3", "cvc5", "jinja2", "safetensors", "matplotlib"}
    assert not heavy & imported_by("bounds", cwd=tmp_path)


def test_the_whole_process_takes_less_than_a_second_of_processor_time(tmp_path):
    before = os.times()
    command = [sys.executable, "-m", "symut", "bounds", "--H", "1..3", "--L", "1..3", "--d", "1,2,4"]
    subprocess.run([*command, "--proofs", ROOT / "proofs", "--json"], cwd=ROOT, check=True, capture_output=True)
    after = os.times()
    assert after.children_user + after.children_system - before.children_user - before.children_system < 1


def test_the_table_of_the_readme_is_what_the_command_prints(here, capsys):
    section = re.search(r"### Bounds\n(.*?)^## ", (ROOT / "README.md").read_text(), flags=re.DOTALL | re.MULTILINE)
    assert section
    command = re.search(r"python -m symut (bounds .* --markdown)", section[1])
    assert command
    code, out, _ = run(capsys, *command[1].split())
    assert code == 0
    assert f"\n{out}" in section[1]
