"""Rule B: enclosures against python-flint's balls, and what it must not accept."""

import itertools
import json
import random
from fractions import Fraction
from typing import Any

import flint
import pytest

from tests.check import build, valid_bounds
from tests.check import build_bounds as bb
from tests.check.recompute_bounds import flint_values, proved

intervals = build.rule("intervals")
UNIT = intervals.ONE


def encloses(interval: tuple[int, int], exact: Any) -> bool:
    """A ball of flint lies inside an interval over 2^BITS."""
    scaled = exact * flint.arb(2) ** intervals.BITS
    return flint.arb(flint.fmpz(interval[0])) <= scaled <= flint.arb(flint.fmpz(interval[1]))


def numbers(count: int) -> list[int]:
    source = random.Random(7)
    edges = [0, -1, -2, -UNIT, 1 - UNIT, -UNIT - 1, -511 * UNIT, 1 - 512 * UNIT, -512 * UNIT, -513 * UNIT, -(UNIT >> 8)]
    return edges + [-source.getrandbits(source.randint(1, 522)) for _ in range(count)]


def test_exp_is_enclosed_and_narrow() -> None:
    with flint.ctx.workprec(1200):
        for x in numbers(500):
            low, high = intervals.exp_at(x)
            exact = (flint.arb(flint.fmpz(x)) / flint.arb(2) ** intervals.BITS).exp()
            assert encloses((low, high), exact), x
            assert high - low < 2**24


def test_products_quotients_and_softmax_are_enclosed() -> None:
    source = random.Random(3)
    for _ in range(200):
        a, b = (Fraction(source.randint(-99, 99), source.randint(1, 99)) for _ in range(2))
        x, y = (intervals.quotient(f.numerator, f.denominator) for f in (a, b))
        for interval, exact in ((x, a), (intervals.product(x, y), a * b), (intervals.total([x, y]), a + b)):
            assert interval[0] <= exact * UNIT <= interval[1] <= interval[0] + 200
        assert intervals.multiple(-7, x) == (-7 * x[1], -7 * x[0])
        rows = [intervals.quotient(source.randint(-900, 900), source.randint(1, 9)) for _ in range(3)]
        with flint.ctx.workprec(1200):
            scores = [flint.arb(flint.fmpz(low)) / flint.arb(2) ** intervals.BITS for low, _ in rows]
            weights = [(s - max(scores, key=float)).exp() for s in scores]
            for interval, weight in zip(intervals.softmax(rows), weights, strict=True):
                # the numbers lie in the intervals, so their softmax must lie in those of the answer
                assert encloses(interval, weight / sum(weights))


def test_values_along_paths_are_enclosed() -> None:
    for name in ("softmax-two-layers", "softmax-three-heads", "softmax-three-tokens", "softmax-one-head"):
        files = valid_bounds.valid()[name]
        statement, certificate = (json.loads(files[part]) for part in ("statement.json", "certificate.json"))
        H, L = statement["parameters"]["H"], statement["parameters"]["L"]
        for word, target in zip(bb.words(H, L), certificate["targets"], strict=True):
            values = [certificate["spanning"]["basis"][layer][i] for layer, i in enumerate(word)]
            for point in target["points"]:
                found = own_values(target["queries"], values, point)
                with flint.ctx.workprec(1200):
                    exact = flint_values(target["queries"], values, point)
                    assert all(encloses(x, y) for x, y in zip(found, exact, strict=True))
                assert all(high - low < 2**60 for low, high in found)


def own_values(queries: Any, values: Any, point: Any) -> list[tuple[int, int]]:
    read = [[intervals.quotient(*q) for q in row] for row in queries]
    heads = [[intervals.quotient(v, 1) for v in row] for row in values]
    x = [intervals.quotient(*a) for a in point["x"]]
    return [path[point["token"]] for path in build.rule("balls").path_values(read, heads, x)]


def test_a_singular_matrix_is_never_accepted_whatever_its_inverse() -> None:
    """Equal queries make two functions equal, so F has two equal columns."""
    source = random.Random(1)
    base = valid_bounds.valid()["softmax-two-heads"]
    for scale in (1, 10**6, 10**40):
        for _ in range(10):

            def edit(_: Any, c: Any, scale: int = scale) -> None:
                for target in c["targets"]:
                    target["queries"] = [[target["queries"][0][0]] * 2]
                    size = range(2)
                    target["inverse"] = [[source.randint(-10 * scale, 10 * scale) for _ in size] for _ in size]
                    target["scale"] = scale

            assert build.verdict(valid_bounds.edited(base, edit)).verdict == "INVALID"


def test_norm_just_below_one_is_accepted_and_one_is_not() -> None:
    one = (UNIT, UNIT)
    near = build.rule("balls").near_inverse
    near([[1]], [[one]], 1, "")
    near([[2 * UNIT - 1]], [[one]], UNIT, "")
    for inverse in (0, 2 * UNIT):
        with pytest.raises(build.rule("strict").Invalid, match="below 1"):
            near([[inverse]], [[one]], UNIT, "")
    with pytest.raises(build.rule("strict").Invalid, match="below 1"):
        near([[1]], [[(0, UNIT)]], 1, "")  # an interval that contains 0


@pytest.mark.parametrize("huge", [[2**100, 1], [-(2**127), 3]])
def test_large_numbers_give_hard_attention_and_no_wrong_verdict(huge: list[int]) -> None:
    """Weights below 2^-512 are enclosed by [0, 2^-512]; with negative queries the large number is not even seen."""
    base = valid_bounds.valid()["softmax-two-heads"]
    verdicts = []
    for target, point, entry in itertools.product(range(2), repeat=3):

        def edit(_: Any, c: Any, at: Any = (target, point, entry)) -> None:
            c["targets"][at[0]]["points"][at[1]]["x"][at[2]] = huge

        files = valid_bounds.edited(base, edit)
        verdicts.append(build.verdict(files).verdict)
        assert verdicts[-1] == "INVALID" or proved(files)
    assert "INVALID" in verdicts


def test_larger_shapes_are_accepted() -> None:
    for shape in ((3, 2, 2), (2, 3, 2)):
        assert build.verdict(bb.softmax_artifact(*shape, 1)).verdict == "VALID"


def test_too_much_work_is_refused_before_it_is_done() -> None:
    for H, L, n in ((2, 12, 2), (40, 1, 2), (1, 1, 10**30), (1, 10**5, 10)):
        with pytest.raises(build.rule("strict").Invalid, match="too large to check"):
            build.rule("balls").rule_balls(H, L, n, [], [])
