"""Mutations of the artifacts of section 10: what stays VALID is still proved, by a dense recomputation.

A certificate may stay VALID after a change, for example if `degree` grows, a point of rule B moves a little, or a move
is lost that nothing reads.  A statement stays VALID only with claims that fit it.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from tests.check import build, valid_bounds
from tests.check import build_bounds as bb
from tests.check.build import Artifact
from tests.check.recompute_bounds import proved

VALID = valid_bounds.valid()
HUGE = 10**40
Where = tuple[str | int, ...]


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


def sample(items: list[Any], name: str) -> list[Any]:
    most = 12 if name.startswith("softmax") else 40 if name.endswith("three") else 120
    return items if len(items) <= most else random.Random(name).sample(items, most)


def replacements(old: Any) -> list[Any]:
    if isinstance(old, int):
        return [new for new in (old + 1, old - 1, -old, 0, HUGE, -HUGE) if new != old] + [bool(old), str(old), None]
    return ["", old + "x", 1, None] if isinstance(old, str) else [1, "1", []]


def stored(name: str) -> dict[str, Any] | None:
    """The backbone in the artifact's weights file."""
    numpy = pytest.importorskip("safetensors.numpy")
    files = VALID[name]
    if "weights.safetensors" not in files or b"BF16" in files["weights.safetensors"]:
        return None
    return {key: tensor.tolist() for key, tensor in numpy.load(files["weights.safetensors"]).items()}


def assert_rejected_or_still_proved(name: str, files: Artifact, where: Where) -> bool:
    valid = build.verdict(files).verdict == "VALID"
    assert not valid or proved(files, stored(name)), where
    return valid


@pytest.mark.parametrize("name", VALID)
def test_unchanged_artifact_is_valid_and_proved(name: str) -> None:
    assert assert_rejected_or_still_proved(name, VALID[name], ())


@pytest.mark.parametrize("name", VALID)
def test_changed_certificate_value(name: str) -> None:
    files, certificate = VALID[name], json.loads(VALID[name]["certificate.json"])
    leaves = [(where, old) for where, old in nodes(certificate) if not isinstance(old, dict | list)]
    rejected = 0
    for where, old in sample(leaves, name):
        for new in replacements(old):
            mutant = files | {"certificate.json": json.dumps(changed(certificate, where, new)).encode()}
            valid = assert_rejected_or_still_proved(name, mutant, where)
            assert not valid or type(new) is int, (where, new)
            rejected += not valid
    assert rejected > 20


@pytest.mark.parametrize("name", VALID)
def test_removed_or_repeated_certificate_entry(name: str) -> None:
    files, certificate = VALID[name], json.loads(VALID[name]["certificate.json"])
    lists = [(where, value) for where, value in nodes(certificate) if isinstance(value, list)]
    for where, value in sample(lists, name):
        for i in range(min(len(value), 3)):
            for new in (value[:i] + value[i + 1 :], value[: i + 1] + value[i:]):
                mutant = files | {"certificate.json": json.dumps(changed(certificate, where, new)).encode()}
                assert_rejected_or_still_proved(name, mutant, where)


@pytest.mark.parametrize("name", VALID)
def test_missing_added_and_duplicate_fields(name: str) -> None:
    files = VALID[name]
    certificate = json.loads(files["certificate.json"])
    for where, item in nodes(certificate):
        if isinstance(item, dict):
            fewer = [{key: item[key] for key in item if key != lost} for lost in item]
            for new in [*fewer, item | {"extra": None}]:
                whole = changed(certificate, where, new) if where else new
                mutant = files | {"certificate.json": json.dumps(whole).encode()}
                assert build.verdict(mutant).verdict == "INVALID", (where, new)


@pytest.mark.parametrize("name", VALID)
def test_changed_statement_value(name: str) -> None:
    files = VALID[name]
    statement, certificate = (json.loads(files[part]) for part in ("statement.json", "certificate.json"))
    for where, old in nodes(statement):
        if not isinstance(old, dict | list):
            for new in replacements(old):
                mutant = build.signed(changed(statement, where, new), certificate, files.get("weights.safetensors"))
                assert build.verdict(mutant).verdict == "INVALID", (where, new)


@pytest.mark.parametrize("name", VALID)
def test_changed_parameter_with_claims_that_fit(name: str) -> None:
    files = VALID[name]
    parameters = json.loads(files["statement.json"])["parameters"]
    for key, old in parameters.items():
        if type(old) is not int:
            continue
        for new in (old + 1, old - 1, 2 * old, old + 7):
            if new < 1 or (key in "HL" and new > 9):
                continue
            mutant = valid_bounds.restated(files, **{key: new})
            valid = assert_rejected_or_still_proved(name, mutant, (key,))
            # a change of H or L is a change of the certificate's shape, unless one filter serves several L
            assert not valid or key not in "HLn" or name.startswith("scores"), (key, new)


def test_statement_with_other_claims_is_rejected_whatever_its_goal() -> None:
    for name, files in VALID.items():
        statement = json.loads(files["statement.json"])
        for other in (bb.SHARP, bb.OUTPUTS, bb.BOTH, bb.ALONE, bb.SCORES, bb.SOFTMAX, bb.SINGULAR, bb.HEAD_WIDTH):
            if other != statement["goal"]:
                certificate = json.loads(files["certificate.json"])
                mutant = build.signed(statement | {"goal": other}, certificate, files.get("weights.safetensors"))
                assert build.verdict(mutant).verdict == "INVALID", (name, other)
