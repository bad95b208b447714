"""Solvers on the slice query, with targets that grow until the query is unsatisfiable or no more are found.

Main definitions: `solve_slice`.
`unsat` is TRUSTED and the query is stored; `sat` becomes exact numbers for finitely many targets and decides nothing.
"""

from __future__ import annotations

import random
from dataclasses import replace
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import Any

from symut.errors import UsageError
from symut.searcher.artifact import RefusedError, publish
from symut.searcher.process import Answer, Limits, ask
from symut.searcher.request import Finding, Request
from symut.searcher.slice import Slice, decisive, decisive_count, flat, query, score_names
from symut.statement import TRUSTED, UNKNOWN
from symut.statement.search import GENERAL, MODEL, QUERY, WEAK, SliceModel, SliceQuery

INSTALL = {"z3": "pip install z3-solver", "cvc5": "pip install cvc5"}
MOST_CANDIDATES = 60
MOST_FREE = 64
"""The most free coordinates, and the most scores, of a query that check.py reads."""
MOST_EQUATIONS, MOST_TERMS = 400, 100_000
"""The most equations, and products of coordinates in them, of a query that check.py reads."""


def solve_slice(request: Request, out: Path, limits: Limits, tried: list[str]) -> Finding | None:
    """TRUSTED with the stored query, UNKNOWN with a stored model, or None; what happened is added to `tried`."""
    if (obstacle := _obstacle(request)) is not None:
        tried.append(f"smt: {obstacle}")
        return None
    most = MOST_EQUATIONS // request.scores
    full = decisive(request.H, request.L, request.m, request.heads, request.targets, most)
    chosen = replace(full, points=full.points[: request.start])
    stored: Finding | None = None
    while True:
        text = query(chosen, request.seed)
        answers = {name: ask_solver(name, text, limits, list(_scores(chosen))) for name in request.solvers}
        words = {name: a.value["answer"] if a.value else f"no answer, {a.reason}" for name, a in answers.items()}
        tried.append(f"{len(chosen.points)} targets: " + ", ".join(f"{name} {word}" for name, word in words.items()))
        if set(words.values()) == {"unsat"}:
            return _trusted(request, out, chosen, text)
        if words.get("z3") != "sat" or "unsat" in words.values():
            return stored
        scores = answers["z3"].value["scores"]
        if None in scores:
            tried.append("the model has irrational scores that could not be made simple: not stored")
            return stored
        stored = _stored(request, out, chosen, scores, limits, tried) or stored
        more = _unreached(request, chosen, full, scores, limits, tried)
        if more is None:
            return stored
        if _excess(chosen.with_point(more)):
            tried.append(f"no more targets: {_excess(chosen.with_point(more))}")
            return stored
        chosen = chosen.with_point(more)


def _obstacle(request: Request) -> str | None:
    """Why no query is asked, or None if one is."""
    free, scores = request.free, request.scores
    if free >= 0 and request.reachable:
        return f"no slice excludes {free} free coordinates for {scores} score{'s' * (scores > 1)}"
    return size_obstacle(request, request.heads, request.start)


def size_obstacle(request: Request, heads: str, start: int | None = None) -> str | None:
    """Why the system of the first `start` decisive targets is not built, or None if it is; nothing is built here."""
    free, scores = request.free, request.scores
    if free < 0:
        return f"{request.H**request.L} outputs do not fit; see --method dimension"
    if free > MOST_FREE or scores > MOST_FREE:
        return f"too large with {free} free coordinates and {scores} scores; at most {MOST_FREE} of each"
    count = decisive_count(request.H, request.L, request.targets)
    count = count if start is None else min(start, count)
    if count * scores > MOST_EQUATIONS:
        return f"too large with {count} targets of {scores} scores; at most {MOST_EQUATIONS} equations"
    return _excess(decisive(request.H, request.L, request.m, heads, request.targets, count))


def _excess(chosen: Slice) -> str | None:
    """What check.py would not read, or None."""
    if chosen.equations > MOST_EQUATIONS:
        return f"too large with {chosen.equations} equations; at most {MOST_EQUATIONS}"
    if chosen.terms > MOST_TERMS:
        return f"too large with {chosen.terms} terms in its equations; at most {MOST_TERMS}"
    return None


def ask_solver(name: str, text: str, limits: Limits, simplify: list[str]) -> Answer:
    """One solver on one query.  Raises UsageError if it is not installed."""
    answer = ask("z3", limits, text=text, simplify=simplify) if name == "z3" else ask("cvc5", limits, text=text)
    if answer.reason == f"missing: {name}":
        raise UsageError(f"the solver {name} is not installed", remedy=INSTALL[name])
    return answer


def _scores(chosen: Slice) -> tuple[str, ...]:
    return tuple(flat(score_names(chosen)))


def _slice_fields(request: Request, chosen: Slice, text: str) -> dict[str, Any]:
    sizes = {name: getattr(request, name) for name in ("H", "L", "m", "heads", "targets", "seed")}
    return sizes | {"slice": chosen.kind, "points": chosen.points, "digest": sha256(text.encode()).hexdigest()}


def _tag(kind: str, request: Request) -> str:
    return kind + f"-s{request.seed}" * bool(request.seed)


def _trusted(request: Request, out: Path, chosen: Slice, text: str) -> Finding:
    statement = SliceQuery(goal=QUERY, **_slice_fields(request, chosen, text))
    parts = {"query": text, "solvers": list(request.solvers)}
    facts = {"n": chosen.n, "r": chosen.r, "slice": chosen}
    folder = publish(out, statement, _tag("query", request), parts, request.by("smt"), facts)
    names = tuple(request.solvers)
    claims = (*statement.claims, *request.width().claims)
    return Finding(TRUSTED, claims, str(folder), request.solver, "smt", trusted=names)


# ---- what a model is good for


def _unreached(
    request: Request, chosen: Slice, full: Slice, numbers: list[str], limits: Limits, tried: list[str]
) -> tuple[int, ...] | None:
    """A target that the model's map does not reach: a decisive one if there is any."""
    rest = [point for point in full.points if point not in chosen.points]
    candidates = [list(point) for point in (*rest, *_candidates(chosen, request))]
    scores = _grouped(chosen, numbers)
    more = ask("unreached", limits, scores=scores, r=chosen.r, kind=chosen.kind, candidates=candidates)
    if more.value is None:
        tried.append(f"no target was found that the model misses ({more.reason or f'{len(candidates)} were tried'})")
        return None
    return tuple(more.value)


def _grouped(chosen: Slice, numbers: list[str]) -> list[Any]:
    """The numbers by score, in the shape of `score_names`."""
    left = iter(numbers)
    if chosen.heads == GENERAL:
        return [[next(left) for _ in names] for names in score_names(chosen)]
    return [[[next(left) for _ in form] for form in names] for names in score_names(chosen)]


def _stored(
    request: Request, out: Path, chosen: Slice, numbers: list[str], limits: Limits, tried: list[str]
) -> Finding | None:
    """The model as an artifact: rational scores, and programs that elimination finds, not the solver's."""
    scores, points = _grouped(chosen, numbers), [list(point) for point in chosen.points]
    programs = ask("programs", limits, scores=scores, r=chosen.r, kind=chosen.kind, points=points)
    if programs.value is None:
        tried.append(f"no exact programs for the model ({programs.reason or 'elimination failed'}): not stored")
        return None
    statement = SliceModel(goal=MODEL, **_slice_fields(request, chosen, query(chosen, request.seed)))
    ratios = [text.partition("/") for text in numbers]
    model = {"scores": [[int(p), int(q or 1)] for p, _, q in ratios], "programs": _pinned(chosen, programs.value)}
    facts = {"n": chosen.n, "r": chosen.r, "slice": chosen}
    try:
        folder = publish(out, statement, _tag("model", request), {"model": model}, request.by("smt"), facts, limits)
    except RefusedError as error:
        tried.append(f"the model is not stored: {error}")
        return None
    return Finding(UNKNOWN, tuple(statement.claims), str(folder), "z3", "smt")


def _pinned(chosen: Slice, programs: list[Any]) -> list[Any]:
    """The programs that the normal form fixes are the fixed ones, whatever else elimination found."""
    rational = {"polynomial": [0, 1], "interval": [[-1, 1], [1, 1]]}
    found = []
    for t, program in enumerate(programs):
        pin = chosen.pin(t)
        found.append(program if pin is None else rational | {"coordinates": [[[x, 1]] if x else [] for x in pin]})
    return found


def _candidates(chosen: Slice, request: Request) -> list[tuple[int, ...]]:
    """Small targets in an order that the seed determines, without those of the slice."""
    digits = [-1, 1, 2, -2] if request.targets == WEAK else [0, 1, -1, 2, -2]
    source = random.Random(request.seed)
    if len(digits) ** chosen.n <= 4096:
        points = list(product(digits, repeat=chosen.n))
        source.shuffle(points)
    else:
        points = [tuple(source.choice(digits) for _ in range(chosen.n)) for _ in range(MOST_CANDIDATES)]
    return [point for point in points if point not in chosen.points][:MOST_CANDIDATES]
