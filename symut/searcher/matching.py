"""Does width m match every target at d = 1?  Theorems first, then certificates, then solvers.

Main definitions: `search_matching`.
Main results: PROVED and TRUSTED only with an artifact that check.py accepted; a model for finitely many targets is
UNKNOWN.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from symut.errors import UsageError
from symut.search.artifact import publish
from symut.search.backbone import backbone
from symut.search.process import Limits, ask
from symut.search.request import LONGEST, MOST_SCORES, WIDEST, Finding, Request, dimension_degree, proven_lower
from symut.search.slice import decisive
from symut.search.solving import solve_slice
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
    known = {"lower": proven_lower(request.H, request.L, request.heads, request.targets), "upper": request.upper}
    tried: Tried = []
    if request.timeout == 0:
        tried.append("nothing: the time limit is 0")
        return _unknown(request, known, tried)
    limits = Limits.of(request.timeout, request.max_memory)
    for method in _methods(request):
        found = method(request, out, limits, tried)
        if found is not None:
            go_on = _unknown(request, known, tried).go_on if found.verdict == UNKNOWN else ""
            return replace(found, known=known, tried=tuple(tried), go_on=go_on)
    return _unknown(request, known, tried)


def _methods(request: Request) -> list[Callable[[Request, Path, Limits, Tried], Finding | None]]:
    """Which methods are tried: a choice by size only, so that the same command gives the same artifact."""
    own = {"identity": [_identity], "dimension": [_dimension], "smt": [solve_slice]}
    if request.method != "auto":
        return own[request.method]
    small = request.free >= 0 and request.scores <= (3 if request.targets == STRONG else 2)
    return [*([_identity] if small else []), _dimension, _filter, solve_slice]


def _unknown(request: Request, known: dict[str, int], tried: Tried) -> Finding:
    seconds = 60 if request.timeout == 0 else 2 * request.timeout
    command = f"{request.command} --timeout {seconds:g}"
    return Finding(UNKNOWN, tuple(request.width().claims), tried=tuple(tried), known=known, go_on=command)


def _proved(request: Request, out: Path, tag: str, parts: dict[str, Any], facts: dict[str, Any]) -> Finding:
    statement = request.width()
    folder = publish(out, statement, tag, parts, request.by(tag), facts)
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
    degree = dimension_degree(request.H, request.L, request.free) if request.free >= 0 else 1
    if degree is None:
        tried.append(f"dimension: {request.free} free coordinates may be enough for {request.scores} scores")
        return None
    facts = {"n": request.scores, "r": request.free, "quadric": request.H >= 2 and request.L >= 2}
    return _proved(request, out, "dimension", {"dimension": {"degree": degree}}, facts)


def _identity(request: Request, out: Path, limits: Limits, tried: Tried) -> Finding | None:
    """A rank-one head is a general one, so the system of general heads serves both."""
    if request.free < 0:
        tried.append(f"identity: {request.H**request.L} outputs do not fit; see --method dimension")
        return None
    chosen = decisive(request.H, request.L, request.m, GENERAL, request.targets)
    answer = ask("identity", limits, slice=asdict(chosen))
    if answer.value is None:
        tried.append(f"identity: none for {len(chosen.points)} targets ({answer.reason or 'the search ended'})")
        return None
    points = [list(point) for point in chosen.points]
    part = {"heads": GENERAL, "slice": chosen.kind, "points": points, **answer.value}
    facts = {"n": chosen.n, "r": chosen.r, "slice": chosen}
    return _proved(request, out, "identity", {"identity": part}, facts)


def _filter(request: Request, out: Path, limits: Limits, tried: Tried) -> Finding | None:
    """Rank-one heads with two or more heads and layers: the exact width is a theorem of its own."""
    if request.heads != RANK_ONE:
        return None
    from symut.prover.argument import Context
    from symut.prover.driver import prove_theorem
    from symut.registry import theorems

    theorem = theorems().get(FILTER)
    if theorem is None:
        return None
    outcome = prove_theorem(theorem, {"H": request.H, "L": request.L}, out, Context(request.max_memory))
    if outcome.verdict != PROVED or outcome.width != str(request.upper):
        tried.append(f"{FILTER}: {outcome.verdict} {outcome.summary}")
        return None
    return Finding(PROVED, outcome.claims, outcome.artifact, method=FILTER, trusted=outcome.trusted)
