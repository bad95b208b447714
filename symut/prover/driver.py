"""From a theorem and its parameters to a verdict and an artifact.

Main definitions: `prove_theorem`.
Main result: PROVED is given only after check.py accepted the certificate and derived the very claims of the statement.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from symut.certificate import Certificate
from symut.errors import InternalError, UsageError
from symut.prover.argument import Argument, Confirmation, Context, Undecided
from symut.prover.checker import check_bytes
from symut.prover.exposition import proof_markdown
from symut.publish import publish_folder
from symut.statement import PROVED, REFUTED, TRUSTED, UNKNOWN, Outcome, Statement, Step
from symut.theorem import FILE, Theorem, instance_name, resolve, stated_value

STATEMENT, CERTIFICATE, PROOF, WEIGHTS = (
    "statement.json",
    "certificate.json",
    "proof.md",
    "weights.safetensors",
)

TOO_LARGE = "too large to check"
"""How check.py ends its reason where the artifact is beyond its limits, which no theorem can then reach."""

NAMES = frozenset((STATEMENT, CERTIFICATE, PROOF, WEIGHTS, "instance.v", "kernel.json"))

Confirm = Callable[[Statement], Confirmation]


def prove_theorem(
    theorem: Theorem, given: Mapping[str, Any], out: Path, context: Context, confirm: Confirm | None = None
) -> Outcome:
    """Argue, check, publish `out/<theorem>/<instance>/`, and answer.

    `confirm` asks another program about the statement that check.py accepted, before anything is published.

    Raises UsageError for bad parameters and sizes beyond check.py's limits, InternalError if check.py refuses what
    symut found.
    """
    values = resolve(theorem, given)
    argument = theorem.argue(values, context)
    _require_answer(theorem, values, argument.statement)
    shown = _answered(theorem, values, argument.statement)
    if isinstance(argument, Undecided):
        return Outcome(
            theorem.id,
            shown,
            UNKNOWN,
            claims=tuple(argument.statement.claims),
            steps=argument.steps,
            goal=argument.statement.goal,
            width=argument.statement.width,
            summary=argument.statement.summary,
            reason=argument.reason,
            known=dict(argument.known),
        )
    if argument.certificate is None and not argument.unchecked:
        raise InternalError(f"{theorem.id} gave no certificate", expected="witnesses for check.py", got="none")
    confirmation, folder = None, None
    if argument.certificate is not None:
        files = artifact_files(theorem, values, argument, argument.certificate)
        _require_accepted(argument, files)
        confirmation = confirm(argument.statement) if confirm else None
        if confirmation:
            files[PROOF] = proof_markdown(theorem, values, _shown_with(argument, confirmation)).encode()
        folder = _publish(theorem, values, argument, files | dict(confirmation.files if confirmation else {}), out)
    elif confirm:
        raise UsageError("nothing to confirm", got=argument.reason, remedy="drop --kernel")
    lemmas = confirmation.lemmas if confirmation else frozenset()
    return Outcome(
        theorem.id,
        shown,
        _verdict(argument),
        claims=(*argument.statement.claims, *argument.unchecked_claims),
        steps=_confirmed(argument.steps, confirmation) if confirmation else argument.steps,
        goal=argument.statement.goal,
        trusted=(*(lemma for lemma in argument.cited if lemma not in lemmas), *argument.unchecked),
        width=argument.statement.width,
        summary=argument.statement.summary,
        artifact=str(folder) if folder else None,
        reason=argument.reason,
        counterexample=argument.counterexample,
        kernel=dict(confirmation.report) if confirmation else {},
    )


def _shown_with(argument: Argument, confirmation: Confirmation) -> Argument:
    """The argument as proof.md shows it: lemmas that the kernel proved are cited no more."""
    cited = tuple(lemma for lemma in argument.cited if lemma not in confirmation.lemmas)
    return replace(argument, steps=_confirmed(argument.steps, confirmation), cited=cited)


def _confirmed(steps: Sequence[Step], confirmation: Confirmation) -> tuple[Step, ...]:
    """The steps, in which the confirmed lemmas are cited no more, and the step that confirms them."""
    cited = {f"lemma {lemma}" for lemma in confirmation.lemmas}
    method = confirmation.step.method
    return (
        *(replace(s, verdict=PROVED, method=f"{method}, {s.method}") if s.method in cited else s for s in steps),
        confirmation.step,
    )


def _answered(theorem: Theorem, values: Mapping[str, Any], statement: Statement) -> dict[str, Any]:
    """The parameters of an answer by name; a user's file brings sizes that were not given."""
    from_file = any(p.kind == FILE and values[p.name] is not None for p in theorem.parameters)
    found = {p.name: stated_value(p, values, statement) if from_file else values[p.name] for p in theorem.parameters}
    return {name: value for name, value in found.items() if value is not None}


def _verdict(argument: Argument) -> str:
    """TRUSTED if a program's word was taken; REFUTED if the negation of what was asked is what check.py accepted."""
    if argument.unchecked:
        return TRUSTED
    return REFUTED if argument.counterexample else PROVED


def _require_answer(theorem: Theorem, values: Mapping[str, Any], statement: Statement) -> None:
    """A construction must argue for the sizes that were asked for; a goal without a size covers all of its values."""
    for name in ("H", "L", "d", "d_out", "k", "m"):
        asked = values.get(name)
        covered = getattr(statement, name, None) is None and name not in statement.parameters
        if asked is not None and not covered and asked != getattr(statement, name, None):
            raise InternalError(
                f"{theorem.id} argues for another {name}", expected=str(asked), got=str(getattr(statement, name, None))
            )


def _publish(
    theorem: Theorem, values: Mapping[str, Any], argument: Argument, files: Mapping[str, bytes], out: Path
) -> Path:
    """Write the artifact of a checked argument; a stored backbone that was not re-checked does not name the folder."""
    if argument.unchecked:
        values = {**values, "seed": None}
    folder = out / theorem.id / instance_name(theorem, values, argument.statement)
    publish_folder(folder, files, known=NAMES)
    return folder


def artifact_files(
    theorem: Theorem, values: Mapping[str, Any], argument: Argument, certificate: Certificate
) -> dict[str, bytes]:
    """The files of an artifact; weights.safetensors only if the statement names one."""
    files = {STATEMENT: argument.statement.as_bytes(), CERTIFICATE: certificate.as_bytes()}
    if argument.weights is not None:
        files[WEIGHTS] = argument.weights
    files[PROOF] = proof_markdown(theorem, values, argument).encode()
    return files


def _require_accepted(argument: Argument, files: Mapping[str, bytes]) -> None:
    result = check_bytes(files[STATEMENT], files[CERTIFICATE], files.get(WEIGHTS))
    if result.reason and result.reason.endswith(TOO_LARGE):
        raise UsageError("too large for check.py", got=result.reason, remedy="take a smaller size")
    if result.verdict != "VALID" or list(result.claims) != argument.statement.claims:
        raise InternalError(
            "check.py refuses the certificate that symut built", got=result.reason or str(result.claims)
        )
