"""Work and memory are bounded whatever a file says: what is too large is refused at once, what is read is streamed."""

import copy
import json
import tracemalloc
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import save

from tests.check import build, build_forms, claims_forms
from tests.check import build_bounds as bb

LOOPED = "looped_universality"
ROUTED = ["looped", "residual", "shared_residual", "shared_key", "readoff_key"]


def one_head(L: int, values: list[Any]) -> dict[str, Any]:
    """Looped tables with one head: slots in order, queries and keys first."""
    reads = {"queries": [[[[0]]]], "keys": [[[[1]]]], "readout": [[0]]}
    return {"slots": list(range(2 * L + 1)), "values": [[values]], **reads}


def peak(work: Any) -> int:
    """The bytes that are allocated at the same time."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_an_inverse_whose_layers_take_too_long_is_refused_at_once() -> None:
    L, m = 255, 511
    layer = {"RQ": (1, 1, m, 1), "RK": (1, 1, m, 1), "RV": (1, 1, m, m), "U": (m, 1)}
    weights = save({name: np.ones(shape, np.int8) for name, shape in layer.items()})
    parts = {"routing": one_head(L, [[2, 0, m - 2]]), "inverse": {"modulus": 65521, "rows": [[1] * m] * m}}
    p = claims_forms.parameters("looped", 1, L, 1, 1, m=m)
    files = build_forms.artifact(LOOPED, p, parts, weights)
    assert build.verdict(files).reason == "inverse: too large to check"


@pytest.mark.parametrize("change", [0, 1])
@pytest.mark.parametrize("modulus", [65521, 2**31 - 1])
def test_the_work_of_rule_I_is_what_the_format_says(modulus: int, change: int, monkeypatch: pytest.MonkeyPatch) -> None:
    H, L, d, k, m = 2, 2, 2, 1, 22
    p = build.parameters(H, L, d, k, m)
    R = build.random_backbone(p, 3)
    certificate = {"inverse": build.inverse_certificate(p, R, modulus)}
    N, c = build.number_of_slots(H, L, d, k), d + (2 * H * k + H * d)
    z, g, b = L * H * m * (2 * k + m) + m * d, 1 + (modulus > 2**30), ((m * (modulus - 1) ** 2).bit_length() + 7) // 8
    work = 1000 * z + g * m * (100 * (L * H * m + N) + 7 * b * (H * m * c + N * N) // 10)
    monkeypatch.setattr(build.rule("inverse"), "MAX_WORK", work - change)
    result = build.verdict(build.artifact("backbone_universality", p, certificate, build.safetensors(R, {})))
    assert result.reason == ("inverse: too large to check" if change else None)


def test_a_stored_matrix_is_read_row_by_row() -> None:
    m = 400
    statement = build.rule("sizes").Sizes("backbone_universality", 1, 1, 1, 1, m, None)
    draw = np.random.default_rng(0).standard_normal
    weights = save({"RQ": draw((1, 1, m, 1)), "RK": draw((1, 1, m, 1)), "RV": draw((1, 1, m, m)), "U": draw((m, 1))})
    block_matrix = build.rule("inverse").stored_block_matrix
    assert peak(lambda: block_matrix(statement, m, weights, 65521)) < 6 * m * m
    tensors = build.rule("safetensors").read_safetensors(weights)
    listed = [tensors[name] for name in ("RQ", "RK", "RV", "U")]
    image = build.rule("kernel").stored_image
    assert peak(lambda: image(1, 1, [1, 1, m, 1], m, listed, [1, 2, 3])) < 6 * m * m


def test_a_number_that_is_not_finite_is_found_in_a_matrix_that_the_kernel_does_not_meet() -> None:
    p = {"H": 2, "L": 1, "d": 1, "k": 1, "m": 6}
    draw = np.random.default_rng(0).standard_normal
    tensors = {"RQ": draw((1, 2, 6, 1)), "RK": draw((1, 2, 6, 1)), "RV": draw((1, 2, 6, 6)), "U": draw((6, 1))}
    tensors["RQ"][0, 1] = tensors["RQ"][0, 0]
    image, read = build.rule("kernel").stored_image, build.rule("safetensors").read_safetensors

    def answer() -> list[int]:
        found = read(save(tensors))
        return image(2, 1, [1, 1, 6, 1], p["m"], [found[name] for name in ("RQ", "RK", "RV", "U")], [1, -1, 0, 0, 0, 0])

    assert answer() == [0] * 6
    tensors["RV"][0, 1, 2, 3] = np.nan
    with pytest.raises(build.rule("strict").Invalid, match="not finite"):
        answer()


def load(name: str, table: dict[str, Any], sizes: list[int]) -> int:
    """Moved coordinates of all layers, and |S(1)| + ... + |S(L)|."""
    moved = sum(length for layer in table["values"] for head in layer for _, _, length in head)
    return moved * (len(sizes) - 1 if "looped" in name or "shared_res" in name else 1) + sum(sizes[1:])


def state_sizes(name: str, H: int, L: int) -> list[int]:
    """|S(L+1)|, ..., |S(1)| in blocks, from the table in section 9.1."""
    keys = {"shared_key": 1, "readoff_key": 0}.get(name, H)
    sizes = [1]
    for _ in range(L):
        sizes.append(H + keys + (name == "shared_residual") + (H + (name == "residual")) * sizes[-1])
    return sizes


@pytest.mark.parametrize("name", ROUTED)
@pytest.mark.parametrize(("H", "L"), [(1, 3), (2, 2), (3, 1)])
def test_moves_and_columns_of_all_layers_are_counted(
    name: str, H: int, L: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = build_forms.form_artifact(name, H, L)
    table, sizes = json.loads(files["certificate.json"])["routing"], state_sizes(name, H, L)
    routing = build.rule("routing")
    monkeypatch.setattr(routing, "MAX_FILLED", L * len(table["slots"]))
    for limit, verdict in ((0, "VALID"), (-1, "INVALID")):
        monkeypatch.setattr(routing, "MAX_MOVES", load(name, table, sizes) + limit)
        assert build.verdict(files).verdict == verdict
    monkeypatch.setattr(routing, "MAX_MOVES", 10**7)
    monkeypatch.setattr(routing, "MAX_FILLED", L * len(table["slots"]) - 1)
    assert build.verdict(files).reason.endswith("too large to check")


def test_long_moves_of_a_short_file_are_never_all_written_out() -> None:
    L = 400
    N = 2 * L + 1
    tables = one_head(L, [[2, 0, N - 2]])
    files = build_forms.artifact(LOOPED, claims_forms.parameters("looped", 1, L, 1, 1), {"routing": tables})
    assert build.verdict(files).verdict == "VALID"
    assert peak(lambda: build.verdict(files)) < 2 * L * N + 5 * 10**6
    crowded = copy.deepcopy(tables) | {"values": [[[[0, 0, N]]]]}
    files = build_forms.artifact(LOOPED, claims_forms.parameters("looped", 1, L, 1, 1), {"routing": crowded})
    assert build.verdict(files).verdict == "INVALID"


def test_many_heads_cost_only_the_coordinates_that_they_move() -> None:
    """A table of all coordinates for each of 3000 heads would have 27 million entries."""
    files = build.routing_artifact("sparse_universality", build.parameters(3000, 1), "merging")
    assert peak(lambda: build.verdict(files)) < 5 * 10**7
    assert build.verdict(files).verdict == "VALID"


def test_forms_beyond_the_limit_of_coordinates_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    files = bb.attention_artifact(bb.ALONE, 2, 2)
    assert build.verdict(files).verdict == "VALID"
    monkeypatch.setattr(build.rule("quadratic"), "MAX_FILLED", 11)
    assert build.verdict(files).reason == "forms: W L exceeds 11, too large to check"
