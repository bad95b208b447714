"""Rule K: integer bases without zeros whose Kronecker product is the matrix of path values."""

import itertools
import json
import math
from fractions import Fraction
from typing import Any

import pytest

from tests.check import build, valid_bounds
from tests.check import build_bounds as bb


def accepted(H: int, L: int, table: dict[str, Any]) -> bool:
    try:
        build.rule("spanning").rule_spanning(H, L, table)
    except build.rule("strict").Invalid:
        return False
    return True


def test_two_by_two_matrices_are_accepted_exactly_if_invertible_without_zeros() -> None:
    for a, b, c, d in itertools.product(range(-2, 3), repeat=4):
        scale = a * d - b * c
        table = {"basis": [[[a, b], [c, d]]], "inverse": [[[d, -b], [-c, a]]], "scale": [scale]}
        assert accepted(2, 1, table) == (scale != 0 and all((a, b, c, d)))


def test_matrix_of_path_values_is_invertible() -> None:
    """Dense: the rows v_p of all targets, whose rank is H^L, with the determinant that the factors give."""
    for H, L in ((1, 3), (2, 1), (2, 2), (2, 3), (3, 2)):
        bases = bb.spanning(H, L)["basis"]
        words = bb.words(H, L)
        values = [
            [
                Fraction(math.prod(bases[layer][i][h] for layer, (i, h) in enumerate(zip(word, path, strict=True))))
                for path in words
            ]
            for word in words
        ]
        assert build.rank(values) == H**L
        assert all(x for row in values for x in row)


def test_inverse_on_the_other_side_is_the_same_for_square_matrices() -> None:
    table = bb.spanning(3, 2)
    transposed = {name: [[list(c) for c in zip(*M, strict=True)] for M in table[name]] for name in ("basis", "inverse")}
    assert accepted(3, 2, {**transposed, "scale": table["scale"]})


@pytest.mark.parametrize(("H", "L"), [(10**6, 10**9), (10**300, 2), (1, 10**40), (2, 10**18)])
def test_astronomic_sizes_are_refused_at_once(H: int, L: int) -> None:
    base = valid_bounds.valid()["sharp-block"]
    files = valid_bounds.edited(base, lambda s, _: s["parameters"].update(H=H, L=L))
    assert build.verdict(files).verdict == "INVALID"


def test_a_long_network_with_one_head_is_checked_without_counting_its_paths() -> None:
    files = valid_bounds.sharp(1, 3000)
    result = build.verdict(files)
    assert result.verdict == "VALID"
    assert "every m < 6000*k + 1*d:" in result.claims[0]


def test_a_width_of_two_thousand_binary_digits_is_printed_exactly() -> None:
    result = build.verdict(valid_bounds.outputs(2, 2000))
    assert result.verdict == "VALID"
    assert f"every m < {2**2000}*d:" in result.claims[0]


def test_one_more_slot_is_not_claimed() -> None:
    """m = N - 1 is the largest width that can be excluded."""
    N = build.number_of_slots(2, 2, 3, 2)
    for m, verdict in ((1, "VALID"), (N - 1, "VALID"), (N, "INVALID"), (N + 1, "INVALID")):
        assert build.verdict(valid_bounds.sharp(2, 2, 3, 2, m)).verdict == verdict
        if m < N:
            claims = json.loads(valid_bounds.sharp(2, 2, 3, 2, m)["statement.json"])["claims"]
            assert len(claims) == 1
