"""The part of the corpus of section 9 that is about parameters, claims, carries, stored weights and broken files."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from tests.check import build, claims_forms, corpus
from tests.check import build_forms as forms
from tests.check.build import Artifact
from tests.check.build_forms import form_artifact

Case = tuple[Artifact, str]
Edit = Callable[[Any, Any], None]  # of the statement and the certificate, in place
N = None  # a size that is left free


def looped_backbone(p: dict[str, Any], seed: int) -> dict[str, Any]:
    """Random, with one layer."""
    return build.random_backbone(p | {"L": 1}, seed)


def looped_weights(H: int, L: int, d: int, k: int, m: int, seed: int = 0) -> Artifact:
    p, prime = claims_forms.parameters("looped", H, L, d, k, N, m), 2**31 - 1
    R = looped_backbone(p, seed)
    M = forms.dense_block_matrix("looped", H, L, k, d, build.map_backbone(R, lambda x: int(32 * x)))
    # a column after j moves has degree j + 1, so 32 times the entries is 32^(j + 1) times the column
    scale = [pow(32, -1 - len(path), prime) for _, path, _, _ in claims_forms.slots("looped", H, L, k, d)]
    rows = build.left_inverse([[int(x) * s % prime for x, s in zip(row, scale, strict=True)] for row in M], prime)
    plain = build.packed(forms.routing("looped", H, L, k, d))
    certificate = {"routing": plain, "inverse": {"modulus": prime, "rows": rows}}
    return forms.artifact("looped_universality", p, certificate, build.safetensors(R, {}))


def routing(change: Callable[[Any], Any]) -> Edit:
    return lambda _, certificate: change(certificate["routing"]) and None


def statement(**changes: Any) -> Edit:
    return lambda s, _: s["parameters"].update(changes)


def invalid_statements() -> dict[str, Case]:
    looped, affine = form_artifact("looped", 2, 2), form_artifact("affine", 2, 1, 2, 1, 3)
    residual, scalar = form_artifact("affine_residual", 2, 2), form_artifact("residual", 2, 1, 1, 2, N, 50)
    key = form_artifact("shared_key", 2, 2, 2, 3)

    def restated(files: Artifact, **changes: Any) -> Artifact:
        return corpus.restated(files, claims_forms.claims, **changes)

    def carried(files: Artifact, carry: Any) -> Artifact:
        return corpus.edited(files, lambda _, c: c.update(carry=carry))

    def sentence(files: Artifact, i: int, old: str, new: str) -> Artifact:
        return corpus.edited(files, lambda s, _: s["claims"].__setitem__(i, s["claims"][i].replace(old, new)))

    claims = "claims: not the sentences"
    return {
        "carry-sum-0": (carried(affine, [[0, 0]]), r"carry\[0\]: the heads sum to 0, expected 1"),
        "carry-sum-2": (carried(affine, [[1, 1]]), "the heads sum to 2, expected 1"),
        "carry-of-two-layers": (carried(affine, [[0, 1], [0, 1]]), "carry: has 2 entries, expected 1"),
        "carry-of-one-head": (carried(affine, [[1]]), r"carry\[0\]: has 1 entries, expected 2"),
        "carry-by-a-residual-head": (carried(residual, [[0, 0], [0, 1]]), r"carry\[1\]: not 0 for every head"),
        "carry-by-two-residual-heads": (carried(residual, [[1, -1], [0, 0]]), r"carry\[0\]: not 0 for every head"),
        "forms-of-more-layers": (restated(looped, L=3), "fewer than N"),
        "forms-of-fewer-heads": (restated(looped, H=1), "has 16 entries, expected 5|outside"),
        "forms-m-below-N": (restated(scalar, m=6), "m: below N = 11"),
        "forms-larger-d-out": (restated(affine, d_out=4), "fewer than N"),
        "forms-k-instead-of-d": (restated(key, d=3, k=2), "fewer than N"),
        "forms-block-of-a-scalar-routing": (restated(key, d=None, k=None), "has .* entries, expected 13"),
        "forms-weights-for-a-residual-backbone": (
            restated(scalar, weights="0" * 64),
            "must be null for residual_universality",
        ),
        "forms-claims-of-the-other-order": (
            corpus.edited(looped, lambda s, _: corpus.swapped(s["claims"], 1, 2)),
            claims,
        ),
        "forms-claims-without-the-third": (corpus.edited(looped, lambda s, _: s["claims"].pop()), claims),
        "forms-claims-of-unshared-weights": (
            sentence(looped, 0, " that uses the same RQ, RK and RV in every layer", ""),
            claims,
        ),
        "forms-claims-for-all-attention-functions": (sentence(key, 0, " of the scores", ""), claims),
        "forms-claims-for-all-rows": (sentence(affine, 0, " whose rows sum to 1", ""), claims),
        "forms-claims-of-smaller-width": (sentence(looped, 1, "12*k", "11*k"), claims),
        "forms-claims-with-a-term-of-k": (sentence(form_artifact("shared_key", 2, 2), 0, "13*d", "0*k + 13*d"), claims),
        "forms-claims-of-the-sparse-goal": (
            corpus.edited(looped, lambda s, _: s.update(claims=build.claims("sparse_universality", s["parameters"]))),
            claims,
        ),
    }


def invalid_weights() -> dict[str, Case]:
    base = looped_weights(2, 2, 1, 1, 17)
    per_layer = build.safetensors(build.random_backbone(claims_forms.parameters("looped", 2, 2, 1, 1, N, 17), 0), {})
    inverse = json.loads(base["certificate.json"])["inverse"]
    changed = {
        "swapped-rows": (lambda c: corpus.swapped(c["inverse"]["rows"], 0, 1), "row 0 of rows"),
        "entry": (lambda c: c["inverse"]["rows"][9].__setitem__(2, 5), "row 9 of rows"),
        "missing": (lambda c: c.pop("inverse"), "missing field inverse"),
        "no-routing": (lambda c: c.pop("routing"), "missing field routing"),
    }
    cases = {
        f"forms-inverse-{name}": (corpus.edited(base, lambda _, c, e=edit: e(c) and None), why)
        for name, (edit, why) in changed.items()
    }
    p = json.loads(base["statement.json"])["parameters"]
    routing = json.loads(base["certificate.json"])["routing"]
    cases["forms-inverse-of-weights-per-layer"] = (
        forms.artifact("looped_universality", p, {"routing": routing, "inverse": inverse}, per_layer),
        r"RQ: has not the shape \[1, 2, 17, 1\]",
    )
    unused = corpus.edited(form_artifact("looped", 2, 2), lambda _, c: c.update(inverse=inverse))
    return cases | {"forms-inverse-without-weights": (unused, "unknown field 'inverse'")}


def malformed() -> dict[str, Case]:
    looped, affine = form_artifact("looped", 2, 2), form_artifact("affine", 2, 1)
    readoff = form_artifact("readoff_key", 2, 2, 1, 1)
    edits: dict[str, tuple[Artifact, Edit, str]] = {
        "d-out-missing": (affine, lambda s, _: s["parameters"].pop("d_out"), "missing field d_out"),
        "d-out-alone": (affine, statement(d_out=3), "d, k and d_out must be all integers or all null"),
        "d-out-null": (affine, statement(d=1, k=1), "must be all integers or all null"),
        "d-out-of-a-looped-form": (looped, statement(d_out=None), "unknown field 'd_out'"),
        "d-without-k": (readoff, statement(k=None), "d and k must be both integers or both null"),
        "zero-d-out": (affine, statement(d=1, k=1, d_out=0), "lies outside"),
        "m-of-a-block": (looped, statement(m=40), "m must be null"),
        "weights-without-m": (looped, statement(weights="0" * 64), "weights needs m"),
        "astronomic-layers": (looped, statement(L=10**18), "fewer than N"),
        "astronomic-heads": (form_artifact("residual", 1, 1), statement(H=10**30, L=10**30), "fewer than N"),
        "carry-missing": (affine, lambda _, c: c.pop("carry"), "missing field carry"),
        "carry-of-a-looped-form": (looped, lambda _, c: c.update(carry=[[0, 1]] * 2), "unknown field 'carry'"),
        "carry-boolean": (affine, lambda _, c: c.update(carry=[[False, True]]), "expected integers"),
        "carry-object": (affine, lambda _, c: c.update(carry={}), "carry: expected a list"),
        "keys-missing": (looped, routing(lambda r: r.pop("keys")), "missing field keys"),
        "determinant": (looped, lambda _, c: c.update(determinant={}), "unknown field 'determinant'"),
        "routing-list": (readoff, lambda _, c: c.update(routing=[]), "expected an object"),
        "queries-object": (readoff, routing(lambda r: r.update(queries={})), "expected a list"),
        "looped-without-layer": (looped, routing(lambda r: r.update(values=[])), "expected 1"),
    }
    return {f"forms-{name}": (corpus.edited(files, edit), why) for name, (files, edit, why) in edits.items()}
