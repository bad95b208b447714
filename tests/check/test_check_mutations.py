"""Mutations: whatever single thing is changed in a valid artifact, a wrong claim never becomes VALID.

The artifacts are those of sections 2 and 9 of FORMAT.md.

A mutated certificate may stay VALID only if the routing's ones changed at coordinates that hold no word at that point
(a move or a read of zeros, for example a move that grows by one coordinate which nothing fills); the claim, which does
not speak about the witness, is then still proved, and `accepted_by_definition` recomputes this densely.  A mutated
statement never stays VALID unless its claims are rewritten too, and then only for another width m >= N in the goal
`random_universality`, whose claim is true for all of them, or for m = N written as null or as a number.
"""

import hashlib
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.check import build, build_forms, claims_forms, corpus
from tests.check.build import CORPUS, Artifact


def goal_of(folder: Path) -> str:
    return json.loads((folder / "statement.json").read_bytes())["goal"]


FOLDERS = sorted(path for path in (CORPUS / "valid").glob("*") if path.is_dir())
PLAIN = [folder for folder in FOLDERS if goal_of(folder) in (corpus.SPARSE, corpus.RANDOM, corpus.BACKBONE)]
VALID = PLAIN + [folder for folder in FOLDERS if goal_of(folder) in claims_forms.GOALS]
ONES = ("queries", "keys", "values", "readout")
HUGE = 10**40
Where = tuple[str | int, ...]


def leaves(value: Any, where: Where = ()) -> Iterator[tuple[Where, Any]]:
    if isinstance(value, dict | list):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(item, (*where, key))
    else:
        yield where, value


def nodes(value: Any, where: Where = ()) -> Iterator[tuple[Where, Any]]:
    yield where, value
    if isinstance(value, dict | list):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from nodes(item, (*where, key))


def changed(value: Any, where: Where, new: Any) -> Any:
    copy = json.loads(json.dumps(value))
    inner = copy
    for key in where[:-1]:
        inner = inner[key]
    inner[where[-1]] = new
    return copy


def sample(items: list[Any], seed: str, most: int = 160) -> list[Any]:
    return items if len(items) <= most else random.Random(seed).sample(items, most)


def replacements(old: Any) -> list[Any]:
    if isinstance(old, int):
        return [new for new in (old + 1, old - 1, 0, HUGE, -HUGE) if new != old] + [bool(old), str(old), None]
    if isinstance(old, str):
        return ["", old + "x", old[:-1], old.swapcase(), old + "\0", 1, None]
    return [1, "1", []]


def values(files: Artifact) -> tuple[Any, Any]:
    return json.loads(files["statement.json"]), json.loads(files["certificate.json"])


def assert_rejected_or_still_proved(statement: Any, files: Artifact, where: Where) -> None:
    result = build.verdict(files)
    if result.verdict == "VALID":
        assert where[0] == "routing", where
        assert where[1] in ONES, where
        routing = json.loads(files["certificate.json"])["routing"]
        assert still_proved(statement["goal"], statement["parameters"], routing), where


def still_proved(goal: str, p: dict[str, Any], routing: dict[str, Any]) -> bool:
    if goal in claims_forms.GOALS:
        return build_forms.accepted_by_definition(goal, p, routing)
    return build.accepted_by_definition(p, routing)


@pytest.mark.parametrize("folder", VALID, ids=lambda p: p.name)
def test_changed_certificate_value(folder: Path) -> None:
    files = build.read(folder)
    statement, certificate = values(files)
    for where, old in sample(list(leaves(certificate)), folder.name):
        for new in replacements(old):
            mutant = files | {"certificate.json": json.dumps(changed(certificate, where, new)).encode()}
            assert_rejected_or_still_proved(statement, mutant, where)


@pytest.mark.parametrize("folder", VALID, ids=lambda p: p.name)
def test_removed_or_repeated_certificate_entry(folder: Path) -> None:
    files = build.read(folder)
    statement, certificate = values(files)
    lists = [(where, value) for where, value in nodes(certificate) if isinstance(value, list)]
    for where, value in sample(lists, folder.name, 100):
        for i in sample(list(range(len(value))), folder.name, 4):
            for new in (value[:i] + value[i + 1 :], value[: i + 1] + value[i:]):
                mutant = files | {"certificate.json": json.dumps(changed(certificate, where, new)).encode()}
                assert_rejected_or_still_proved(statement, mutant, where)


@pytest.mark.parametrize("folder", VALID, ids=lambda p: p.name)
def test_changed_statement_value(folder: Path) -> None:
    """Both with the old hash in the certificate and signed again."""
    files = build.read(folder)
    statement, certificate = values(files)
    for where, old in leaves(statement):
        for new in replacements(old):
            mutant = build.signed(changed(statement, where, new), certificate, files.get("weights.safetensors"))
            # the only two ways to write the same sentence: m null means m = N in the sparse goal
            same = folder.name == "sparse-scalar-smallest" and where[-1] == "m" and new is None
            assert build.verdict(mutant).verdict == ("VALID" if same else "INVALID"), (where, new)
            unsigned = mutant | {"certificate.json": files["certificate.json"]}
            assert build.verdict(unsigned).verdict == "INVALID", (where, new)


@pytest.mark.parametrize("folder", PLAIN, ids=lambda p: p.name)
def test_changed_parameter_with_claims_that_fit(folder: Path) -> None:
    files = build.read(folder)
    statement, _ = values(files)
    p, goal = statement["parameters"], statement["goal"]
    N = build.number_of_slots(p["H"], p["L"], p["d"] or 1, p["k"] or 1)
    for name in "HL" if p["d"] is None else "HLdkm":
        for new in [N, N + 1, N - 1] if p[name] is None else [p[name] + 1, p[name] - 1, p[name] + 1000]:
            if new < 1 or (name in "HL" and new > 9):
                continue
            wider = goal == "random_universality" and name == "m" and p["weights"] is None and new >= N
            determinant = b"determinant" in files["certificate.json"]
            same = goal == "sparse_universality" and name == "m" and p["m"] in (None, N) and new == N
            expected = "VALID" if same or (wider and (new == N or not determinant)) else "INVALID"
            assert build.verdict(corpus.restated(files, **{name: new})).verdict == expected, (name, new)


@pytest.mark.parametrize("folder", VALID, ids=lambda p: p.name)
def test_missing_added_and_duplicate_fields(folder: Path) -> None:
    files = build.read(folder)
    for name in ("statement.json", "certificate.json"):
        value = json.loads(files[name])
        for where, item in nodes(value):
            if isinstance(item, dict):
                for mutant in field_mutants(value, where, item):
                    # `determinant` is the only optional field
                    optional = where == () and item.keys() - json.loads(mutant).keys() == {"determinant"}
                    optional = optional and b"determinant" not in mutant
                    result = build.verdict(resigned(files, name, mutant))
                    assert result.verdict == ("VALID" if optional else "INVALID"), (where, mutant[:80])


def field_mutants(value: Any, where: Where, item: dict[str, Any]) -> Iterator[bytes]:
    def whole(new: dict[str, Any]) -> bytes:
        return json.dumps(changed(value, where, new) if where else new).encode()

    for key in item:
        yield whole({other: x for other, x in item.items() if other != key})
        yield whole({(key + "_" if other == key else other): x for other, x in item.items()})
        # the marker becomes a second key of the same name, once before and once after the first
        marked = [whole({"@": item[key], **item}), whole({**item, "@": item[key]})]
        yield from (text.replace(b'"@"', json.dumps(key).encode()) for text in marked)
    yield whole({**item, "extra": None})


def resigned(files: Artifact, name: str, text: bytes) -> Artifact:
    if name == "certificate.json":
        return files | {name: text}
    certificate = json.loads(files["certificate.json"]) | {"statement": hashlib.sha256(text).hexdigest()}
    return files | {name: text, "certificate.json": json.dumps(certificate).encode()}


@pytest.mark.parametrize("folder", VALID, ids=lambda p: p.name)
def test_truncated_files(folder: Path) -> None:
    files = build.read(folder)
    for name, data in files.items():
        for end in sample(list(range(len(data))), folder.name + name, 120):
            assert build.verdict(files | {name: data[:end]}).verdict == "INVALID"
            if name == "weights.safetensors":
                assert build.verdict(corpus.with_weights(files, data[:end])).verdict == "INVALID"


def test_flipped_bits_of_the_weights() -> None:
    """The file is signed again; a VALID one must still satisfy rows . M(R) = identity when another library reads it."""
    safetensors_numpy = pytest.importorskip("safetensors.numpy")
    files = build.read(CORPUS / "valid" / "random-weights")
    statement, certificate = values(files)
    p, prime, rows = statement["parameters"], certificate["inverse"]["modulus"], certificate["inverse"]["rows"]
    data = files["weights.safetensors"]
    accepted = 0
    for bit in sample(list(range(8 * len(data))), "bits", 1500):
        flipped = bytearray(data)
        flipped[bit // 8] ^= 1 << bit % 8
        if build.verdict(corpus.with_weights(files, bytes(flipped))).verdict == "VALID":
            accepted += 1
            R = {name: tensor.tolist() for name, tensor in safetensors_numpy.load(bytes(flipped)).items()}
            reduced = build.map_backbone(R, lambda x: build.modulo(x, prime))
            M = build.dense_block_matrix(p["H"], p["L"], p["k"], p["d"], reduced)
            product = [[x % prime for x in row] for row in build.matmul(rows, M)]
            assert product == [[int(i == j) for j in range(len(rows))] for i in range(len(rows))]
    # only padding, metadata and the sign of zero are neutral
    assert accepted < 100
