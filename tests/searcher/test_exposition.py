"""proof.md of a search: backbones as tables, short identities written out, long ones by their size."""

import re
from pathlib import Path

import pytest

from symut.searcher.exposition import ROWS_SHOWN, TERMS_SHOWN, backbone_tables, identity_equations, signed
from symut.searcher.matching import search_matching
from symut.searcher.request import Request
from symut.searcher.slice import decisive

MOVED = {
    "slots": [[[], 1], None, [[], 2], [[1], 0], [[2], 0]],
    "values": [[[[3, 3], [0, 1], [2, 2]], []]],
    "forms": [[[[[0, 1], [2, -2]], [[2, -1]]], [[[0, 1]], [[0, 3], [1, 5]]]]],
    "readout": [3, 4],
    "blocks": [[[0], [1]]],
}


def proof(tmp_path, *sizes, **options):
    found = search_matching(Request(*sizes, **options), tmp_path)
    return (Path(found.artifact) / "proof.md").read_text()


def test_heads_are_products_of_forms_in_the_numbers_that_coordinates_hold():
    shown = backbone_tables(MOVED)
    assert [row["word"] for row in shown["slots"]] == ["z_{1,1}", "0", "z_{1,2}", "v_{1,1}", "v_{1,2}"]
    products = [row["product"] for row in shown["heads"]]
    assert products == [r"(z_{1,1} - 2\,z_{1,2})\,(-z_{1,2})", r"z_{1,1}\,(3\,z_{1,1})"]
    assert [row["moves"] for row in shown["heads"]] == ["keeps 2-3; 0 to 1", "drops all"]
    assert (shown["empty"], shown["readout"], shown["blocks"]) == (1, "3-4", "head 1; head 2")


def test_blocks_that_differ_between_layers_are_listed_by_layer():
    one = {key: MOVED[key] * 2 if key in ("values", "forms") else MOVED[key] for key in MOVED}
    assert backbone_tables({**one, "blocks": [[[0, 1]], [[0], [1]]]})["blocks"] == (
        "Layer 1: heads 1, 2. Layer 2: head 1; head 2"
    )


def test_a_wide_backbone_shows_its_first_rows_and_counts_the_others(tmp_path):
    text = proof(tmp_path, 3, 3, 70, "rank-one", "strong")
    assert len(re.findall(r"^\| \d+ \| \$", text, re.MULTILINE)) == ROWS_SHOWN
    assert f"| ... | {70 - ROWS_SHOWN} more in certificate.json |" in text
    assert "(4 of them 0)" in text


@pytest.mark.parametrize("sizes", [(2, 2, 10), (1, 3, 4), (3, 1, 6)])
def test_every_backbone_has_readable_forms_and_moves_and_no_raw_list(tmp_path, sizes):
    H, L, m = sizes
    text = proof(tmp_path, *sizes, "rank-one", "strong")
    rows = re.findall(r"^\| (\d+) \| (\d+) \| \$.*z_.*\$ \| keeps [\d, -]+ \|$", text, re.MULTILINE)
    assert rows == [(str(layer), str(head)) for layer in range(1, L + 1) for head in range(1, H + 1)]
    assert len(re.findall(r"^\| \d+ \| \$[vz].*\$ \|$", text, re.MULTILINE)) == m
    assert "[[" not in text


def test_a_pair_of_heads_reads_the_difference_times_the_sum(tmp_path):
    text = proof(tmp_path, 2, 1, 4, "rank-one", "strong")
    assert r"$(z_{1,1} - z_{1,2})\,(z_{1,1} + z_{1,2})$" in text


def test_a_short_identity_is_written_out_with_its_equations(tmp_path):
    text = proof(tmp_path, 1, 2, 2, method="identity")
    assert r"F_{1,2} &= c_{2,1,1},\\ F_{2,2} &= -1 + c_{2,1,1}\,x_{2,1}^{2}\end{aligned}" in text
    assert r"1 = {} & x_{2,1}^{2}\,F_{1,2} \\ & - F_{2,2} ." in text


def test_squares_stand_on_the_positive_side(tmp_path):
    text = proof(tmp_path, 1, 1, 2, method="identity")
    assert r"1 + (x_{2,1})^2 = {} & - x_{2,1}^{2}\,F_{1,1} \\ & + F_{2,1} ." in text


def test_a_long_identity_is_given_by_its_size(tmp_path):
    text = proof(tmp_path, 2, 1, 3, targets="weak", method="identity")
    assert "It has 35 terms and uses 7 of the equations" in text
    assert "aligned" not in text


@pytest.mark.parametrize(("extra", "short"), [(0, True), (1, False)])
def test_identities_are_cut_beyond_the_same_number_of_terms(extra, short):
    chosen = decisive(1, 2, 2, "general", "strong")
    part = {"cofactors": [[[1, [0]]] * (TERMS_SHOWN + extra)] + [[]] * 3, "squares": [], "scale": 1}
    assert identity_equations(part, chosen)["short"] == short


@pytest.mark.parametrize(
    ("parts", "text"), [([], "0"), ([(1, "")], "1"), ([(-2, "x"), (1, "y"), (-1, "")], r"-2\,x + y - 1")]
)
def test_sums_have_no_factor_one_and_one_sign_for_each_term(parts, text):
    assert signed(parts) == text
