"""The corpus of the goals of section 10: valid, invalid and malformed artifacts (see corpus.py)."""

from __future__ import annotations

from typing import Any

from tests.check import build_bounds as bb
from tests.check.build import Artifact
from tests.check.invalid_bounds import invalid
from tests.check.valid_bounds import Case, Edit, edited, obstruction, put, scores, sharp, singular, valid


def malformed() -> dict[str, Case]:
    block, attention = sharp(2, 2), bb.attention_artifact(bb.ALONE, 2, 2, seed=1)
    narrow = singular(2, 1, 1, 1, 5)
    soft, ball = bb.softmax_artifact(2, 1, 2, 1), obstruction(2)

    def of(base: Artifact, edit: Edit) -> Artifact:
        return edited(base, lambda _, c: edit(c))

    def stated(base: Artifact, **changes: Any) -> Artifact:
        return edited(base, lambda s, _: s["parameters"].update(changes))

    return {
        "bounds-spanning-missing": (of(block, lambda c: c.pop("spanning")), "missing field spanning"),
        "bounds-spanning-list": (of(block, put([], "spanning")), "expected an object"),
        "bounds-spanning-unknown-field": (of(block, lambda c: c["spanning"].update(note=1)), "unknown field"),
        "bounds-spanning-boolean": (of(block, put(True, "spanning", "scale", 0)), "expected integers"),
        "bounds-spanning-string": (of(block, put("2", "spanning", "basis", 0, 0, 0)), "expected integers"),
        "bounds-kernel-object": (of(narrow, put({}, "kernel")), "expected a list"),
        "bounds-kernel-boolean": (of(narrow, put([True] * 6, "kernel")), "expected integers"),
        "bounds-target-list": (of(soft, put([], "targets", 0)), "expected an object"),
        "bounds-rational-of-three": (of(soft, put([1, 2, 3], "targets", 0, "queries", 0, 0)), "expected 2"),
        "bounds-rational-boolean": (of(soft, put([True, 1], "targets", 0, "queries", 0, 0)), "expected integers"),
        "bounds-point-without-token": (of(soft, lambda c: c["targets"][0]["points"][0].pop("token")), "missing field"),
        "bounds-forms-pair-of-three": (of(attention, put([[0, 1, 1]], "forms", "keys", 0, 0)), "expected 2"),
        "bounds-forms-boolean": (of(attention, put([[0, True]], "forms", "keys", 0, 0)), "expected integers"),
        "bounds-forms-readout": (of(attention, lambda c: c["forms"].update(readout=[])), "unknown field"),
        "bounds-signs-beside-filter": (of(attention, lambda c: c.update(signs=[1, -1])), "unknown field signs|'signs'"),
        "bounds-ball-missing-radius": (of(ball, lambda c: c["ball"].pop("radius")), "missing field radius"),
        "bounds-d-without-k": (stated(block, d=1), "both"),
        "bounds-zero-heads": (stated(block, H=0), "outside"),
        "bounds-boolean-layers": (stated(block, L=True), "expected integers"),
        "bounds-null-heads": (stated(block, H=None), "expected integers"),
        "bounds-unknown-parameter": (stated(block, weights=None), "unknown field"),
        "bounds-singular-null-m": (stated(narrow, m=None), "expected integers"),
        "bounds-singular-short-hash": (stated(narrow, weights="0" * 63), "64 lower-case"),
        "bounds-null-tokens": (stated(soft, n=None), "expected integers"),
        "bounds-astronomic": (stated(block, H=10**6, L=10**9), "more than 4300 digits"),
        "bounds-astronomic-one-head": (stated(block, H=1, L=10**30), "claims|expected"),
        "bounds-astronomic-scores": (stated(scores(2, 1, 2, 2), L=10**30), "too large"),
        "bounds-astronomic-attention": (stated(attention, H=10**40, L=10**40), "more than 4300 digits"),
        "bounds-astronomic-ball": (stated(ball, m=10**40), "claims|too large"),
    }


def cases() -> dict[str, Case]:
    """kind/name -> files and the reason's pattern (empty for valid)."""
    good = {f"valid/{name}": (files, "") for name, files in valid().items()}
    bad = {"invalid": invalid(), "malformed": malformed()}
    return good | {f"{kind}/{name}": case for kind, named in bad.items() for name, case in named.items()}
