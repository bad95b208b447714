"""Rule N against dense block matrices over the rationals."""

import random
from fractions import Fraction
from typing import Any

import pytest

from tests.check import build
from tests.check import build_bounds as bb
from tests.check.build import parameters

EXTREME = [5e-324, 1.7976931348623157e308, -0.1, 1 / 3, 0.0, -(2.0**-30), 12345.678]


def image(p: dict[str, Any], R: dict[str, Any], dtypes: dict[str, str], kernel: list[int]) -> list[int]:
    """The checker's M(R) kernel, up to a power of two."""
    tensors = build.rule("safetensors").read_safetensors(build.safetensors(R, dtypes))
    listed = [tensors[name] for name in ("RQ", "RK", "RV", "U")]
    columns = [p["k"], p["k"], p["m"], p["d"]]
    return build.rule("kernel").stored_image(p["H"], p["L"], columns, p["m"], listed, kernel)


def proportional(found: list[int], exact: list[Fraction]) -> bool:
    """found = 2^e exact for one e >= 0."""
    ratios = {Fraction(x) / y for x, y in zip(found, exact, strict=True) if y}
    (ratio,) = ratios or {Fraction(1)}
    power = ratio.denominator == 1 and ratio.numerator > 0 and ratio.numerator & (ratio.numerator - 1) == 0
    return power and all((x == 0) == (y == 0) for x, y in zip(found, exact, strict=True))


@pytest.mark.parametrize("shape", [(1, 1, 1, 1, 2), (2, 2, 2, 1, 3), (3, 1, 1, 2, 4), (1, 3, 2, 2, 3), (2, 3, 1, 1, 2)])
@pytest.mark.parametrize("extreme", [False, True])
def test_image_is_the_dense_product(shape: tuple[int, ...], extreme: bool) -> None:
    p = parameters(*shape)
    for seed in range(3):
        source = random.Random(seed)
        R = build.random_backbone(p, seed)
        if extreme:
            R = build.map_backbone(R, lambda _, source=source: source.choice(EXTREME))
        kernel = [source.randint(-9, 9) for _ in range(build.number_of_slots(*shape[:4]))]
        exact = [sum(x * c for x, c in zip(row, kernel, strict=True)) for row in bb.dense(p, R)]
        assert proportional(image(p, R, dict.fromkeys(R, "F64"), kernel), exact)


def test_accepted_exactly_if_the_dense_product_is_zero() -> None:
    p = parameters(2, 1, 1, 1, 4)
    R = build.random_backbone(p, 0)
    kernel = bb.kernel_vector(bb.dense(p, R))
    assert kernel is not None
    certificate = {"spanning": bb.spanning(2, 1), "kernel": kernel}
    weights = build.safetensors(R, {})
    assert build.verdict(bb.artifact(bb.SINGULAR, p, certificate, weights)).verdict == "VALID"
    for i in range(6):
        unit = [*kernel]
        unit[i] += 1
        files = bb.artifact(bb.SINGULAR, p, certificate | {"kernel": unit}, weights)
        assert build.verdict(files).verdict == "INVALID"


def test_no_vector_is_accepted_for_a_backbone_of_full_rank() -> None:
    p = parameters(2, 1, 1, 1, 6)
    R = build.random_backbone(p, 1)
    assert build.rank(bb.dense(p, R)) == 6
    source = random.Random(0)
    for _ in range(20):
        kernel = [source.randint(-3, 3) for _ in range(6)]
        files = bb.artifact(bb.SINGULAR, p, {"spanning": bb.spanning(2, 1), "kernel": kernel}, build.safetensors(R, {}))
        assert build.verdict(files).verdict == "INVALID"


def test_a_product_of_one_unit_in_the_last_place_is_not_zero() -> None:
    """RQ = RK + 2^-1074: the difference of the two query slots is tiny but not zero."""
    p = parameters(1, 1, 1, 1, 1)
    R: dict[str, Any] = {"RQ": [[[[5e-324]]]], "RK": [[[[0.0]]]], "RV": [[[[1.0]]]], "U": [[1.0]]}
    certificate = {"spanning": bb.spanning(1, 1), "kernel": [1, 0, 0]}
    weights = build.safetensors(R, dict.fromkeys(R, "F64"))
    assert build.verdict(bb.artifact(bb.SINGULAR, p, certificate, weights)).verdict == "INVALID"
    good = certificate | {"kernel": [0, 1, 0]}
    assert build.verdict(bb.artifact(bb.SINGULAR, p, good, weights)).verdict == "VALID"


def test_more_than_512_slots_and_too_much_work_are_refused() -> None:
    p = parameters(1, 1, 1, 256, 1)
    files = bb.artifact(bb.SINGULAR, p, {"spanning": bb.spanning(1, 1), "kernel": [1] * 513}, b"")
    assert build.verdict(files).reason == "kernel: N = 513 exceeds 512"
    assert build.rule("kernel").work(1, 255, 512, 2100, 1) > build.rule("kernel").MAX_WORK


@pytest.mark.slow
def test_512_slots_are_checked_within_a_minute() -> None:
    """Integer weights with RK = RQ at H = L = 2: the difference of a query and a key slot is in the kernel."""
    p = parameters(2, 2, 32, 32, 512)
    source = random.Random(0)

    def matrix(columns: int) -> list[list[int]]:
        return [[source.randint(-100, 100) for _ in range(columns)] for _ in range(512)]

    RQ = [[matrix(32) for _ in range(2)] for _ in range(2)]
    R = {"RQ": RQ, "RK": RQ, "RV": [[matrix(512) for _ in range(2)] for _ in range(2)], "U": matrix(32)}
    kernel = [0] * 512
    deep = 2 * 2 * 32  # the first slot of S(2) after the letter 1
    kernel[0], kernel[64], kernel[deep], kernel[deep + 64] = 1, -1, 3, -3
    certificate = {"spanning": bb.spanning(2, 2), "kernel": kernel}
    weights = build.safetensors(R, dict.fromkeys(R, "I8"))
    assert build.verdict(bb.artifact(bb.SINGULAR, p, certificate, weights)).verdict == "VALID"
