"""The commands as functions: what `python -m symut` does, without printing.

Main definitions: `prove`, `prove_all`, `check`, `entries`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from symut.limits import DEFAULT_MAX_MEMORY, parse_bytes
from symut.listing import Entry, entries
from symut.prover.argument import Context
from symut.prover.checker import check_artifact, find_artifacts
from symut.prover.driver import prove_theorem
from symut.registry import find_theorem, theorems
from symut.statement import Outcome

Progress = Callable[[str, int, int], None]


def _silent(label: str, done: int, total: int) -> None:
    return None


def prove(
    theorem: str,
    *,
    out: str | Path = "proofs",
    max_memory: str = DEFAULT_MAX_MEMORY,
    progress: Progress = _silent,
    **parameters: Any,
) -> Outcome:
    """Prove one instance of a theorem and write its artifact under `out`; the same as `symut prove`.

    `parameters` are the theorem's own (H, L, d, k, m, ...).  Raises UsageError or TargetError for bad input.
    """
    return prove_theorem(find_theorem(theorem), parameters, Path(out), Context(parse_bytes(max_memory), progress))


def prove_all(
    *, out: str | Path = "proofs", max_memory: str = DEFAULT_MAX_MEMORY, progress: Progress = _silent
) -> Iterator[Outcome]:
    """Prove the default set of instances of every theorem, one after the other."""
    context = Context(parse_bytes(max_memory), progress)
    for theorem in theorems().values():
        for instance in theorem.instances:
            yield prove_theorem(theorem, instance, Path(out), context)


def check(*paths: str | Path) -> list[dict[str, Any]]:
    """Re-check artifacts with check.py: {artifact, verdict, reason, claims, cited} for each, sorted within each path.

    Raises UsageError if a path does not exist or holds no artifact.
    """
    results = []
    for folder in find_artifacts([Path(path) for path in paths or ("proofs",)]):
        result = check_artifact(folder)
        claims, cited = list(result.claims), list(result.cited)
        results.append(
            {
                "artifact": str(folder),
                "verdict": result.verdict,
                "reason": result.reason,
                "claims": claims,
                "cited": cited,
            }
        )
    return results


__all__ = ["Entry", "Outcome", "check", "entries", "prove", "prove_all"]
