"""What `symut check` says of each artifact, and of all of them in one line.

Main definitions: `line`, `summary`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

AGREEMENT = {True: "agrees", False: "CONTRADICTS the trusted answer", None: "does not decide"}


def _kernel_says(coqc: str, full: bool, assumptions: dict[str, list[str]]) -> str:
    axioms = sorted({axiom for found in assumptions.values() for axiom in found})
    accepts = "and coqchk accept" if full else "accepts"
    return f"coqc {coqc} {accepts} {', '.join(assumptions)}; axioms: {', '.join(axioms) or 'none'}"


def line(result: dict[str, Any]) -> str:
    """The verdict on one artifact, with the reason, the solver's answer or the kernel's."""
    reason = f": {result['reason']}" if result["reason"] else ""
    if "second" in result:
        second = result["second"]
        reason = f": {second['solver']} {AGREEMENT[second['agrees']]} ({second['answer']})"
    if "kernel" in result:
        reason = f": {_kernel_says(**result['kernel'])}"
    return f"{result['verdict']} {result['artifact']}{reason}"


def summary(results: Sequence[dict[str, Any]], solver: str | None) -> str:
    """How many artifacts were checked, with which verdicts, and what the solver or Coq said of how many."""
    valid = sum(result["verdict"] == "VALID" for result in results)
    counts = f"{len(results)} checked: {valid} VALID, {len(results) - valid} INVALID"
    if solver is None:
        return counts
    return f"{counts}; {_of_coq(results) if solver == 'coq' else _of_solver(results, solver)}"


def _of_coq(results: Sequence[dict[str, Any]]) -> str:
    """Artifacts without instance.v are counted here and have no line, since Coq says nothing of them."""
    confirmed = sum("kernel" in result for result in results)
    without = sum(result.get("instance") is False for result in results)
    return f"{confirmed} confirmed by Coq" + (f", {without} without an instance.v for it" if without else "")


def _of_solver(results: Sequence[dict[str, Any]], solver: str) -> str:
    answers = [result["second"]["agrees"] for result in results if "second" in result]
    if not answers:
        return f"none trusts a solver, so {solver} was not asked"
    counts = {"agrees with": True, "contradicts": False, "does not decide": None}
    return f"{solver} " + ", ".join(
        f"{word} {answers.count(answer)}" for word, answer in counts.items() if answer in answers
    )
