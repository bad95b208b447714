"""Tables fit the terminal: no cell is cut, and words break only where they must."""

import io
import re
from collections import Counter

import pytest
from rich.console import Console

from symut.cli.columns import shared, table
from symut.cli.layout import Grid, fitted
from symut.experiment.table import COLUMNS, RIGHT

FOLDS = ("architecture", "best baseline")
ROWS = [
    ("dyck20", "attention only", "sparse", "128", "0.3", "0.03", "0.503", "-", "0.506 equal counts, ( first", "12"),
    ("khop2-n30", "residual + norm", "random, shared", "96", "1", "0.003", "0.9", "0.5", "0.25 majority", "7"),
]
AXIOMS = "claim_1 of instance.v holds; it rests on constructive_indefinite_description"
STEPS = [
    ("null set", "CITED", "its zero set has measure zero", "lemma zero-set-of-a-nonzero-polynomial-is-null"),
    ("kernel", "PROVED", AXIOMS, "coqc 8.16.1"),
]


def printed(shown, width):
    screen = Console(file=io.StringIO(), width=width, color_system=None)
    screen.print(shown)
    text = screen.file.getvalue()
    assert max(map(len, text.splitlines())) <= width
    return text


def in_table(cell, text):
    return any(cell in re.split("  +", line.strip()) for line in text.splitlines())


def in_paragraph(cell, text, width):
    """Unbroken, unless it is longer than a line."""
    return "─" not in text and (cell in text or (len(cell) > width - 3 and cell in " ".join(text.split())))


@pytest.mark.parametrize("width", range(40, 141))
@pytest.mark.parametrize("rows", [ROWS[:1], ROWS], ids=len)
def test_no_cell_of_the_results_is_cut_at_any_width(rows, width):
    text = printed(fitted(Grid(COLUMNS, rows, folds=FOLDS, right=RIGHT, lead=3), width), width)
    wanted = Counter(" ".join(" ".join(row) for row in rows).replace(",", "").split())
    assert wanted <= Counter(text.replace(",", "").split())
    for row in rows:
        for column, cell in zip(COLUMNS, row, strict=True):
            assert column in FOLDS or in_table(cell, text) or in_paragraph(f"{column} {cell}", text, width), cell
    assert "CPU s" in text


def test_the_results_are_a_table_as_soon_as_their_words_fit():
    grid = Grid(COLUMNS, ROWS[:1], folds=FOLDS, right=RIGHT, lead=3)
    assert "─" not in printed(fitted(grid, 78), 78)
    assert printed(fitted(grid, 79), 79).splitlines()[1].endswith(" CPU s")


def test_a_long_cell_folds_inside_its_paragraph():
    found = printed(fitted(Grid(("id", "text"), [("a", "one two three four five")]), 16), 16)
    assert found.splitlines() == ["a", "  text one two", "  three four", "  five"]


def test_a_long_name_of_the_step_table_stays_whole_at_80_columns():
    found = printed(table(("step", "verdict", "claim", "method"), STEPS, wide="claim", width=80), 80)
    assert "constructive_indefinite_description" in found


@pytest.mark.parametrize("width", range(48, 141))
def test_a_name_that_does_not_fit_breaks_behind_a_hyphen_or_underscore(width):
    found = printed(table(("step", "verdict", "claim", "method"), STEPS, wide="claim", width=width), width)
    pieces = set(found.split())
    for row in STEPS:
        parts = [part for cell in row for part in re.findall(r"[^-_\s]+[-_]?", cell)]
        assert all(any(part in piece for piece in pieces) for part in parts)


def test_columns_that_are_too_wide_together_give_way():
    assert shared(10, [4, 20], [4, 20], [4, 20]) == [4, 6]
    assert shared(1, [4, 20], [4, 20], [4, 20]) == [1, 1]


def test_words_get_room_before_lines_do():
    assert shared(30, [5, 5], [5, 20], [40, 40]) == [10, 20]
    assert shared(30, [5, 5], [5, 40], [40, 40]) == [15, 15]
    assert shared(99, [5, 5], [5, 5], [8, 40]) == [8, 40]
