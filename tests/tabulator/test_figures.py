"""Figures and LaTeX: the same bytes every time, readable sizes, tables that LaTeX accepts."""

import re

import pytest

from symut.api import bounds
from symut.bounds.chart import chart
from symut.bounds.columns import COLUMNS, band_text, number
from symut.bounds.latex import latex
from symut.errors import UsageError

ONE, MANY = {"H": 2, "L": 2, "d": 3}, {"H": "1..2", "L": "1..3", "d": 2}


@pytest.mark.parametrize("sizes", [ONE, MANY, {"H": 2, "k": "1..4"}, {"H": "1..3"}, {"d": "1..3"}], ids=str)
@pytest.mark.parametrize(("suffix", "start"), [(".png", b"\x89PNG"), (".svg", b"<?xml")])
def test_figures_have_the_same_bytes_every_time(tmp_path, sizes, suffix, start):
    tables = bounds(**sizes, proofs=tmp_path)
    first = chart(tables, suffix)
    assert first.startswith(start)
    assert first == chart(tables, suffix)
    assert b"<dc:date>" not in first


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
