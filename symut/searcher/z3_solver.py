"""z3 on a slice query, and on the question which values a given map takes; runs in the worker only.

Main definitions: `solve`, `first_unreached`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

STEP_MS = 500
"""How long one attempt to simplify a number, or to reach one value, may take."""


def solve(text: str, simplify: Sequence[str]) -> dict[str, Any]:
    """{"answer": "sat" | "unsat" | "unknown"}, and with sat "scores": the named numbers as texts, None if irrational.

    The numbers are made simple one after the other as long as the query stays satisfiable.
    """
    import z3

    solver = z3.SolverFor("QF_NRA")
    solver.from_string(text)
    answer = str(solver.check())
    if answer != "sat":
        return {"answer": answer}
    solver.set("timeout", STEP_MS)
    model = solver.model()
    for name in simplify:
        model = _simplify(solver, z3.Real(name), model)
    values: list[Any] = [model.eval(z3.Real(name), model_completion=True) for name in simplify]
    return {"answer": answer, "scores": [str(v.as_fraction()) if z3.is_rational_value(v) else None for v in values]}


def _simplify(solver: Any, variable: Any, model: Any) -> Any:
    import z3

    for candidate in _candidates(model.eval(variable, model_completion=True)):
        solver.push()
        solver.add(variable == z3.Q(candidate.numerator, candidate.denominator))
        if str(solver.check()) == "sat":
            return solver.model()
        solver.pop()
    return model


def _candidates(value: Any) -> Iterator[Fraction]:
    """0, 1, -1, then the value itself with small denominators."""
    import z3

    yield from (Fraction(0), Fraction(1), Fraction(-1))
    near: Any = value if z3.is_rational_value(value) else value.approx(20)
    seen = set()
    for limit in (1, 2, 4, 16, 256):
        candidate = near.as_fraction().limit_denominator(limit)
        if candidate not in seen:
            seen.add(candidate)
            yield candidate


def first_unreached(scores: Sequence[Any], r: int, kind: str, candidates: Sequence[Any]) -> list[int] | None:
    """The first candidate q without a real x such that f(x) = q; `scores` as in `symut.searcher.programs.values_at`."""
    import z3

    from symut.searcher.programs import values_at

    x = [z3.Real(f"x{a}") for a in range(1, r + 1)]
    values = values_at(scores, x, kind, lambda c: z3.Q(c.numerator, c.denominator))
    for candidate in candidates:
        solver = z3.SolverFor("QF_NRA")
        solver.set("timeout", STEP_MS)
        solver.add(*[value == q for value, q in zip(values, candidate, strict=True)])
        if str(solver.check()) == "unsat":
            return list(candidate)
    return None
