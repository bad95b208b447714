"""Rule D: where it applies, and its polynomial at random points."""

import itertools
import json
import math

import pytest

from tests.check import build
from tests.check.build import CORPUS, parameters


def test_the_bound_admits_exactly_three_shapes() -> None:
    """The checker expands only H = L = 1: no other shape satisfies N! m^(D-N) <= 2000."""
    admitted = set()
    for H, L, d, k in itertools.product(range(1, 4), range(1, 4), range(1, 7), range(1, 7)):
        N, D = build.number_of_slots(H, L, d, k), build.degree(H, L, d, k)
        if N <= 7 and math.factorial(N) * N ** (D - N) <= 2000:
            admitted.add((H, L, d, k))
    assert admitted == {(1, 1, 1, 1), (1, 1, 2, 1), (1, 1, 1, 2)}


@pytest.mark.parametrize(("k", "d"), [(1, 1), (1, 2), (2, 1)])
def test_accepted_polynomial_takes_the_values_of_the_determinant(k: int, d: int) -> None:
    files = build.read(CORPUS / "valid" / f"random-determinant-{k}-{d}")
    assert build.verdict(files).verdict == "VALID"
    table = json.loads(files["certificate.json"])["determinant"]
    N = 2 * k + d
    for seed in range(5):
        p = parameters(1, 1, d, k, N)
        R = build.map_backbone(build.random_backbone(p, seed), lambda x: int(32 * x))
        point = build.flat([R["RQ"], R["RK"], R["RV"], R["U"]])
        assert len(point) == table["variables"]
        value = sum(c * math.prod(point[v] for v in word) for c, word in table["terms"])
        assert value == integer_determinant(build.dense_block_matrix(1, 1, k, d, R))


def integer_determinant(M: list[list[int]]) -> int:
    if not M:
        return 1
    return sum((-1) ** j * M[0][j] * integer_determinant([r[:j] + r[j + 1 :] for r in M[1:]]) for j in range(len(M)))
