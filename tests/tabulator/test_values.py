"""Every value agrees with an independent count: paths listed one by one, another form of the recursion, and sympy."""

from fractions import Fraction
from itertools import product
from math import ceil

import pytest

from symut.backbone.shape import Shape, size_symbols
from symut.searcher.backbone import upper_width
from symut.searcher.request import proven_lower
from symut.tabulator.constructions import CONSTRUCTIONS
from symut.tabulator.formulas import ROWS, _abbreviation, _formulas, formula, formula_latex, formula_text, short_latex
from symut.tabulator.lower import LOWER

ROW = {("lower", row.id): row for row in LOWER} | {("width", row.id): row for row in CONSTRUCTIONS}
SHAPES = [Shape(*sizes) for sizes in product((1, 2, 3), (1, 2, 3), (1, 2, 3), (1, 2, 4))]


def words(letters, length):
    return len(list(product(letters, repeat=length)))


def listed(shape):
    """The widths by listing every path and every column that must be read after it."""
    H, L, d, k = shape.H, shape.L, shape.d, shape.k
    heads, with_skip = range(1, H + 1), range(H + 1)
    before = [words(heads, layer) for layer in range(L)]
    pairs, full = sum(before) * H, words(heads, L)
    pairs_skip = sum(words(with_skip, layer) for layer in range(L)) * H
    layered, residual = 2 * k * pairs + d * full, 2 * k * pairs_skip + d * words(with_skip, L)
    return {
        **dict.fromkeys(("sparse", "random", "looped", "affine"), layered),
        **dict.fromkeys(("residual", "affine_residual"), residual),
        "shared_residual": 2 * k * pairs + d * sum(words(heads, length) for length in range(L + 1)),
        "shared_key": d * (pairs + sum(before)) + d * full,
        "readoff_key": d * pairs + d * full,
        "fewer_conditions": (k + d) * pairs + d * full,
        "attention_slots": 2 * k * pairs,
        "attention_alone": 2 if (H, L) == (1, 1) else pairs,
        "rank_one_scores": 3 if (H, L) == (1, 1) else pairs + full,
    }


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_widths_are_the_numbers_of_listed_columns(shape):
    found = listed(shape)
    assert set(found) == {row.id for row in CONSTRUCTIONS}
    assert {row.id: row.value(shape) for row in CONSTRUCTIONS} == found


@pytest.mark.parametrize("outputs", [0, 1])
@pytest.mark.parametrize("shape", [s for s in SHAPES if s.k <= s.d], ids=str)
def test_the_recursion_is_the_sum_over_levels(shape, outputs):
    """S_1 + sum_{i >= 2} (H^(i-1) - H^(i-2)) S_i with S_i = o d + ceil((L-i+1) H z / d), up to i = L + 1."""
    H, L, d, k = shape.H, shape.L, shape.d, shape.k
    z = 2 * k * d - k * k
    level = {i: outputs * d + ceil(Fraction((L - i + 1) * H * z, d)) for i in range(1, L + 2)}
    summed = level[1] + sum((H ** (i - 1) - H ** (i - 2)) * level[i] for i in range(2, L + 2))
    row = ROW["lower", "score_matching" if outputs else "score_matching_alone"]
    assert row.value(shape) == summed


@pytest.mark.parametrize("shape", [s for s in SHAPES if s.k <= s.d], ids=str)
def test_rounding_never_lowers_the_score_matching_bound(shape):
    H, L, d, k = shape.H, shape.L, shape.d, shape.k
    pairs = sum(H**layer for layer in range(1, L + 1))
    assert ROW["lower", "score_matching"].value(shape) * d >= (2 * k * d - k * k) * pairs + d * d * H**L
    if k == d:
        assert ROW["lower", "score_matching"].value(shape) == ROW["width", "readoff_key"].value(shape)


def test_the_values_at_the_running_examples():
    three, two, one = Shape(2, 2, 3, 3), Shape(2, 2, 3, 2), Shape(2, 3, 1, 1)
    assert ROW["lower", "sharp_width"].value(three) == ROW["width", "sparse"].value(three) == 48
    assert ROW["width", "shared_key"].value(three) == 39
    assert ROW["width", "readoff_key"].value(three) == 30
    assert ROW["lower", "output_bound"].value(three) == 12
    assert ROW["lower", "score_matching"].value(two) == 29
    assert ROW["lower", "attention_output"].value(one) == 22
    assert ROW["lower", "attention_alone"].value(one) == 14
    assert ROW["lower", "paper_theorem_4_1"].value(one) == 4
    assert ROW["lower", "attention_alone"].value(Shape(1, 1, 1, 1)) == 2
    assert ROW["lower", "general_scores"].value(Shape(2, 2, 1, 1)) == 9
    assert ROW["width", "rank_one_scores"].value(one) == 22


@pytest.mark.parametrize(("H", "L"), list(product(range(1, 5), range(1, 5))))
def test_searched_widths_are_those_of_the_search(H, L):
    shape = Shape(H, L, 1, 1)
    lower, width = ROW["lower", "general_scores"], ROW["width", "rank_one_scores"]
    assert lower.value(shape) == proven_lower(H, L, *lower.search)
    assert width.value(shape) == upper_width(H, L, width.search[1])
    both = ROW["lower", "general_scores_all"]
    assert both.applies(shape) == ((H, L) == (1, 1))
    assert not both.applies(shape) or both.value(shape) == proven_lower(H, L, *both.search)


@pytest.mark.parametrize("row_id", ["general_scores", "general_scores_all", "rank_one_scores"])
def test_searched_rows_are_about_scalar_networks_only(row_id):
    (row,) = (row for row in ROWS if row.id == row_id)
    assert not any(row.applies(Shape(1, 1, d, k)) for d, k in ((1, 2), (2, 1), (2, 2)))


def test_the_bound_of_the_paper_is_implied_by_the_row_that_supersedes_it():
    for H, L in product(range(2, 6), range(1, 6)):
        shape, paper = Shape(H, L, 1, 1), ROW["lower", "paper_theorem_4_1"]
        assert paper.applies(shape)
        assert 2 * paper.value(shape) >= H**L
        assert paper.value(shape) <= ROW["lower", paper.superseded].value(shape)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_formulas_are_the_values(row):
    for shape in (Shape(1, 3, 2, 1), Shape(2, 2, 3, 2), Shape(3, 2, 1, 1), Shape(2, 3, 5, 3), Shape(1, 1, 1, 1)):
        sizes = dict(zip(size_symbols(), (shape.H, shape.L, shape.d, shape.k), strict=True))
        assert int(formula(row).subs(sizes).doit()) == row.value(shape)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_abbreviated_formulas_are_the_values(row):
    """S, R and T by the caption's definitions, with c(j) = ceil(j H k (2d - k) / d)."""
    for shape in (Shape(1, 3, 2, 1), Shape(2, 2, 3, 2), Shape(3, 2, 1, 1), Shape(2, 3, 5, 3), Shape(1, 1, 1, 1)):
        H, L, d, k = shape.H, shape.L, shape.d, shape.k
        c = [ceil(Fraction(j * H * k * (2 * d - k), d)) for j in range(L + 1)]
        T = c[L] + (H - 1) * sum(H ** (L - 1 - j) * c[j] for j in range(L))
        values = dict(zip(size_symbols(), (H, L, d, k), strict=True))
        values |= {_abbreviation("S"): sum(H**i for i in range(1, L + 1)), _abbreviation("R"): (H + 1) ** L}
        assert int(_formulas(True)[row.id].subs(values | {_abbreviation("T"): T})) == row.value(shape)


def test_formulas_are_written_as_text_and_in_latex():
    sparse = ROW["width", "sparse"]
    assert formula_text(sparse) == "H^L*d + 2*k*Sum(H^l, (l, 1, L))"
    assert formula_latex(sparse) == r"d H^{L} + 2 k \sum_{l=1}^{L} H^{l}"
    assert short_latex(sparse) == "d H^{L} + 2 k S"
    assert formula_text(ROW["lower", "general_scores"]) == "H*L + H^L + Min(1, (H - 1)*(L - 1))"
    assert short_latex(ROW["lower", "score_matching"]) == "d H^{L} + T"
    assert short_latex(ROW["width", "residual"]) == r"d R + 2 k \left(R - 1\right)"
    assert short_latex(ROW["width", "rank_one_scores"]) == r"\max\left(3, S + H^{L}\right)"
