"""The kernel beside a proof: `symut prove --kernel coq`.

Main definitions: `Kernel`, `ready_kernel`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from symut.kernel.coq import TESTED, Coq, find_coq
from symut.kernel.counterparts import require_theorem
from symut.kernel.instances import Instance, instance_of
from symut.kernel.library import Progress, built_library
from symut.kernel.record import INSTANCE, RECORD, record_bytes
from symut.kernel.run import Verdict, compile_instance
from symut.prover.argument import Confirmation
from symut.statement import Statement, Step

STEP = "kernel"


@dataclass(frozen=True)
class Kernel:
    """An installed Coq that accepts instances."""

    coq: Coq
    progress: Progress

    def verdict(self, instance: Instance) -> Verdict:
        """The kernel's answer; builds the library if there is none for this state of its sources."""
        library = built_library(self.coq, instance.counterpart.measure, self.progress)
        self.progress("coqc instance.v", 0, 1)
        found = compile_instance(self.coq, library, instance)
        self.progress("coqc instance.v", 1, 1)
        return found

    def confirm(self, statement: Statement) -> Confirmation:
        """The files, the step and the lemmas that a proof gains.

        Raises UsageError if the goal has no counterpart, InternalError if the kernel refuses.
        """
        instance = instance_of(statement)
        verdict = self.verdict(instance)
        names = ", ".join(instance.theorems)
        rests = ", ".join(verdict.axioms) or "no axiom"
        return Confirmation(
            files={INSTANCE: instance.text.encode(), RECORD: record_bytes(instance, verdict)},
            step=Step(STEP, f"{names} of {INSTANCE} hold; they rest on {rests}", f"coqc {verdict.coqc}"),
            lemmas=instance.lemmas,
            report={
                "coqc": verdict.coqc,
                "library": verdict.library,
                "theorems": list(instance.theorems),
                "assumptions": {name: sorted(axioms) for name, axioms in verdict.assumptions.items()},
                "not_proved": list(instance.missing),
            },
        )


def ready_kernel(theorem: str, progress: Progress, warn: Callable[[str], None]) -> Kernel:
    """The kernel for a theorem; `warn` gets a line if this Coq is not the tested one.

    Raises UsageError if the theorem has no counterpart or Coq is missing.
    """
    require_theorem(theorem)
    return installed_kernel(progress, warn)


def installed_kernel(progress: Progress, warn: Callable[[str], None]) -> Kernel:
    """The same for whatever theorem."""
    coq = find_coq()
    if coq.version != TESTED:
        warn(f"Coq {coq.version} is not the tested {TESTED}; trying it")
    return Kernel(coq, progress)
