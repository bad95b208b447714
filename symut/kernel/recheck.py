"""`symut check --with coq`: the kernel once more on the instance that the statement determines.

Main definitions: `Recheck`, `has_instance`, `recheck`.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from symut.errors import CertificateError, UsageError
from symut.kernel.confirm import Kernel
from symut.kernel.coqchk import check_compiled
from symut.kernel.instances import Instance, instance_of
from symut.kernel.record import INSTANCE, RECORD, read_plain, read_record
from symut.kernel.stated import read_statement


@dataclass(frozen=True)
class Recheck:
    """What the kernel said: coqc's version, and the axioms of each theorem; `full` if coqchk agreed as well."""

    coqc: str
    assumptions: dict[str, list[str]]
    full: bool = False


def has_instance(folder: Path) -> bool:
    """Whether an artifact has a file of the kernel."""
    return any((folder / name).exists() for name in (INSTANCE, RECORD))


def recheck(folder: Path, kernel: Kernel, full: bool) -> Recheck:
    """Write instance.v again from statement.json, compare, compile, and compare the assumptions with kernel.json.

    `folder` is an artifact that check.py accepts.  Raises CertificateError where it differs from what the statement
    determines, InternalError if the kernel refuses the instance, UsageError if Coq or its libraries are missing.
    """
    instance = _determined(folder)
    record = read_record(folder)
    if record.get("instance") != hashlib.sha256(instance.text.encode()).hexdigest():
        raise CertificateError(f"{RECORD} is about another instance", remedy="make the artifact again")
    verdict = kernel.verdict(instance)
    if record.get("assumptions") != {name: dict(axioms) for name, axioms in verdict.assumptions.items()}:
        got = str(record.get("assumptions"))[:200]
        raise CertificateError(f"{RECORD} has other assumptions than the kernel", got=got)
    if full:
        check_compiled(kernel, instance)
    return Recheck(verdict.coqc, {name: sorted(axioms) for name, axioms in verdict.assumptions.items()}, full)


def _determined(folder: Path) -> Instance:
    """The instance of an artifact's statement; raises CertificateError unless instance.v is it, byte for byte."""
    try:
        instance = instance_of(read_statement(folder))
        stored = read_plain(folder / INSTANCE)
    except UsageError as error:
        raise CertificateError(f"{INSTANCE} has no theorem to apply", got=str(error)) from None
    except (OSError, ValueError):
        raise CertificateError(f"{INSTANCE} cannot be read", remedy="make the artifact again") from None
    if stored != instance.text.encode():
        raise CertificateError(f"{INSTANCE} is not the instance of the statement", remedy="make the artifact again")
    return instance
