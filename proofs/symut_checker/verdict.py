"""VALID or INVALID, for the files of one artifact."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from .goal import Goal, Weights
from .goals import GOALS
from .strict import Invalid, fields, need, printable, read_json

STATEMENT, CERTIFICATE, WEIGHTS = "statement.json", "certificate.json", "weights.safetensors"
MAX_BYTES = 2**32  # limits of this program, not of the format: of the weights, and of the JSON files
MAX_JSON_BYTES = 2**28


class Result(NamedTuple):
    verdict: str
    reason: str | None = None
    goal: str | None = None
    claims: tuple[str, ...] = ()
    cited: tuple[str, ...] = ()


def check_bytes(statement: bytes, certificate: bytes, weights: bytes | None) -> Result:
    def given() -> Result:
        for name, data in ((STATEMENT, statement), (CERTIFICATE, certificate)):
            need_size(name, len(data))
        return accept(statement, certificate, lambda: weights)

    return guarded(given)


def check_artifact(folder: Path) -> Result:
    def read(name: str) -> bytes:
        need((folder / name).is_file(), f"{name}: missing, or not a regular file")
        need_size(name, (folder / name).stat().st_size)
        return (folder / name).read_bytes()

    return guarded(lambda: accept(read(STATEMENT), read(CERTIFICATE), lambda: read(WEIGHTS)))


def need_size(name: str, size: int) -> None:
    limit = MAX_BYTES if name == WEIGHTS else MAX_JSON_BYTES
    need(size <= limit, f"{name}: larger than {limit} bytes, too large to check")


def guarded(attempt: Callable[[], Result]) -> Result:
    """Whatever goes wrong is INVALID, with a reason of one line."""
    try:
        return attempt()
    except Exception as error:
        name = "" if type(error) is Invalid else f"{type(error).__name__}: "
        return Result("INVALID", name + printable(str(error)[:400]))


def accept(statement: bytes, certificate: bytes, weights: Weights) -> Result:
    """VALID if every rule that the goal needs accepts; raises otherwise."""
    name, goal, st, claims = read_statement(statement)
    table = read_certificate(goal, st, certificate)
    own = table["statement"] == hashlib.sha256(statement).hexdigest()
    need(own, "certificate.statement: not the SHA-256 of statement.json")
    determined = goal.claims(st, table)
    need(claims == determined, "statement.claims: not the sentences that goal and parameters determine")
    goal.rules(st, table, weights)
    return Result("VALID", None, name, tuple(determined), goal.cited(st))


def read_statement(data: bytes) -> tuple[str, Goal, Any, Any]:
    table = fields(read_json(data, "statement"), "statement", ("format", "goal", "parameters", "claims"))
    need(table["format"] == "symut-statement-1", "statement: format is not symut-statement-1")
    name = table["goal"]
    need(type(name) is str and name in GOALS, "statement: unknown goal")
    return name, GOALS[name], GOALS[name].read(table["parameters"]), table["claims"]


def read_certificate(goal: Goal, st: Any, data: bytes) -> dict[str, Any]:
    need(len(data) <= goal.most_bytes, f"{CERTIFICATE}: larger than {goal.most_bytes} bytes, too large to check")
    needed, optional = goal.parts(st)
    table = fields(read_json(data, "certificate"), "certificate", ["format", "statement", *needed], optional)
    need(table["format"] == "symut-certificate-1", "certificate: format is not symut-certificate-1")
    return table
