"""Figures and LaTeX: the same bytes every time, readable sizes, tables that LaTeX accepts."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from symut.api import bounds
from symut.errors import UsageError
from symut.tabulator.chart import chart
from symut.tabulator.columns import COLUMNS, band_of, band_text, number
from symut.tabulator.constructions import CONSTRUCTIONS
from symut.tabulator.latex import latex
from symut.tabulator.legend import demand
from symut.tabulator.lower import LOWER
from symut.tabulator.markdown import markdown
from symut.tabulator.strips import draw_strips

ROOT = Path(__file__).resolve().parents[2]
ONE, MANY = {"H": 2, "L": 2, "d": 3}, {"H": "1..2", "L": "1..3", "d": 2}


@pytest.mark.parametrize("sizes", [ONE, MANY, {"H": 2, "k": "1..4"}, {"H": "1..3"}, {"d": "1..3"}], ids=str)
@pytest.mark.parametrize(("suffix", "start"), [(".png", b"\x89PNG"), (".svg", b"<?xml"), (".pdf", b"%PDF")])
def test_figures_have_the_same_bytes_every_time(tmp_path, sizes, suffix, start):
    tables = bounds(**sizes, proofs=tmp_path)
    first = chart(tables, suffix)
    assert first.startswith(start)
    assert first == chart(tables, suffix)
    assert b"<dc:date>" not in first
    assert b"CreationDate" not in first


def test_figures_have_the_same_bytes_in_another_process_at_another_time(tmp_path):
    script = (
        "import hashlib\nfrom symut.api import bounds\nfrom symut.tabulator.chart import chart\n"
        f"tables = bounds(proofs={str(tmp_path)!r})\n"
        "print([hashlib.sha256(chart(tables, suffix)).hexdigest() for suffix in ('.png', '.svg', '.pdf')])"
    )
    environments = [{"SOURCE_DATE_EPOCH": epoch, "PYTHONHASHSEED": epoch} for epoch in ("0", "1000000000")]
    found = {
        subprocess.run(
            [sys.executable, "-c", script],
            cwd=ROOT,
            env={**os.environ, **environment},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for environment in environments
    }
    assert len(found) == 1


def test_numbers_beyond_every_machine_are_drawn(tmp_path):
    assert chart(bounds(H=96, L=96, d=12288, k=128, proofs=tmp_path), ".svg")


def test_too_many_panels_and_too_large_widths_are_refused(tmp_path):
    with pytest.raises(UsageError, match="too many panels"):
        chart(bounds(H="1..4", L="1..2", d="1..4", proofs=tmp_path), ".svg")
    with pytest.raises(UsageError, match="too large for --plot"):
        chart(bounds(L=999, proofs=tmp_path), ".svg")


@pytest.mark.parametrize("sizes", [ONE, MANY, {"d": 1}, {"H": 96, "L": 96, "d": 12288, "k": 128}], ids=str)
def test_latex_tables_are_well_formed(tmp_path, sizes):
    text = latex(bounds(**sizes, proofs=tmp_path))
    assert text.count("{") == text.count("}")
    assert text.count("$") % 2 == 0
    assert [text.count(rule) for rule in (r"\toprule", r"\bottomrule", r"\begin{table}", r"\end{table}")] == [1] * 4
    assert not re.search(r"(?<!\\)[%#]", text.partition("\n")[2])
    columns = len(re.search(r"\\begin\{tabular\}\{(\w+)\}", text)[1])
    rows = [line for line in text.splitlines() if line.endswith(r"\\")]
    assert len(rows) > 3
    assert {line.count("&") for line in rows} == {columns - 1}
    assert not re.search(r"(?<!\\)_", re.sub(r"\$[^$]*\$", "", text))


PAPER = [ONE, {"d": 1}, {"d": 1, "H": 1, "L": 1}, {"d": 3, "k": 2}, {"H": 96, "L": 96, "d": 12288, "k": 128}]
ARTICLE_WIDTH = 345
"""\\textwidth of LaTeX's class article at 10pt, in points."""
FOOTNOTESIZE, COLUMN_SEPARATION = 8, 3


def set_width(cell):
    """The width of a cell in points, set in Computer Modern at \\footnotesize by matplotlib."""
    import matplotlib
    from matplotlib.font_manager import FontProperties
    from matplotlib.mathtext import MathTextParser

    plain = cell.replace(r"$^\dagger$", r"$^{\dagger}$").replace(r"\_", "_")
    plain = re.sub(r"\\texttt\{([^}]*)\}", lambda found: rf"$\mathtt{{{found[1]}}}$".replace("_", r"\_"), plain)
    with matplotlib.rc_context({"mathtext.fontset": "cm", "font.family": "cmr10"}):
        return MathTextParser("path").parse(plain, 72, FontProperties(family="cmr10", size=FOOTNOTESIZE))[0]


@pytest.mark.parametrize("sizes", PAPER, ids=str)
def test_the_table_of_one_shape_fits_the_column_of_an_article(tmp_path, sizes):
    text = latex(bounds(**sizes, proofs=tmp_path))
    assert "\\footnotesize" in text
    assert f"\\setlength{{\\tabcolsep}}{{{COLUMN_SEPARATION}pt}}" in text
    rows = [line.removesuffix(r" \\").split(" & ") for line in text.splitlines() if line.endswith(r"\\")]
    columns = list(zip(*rows, strict=True))
    widths = [max(map(set_width, cells)) for cells in columns]
    assert sum(widths) + 2 * COLUMN_SEPARATION * len(columns) <= ARTICLE_WIDTH


@pytest.mark.parametrize("sizes", [*PAPER, MANY, {"H": "1..2", "d": "1,3", "k": "1,2"}], ids=str)
def test_sizes_and_scores_in_latex_are_in_math_mode(tmp_path, sizes):
    text = latex(bounds(**sizes, proofs=tmp_path))
    words = re.sub(
        r"\\(begin|end|label|texttt|setlength|tabcolsep)\{[^}]*\}(\{\w*\})?", "", re.sub(r"\$[^$]*\$", "", text)
    )
    assert not re.search(r"(?<![\w\\])[HLdkmNQKqvSRT](?!\w)|\^", words)
    assert r"{\left(" not in text


@pytest.mark.parametrize("sizes", PAPER, ids=str)
def test_latex_of_one_shape_defines_its_words_and_abbreviations(tmp_path, sizes):
    (table,) = bounds(**sizes, proofs=tmp_path)
    text = latex([table])
    caption, _, body = text.partition(r"\label")
    entries = (*table.lower, *table.constructions)
    assert all(rf"\emph{{{demand(entry.row.problem)}}}: " in caption for entry in entries)
    assert r"\emph{generic}: " in caption
    for symbol in "SRT":
        assert (f"${symbol} = " in caption) == bool(
            re.search(rf"(?<![\w\\]){symbol}\b", re.sub(r"\\texttt\S*", "", body))
        )


@pytest.mark.parametrize("sizes", [{"k": 2}, {"H": 3, "L": 6, "d": 64, "k": 8}], ids=str)
def test_what_nothing_certifies_is_starred_in_the_figure_and_no_edge_of_the_band(tmp_path, sizes):
    (table,) = bounds(**sizes, proofs=tmp_path)
    doubtful = next(band for band in table.best if not band.is_certified)
    drawn = chart([table], ".svg").decode()
    column = next(c for c in COLUMNS if c.problem.attention == doubtful.problem.attention)
    assert band_of(table, column.problem).width == doubtful.certified > doubtful.width
    figure = draw_strips(table)
    texts = [text.get_text() for text in figure.axes[0].texts]
    assert drawn
    assert any(f"{doubtful.width} {doubtful.width_id}*" in text for text in texts)
    assert not any(text.endswith(f" to {doubtful.width}") for text in texts)


@pytest.mark.parametrize("sizes", [{"H": "1..3", "L": "1..3", "d": "1..4", "k": k} for k in (1, 2, 3)], ids=str)
def test_tables_of_many_shapes_use_and_name_theorems_only(tmp_path, sizes):
    tables = bounds(**sizes, proofs=tmp_path)
    assert any(not band.is_certified for table in tables for band in table.best)
    rows = {row.id: row for row in (*LOWER, *CONSTRUCTIONS)}
    for table in tables:
        for column in COLUMNS:
            band = band_of(table, column.problem)
            assert rows[band.width_id].theorem
            assert rows[band.width_id].value(table.shape) == band.width
    for text in (latex(tables), markdown(tables)):
        assert not any(row.id in text.replace("\\_", "_") for row in rows.values() if row.theorem is None)


def test_latex_marks_what_the_proofs_at_hand_do_not_certify(tmp_path):
    from symut.api import prove

    prove("sparse_universality", H=2, L=2, out=tmp_path)
    rows = latex(bounds(**ONE, proofs=tmp_path)).splitlines()
    marked = {line.split("}")[0]: r"\dagger" in line for line in rows if line.startswith(r"\texttt")}
    assert not marked[r"\texttt{sparse"]
    assert marked[r"\texttt{random"]


def test_numbers_are_exact_up_to_seven_digits():
    assert number(9999999) == "9999999"
    assert number(10**7) == "1.00e7"
    assert number(2**1000) == "1.07e301"


def test_bands_that_look_alike_are_told_apart(tmp_path):
    (table,) = bounds(H=96, L=96, d=12288, k=128, proofs=tmp_path)
    for band in table.best:
        assert band.exact or band.lower is None or len(set(band_text(band).split(".."))) == 2


def test_the_columns_are_problems_of_the_table(tmp_path):
    (table,) = bounds(proofs=tmp_path)
    assert {column.problem for column in COLUMNS} <= {band.problem for band in table.best}
