"""Mutations of the encoders of section 13: what stays VALID still computes its task, and the reason is named.

Encoders have parts that nothing reads, such as the guard of a head that a preferred key always beats.  Every mutant
that stays VALID lies at a place that REASONS lists, and gives the right answers when it is run with numbers.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.check import build
from tests.check.build import Artifact
from tests.check.build_simulator import stated
from tests.check.encoders import VALID
from tests.check.recompute_encoders import mistakes
from tests.check.test_check_bounds_mutations import Where, changed, nodes

HUGE = 10**40
SMALL = [
    *("transpose", "matmul", "determinant", "inverse", "relu", "softmax", "softmax-largest", "maxmin"),
    *("parity", "parity-groups", "match2", "match2-self", "match2-numbers", "lipschitz"),
    *("hoelder", "hoelder-square"),
]
REASONS = {
    r"encoder\.(width|tokens|layers|groups)": "coordinates, tokens, classes and empty layers that nothing uses",
    r"encoder\.letters": "letters whose codes agree, or in another order with equal codes",
    r"encoder\.layers\.\d\.(heads|levels)(\.\d(\.\d)?)?": "parts in another order, factors exchanged",
    r"encoder\.layers\.\d\.heads\.\d\.guard(\.q\.\d)?": "a guard that never wins, or still lies between two scores",
    r"encoder\.layers\.\d\.heads\.\d\.values\.0\.2": "the default of a guard that never wins",
    r"encoder\.layers\.\d\.heads\.\d\.values\.0\.0\.0(\.0)?": "a coordinate with the same value",
    r"encoder\.layers\.\d\.heads\.\d\.(mask|hidden)(\.\d)*": "keys of queries that do not answer",
    r"encoder\.layers\.\d\.heads\.\d\.(bilinear|classes)\.?.*": "scores that rank the keys in the same way",
    r"encoder\.(position|token|token_class)\..*": "codes that no answer depends on, or that rank in the same way",
    r"encoder\.position": "coordinates in another order",
    r"encoder\.layers\.\d\.levels\.\d\.\d\..*": "a square by another factor, entries of tables that are not looked up",
    r"encoder\.readout\.0(\.0)?": "a coordinate with the same value",
    r"cases\..*": "another tree that covers everything",
    r"leaves\..*": "another bound that holds",
}
CANCELS = {"softmax": "head 2, which nothing reads", "softmax-largest": "head 2, whose value cancels"}
CANCELLED = r"encoder\.layers\.1\.heads\.2\..*"


def replaced(old: Any) -> list[Any]:
    if type(old) is int:
        return [new for new in (old + 1, old - 1, -old, 0, HUGE) if new != old] + [bool(old), str(old), None]
    return [0, [], ""] if old is None else [None, 1, ""]


def mutants(certificate: Any) -> Iterator[tuple[Where, Any, Any]]:
    """(where, what is new, the changed certificate)."""
    for where, old in nodes(certificate):
        fresh: list[Any] = []
        if isinstance(old, list):
            fresh += [old[:i] + old[i + 1 :] for i in range(len(old))]
            fresh += [[*old[:i], old[i + 1], old[i], *old[i + 2 :]] for i in range(len(old) - 1)]
            fresh += [[*old, old[-1]]] if old else []
        if isinstance(old, dict):
            fresh += [{key: x for key, x in old.items() if key != lost} for lost in old] + [old | {"extra": None}]
        for new in fresh + ([] if isinstance(old, dict) else replaced(old)):
            if where:
                yield where, new, changed(certificate, where, new)


def restated(files: Artifact, certificate: Any) -> Artifact | None:
    """With the claim that fits, None if nothing fits."""
    p = json.loads(files["statement.json"])["parameters"]
    try:
        return stated(p["task"], p["sizes"], **certificate)
    except (KeyError, TypeError, IndexError, ValueError, AttributeError):
        return None


def parts_of(files: Artifact) -> Any:
    whole = json.loads(files["certificate.json"])
    return {name: part for name, part in whole.items() if name not in ("format", "statement")}


@pytest.mark.parametrize("name", SMALL)
def test_a_changed_certificate_is_rejected_or_its_encoder_is_right_for_a_named_reason(name: str) -> None:
    files, rejected = VALID[name], 0
    for where, new, certificate in mutants(parts_of(files)):
        mutant = restated(files, certificate)
        if mutant is None or build.verdict(mutant).verdict == "INVALID":
            rejected += 1
            continue
        place = ".".join(map(str, where))
        assert type(new) in (int, list) or new is None, place
        listed = [reason for pattern, reason in REASONS.items() if re.fullmatch(pattern, place)]
        assert listed or (name in CANCELS and re.fullmatch(CANCELLED, place)), place
        assert new == HUGE or not mistakes(mutant), place  # floats do not follow so large a number
    assert rejected > 100


@pytest.mark.parametrize("name", VALID)
def test_an_encoder_of_the_corpus_computes_its_task_with_numbers(name: str) -> None:
    assert not mistakes(VALID[name])


@pytest.mark.parametrize("name", ["inverse", "match2", "lipschitz", "hoelder", "attention"])
def test_a_changed_statement_is_rejected(name: str) -> None:
    statement, certificate = (json.loads(VALID[name][part]) for part in ("statement.json", "certificate.json"))
    for where, old in nodes(statement):
        for new in replaced(old) if not isinstance(old, dict | list) else [None, 1]:
            mutant = build.signed(changed(statement, where, new) if where else new, certificate)
            assert build.verdict(mutant).verdict == "INVALID", (where, new)
