"""Does width m match every target at d = 1?  Theorems first, then certificates, then solvers.

Main definitions: `search_matching`.
Main results: PROVED and TRUSTED only with an artifact that check.py accepted; a model for finitely many targets is
UNKNOWN.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from symut.errors import UsageError
from symut.limits import MOST_BYTES, MOST_SECONDS
from symut.publish import publish_folder
from symut.searcher.again import limits_of
from symut.searcher.artifact import RefusedError, publish
from symut.searcher.backbone import backbone
from symut.searcher.process import OUT_OF_MEMORY, Limits, ask
from symut.searcher.request import LONGEST, MOST_SCORES, WIDEST, Finding, Request, dimension_suffices, proven_lower
from symut.searcher.slice import decisive
from symut.searcher.solving import size_obstacle, solve_slice
from symut.statement import PROVED, UNKNOWN
from symut.statement.search import BACKBONE_EXISTS, GENERAL, RANK_ONE, STRONG

FILTER = "attention_matching_lower_bound"
"""The theorem behind the exact widths for rank-one heads."""
Tried = list[str]


def search_matching(request: Request, out: Path) -> Finding:
    """Decide one width; artifacts go under `out`.

    Raises UsageError if a solver is missing or a backbone of width m is too large to write.
    """
    if request.m >= request.upper:
        return _suffices(request, out)
    tried: Tried = []
    limits = Limits.of(request.timeout, request.max_memory)
    found = _first(request, out, limits, tried)
    known = {"lower": proven_lower(request.H, request.L, request.heads, request.targets), "upper": request.upper}
    go_on = _go_on(request, out, limits, tried) if found.verdict == UNKNOWN else ""
    return replace(found, known=known, tried=tuple(tried), go_on=go_on)


def _first(request: Request, out: Path, limits: Limits, tried: Tried) -> Finding:
    """What the first method that finds anything found."""
    undecided = Finding(UNKNOWN, tuple(request.width().claims))
    if request.timeout == 0:
        tried.append("nothing: the time limit is 0")
        return undecided
    for method in _methods(request):
        try:
            found = method(request, out, limits, tried)
        except RefusedError as error:
            tried.append(f"found, but not stored: {error}")
            continue
        if found is not None:
            return found
    return undecided


def _methods(request: Request) -> list[Callable[[Request, Path, Limits, Tried], Finding | None]]:
    """Which methods are tried: a choice by size only, so that the same command gives the same artifact."""
    own = {"identity": [_identity], "dimension": [_dimension], "smt": [solve_slice]}
    if request.method != "auto":
        return own[request.method]
    small = request.free >= 0 and request.scores <= (3 if request.targets == STRONG else 2)
    return [*([_identity] if small else []), _dimension, _filter, solve_slice]


def _go_on(request: Request, out: Path, limits: Limits, tried: Tried) -> str:
    """The command with more of what was over, time or memory; empty if neither was, or if there is no more of it."""
    seconds, memory = request.timeout, request.max_memory
    if not limits.left:
        seconds = min(2 * seconds or 60, MOST_SECONDS)
    if any(OUT_OF_MEMORY in line for line in tried):
        memory = min(2 * memory, MOST_BYTES)
    if (seconds, memory) == (request.timeout, request.max_memory):
        return ""
    return request.command + limits_of(seconds, memory, str(out))


def _proved(
    request: Request, out: Path, limits: Limits, tag: str, parts: dict[str, Any], facts: dict[str, Any]
) -> Finding:
    statement = request.width()
    folder = publish(out, statement, tag, parts, request.by(tag), facts, limits)
    return Finding(PROVED, tuple(statement.claims), str(folder), None, tag, trusted=("a-slice-of-a-matching-backbone",))


def _suffices(request: Request, out: Path) -> Finding:
    if request.m > WIDEST or request.L > LONGEST:
        remedy = f"a backbone of width {request.upper} exists by the same theorem"
        expected = f"at most {WIDEST} coordinates and {LONGEST} layers in an artifact"
        raise UsageError(
            "--m is too large to write the backbone out", expected=expected, got=str(request.m), remedy=remedy
        )
    statement = request.width(BACKBONE_EXISTS)
    parts = {"backbone": backbone(request.H, request.L, request.m, request.targets)}
    folder = publish(out, statement, "backbone", parts, request.by("auto"), {"upper": request.upper})
    return Finding(
        PROVED,
        tuple(statement.claims),
        str(folder),
        method="theorem",
        tried=(f"no search: width {request.upper} suffices",),
        trusted=("maps-of-odd-degree-are-onto",),
        known={"lower": proven_lower(request.H, request.L, request.heads, request.targets), "upper": request.upper},
    )


def _dimension(request: Request, out: Path, limits: Limits, tried: Tried) -> Finding | None:
    if request.scores > MOST_SCORES and request.free >= 0:
        tried.append(f"dimension: more than {MOST_SCORES} scores")
        return None
    degree: int | None = 1
    if request.free >= 0 and not dimension_suffices(request.H, request.L, request.free):
        degree = None
    elif request.free >= 0:
        answer = ask("degree", limits, H=request.H, L=request.L, r=request.free)
        if answer.value is None:
            tried.append(f"dimension: {answer.reason}")
            return None
        degree = answer.value
    if degree is None:
        tried.append(f"dimension: {request.free} free coordinates may be enough for {request.scores} scores")
        return None
    facts = {"n": request.scores, "r": request.free, "quadric": request.H >= 2 and request.L >= 2}
    return _proved(request, out, limits, "dimension", {"dimension": {"degree": degree}}, facts)


def _identity(request: Request, out: Path, limits: Limits, tried: Tried) -> Finding | None:
    """A rank-one head is a general one, so the system of general heads serves both."""
    if (obstacle := size_obstacle(request, GENERAL)) is not None:
        tried.append(f"identity: {obstacle}")
        return None
    chosen = decisive(request.H, request.L, request.m, GENERAL, request.targets)
    answer = ask("identity", limits, slice=asdict(chosen))
    if answer.value is None:
        tried.append(f"identity: none for {len(chosen.points)} targets ({answer.reason or 'the search ended'})")
        return None
    points = [list(point) for point in chosen.points]
    part = {"heads": GENERAL, "slice": chosen.kind, "points": points, **answer.value}
    facts = {"n": chosen.n, "r": chosen.r, "slice": chosen}
    return _proved(request, out, limits, "identity", {"identity": part}, facts)


def _filter(request: Request, out: Path, limits: Limits, tried: Tried) -> Finding | None:
    """Rank-one heads with two or more heads and layers: the exact width is a theorem of its own.

    The child proves it in a temporary folder, so that nothing half-written is left under `out` if it is stopped.
    """
    if request.heads != RANK_ONE:
        return None
    with tempfile.TemporaryDirectory() as temporary:
        sizes, memory = {"H": request.H, "L": request.L}, request.max_memory
        answer = ask("theorem", limits, name=FILTER, parameters=sizes, out=temporary, max_memory=memory)
        if answer.value is None:
            tried.append(f"{FILTER}: {answer.reason}")
            return None
        outcome = answer.value
        if outcome["verdict"] != PROVED or outcome["width"] != str(request.upper):
            tried.append(f"{FILTER}: {outcome['verdict']} {outcome['summary']}")
            return None
        source = Path(outcome["artifact"])
        folder = out / FILTER / source.name
        files = {path.name: path.read_bytes() for path in source.iterdir()}
        publish_folder(folder, files, known=frozenset(files))
    claims, trusted = tuple(outcome["claims"]), tuple(outcome["trusted"])
    return Finding(PROVED, claims, str(folder), method=FILTER, trusted=trusted)
