"""Hostile input: nothing raises, nothing is accepted, nothing takes long."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.check import build
from tests.check.build import CORPUS, check

BASE = build.read(CORPUS / "valid" / "sparse-scalar-padded-permuted")
STATEMENT, CERTIFICATE = json.loads(BASE["statement.json"]), json.loads(BASE["certificate.json"])
scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
anything = st.recursive(
    scalars, lambda x: st.lists(x, max_size=4) | st.dictionaries(st.text(max_size=6), x, max_size=4)
)
names = st.sampled_from(["slots", "queries", "keys", "values", "readout"])


@given(statement=st.binary(max_size=60), certificate=st.binary(max_size=60), weights=st.none() | st.binary(max_size=60))
@settings(deadline=None)
def test_arbitrary_bytes_are_invalid(statement: bytes, certificate: bytes, weights: bytes | None) -> None:
    assert check.check_bytes(statement, certificate, weights).verdict == "INVALID"
    assert check.check_bytes(BASE["statement.json"], certificate, weights).verdict == "INVALID"


@given(value=anything, key=st.sampled_from(["format", "goal", "parameters", "claims"]))
@settings(deadline=None)
def test_arbitrary_statement_values_are_invalid(value: Any, key: str) -> None:
    if value != STATEMENT[key]:
        files = build.signed(STATEMENT | {key: value}, CERTIFICATE)
        assert build.verdict(files).verdict == "INVALID"


@given(value=anything, key=st.sampled_from(["H", "L", "d", "k", "m", "weights"]))
@settings(deadline=None)
def test_arbitrary_parameters_are_invalid(value: Any, key: str) -> None:
    if value != STATEMENT["parameters"][key] or isinstance(value, bool | float):
        changed = STATEMENT | {"parameters": STATEMENT["parameters"] | {key: value}}
        assert build.verdict(build.signed(changed, CERTIFICATE)).verdict == "INVALID"


@given(value=anything, name=names)
@settings(deadline=None)
def test_arbitrary_routing_fields_are_invalid(value: Any, name: str) -> None:
    changed = CERTIFICATE | {"routing": CERTIFICATE["routing"] | {name: value}}
    assert build.verdict(BASE | {"certificate.json": json.dumps(changed).encode()}).verdict == "INVALID"


@given(data=st.data(), name=names)
@settings(deadline=None, max_examples=200)
def test_replaced_part_of_a_routing_is_invalid_or_still_a_proof(data: st.DataObject, name: str) -> None:
    routing = json.loads(json.dumps(CERTIFICATE["routing"]))
    part = routing[name]
    while part and isinstance(part[0], list) and data.draw(st.booleans()):
        part = part[data.draw(st.integers(0, len(part) - 1))]
    if part:
        small = st.integers(-2, 24)
        new = data.draw(
            anything | small | st.lists(small, max_size=3) | st.lists(st.lists(small, max_size=3), max_size=3)
        )
        part[data.draw(st.integers(0, len(part) - 1))] = new
    result = build.verdict(BASE | {"certificate.json": json.dumps(CERTIFICATE | {"routing": routing}).encode()})
    if result.verdict == "VALID":
        assert build.accepted_by_definition(STATEMENT["parameters"], routing)


@given(header=anything, body=st.binary(max_size=40))
@settings(deadline=None)
def test_arbitrary_safetensors_headers_are_invalid(header: Any, body: bytes) -> None:
    base = build.read(CORPUS / "valid" / "random-weights")
    text = json.dumps(header).encode()
    data = len(text).to_bytes(8, "little") + text + body
    statement = json.loads(base["statement.json"])
    files = build.artifact(statement["goal"], statement["parameters"], json.loads(base["certificate.json"]), data)
    assert build.verdict(files).verdict == "INVALID"


SIZES = [(H, L) for H in (1, 2, 10**9, 10**4000) for L in (10**6, 10**18, 10**4000)] + [(10**9, 1), (10**4000, 1)]


@pytest.mark.parametrize(("H", "L"), SIZES, ids=range(len(SIZES)))
@pytest.mark.parametrize("k", [None, 1, 10**4000], ids=["block", "one", "huge"])
def test_astronomic_sizes_are_rejected_before_any_power_is_formed(H: int, L: int, k: int | None) -> None:
    p = build.parameters(H, L, k, k)
    statement = {"format": "symut-statement-1", "goal": "sparse_universality", "parameters": p, "claims": []}
    result = build.verdict(build.signed(statement, CERTIFICATE))
    assert result.reason == "certificate: lists only 23 slots, fewer than N"


def test_a_rule_that_fails_unexpectedly_is_invalid(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise ZeroDivisionError("unexpected\nVALID  forged")

    monkeypatch.setattr(build.rule("universality"), "rule_routing", fail)
    result = build.verdict(BASE)
    assert result.verdict == "INVALID"
    assert result.reason == "ZeroDivisionError: unexpected\\nVALID  forged"


def test_result_is_immutable() -> None:
    with pytest.raises(AttributeError):
        build.verdict(BASE).verdict = "VALID"
