"""What the artifacts at hand say about a row: looked up and re-checked, never written down.

Main definitions: `Standing`, `standing`, and the statuses PROVED, INSTANCE_NOT_RUN, NOT_RUN, INVALID, NOT_CERTIFIED.
Nothing is proved here and no solver runs: check.py judges the artifact of this size if there is one, and that of the
theorem's default instance with the row's goal otherwise; rows of `symut search` stand on an artifact of their size.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from symut.backbone.shape import Shape
from symut.errors import SymutError
from symut.prover.checker import check_artifact
from symut.registry import theorems
from symut.statement import Statement
from symut.tabulator.rows import SEARCH, Row
from symut.tabulator.searched import searched
from symut.theorem import CHOICE, FILE, FLAG, SEED, Theorem, Values, instance_name, resolve

PROVED = "proved"
"""An artifact of the statement at this size passes check.py now."""
INSTANCE_NOT_RUN = "instance not run"
"""The default instance's artifact passes check.py now; `command` asks for the instance of this size."""
NOT_RUN = "not run"
"""The theorem is not registered, or the artifact of its default instance is not there."""
INVALID = "invalid"
"""check.py rejects the artifact that the status depends on."""
NOT_CERTIFIED = "not certified"
"""Known, but no theorem of symut says it."""
LARGEST_CERTIFICATE = 2**18
"""Artifacts with more bytes than this are left to `symut check`."""
_ELSEWHERE = {PROVED: INSTANCE_NOT_RUN}


@dataclass(frozen=True)
class Standing:
    """A row's status, the command that proves its statement, and the artifact that the status rests on."""

    status: str
    command: str | None = None
    artifact: str | None = None


@cache
def _verdict(folder: Path, digests: tuple[str, ...]) -> str:
    """check.py's verdict; `digests` of the two files make it a new question when they change."""
    return check_artifact(folder).verdict


def _digests(folder: Path) -> tuple[str, ...]:
    return tuple(sha256((folder / name).read_bytes()).hexdigest() for name in ("statement.json", "certificate.json"))


def _judged(folder: Path, statement: Statement) -> Standing | None:
    """PROVED or INVALID for an artifact of exactly this statement; None if there is none, or a large one."""
    try:
        stated = (folder / "statement.json").read_bytes()
        size = (folder / "certificate.json").stat().st_size
    except OSError:
        return None
    if stated != statement.as_bytes() or size > LARGEST_CERTIFICATE:
        return None
    verdict = _verdict(folder.resolve(), _digests(folder))
    return Standing(PROVED if verdict == "VALID" else INVALID, artifact=str(folder))


def _folder(theorem: Theorem, values: Values, statement: Statement, proofs: Path) -> Path:
    return proofs / theorem.id / instance_name(theorem, values, statement)


def _stated(theorem: Theorem, given: Values, goal: str) -> tuple[Values, Statement] | None:
    try:
        values = resolve(theorem, given)
        statement = theorem.state(values)
    except SymutError:
        return None
    return (values, statement) if statement.goal == goal else None


def _default(theorem: Theorem, goal: str) -> tuple[Values, Values, Statement] | None:
    """(given, values, statement) of the first instance with this goal that is about no stored backbone."""
    stored = {parameter.name for parameter in theorem.parameters if parameter.kind in (SEED, FILE)}
    for given in theorem.instances:
        found = None if stored & set(given) else _stated(theorem, given, goal)
        if found:
            return given, *found
    return None


def _instances(theorem: Theorem, given: Values, goal: str, shape: Shape) -> Iterator[tuple[Values, Values, Statement]]:
    """(given, values, statement) at this size: for all d and k if the theorem leaves them open, then at these.

    `given` is an instance with this goal, whose choices and flags are kept.
    """
    options = {p.name for p in theorem.parameters if p.kind in (CHOICE, FLAG)}
    chosen = {name: value for name, value in given.items() if name in options}
    sizes = {name: getattr(shape, name) for name in "HLdk" if any(p.name == name for p in theorem.parameters)}
    open_sizes = {name: size for name, size in sizes.items() if name in "HL"}
    for some in (open_sizes, sizes):
        found = _stated(theorem, {**some, **chosen}, goal)
        if found and _covers(found[1], shape):
            yield {**some, **chosen}, *found


def _covers(statement: Statement, shape: Shape) -> bool:
    same = all(getattr(statement, name) in (None, getattr(shape, name)) for name in "HLdk")
    return same and statement.m is None and statement.weights is None


def _command(theorem: Theorem, given: Mapping[str, Any]) -> str:
    words = ["python -m symut prove", theorem.id]
    for parameter in theorem.parameters:
        value = given.get(parameter.name)
        if parameter.kind == FLAG:
            words += [parameter.option] if value else []
        elif (value is not None and value != parameter.default) or parameter.name in ("H", "L"):
            words += [] if value is None else [parameter.option, str(value)]
    return " ".join(words)


def default_standing(theorem_id: str, goal: str, proofs: Path) -> Standing:
    """The standing of the first instance of the theorem with this goal."""
    theorem = theorems().get(theorem_id)
    default = theorem and _default(theorem, goal)
    if not theorem or not default:
        return Standing(NOT_RUN)
    given, values, statement = default
    found = _judged(_folder(theorem, values, statement, proofs), statement) or Standing(NOT_RUN)
    return replace(found, command=_command(theorem, given))


def _searched_standing(row: Row, shape: Shape, proofs: Path) -> Standing:
    """By any artifact of exactly this statement; a VALID one counts first."""
    asked = searched(row, shape)
    found = [_judged(proofs / SEARCH / name, asked.statement) for name in asked.folders]
    there = sorted((item for item in found if item), key=lambda item: item.status != PROVED)
    return replace(there[0] if there else Standing(NOT_RUN), command=asked.command)


def standing(row: Row, shape: Shape, proofs: Path) -> Standing:
    """The row's standing at this shape, by the artifacts under the folder `proofs`."""
    if row.theorem is None or row.goal is None:
        return Standing(NOT_CERTIFIED)
    if row.theorem == SEARCH:
        return _searched_standing(row, shape, proofs)
    theorem = theorems().get(row.theorem)
    default = theorem and _default(theorem, row.goal)
    here = list(_instances(theorem, default[0], row.goal, shape)) if theorem and default else []
    if not theorem or not here:
        return Standing(NOT_RUN)
    command = _command(theorem, here[0][0])
    for _, values, statement in here:
        found = _judged(_folder(theorem, values, statement, proofs), statement)
        if found:
            return replace(found, command=command)
    elsewhere = default_standing(row.theorem, row.goal, proofs)
    return replace(elsewhere, status=_ELSEWHERE.get(elsewhere.status, elsewhere.status), command=command)
