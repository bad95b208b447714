"""A second solver on the stored queries of conditional artifacts.

Main definitions: `Opinion`, `second_opinion`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from symut.errors import CertificateError
from symut.searcher.artifact import QUERY
from symut.searcher.process import Limits
from symut.searcher.solving import ask_solver


@dataclass(frozen=True)
class Opinion:
    """What `solver` said about the query: "unsat" agrees with the artifact, "sat" contradicts it."""

    solver: str
    answer: str

    @property
    def agrees(self) -> bool | None:
        """True or False, or None if there was no answer."""
        return {"unsat": True, "sat": False}.get(self.answer)


def second_opinion(folder: Path, solver: str, timeout: float, max_memory: int) -> Opinion:
    """Ask `solver` about the query in a VALID conditional artifact.

    Raises CertificateError if query.smt2 is not the query that check.py derived, UsageError if the solver is missing.
    """
    text = json.loads((folder / "certificate.json").read_bytes())["query"]
    stored = folder / QUERY
    if not stored.is_file() or stored.read_bytes() != text.encode():
        raise CertificateError(f"{stored} is not the query of the statement", remedy="make the artifact again")
    answer = ask_solver(solver, text, Limits.of(timeout, max_memory), [])
    return Opinion(solver, answer.value["answer"] if answer.value else f"no answer, {answer.reason}")
