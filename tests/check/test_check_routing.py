"""Rule R against the definition: dense matrices, products along every path, columns enumerated one by one."""

import itertools
import json
import random
from typing import Any

import numpy as np
import pytest

from tests.check import build
from tests.check.build import accepted_by_definition, parameters

SHAPES = [
    (1, 1, 1, 1),
    (1, 2, 2, 1),
    (1, 3, 1, 2),
    (2, 1, 1, 2),
    (2, 2, 1, 1),
    (2, 2, 2, 1),
    (3, 1, 2, 2),
    (3, 2, 1, 1),
]
BLOCKS = [(1, 1), (1, 3), (2, 1), (2, 2), (3, 1), (3, 2), (2, 3)]


def artifact_of(p: dict[str, Any], routing: dict[str, Any]) -> build.Artifact:
    return build.artifact("sparse_universality", p, {"routing": routing})


def broken(routing: dict[str, Any], source: random.Random) -> dict[str, Any]:
    """One small change that keeps the file well-formed."""
    routing = json.loads(json.dumps(routing))
    w = len(routing["slots"])
    layer = source.choice(routing[source.choice(["queries", "keys"])])
    column = source.choice(source.choice(layer))
    change = source.randrange(6)
    if change == 0:
        i, j = source.randrange(w), source.randrange(w)
        routing["slots"][i], routing["slots"][j] = routing["slots"][j], routing["slots"][i]
    elif change == 1 and len(column) < w:
        column.append(source.choice([c for c in range(w) if c not in column]))
    elif change == 2 and column:
        column.pop(source.randrange(len(column)))
    elif change == 3:
        moves = source.choice(source.choice(routing["values"]))
        if moves:
            moves.pop(source.randrange(len(moves)))
    elif change == 4:
        source.shuffle(source.choice(routing["values"]))
    else:
        source.shuffle(source.choice(routing["values"])[0])
        source.choice(routing["readout"]).sort()
    return routing


@pytest.mark.parametrize("form", ["projector", "merging", "front"])
@pytest.mark.parametrize("shape", SHAPES)
def test_scalar_rule_agrees_with_the_definition(shape: tuple[int, ...], form: str) -> None:
    H, L, d, k = shape
    source = random.Random(str(shape) + form)
    seen = set()
    for trial in range(12):
        extra = source.choice([0, 0, 2])
        p = parameters(H, L, d, k, build.number_of_slots(H, L, d, k) + extra)
        routing = build.packed(build.relabelled(build.padded(build.FORMS[form](H, L, k, d), extra), trial))
        if trial % 3:
            routing = broken(routing, source)
        expected = accepted_by_definition(p, routing)
        result = build.verdict(artifact_of(p, routing))
        assert (result.verdict == "VALID") == expected, result.reason
        seen.add(expected)
    assert True in seen


@pytest.mark.parametrize("shape", BLOCKS)
def test_block_rule_agrees_with_the_definition_and_with_every_scalar_instance(shape: tuple[int, int]) -> None:
    """A valid block routing, every unit replaced by k or d coordinates, is a valid scalar routing."""
    for form, seed in (("projector", 0), ("merging", 1)):
        block = build.relabelled(build.FORMS[form](*shape, 1, 1), seed)
        p = parameters(*shape)
        assert build.verdict(artifact_of(p, build.packed(block))).verdict == "VALID"
        assert accepted_by_definition(p, build.packed(block))
        for k, d in ((1, 1), (2, 1), (1, 3)):
            scalar = expanded(block, *shape, k, d)
            result = build.verdict(artifact_of(parameters(*shape, d, k), scalar))
            assert result.verdict == "VALID", result.reason


def expanded(block: dict[str, Any], H: int, L: int, k: int, d: int) -> dict[str, Any]:
    """The scalar routing of a block routing for the sizes k and d."""
    kinds = build.slots(H, L, 1, 1)
    number = {slot: i for i, slot in enumerate(build.slots(H, L, k, d))}
    coordinates: list[list[int]] = []
    held: list[int] = []
    for s in block["slots"]:
        kind, path, h, _ = kinds[s]
        size = d if kind == "U" else k
        coordinates.append(list(range(len(held), len(held) + size)))
        held += [number[kind, path, h, j] for j in range(size)]

    def columns(units: list[list[int]], size: int) -> list[list[int]]:
        return [[coordinates[c][j] for c in units[0]] for j in range(size)]

    return build.packed(
        {
            "slots": held,
            "queries": [[columns(head, k) for head in layer] for layer in block["queries"]],
            "keys": [[columns(head, k) for head in layer] for layer in block["keys"]],
            "readout": columns(block["readout"], d),
            "values": [
                [[st for a, b in head for st in zip(coordinates[a], coordinates[b], strict=True)] for head in layer]
                for layer in block["values"]
            ],
        }
    )


def softmax(x: np.ndarray) -> np.ndarray:
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def attend(Z: np.ndarray, Q: Any, K: Any, V: Any) -> np.ndarray:
    """One network: softmax attention, sum over the heads of each layer."""
    for l in range(len(Q)):  # noqa: E741
        Z = sum(softmax((Z @ Q[l][h]) @ (Z @ K[l][h]).T) @ Z @ V[l][h] for h in range(len(Q[l])))
    return Z


@pytest.mark.parametrize("form", ["projector", "merging", "front"])
@pytest.mark.parametrize("shape", [(2, 2, 3, 2), (1, 3, 2, 2)])
def test_accepted_routing_runs_a_random_softmax_target(form: str, shape: tuple[int, ...]) -> None:
    H, L, d, k = shape
    N = build.number_of_slots(H, L, d, k)
    p = parameters(H, L, d, k, N + 2)
    routing = build.packed(build.relabelled(build.padded(build.FORMS[form](H, L, k, d), 2), 5))
    assert build.verdict(artifact_of(p, routing)).verdict == "VALID"
    rng = np.random.default_rng(3)
    WQ, WK = rng.standard_normal((2, L, H, d, k))
    WV = rng.standard_normal((L, H, d, d)) / d
    E = np.zeros((d, N + 2))
    for c, slot in enumerate(routing["slots"]):
        if slot >= 0:
            kind, path, h, j = build.slots(H, L, k, d)[slot]
            word = np.eye(d)
            for l, letter in enumerate(path):  # noqa: E741
                word = word @ WV[l, letter]
            E[:, c] = (word if kind == "U" else word @ {"Q": WQ, "K": WK}[kind][len(path), h])[:, j]
    R = {name: np.array(x, dtype=float) for name, x in build.zero_one_backbone(p, routing).items()}
    X = rng.standard_normal((5, d))
    # every backbone entry is 0 or 1, so only the order of the additions differs: a few units of rounding per layer
    np.testing.assert_allclose(
        attend(X @ E, R["RQ"], R["RK"], R["RV"]) @ R["U"], attend(X, WQ, WK, WV), rtol=1e-12, atol=1e-12
    )


def test_every_transposition_of_slots_is_rejected() -> None:
    p = parameters(2, 2, 1, 1)
    routing = build.packed(build.relabelled(build.merging(2, 2, 1, 1), 1))
    for i, j in itertools.combinations(range(len(routing["slots"])), 2):
        slots = routing["slots"][:]
        slots[i], slots[j] = slots[j], slots[i]
        assert build.verdict(artifact_of(p, routing | {"slots": slots})).verdict == "INVALID"


def test_reason_names_the_slot() -> None:
    p = parameters(2, 2)
    routing = build.packed(build.projector(2, 2, 1, 1))
    slot = build.slots(2, 2, 1, 1).index(("K", (1,), 0, 0))
    routing["slots"][slot], routing["slots"][0] = 0, slot
    routing["queries"][0][0] = [[slot]]
    result = build.verdict(artifact_of(p, routing))
    assert result.reason == (
        f"routing: slot {slot} (K, path (2), head 1): coordinates hold slots [0], expected [{slot}]"
    )


def test_names_of_all_slots_follow_the_enumeration() -> None:
    for H, L, k, d in ((1, 1, 1, 1), (2, 3, 2, 3), (3, 2, 1, 2)):
        statement = build.rule("sizes").Sizes("sparse_universality", H, L, d, k, None, None)
        for number, (kind, path, h, j) in enumerate(build.slots(H, L, k, d)):
            head = "" if kind == "U" else f", head {h + 1}"
            letters = ",".join(str(letter + 1) for letter in path)
            name = build.rule("sizes").slot_name(statement, number)
            assert name == f"({kind}, path ({letters}){head}, column {j + 1})"


def test_crowded_routing_is_rejected_without_exponential_work() -> None:
    """Identity moves everywhere: H^L paths would each carry all N coordinates."""
    H, L = 2, 12
    N = build.number_of_slots(H, L, 1, 1)
    everything = list(range(0, N, 3))
    routing = {
        "slots": list(range(N)),
        "queries": [[[everything] for _ in range(H)] for _ in range(L)],
        "keys": [[[everything] for _ in range(H)] for _ in range(L)],
        "values": [[[[0, 0, N]] for _ in range(H)] for _ in range(L)],
        "readout": [everything],
    }
    result = build.verdict(artifact_of(parameters(H, L, 1, 1), routing))
    assert result.verdict == "INVALID"
    assert "filled coordinates" in result.reason


def test_short_file_that_names_long_moves_in_many_layers_is_refused() -> None:
    L = 6000
    N = build.number_of_slots(1, L, 1, 1)
    routing = {
        "slots": list(range(N)),
        "queries": [[[[0]]]] * L,
        "keys": [[[[0]]]] * L,
        "values": [[[[0, 0, N]]]] * L,
        "readout": [[0]],
    }
    result = build.verdict(artifact_of(parameters(1, L), routing))
    assert result.reason == (
        "routing: more than 10000000 moves and columns or 50000000 coordinates, too large to check"
    )


def test_block_routing_with_many_paths_is_accepted() -> None:
    result = build.verdict(build.routing_artifact("random_universality", parameters(2, 10), "merging", seed=1))
    assert (result.verdict, result.reason) == ("VALID", None)
    assert "4092*k + 1024*d" in result.claims[0]
