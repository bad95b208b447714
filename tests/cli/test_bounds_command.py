"""`symut bounds`: documented keys, tables that fit the terminal, one line per bad input, and the README's table."""

import json
import os
import re
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from symut.api import bounds
from symut.tabulator.columns import COLUMNS, band_of, band_text, number
from symut.tabulator.constructions import CONSTRUCTIONS
from symut.tabulator.legend import demand
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
CERTIFIED = {"certified_width", "certified_id"}


def test_one_shape_is_one_object_with_the_documented_keys(here, capsys):
    code, out, err = run(capsys, "bounds", "--H", 2, "--L", 2, "--d", 3, "--k", 2, "--json")
    answer = json.loads(out)
    assert (code, err) == (0, "")
    assert set(answer) == {"shape", "lower", "constructions", "best", "remarks"}
    assert answer["shape"] == {"H": 2, "L": 2, "d": 3, "k": 2}
    assert all(set(row) == ENTRY | {"value"} for row in answer["lower"])
    assert all(set(row) == ENTRY | {"width"} for row in answer["constructions"])
    assert all(set(row) == BEST | CERTIFIED for row in answer["best"])
    assert {row["attention"] for row in answer["best"]} == {"any", "score-only", "matched"}
    assert {row["targets"] for row in answer["best"]} == {"all", "generic"}


def test_a_grid_is_a_list_of_objects(here, capsys):
    code, out, _ = run(capsys, "bounds", "--H", "1..2", "--L", "1,3", "--d", 2, "--json")
    shapes = [tuple(table["shape"].values()) for table in json.loads(out)]
    assert (code, shapes) == (0, [(1, 1, 2, 2), (1, 3, 2, 2), (2, 1, 2, 2), (2, 3, 2, 2)])


SHAPES = [
    {"d": "3"},
    {"d": "1"},
    {"d": "3", "k": "2"},
    {"H": "3", "L": "6", "d": "64", "k": "8"},
    {"H": "96", "L": "96", "d": "768"},
]
GRIDS = [
    {"H": "1..3", "L": "1..3", "d": "1,2,4"},
    {"H": "96", "L": "3,12,96", "d": "768", "k": "64"},
]
COLUMNS_OF_TERMINALS = [60, 66, 72, 80, 100, 120]


def printed(capsys, monkeypatch, sizes, columns):
    """The output at this width, without the commands, which are never broken."""
    monkeypatch.setenv("COLUMNS", str(columns))
    options = [word for name, value in sizes.items() for word in (f"--{name}", value)]
    code, out, _ = run(capsys, "bounds", *options)
    lines = [line for line in out.splitlines() if not line.startswith("  python -m symut")]
    assert code == 0
    assert max(map(len, lines)) <= columns
    assert "…" not in out
    return "\n".join(lines)


def words(text):
    return Counter(text.replace(",", " ").split())


def section(out, title):
    return out.partition(f"\n{title}")[2].partition("\n\n")[0]


@pytest.mark.parametrize("sizes", SHAPES, ids=str)
@pytest.mark.parametrize("columns", COLUMNS_OF_TERMINALS)
def test_no_cell_of_one_shape_is_cut_or_lost_or_broken_inside_a_word(here, capsys, monkeypatch, sizes, columns):
    out = printed(capsys, monkeypatch, sizes, columns)
    (table,) = bounds(**sizes, proofs=here)
    for title, entries in (("Lower bounds", table.lower), ("Constructions", table.constructions)):
        cells = [
            f"{e.row.id} {number(e.value)} {demand(e.row.problem)} {e.row.problem.targets} {e.row.problem.head_width} "
            f"{e.standing.status}"
            for e in entries
        ]
        assert words(section(out, title)) >= words(" ".join(cells))
    best = words(section(out, "Best known"))
    for band in table.best:
        star = "" if band.is_certified else "*"
        ends = f"{demand(band.problem)} {band.problem.targets} {band.problem.head_width} {band.lower_id}"
        assert set(words(f"{ends} {band_text(band)}{star} {band.width_id}{star}")) <= set(best)


@pytest.mark.parametrize("sizes", SHAPES, ids=str)
@pytest.mark.parametrize("columns", COLUMNS_OF_TERMINALS)
def test_every_band_of_one_shape_stands_with_what_it_is_about(here, capsys, monkeypatch, sizes, columns):
    """Each line of the table, or each block of the stacked layout, names attention, targets, head width and band."""
    out = section(printed(capsys, monkeypatch, sizes, columns), "Best known")
    blocks = re.split(r"\n(?! )", out)
    (table,) = bounds(**sizes, proofs=here)
    for band in table.best:
        cells = (demand(band.problem), band.problem.targets, band.problem.head_width, band.lower_id, band.width_id)
        wanted = set(words(" ".join(cells).replace("*", ""))) | {band_text(band)}
        assert any(wanted <= set(words(block.replace("*", ""))) for block in blocks), cells


def test_score_only_and_matched_stand_on_one_line_from_60_columns_on(here, capsys, monkeypatch):
    for sizes in SHAPES:
        for columns in COLUMNS_OF_TERMINALS:
            found = section(printed(capsys, monkeypatch, sizes, columns), "Best known")
            assert "score-only, matched" in found
            assert "score-only,\n" not in re.sub(" +\n", "\n", found)


@pytest.mark.parametrize("sizes", GRIDS, ids=str)
@pytest.mark.parametrize("columns", COLUMNS_OF_TERMINALS)
def test_no_cell_of_a_grid_is_cut_or_lost_or_broken(here, capsys, monkeypatch, sizes, columns):
    out = words(printed(capsys, monkeypatch, sizes, columns))
    wanted = Counter()
    for table in bounds(**sizes, proofs=here):
        wanted.update(band_text(band_of(table, column.problem)) for column in COLUMNS)
        wanted.update(str(getattr(table.shape, name)) for name in "HLdk")
    assert out >= wanted


@pytest.mark.parametrize("sizes", [*SHAPES, {"d": "1..2"}], ids=str)
def test_every_word_of_the_tables_is_defined_below_them(here, capsys, monkeypatch, sizes):
    out = printed(capsys, monkeypatch, sizes, 80)
    defined = set(re.findall(r"^([\w -]+): ", out, flags=re.MULTILINE))
    tables = bounds(**sizes, proofs=here)
    if len(tables) > 1:
        assert {column.name for column in COLUMNS} | {"generic targets"} <= defined
        return
    entries = (*tables[0].lower, *tables[0].constructions)
    used = {demand(entry.row.problem) for entry in entries} | {entry.standing.status for entry in entries}
    used |= {demand(band.problem) for band in tables[0].best}
    assert used | {"generic", "head"} <= defined


@pytest.mark.parametrize("sizes", SHAPES, ids=str)
def test_a_best_width_that_nothing_certifies_is_marked_with_the_certified_one_below(here, capsys, monkeypatch, sizes):
    out = " ".join(section(printed(capsys, monkeypatch, sizes, 80), "Best known").split())
    (table,) = bounds(**sizes, proofs=here)
    rows = {row.id: row for row in CONSTRUCTIONS}
    doubtful = [band for band in table.best if rows[band.width_id].theorem is None]
    assert out.count("is not certified. Certified for") == len(doubtful)
    for band in doubtful:
        reliable = band_text(replace(band, width=band.certified))
        assert f"{band.width_id}*" in out
        assert f"{reliable} ({band.certified_id})" in out
    assert ("*" in out) == bool(doubtful)


def test_pdf_figures_are_written(here, capsys):
    code, _, err = run(capsys, "bounds", "--plot", "p.pdf")
    assert (code, err) == (0, "written: p.pdf\n")
    assert (here / "p.pdf").read_bytes().startswith(b"%PDF")


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
    (["--plot", "p.eps"], "unknown suffix"),
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
    found = re.search(r"### Bounds\n(.*?)^## ", (ROOT / "README.md").read_text(), flags=re.DOTALL | re.MULTILINE)
    assert found
    command = re.search(r"python -m symut (bounds .* --markdown)", found[1])
    assert command
    code, out, _ = run(capsys, *command[1].split())
    assert code == 0
    assert f"\n{out}" in found[1]
