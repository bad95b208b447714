"""Rule I against exact rational rank, and the exact value of every stored dtype."""

import copy
import random
import struct
from fractions import Fraction
from typing import Any

import pytest

from tests.check import build
from tests.check.build import parameters

BACKBONE = "backbone_universality"
PRIME = 2**31 - 1


def block_matrix(p: dict[str, Any], R: dict[str, Any]) -> list[list[Fraction]]:
    exact = build.map_backbone(R, lambda x: Fraction(*x.as_integer_ratio()))
    return [[Fraction(x) for x in row] for row in build.dense_block_matrix(p["H"], p["L"], p["k"], p["d"], exact)]


@pytest.mark.parametrize("shape", [(1, 1, 1, 1), (1, 2, 1, 1), (2, 1, 1, 1), (2, 1, 2, 1), (1, 1, 2, 2), (2, 2, 1, 1)])
@pytest.mark.parametrize("extra", [0, 2])
def test_accepted_exactly_when_the_rational_rank_is_N(shape: tuple[int, ...], extra: int) -> None:
    N = build.number_of_slots(*shape)
    p = parameters(*shape, N + extra)
    for seed in range(4):
        R = build.random_backbone(p, seed, bits=1 + seed)
        full = build.rank(block_matrix(p, R)) == N
        certificate = build.inverse_certificate(p, R, PRIME)
        # a large prime divides none of these small determinants
        assert (certificate is not None) == full
        if certificate:
            files = build.artifact(BACKBONE, p, {"inverse": certificate}, build.safetensors(R, {}))
            assert build.verdict(files).verdict == "VALID"


def test_no_rows_are_accepted_for_a_singular_backbone() -> None:
    """Two equal columns of M: rows . M has two equal columns, whatever the rows are."""
    p = parameters(2, 1, 1, 1, 7)
    R = build.random_backbone(p, 0)
    good = build.inverse_certificate(p, R, PRIME)
    assert good is not None
    R["RQ"][0][1] = copy.deepcopy(R["RQ"][0][0])
    assert build.rank(block_matrix(p, R)) == 5
    source = random.Random(0)
    for rows in (good["rows"], [[source.randrange(PRIME) for _ in range(7)] for _ in range(6)]):
        files = build.artifact(BACKBONE, p, {"inverse": {"modulus": PRIME, "rows": rows}}, build.safetensors(R, {}))
        assert build.verdict(files).verdict == "INVALID"


@pytest.mark.parametrize("modulus", [3, 9, 15, 2**31 - 3, 46341 * 46339])
def test_any_odd_modulus_is_sound(modulus: int) -> None:
    """Units modulo a composite number also force a nonzero determinant; the rule must then still mean full rank."""
    p = parameters(1, 1, 1, 1, 3)
    R: dict[str, Any] = {"RQ": [[[[1.0], [0.0], [0.0]]]], "RK": [[[[0.0], [2.0], [0.0]]]], "U": [[0.0], [0.0], [0.5]]}
    R["RV"] = [[[[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 4.0]]]]
    half = pow(2, -1, modulus)
    rows = [[1, 0, 0], [0, half, 0], [0, 0, half]]
    weights = build.safetensors(R, {})
    good = build.artifact(BACKBONE, p, {"inverse": {"modulus": modulus, "rows": rows}}, weights)
    assert build.verdict(good).verdict == "VALID"
    R["RK"][0][0][1] = [0.0]
    bad = build.artifact(BACKBONE, p, {"inverse": {"modulus": modulus, "rows": rows}}, build.safetensors(R, {}))
    assert build.verdict(bad).verdict == "INVALID"


VALUES: dict[str, list[Any]] = {
    "F64": [0.0, -0.0, 5e-324, -5e-324, 1.7976931348623157e308, 0.1, -1 / 3],
    "F32": [0.0, -0.0, 2.0**-149, -(2.0**-149), 3.4028234663852886e38, 0.15625],
    "F16": [0.0, -0.0, 2.0**-24, 65504.0, -1.5],
    "BF16": [0.0, -0.0, 2.0**-133, -1.5, 2.0**127],
    "I64": [0, -(2**63), 2**63 - 1],
    "I32": [0, -(2**31), 2**31 - 1],
    "I16": [-(2**15), 2**15 - 1],
    "I8": [-128, 127, 0],
}


@pytest.mark.parametrize("dtype", VALUES)
@pytest.mark.parametrize("modulus", [3, 10007, 2**31 - 1])
def test_stored_numbers_are_reduced_exactly(dtype: str, modulus: int) -> None:
    values = VALUES[dtype]
    tensors = build.rule("safetensors").read_safetensors(build.safetensors({"U": [[x] for x in values]}, {"U": dtype}))
    reduced = build.rule("safetensors").residues(tensors["U"], 0, len(values), 1, modulus)
    for value, (residue,) in zip(values, reduced, strict=True):
        exact = Fraction(value)
        assert (residue * exact.denominator - exact.numerator) % modulus == 0
        assert 0 <= residue < modulus


@pytest.mark.parametrize(("dtype", "bits"), [("F16", 0x7E00), ("F16", 0xFC00), ("BF16", 0x7FC0), ("BF16", 0x7F80)])
def test_short_floats_that_are_not_finite_are_rejected(dtype: str, bits: int) -> None:
    data = build.safetensors({"U": [[0.0], [0.0]]}, {"U": dtype})
    tensor = build.rule("safetensors").read_safetensors(data[:-2] + struct.pack("<H", bits))["U"]
    with pytest.raises(build.rule("strict").Invalid, match="not finite"):
        list(build.rule("safetensors").residues(tensor, 0, 2, 1, 7))


@pytest.mark.parametrize("modulus", [3, 2**31 - 1])
def test_packed_product_has_room_for_the_largest_inner_product(modulus: int) -> None:
    for inner in (1, 2, 255, 256, 257, 513):
        A, B = [[modulus - 1] * inner] * 2, [[modulus - 1, 0, 1]] * inner
        assert build.rule("matrices").modular_product(A, B, modulus) == [[inner % modulus, 0, -inner % modulus]] * 2


def test_stored_block_matrix_has_the_columns_of_the_definition() -> None:
    for H, L, d, k in ((2, 2, 2, 1), (3, 1, 1, 2), (1, 3, 2, 2)):
        p = parameters(H, L, d, k, 5)
        R = build.random_backbone(p, 1)
        expected = build.dense_block_matrix(H, L, k, d, build.map_backbone(R, lambda x: build.modulo(x, 10007)))
        statement = build.rule("sizes").Sizes(BACKBONE, H, L, d, k, 5, None)
        found = build.rule("inverse").stored_block_matrix(statement, 5, build.safetensors(R, {}), 10007)
        assert found == [[x % 10007 for x in row] for row in expected]


def test_a_zero_divisor_hidden_by_the_modulus_is_only_rejected() -> None:
    """A determinant divisible by p proves nothing: rows cannot exist modulo p although the rank is full."""
    p = parameters(1, 1, 1, 1, 3)
    R: dict[str, Any] = {"RQ": [[[[7.0], [0.0], [0.0]]]], "RK": [[[[0.0], [1.0], [0.0]]]], "U": [[0.0], [0.0], [1.0]]}
    R["RV"] = [[[[0.0] * 3, [0.0] * 3, [0.0, 0.0, 1.0]]]]
    assert build.inverse_certificate(p, R, 7) is None
    certificate = build.inverse_certificate(p, R, 11)
    assert certificate is not None
    weights = build.safetensors(R, {})
    assert build.verdict(build.artifact(BACKBONE, p, {"inverse": certificate}, weights)).verdict == "VALID"
    claimed = {"inverse": certificate | {"modulus": 7, "rows": [[x % 7 for x in row] for row in certificate["rows"]]}}
    assert build.verdict(build.artifact(BACKBONE, p, claimed, weights)).verdict == "INVALID"


def test_more_than_512_slots_are_refused() -> None:
    p = parameters(1, 1, 1, 256, 513)
    certificate = {"inverse": {"modulus": 3, "rows": [[0] * 513] * 513}}
    result = build.verdict(build.artifact(BACKBONE, p, certificate, b""))
    assert result.reason == "inverse: N = 513 exceeds m or 512"


@pytest.mark.slow
def test_512_slots_are_checked_within_a_minute() -> None:
    """A sparse witness stored as weights: its rows are known without an elimination."""
    p = parameters(2, 2, 32, 32, 512)
    routing = build.packed(build.merging(2, 2, 32, 32))
    rows = [[int(s == slot) for s in range(512)] for slot in range(512)]
    weights = build.safetensors(build.zero_one_backbone(p, routing), dict.fromkeys(("RQ", "RK", "RV", "U"), "I8"))
    files = build.artifact(BACKBONE, p, {"inverse": {"modulus": PRIME, "rows": rows}}, weights)
    assert build.verdict(files).verdict == "VALID"
