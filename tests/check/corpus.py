"""The corpus tests/certificates: valid, invalid (a rule rejects) and malformed (a file is broken) artifacts.

`python -m tests.check.corpus` writes it again; a test compares the files on disk with what this module builds.
"""

from __future__ import annotations

import copy
import hashlib
import importlib
import json
import shutil
import struct
from collections.abc import Callable, Iterator
from typing import Any

from tests.check import build
from tests.check.build import Artifact, artifact, packed, parameters, routing_artifact, signed, weights_artifact

SPARSE, RANDOM, BACKBONE = "sparse_universality", "random_universality", "backbone_universality"
Case = tuple[Artifact, str]
Sentences = Callable[[str, dict[str, Any]], list[str]]
# other modules with a function `cases`, kind/name -> files and the reason's pattern (empty for valid)
FAMILIES = (
    "tests.check.corpus_forms",
    "tests.check.corpus_bounds",
    "tests.check.corpus_matching",
    "tests.check.corpus_rasp",
    "tests.check.corpus_simulator",
)


def valid() -> dict[str, Artifact]:
    scalar, block = parameters(2, 2, 3, 2), parameters(2, 2)
    extra = build.random_backbone(parameters(2, 1, 1, 1, 8), 5) | {"position": [[1.0, 2.0]]}
    mixed = {"RQ": "F16", "RK": "BF16", "RV": "F64", "U": "F16"}
    return {
        "sparse-block-projector": routing_artifact(SPARSE, block),
        "sparse-block-merging": routing_artifact(SPARSE, parameters(2, 3), "merging"),
        "sparse-block-permuted": routing_artifact(SPARSE, parameters(3, 2), "merging", seed=1),
        "sparse-block-projector-permuted": routing_artifact(SPARSE, block, seed=2),
        "sparse-block-one-head-one-layer": routing_artifact(SPARSE, parameters(1, 1)),
        "sparse-block-one-head": routing_artifact(SPARSE, parameters(1, 4), "merging", seed=3),
        "sparse-scalar-projector": routing_artifact(SPARSE, scalar),
        "sparse-scalar-front": routing_artifact(SPARSE, scalar, "front"),
        "sparse-scalar-padded-permuted": routing_artifact(SPARSE, parameters(2, 2, 2, 1, 23), "merging", seed=4),
        "sparse-scalar-smallest": routing_artifact(SPARSE, parameters(1, 1, 1, 1, 3)),
        "random-block": routing_artifact(RANDOM, block, "merging", seed=5),
        "random-scalar": routing_artifact(RANDOM, parameters(2, 1, 2, 3), "front", seed=6),
        "random-scalar-wider": routing_artifact(RANDOM, parameters(1, 2, 2, 1, 50)),
        "random-determinant-1-1": determinant_artifact(1, 1),
        "random-determinant-1-2": determinant_artifact(1, 2),
        "random-determinant-2-1": determinant_artifact(2, 1),
        "random-weights": weights_artifact(RANDOM, parameters(2, 1, 1, 1, 6)),
        "backbone-f64-wider": weights_artifact(
            BACKBONE, parameters(2, 1, 2, 1, 10), 1, 10007, dict.fromkeys(mixed, "F64")
        ),
        "backbone-mixed-dtypes": weights_artifact(BACKBONE, parameters(1, 2, 1, 2, 9), 2, dtypes=mixed),
        "backbone-extra-tensor": weights_artifact(
            BACKBONE, parameters(2, 1, 1, 1, 8), R=extra, dtypes={"position": "F64"}
        ),
        "backbone-integers": weights_artifact(
            BACKBONE, parameters(1, 1, 1, 1, 4), R=integer_backbone(), dtypes=INTEGER
        ),
    }


INTEGER = {"RQ": "I8", "RK": "I16", "RV": "I32", "U": "I64"}


def integer_backbone() -> dict[str, Any]:
    R = build.random_backbone(parameters(1, 1, 1, 1, 4), 7)
    return build.map_backbone(R, lambda x: int(32 * x))


def determinant_artifact(k: int, d: int) -> Artifact:
    certificate = {"routing": packed(build.merging(1, 1, k, d)), "determinant": build.determinant_certificate(k, d)}
    return artifact(RANDOM, parameters(1, 1, d, k), certificate)


def edited(files: Artifact, edit: Callable[[Any, Any], None]) -> Artifact:
    """Edits both JSON values in place and signs them again, so that the hash is not what rejects them."""
    statement, certificate = json.loads(files["statement.json"]), json.loads(files["certificate.json"])
    edit(statement, certificate)
    return signed(statement, certificate, files.get("weights.safetensors"))


def restated(files: Artifact, sentences: Sentences = build.claims, **changes: Any) -> Artifact:
    """Other parameters, with claims that fit them."""

    def edit(statement: Any, _: Any) -> None:
        statement["parameters"] |= changes
        statement["claims"] = sentences(statement["goal"], statement["parameters"])

    return edited(files, edit)


def swapped(values: list[Any], i: int, j: int) -> None:
    values[i], values[j] = values[j], values[i]


def routing_edits() -> Iterator[tuple[str, Callable[[Any], None], str]]:
    yield "swapped-slots", lambda r: swapped(r["slots"], 0, 1), r"routing: slot 0 \(Q, path \(\), head 1, column 1\)"
    yield (
        "swapped-query-columns",
        lambda r: swapped(r["queries"][0][0], 0, 1),
        r"coordinates hold slots \[1\], expected \[0\]",
    )
    yield "swapped-heads-of-values", lambda r: swapped(r["values"][0], 0, 1), "routing: slot"
    yield "swapped-layers-of-values", lambda r: swapped(r["values"], 0, 1), "routing: "
    yield "queries-and-keys-exchanged", exchange, "routing: slot 0"
    yield (
        "read-out-of-one-path-only",
        lambda r: r["readout"][0].__delitem__(slice(1, None)),
        r"slot \d+ \(U, path \(1,2\)",
    )
    yield (
        "extra-filled-coordinate-read",
        lambda r: r["queries"][0][0][0].append(r["queries"][0][1][0][0]),
        r"hold slots \[0, 2\]",
    )
    yield (
        "everything-read",
        lambda r: r["queries"][1][0].__setitem__(0, list(range(36))),
        "filled coordinates on 2 paths",
    )
    yield "nothing-read", lambda r: r["keys"][1][1].__setitem__(0, []), r"hold slots \[\]"
    yield "no-moves", lambda r: r["values"][1].__setitem__(0, []), "routing: slot"
    yield "identity-moves", lambda r: r["values"].__setitem__(0, [[[0, 0, len(r["slots"])]]] * 2), "routing: "
    yield "slot-held-twice", lambda r: r["slots"].__setitem__(0, 1), "not every slot"
    yield "zero-instead-of-a-slot", lambda r: r["slots"].__setitem__(0, -1), "not every slot"
    yield "negative-coordinate", lambda r: r["queries"][0][0].__setitem__(0, [-len(r["slots"])]), "lies outside"
    yield "coordinate-twice", lambda r: r["queries"][0][0].__setitem__(0, [0, 0]), "occurs twice"
    yield "source-twice", lambda r: r["values"][0][0].append([r["values"][0][0][0][0], 0, 1]), "repeats a source"
    yield "target-twice", lambda r: r["values"][0][0].append([0, r["values"][0][0][0][1], 1]), "repeats a source"
    yield "empty-move", lambda r: r["values"][0][0].append([0, 0, 0]), "is empty"
    yield "move-out-of-range", lambda r: r["values"][0][0].append([0, len(r["slots"]), 1]), "leaves"
    yield "gigantic-move", lambda r: r["values"][0][0].append([0, 0, 10**18]), "lies outside"
    yield "missing-layer", lambda r: r["keys"].pop(), "expected 2"
    yield "extra-head", lambda r: r["values"][0].append([]), "expected 2"
    yield "extra-column", lambda r: r["queries"][0][0].append([]), "expected 2"
    yield "too-wide", lambda r: r["slots"].append(-1), "expected 36"


def exchange(routing: Any) -> None:
    routing["queries"], routing["keys"] = routing["keys"], routing["queries"]


def invalid_routings() -> dict[str, Case]:
    base = routing_artifact(SPARSE, parameters(2, 2, 3, 2))
    cases = {}
    for name, change, why in routing_edits():
        cases[f"routing-{name}"] = edited(base, lambda _, c, change=change: change(c["routing"])), why
    front = artifact(SPARSE, parameters(2, 2), {"routing": packed(build.to_front(2, 2, 1, 1))})
    cases["routing-block-sizes-joined"] = front, "joins units of different size"
    block = routing_artifact(SPARSE, parameters(1, 1))
    cases["routing-block-query-of-read-out"] = (
        edited(block, lambda _, c: c["routing"].update(queries=[[[[2]]]])),
        "reads a unit whose size is not k",
    )
    cases["routing-block-read-out-of-query"] = (
        edited(block, lambda _, c: c["routing"].update(readout=[[0]])),
        "reads a unit whose size is not d",
    )
    padded = routing_artifact(SPARSE, parameters(2, 2, 2, 1, 23), "merging")
    cases["routing-random-goal-with-padding"] = restated_goal(padded, RANDOM), "expected 20"
    return cases


def restated_goal(files: Artifact, goal: str) -> Artifact:
    def edit(statement: Any, _: Any) -> None:
        statement["goal"] = goal
        statement["claims"] = build.claims(goal, statement["parameters"])

    return edited(files, edit)


def invalid_statements() -> dict[str, Case]:
    block, scalar = routing_artifact(SPARSE, parameters(2, 2)), routing_artifact(RANDOM, parameters(2, 1, 2, 3))
    wider = routing_artifact(SPARSE, parameters(2, 2, 2, 1, 23))
    unsigned = dict(block) | {"statement.json": block["statement.json"] + b"\n"}
    return {
        "statement-not-the-signed-one": (unsigned, "not the SHA-256"),
        "statement-of-more-layers": (restated(block, L=3), "fewer than N"),
        "statement-of-fewer-layers": (restated(block, L=1), "expected"),
        "statement-of-more-heads": (restated(block, H=3), "fewer than N"),
        "statement-of-larger-d": (restated(scalar, d=3), "fewer than N"),
        "statement-d-and-k-exchanged": (restated(scalar, d=3, k=2), "expected 14"),
        "statement-scalar-from-block": (restated(block, d=1, k=2), "fewer than N"),
        "statement-block-with-m": (restated(restated_goal(block, RANDOM), m=50), "m must be null"),
        "statement-m-below-N": (restated(wider, m=19), "below N = 20"),
        "statement-m-above-width": (restated(wider, m=24), "expected 24"),
        "statement-goal-exchanged": (edited(block, lambda s, _: s.update(goal=RANDOM)), "claims"),
        "claims-empty": (edited(block, lambda s, _: s.update(claims=[])), "claims"),
        "claims-extra": (edited(block, lambda s, _: s["claims"].append("P = NP.")), "claims"),
        "claims-order": (edited(scalar, lambda s, _: swapped(s["claims"], 0, 1)), "claims"),
        "claims-of-smaller-width": (
            edited(block, lambda s, _: s["claims"].__setitem__(0, s["claims"][0].replace("12*k", "11*k"))),
            "claims",
        ),
        "claims-blank": (edited(block, lambda s, _: s["claims"].__setitem__(0, s["claims"][0] + " ")), "claims"),
    }


def invalid_inverses() -> dict[str, Case]:
    p = parameters(2, 1, 1, 1, 7)
    base = weights_artifact(BACKBONE, p)
    other = weights_artifact(BACKBONE, p, seed=9)
    rankless = build.random_backbone(p, 0)
    rankless["RK"] = copy.deepcopy(rankless["RQ"])
    singular = artifact(
        BACKBONE, p, {"inverse": json.loads(base["certificate.json"])["inverse"]}, build.safetensors(rankless, {})
    )
    half = json.loads(base["certificate.json"])["inverse"]
    edits: dict[str, tuple[Callable[[Any, Any], None], str]] = {
        "rows-swapped": (lambda _, c: swapped(c["inverse"]["rows"], 0, 1), "row 0 of rows"),
        "entry-changed": (lambda _, c: c["inverse"]["rows"][3].__setitem__(2, 5), "row 3 of rows"),
        "row-zero": (lambda _, c: c["inverse"]["rows"].__setitem__(5, [0] * 7), "row 5 of rows"),
        "other-prime": (lambda _, c: c["inverse"].update(modulus=2**31 - 19), "lies outside|identity"),
        "even-modulus": (lambda _, c: c["inverse"].update(modulus=2**31 - 2), "odd|outside"),
        "modulus-one": (lambda _, c: c["inverse"].update(modulus=1, rows=[[0] * 7] * 6), "outside"),
        "modulus-too-large": (lambda _, c: c["inverse"].update(modulus=2**31 + 11), "outside"),
        "row-missing": (lambda _, c: c["inverse"]["rows"].pop(), "fewer than N"),
        "row-extra": (lambda _, c: c["inverse"]["rows"].append([0] * 7), "expected 6"),
        "column-missing": (lambda _, c: c["inverse"]["rows"][0].pop(), "expected 7"),
    }
    cases = {f"inverse-{name}": (edited(base, edit), why) for name, (edit, why) in edits.items()}
    cases["inverse-of-other-weights"] = (
        artifact(BACKBONE, p, {"inverse": half}, other["weights.safetensors"]),
        "is not row 0 of the identity",
    )
    cases["inverse-of-singular-weights"] = singular, "of the identity"
    cases["weights-exchanged"] = base | {"weights.safetensors": other["weights.safetensors"]}, "its SHA-256"
    cases["weights-m-exceeds-shape"] = restated(base, m=8), "expected 8"
    cases["weights-for-sparse-goal"] = restated_goal(base, SPARSE), "must be null for sparse"
    cases["backbone-goal-without-weights"] = restated(base, weights=None), "needed for backbone"
    return cases


def invalid_determinants() -> dict[str, Case]:
    base = determinant_artifact(1, 1)
    edits: dict[str, tuple[Callable[[Any], None], str]] = {
        "sign": (lambda d: d["terms"][0].__setitem__(0, -d["terms"][0][0]), "not the terms"),
        "term-missing": (lambda d: d["terms"].pop(), "not the terms"),
        "no-terms": (lambda d: d["terms"].clear(), "empty"),
        "terms-swapped": (lambda d: swapped(d["terms"], 0, 1), "not the terms"),
        "term-twice": (lambda d: d["terms"].append(d["terms"][-1]), "not the terms"),
        "variable-order": (lambda d: d["terms"][0][1].reverse(), "not the terms"),
        "variables": (lambda d: d.update(variables=d["variables"] + 1), "outside"),
        "degree": (lambda d: d["terms"][0][1].extend([0, 0, 0]), "degree"),
        "boolean": (lambda d: d["terms"].__setitem__(0, [True, d["terms"][0][1]]), "expected integers"),
    }
    cases = {
        f"determinant-{n}": (edited(base, lambda _, c, e=e: e(c["determinant"])), why) for n, (e, why) in edits.items()
    }
    table = json.loads(base["certificate.json"])["determinant"]
    for name, p, why in (
        ("too-large", parameters(1, 2, 1, 1), "too large"),
        ("in-block-statement", parameters(1, 1), "scalar"),
        ("m-above-N", parameters(1, 1, 1, 1, 4), "m = N"),
    ):
        q, u = build.units(p)
        certificate = {"routing": packed(build.merging(p["H"], p["L"], q, u)), "determinant": table}
        cases[f"determinant-{name}"] = artifact(RANDOM, p, certificate), why
    sparse = edited(routing_artifact(SPARSE, parameters(1, 1, 1, 1)), lambda _, c: c.update(determinant=table))
    cases["determinant-in-sparse-goal"] = sparse, "unknown field"
    return cases


def malformed_json() -> dict[str, Case]:
    base = routing_artifact(SPARSE, parameters(1, 2, 2, 1))
    text = base["certificate.json"]

    def raw(**changes: bytes) -> Artifact:
        return base | {f"{name}.json": data for name, data in changes.items()}

    def resigned(statement: bytes) -> Artifact:
        certificate = json.loads(text) | {"statement": hashlib.sha256(statement).hexdigest()}
        return {"statement.json": statement, "certificate.json": json.dumps(certificate).encode()}

    statement = base["statement.json"]
    strict = "not strict JSON"
    return {
        "certificate-empty": (raw(certificate=b""), strict),
        "certificate-truncated": (raw(certificate=text[:100]), strict),
        "certificate-binary": (raw(certificate=bytes(range(256))), strict),
        "certificate-latin1": (raw(certificate=text.replace(b"symut-c", b"symut\xe9c")), strict),
        "certificate-bom": (raw(certificate=b"\xef\xbb\xbf" + text), strict),
        "certificate-list": (raw(certificate=b"[]"), "expected an object"),
        "certificate-deep": (raw(certificate=b"[" * 100000), strict),
        "certificate-duplicate-key": (raw(certificate=text[:-1] + b', "format": "symut-certificate-1"}'), strict),
        "certificate-nested-duplicate-key": (
            raw(certificate=text.replace(b'"routing": {', b'"routing": {"slots": [], ')),
            strict,
        ),
        "certificate-float": (raw(certificate=text.replace(b'"slots": [0', b'"slots": [0.0')), strict),
        "certificate-exponent": (raw(certificate=text.replace(b'"slots": [0', b'"slots": [0e0')), strict),
        "certificate-nan": (raw(certificate=text.replace(b'"slots": [0', b'"slots": [NaN')), strict),
        "certificate-infinity": (raw(certificate=text.replace(b'"slots": [0', b'"slots": [-Infinity')), strict),
        "certificate-long-integer": (
            raw(certificate=text.replace(b'"slots": [0', b'"slots": [' + b"1" * 5000)),
            strict,
        ),
        "certificate-boolean": (raw(certificate=text.replace(b'"slots": [0', b'"slots": [false')), "expected integers"),
        "certificate-trailing-text": (raw(certificate=text + b"x"), strict),
        "certificate-missing-file": ({"statement.json": statement}, "certificate.json: missing"),
        "statement-missing-file": ({"certificate.json": text}, "statement.json: missing"),
        "statement-boolean-H": (resigned(statement.replace(b'"H": 1', b'"H": true')), "expected integers"),
        "statement-zero-L": (resigned(statement.replace(b'"L": 2', b'"L": 0')), "lies outside"),
        "statement-null-H": (resigned(statement.replace(b'"H": 1', b'"H": null')), "expected integers"),
        "statement-astronomic": (
            resigned(statement.replace(b'"H": 1', b'"H": 10000000').replace(b'"L": 2', b'"L": 100000000000')),
            "fewer than N",
        ),
        "statement-astronomic-one-head": (
            resigned(statement.replace(b'"L": 2', b'"L": 99999999999999999')),
            "fewer than N",
        ),
        "statement-d-without-k": (resigned(statement.replace(b'"k": 1', b'"k": null')), "both"),
    }


def malformed_fields() -> dict[str, Case]:
    base = routing_artifact(SPARSE, parameters(1, 2, 2, 1))
    hexadecimal = "0" * 63
    edits: dict[str, tuple[Callable[[Any, Any], None], str]] = {
        "statement-unknown-field": (lambda s, _: s.update(note=""), "unknown field"),
        "statement-missing-field": (lambda s, _: s.pop("claims"), "missing field claims"),
        "statement-unknown-parameter": (lambda s, _: s["parameters"].update(n=1), "unknown field"),
        "statement-other-format": (lambda s, _: s.update(format="symut-statement-2"), "format"),
        "statement-unknown-goal": (lambda s, _: s.update(goal="universality"), "unknown goal"),
        "statement-goal-list": (lambda s, _: s.update(goal=[]), "unknown goal"),
        "statement-weights-without-m": (
            lambda s, _: s["parameters"].update(weights=hexadecimal + "0"),
            "weights needs m",
        ),
        "statement-short-hash": (lambda s, _: s["parameters"].update(m=6, weights=hexadecimal), "64 lower-case"),
        "statement-upper-case-hash": (
            lambda s, _: s["parameters"].update(m=6, weights=hexadecimal + "A"),
            "64 lower-case",
        ),
        "certificate-unknown-field": (lambda _, c: c.update(trusted=True), "unknown field"),
        "certificate-inverse-without-weights": (lambda _, c: c.update(inverse={}), "unknown field"),
        "certificate-no-routing": (lambda _, c: c.pop("routing"), "missing field routing"),
        "certificate-routing-list": (lambda _, c: c.update(routing=[]), "expected an object"),
        "certificate-slots-object": (lambda _, c: c["routing"].update(slots={}), "expected a list"),
        "certificate-move-of-two": (lambda _, c: c["routing"]["values"][0].__setitem__(0, [[0, 0]]), "expected 3"),
        "certificate-move-string": (lambda _, c: c["routing"]["values"][0].__setitem__(0, ["000"]), "expected a list"),
        "certificate-coordinate-boolean": (
            lambda _, c: c["routing"].update(readout=[[False], [1]]),
            "expected integers",
        ),
        "certificate-other-format": (lambda _, c: c.update(format="symut-statement-1"), "format"),
    }
    return {name: (edited(base, edit), why) for name, (edit, why) in edits.items()}


def tampered(change: Callable[[dict[str, Any], bytes], tuple[Any, bytes]]) -> Artifact:
    """A backbone artifact whose weights file is rebuilt from an edited header and body, and signed again."""
    base = weights_artifact(BACKBONE, parameters(2, 1, 1, 1, 6))
    data = base["weights.safetensors"]
    length = struct.unpack("<Q", data[:8])[0]
    header, body = change(json.loads(data[8 : 8 + length]), data[8 + length :])
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return with_weights(base, struct.pack("<Q", len(text)) + text + body)


def with_weights(base: Artifact, data: bytes) -> Artifact:
    changed = restated(base, weights=hashlib.sha256(data).hexdigest())
    return changed | {"weights.safetensors": data}


def replaced(header: dict[str, Any], name: str, **changes: Any) -> dict[str, Any]:
    return header | {name: header[name] | changes}


def malformed_weights() -> dict[str, Case]:
    base = weights_artifact(BACKBONE, parameters(2, 1, 1, 1, 6))
    data = base["weights.safetensors"]
    nan, infinity = struct.pack("<f", float("nan")), struct.pack("<f", float("-inf"))

    def duplicated(header: dict[str, Any], body: bytes) -> tuple[bytes, bytes]:
        text = json.dumps(header)
        return (text[:-1] + ', "U": ' + json.dumps(header["U"]) + "}").encode(), body

    def offsets(name: str, begin: int, end: int) -> Artifact:
        return tampered(lambda h, b: (replaced(h, name, data_offsets=[begin, end]), b))

    return {
        "weights-missing": (
            {k: v for k, v in base.items() if k != "weights.safetensors"},
            "weights.safetensors: missing",
        ),
        "weights-empty": (with_weights(base, b""), "header is longer"),
        "weights-truncated": (with_weights(base, data[:-1]), "outside|after the last|overlap"),
        "weights-longer": (with_weights(base, data + b"\0"), "bytes after the last"),
        "weights-header-gigantic": (with_weights(base, b"\xff" * 8 + data[8:]), "header is longer"),
        "weights-header-not-json": (tampered(lambda _, b: (b"{", b)), "not strict JSON"),
        "weights-header-list": (tampered(lambda _, b: ([], b)), "expected an object"),
        "weights-duplicate-tensor": (tampered(duplicated), "duplicate key"),
        "weights-no-read-out": (tampered(lambda h, b: ({k: v for k, v in h.items() if k != "U"}, b)), "after the last"),
        "weights-renamed-read-out": (
            tampered(lambda h, b: ({("u" if k == "U" else k): v for k, v in h.items()}, b)),
            "no tensor U",
        ),
        "weights-shared-bytes": (offsets("RK", 0, 48), "overlap or leave a gap"),
        "weights-gap": (tampered(lambda h, b: (h, b"\0" * 4 + b)), "after the last"),
        "weights-negative-offset": (offsets("RQ", -48, 0), "outside"),
        "weights-reversed-offsets": (offsets("RQ", 48, 0), "reversed"),
        "weights-gigantic-offset": (offsets("U", 384, 10**30), "outside"),
        "weights-float-offset": (tampered(lambda h, b: (replaced(h, "RQ", data_offsets=[0, 48.0]), b)), "strict JSON"),
        "weights-transposed": (tampered(lambda h, b: (replaced(h, "RQ", shape=[1, 2, 1, 6]), b)), "has not the shape"),
        "weights-gigantic-shape": (
            tampered(lambda h, b: (replaced(h, "U", shape=[10**30, 10**30]), b)),
            "has not the shape",
        ),
        "weights-negative-shape": (tampered(lambda h, b: (replaced(h, "U", shape=[-6, -1]), b)), "outside"),
        "weights-boolean-shape": (tampered(lambda h, b: (replaced(h, "U", shape=[6, True]), b)), "expected integers"),
        "weights-dtype-size": (tampered(lambda h, b: (replaced(h, "U", dtype="F64"), b)), "span not 48 bytes"),
        "weights-unsigned-dtype": (tampered(lambda h, b: (replaced(h, "U", dtype="U32"), b)), "dtype is none of"),
        "weights-dtype-list": (tampered(lambda h, b: (replaced(h, "U", dtype=[]), b)), "dtype is none of"),
        "weights-entry-unknown-field": (tampered(lambda h, b: (replaced(h, "U", order="F"), b)), "unknown field"),
        "weights-nan": (tampered(lambda h, b: (h, nan + b[4:])), "not finite"),
        "weights-infinity": (tampered(lambda h, b: (h, b[:-4] + infinity)), "not finite"),
    }


def everything() -> dict[str, Case]:
    """kind/name -> files and the reason's pattern (empty for valid), of all families."""
    merged: dict[str, Case] = {}
    for more in (cases(), *(importlib.import_module(name).cases() for name in FAMILIES)):
        if merged.keys() & more.keys():
            raise ValueError(f"two cases have one name: {sorted(merged.keys() & more.keys())}")
        merged |= more
    return merged


def cases() -> dict[str, Case]:
    """The goals of section 2."""
    invalid = {**invalid_routings(), **invalid_statements(), **invalid_inverses(), **invalid_determinants()}
    malformed = {**malformed_json(), **malformed_fields(), **malformed_weights()}
    return filed(valid(), invalid, malformed)


def filed(valid: dict[str, Artifact], invalid: dict[str, Case], malformed: dict[str, Case]) -> dict[str, Case]:
    """The cases of one family by kind/name."""
    good = {f"valid/{name}": (files, "") for name, files in valid.items()}
    bad = {"invalid": invalid, "malformed": malformed}
    return good | {f"{kind}/{name}": case for kind, named in bad.items() for name, case in named.items()}


def main() -> None:
    for kind in ("valid", "invalid", "malformed"):
        shutil.rmtree(build.CORPUS / kind, ignore_errors=True)
    for name, (files, why) in everything().items():
        folder = build.write(build.CORPUS / name, files)
        if why:
            (folder / "why.txt").write_text(why + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
