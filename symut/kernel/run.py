"""coqc on one instance, and what the kernel says that its theorems assume.

Main definitions: `Verdict`, `compile_instance`, `audit`.
The allowed axioms, and how the kernel's answers are read, are those of proofs/coq/audit.py, loaded from its file.
"""

from __future__ import annotations

import importlib.util
import re
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType

from symut.errors import InternalError, UsageError
from symut.kernel.coq import TESTED, Coq
from symut.kernel.instances import Instance
from symut.kernel.library import Library, sources_folder
from symut.kernel.process import run_program

INSTANCE_SECONDS = 600.0
TOO_LARGE = re.compile("Stack overflow|Out of memory")
_NAME = "symut_coq_audit"


@cache
def audit() -> ModuleType:
    """proofs/coq/audit.py; raises InternalError if it is missing."""
    path = sources_folder() / "audit.py"
    spec = importlib.util.spec_from_file_location(_NAME, path)
    if spec is None or spec.loader is None or not path.is_file():
        raise InternalError("audit.py is missing", expected=str(path), remedy="install symut again")
    module = importlib.util.module_from_spec(spec)
    sys.modules[_NAME] = module
    spec.loader.exec_module(module)
    return module


def allowed_axioms(instance: Instance) -> Mapping[str, str]:
    """None for algebra, the three of mathcomp-analysis for measure."""
    return audit().AXIOMS_OF_ANALYSIS if instance.counterpart.measure else {}


@dataclass(frozen=True)
class Verdict:
    """What the kernel accepted: by theorem, its assumptions, each an axiom with its statement."""

    coqc: str
    library: str
    assumptions: Mapping[str, Mapping[str, str]]

    @property
    def axioms(self) -> list[str]:
        """All axioms by name."""
        return sorted({axiom for found in self.assumptions.values() for axiom in found})


def compile_instance(coq: Coq, library: Library, instance: Instance) -> Verdict:
    """Compile instance.v against the library, and read the kernel's answers.

    Raises UsageError if the time or the memory is over or an untested Coq refuses the instance; InternalError if the
    tested one does or names an axiom that is not allowed: symut wrote the instance, so both are bugs.
    """
    with tempfile.TemporaryDirectory(prefix="symut-coq-") as scratch:
        output = compile_into(Path(scratch), coq, library, instance)
    return Verdict(coq.version, library.sha256, read_assumptions(instance, output))


def compile_into(folder: Path, coq: Coq, library: Library, instance: Instance) -> str:
    """Write and compile instance.v in a folder, under the logical name Instance.instance; what coqc prints."""
    (folder / "instance.v").write_text(instance.text, "utf-8")
    options = ["-q", "-R", str(library.folder), "Symut", "-Q", ".", "Instance", "-w", "none", "-no-glob"]
    done = run_program([coq.coqc, *options, "instance.v"], folder, INSTANCE_SECONDS)
    if done.code != 0 and TOO_LARGE.search(done.errors):
        raise UsageError("too large for coqc", got=done.first_error, remedy="take smaller sizes")
    if done.code != 0 and coq.version != TESTED:
        raise UsageError(f"Coq {coq.version} refuses the instance", got=done.first_error, remedy=f"install {TESTED}")
    if done.code != 0:
        raise InternalError("coqc refuses the instance that symut wrote", got=done.first_error)
    return done.output


def read_assumptions(instance: Instance, output: str) -> dict[str, dict[str, str]]:
    """The assumptions of each theorem of the instance.

    Raises InternalError unless there is one answer for each and every axiom is allowed.
    """
    faults = audit().source_faults("instance.v", instance.text)
    faults += audit().assumption_faults("instance.v", instance.theorems, output, allowed_axioms(instance))
    if not instance.theorems or instance.theorems != audit().theorems(instance.text):
        faults.append("a theorem whose assumptions are not asked for")
    if faults:
        raise InternalError("the kernel's answers are not those of a proof", got="; ".join(faults)[:400])
    return dict(zip(instance.theorems, audit().assumptions(output), strict=True))
