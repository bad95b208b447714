"""Valid artifacts of the goals of section 10, of several sizes, and edits of them that are signed again."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from tests.check import build
from tests.check import build_bounds as bb
from tests.check.build import Artifact
from tests.check.claims_bounds import claims

Case = tuple[Artifact, str]
Edit = Callable[[Any], None]


def sizes(**given: Any) -> dict[str, Any]:
    return given


def sharp(H: int, L: int, d: int | None = None, k: int | None = None, m: int | None = None) -> Artifact:
    return bb.artifact(bb.SHARP, sizes(H=H, L=L, d=d, k=k, m=m), {"spanning": bb.spanning(H, L)})


def outputs(H: int, L: int, d: int | None = None, m: int | None = None) -> Artifact:
    return bb.artifact(bb.OUTPUTS, sizes(H=H, L=L, d=d, m=m), {"spanning": bb.spanning(H, L)})


def scores(H: int, L: int, d: int, k: int, degree: int | None = None) -> Artifact:
    z = 2 * k * d - k * k
    table = bb.filtered(H, L, z) if degree is None else bb.filtered(H, 1) | {"degree": degree}
    return bb.artifact(bb.SCORES, sizes(H=H, L=L, d=d, k=k), {"filter": table})


def obstruction(m: int, **changes: Any) -> Artifact:
    return bb.artifact(bb.HEAD_WIDTH, {"m": m}, {"ball": bb.ball(m) | changes})


def singular(H: int, L: int, d: int, k: int, m: int, seed: int = 0, **equal: str) -> Artifact:
    return bb.singular_artifact(build.parameters(H, L, d, k, m), seed, **equal)


# another basis in every layer: determinant -1, and one that is symmetric with determinant 5
BASES = {
    "basis": [[[1, 2], [3, 5]], [[2, 1], [1, 3]]],
    "inverse": [[[5, -2], [-3, 1]], [[3, -1], [-1, 2]]],
    "scale": [-1, 5],
}


def valid() -> dict[str, Artifact]:
    mixed = {"RQ": "F16", "RK": "BF16", "RV": "F64", "U": "F16"}
    skewed = [[20, 3], [-2, 18]]
    return {
        "sharp-block": sharp(2, 3),
        "sharp-block-one-head": sharp(1, 4),
        "sharp-block-three-heads": sharp(3, 3),
        "sharp-scalar": sharp(2, 2, 3, 2),
        "sharp-scalar-smallest": sharp(1, 1, 1, 1),
        "sharp-one-width": sharp(2, 2, 3, 2, 35),
        "sharp-other-bases": bb.artifact(bb.SHARP, sizes(H=2, L=2, d=None, k=None, m=None), {"spanning": BASES}),
        "singular-narrow": singular(2, 1, 1, 1, 5),
        "singular-equal-keys": singular(2, 2, 1, 1, 16, RK="RQ"),
        "singular-one-head": bb.singular_artifact(build.parameters(1, 3, 2, 1, 9), 3, mixed, RK="RQ"),
        "singular-wide": singular(1, 1, 2, 3, 10, RK="RQ"),
        "outputs-block": outputs(2, 3),
        "outputs-block-one-head": outputs(1, 3),
        "outputs-scalar": outputs(3, 2, 2),
        "outputs-one-width": outputs(2, 2, 3, 11),
        "softmax-one-head": bb.softmax_artifact(1, 3, 2, 1),
        "softmax-two-heads": bb.softmax_artifact(2, 1, 2, 1),
        "softmax-two-layers": bb.softmax_artifact(2, 2, 2, 1),
        "softmax-three-heads": bb.softmax_artifact(3, 1, 2, 2),
        "softmax-three-tokens": bb.softmax_artifact(2, 1, 3, 3),
        "attention-output-smallest": bb.attention_artifact(bb.BOTH, 1, 1),
        "attention-output-one-head": bb.attention_artifact(bb.BOTH, 1, 3),
        "attention-output": bb.attention_artifact(bb.BOTH, 2, 2),
        "attention-output-three": bb.attention_artifact(bb.BOTH, 3, 3),
        "attention-smallest": bb.attention_artifact(bb.ALONE, 1, 1),
        "attention-one-head-two-layers": bb.attention_artifact(bb.ALONE, 1, 2, seed=4),
        "attention-one-head": bb.attention_artifact(bb.ALONE, 1, 4),
        "attention": bb.attention_artifact(bb.ALONE, 2, 2, seed=1),
        "attention-four-heads": bb.attention_artifact(bb.ALONE, 4, 1, seed=2),
        "attention-three": bb.attention_artifact(bb.ALONE, 3, 3, seed=3),
        "scores-smallest": scores(1, 1, 1, 1),
        "scores-full-rank": scores(2, 1, 2, 2),
        "scores-lower-rank": scores(2, 1, 3, 1),
        "scores-rounded": scores(2, 2, 3, 2, degree=2**50),
        "scores-one-head": scores(1, 4, 2, 1, degree=2**17),
        "ball-one": obstruction(1),
        "ball-two": obstruction(2, RQ=skewed, RK=[[15, 1], [4, 17]]),
        "ball-four": obstruction(4),
    }


# ---- edits of a certificate


def edited(files: Artifact, edit: Callable[[Any, Any], None]) -> Artifact:
    statement, certificate = json.loads(files["statement.json"]), json.loads(files["certificate.json"])
    edit(statement, certificate)
    return build.signed(statement, certificate, files.get("weights.safetensors"))


def restated(files: Artifact, **changes: Any) -> Artifact:
    def edit(statement: Any, _: Any) -> None:
        statement["parameters"] |= changes
        statement["claims"] = claims(statement["goal"], statement["parameters"])

    return edited(files, edit)


def variants(prefix: str, base: Artifact, edits: dict[str, tuple[Edit, str]]) -> dict[str, Case]:
    return {
        f"{prefix}-{name}": (edited(base, lambda _, c, edit=edit: edit(c)), why) for name, (edit, why) in edits.items()
    }


def put(value: Any, *where: Any) -> Edit:
    """Writes value at certificate[where[0]][where[1]]..."""

    def edit(certificate: Any) -> None:
        inner = certificate
        for key in where[:-1]:
            inner = inner[key]
        inner[where[-1]] = value

    return edit
