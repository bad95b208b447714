"""Coq on this machine: where it is, which version, and whether the libraries that proofs/coq needs are there.

Main definitions: `Coq`, `find_coq`, `TESTED`, `PACKAGES`.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from symut.errors import UsageError

TESTED = "8.16.1"
PACKAGES = (
    "coq libcoq-mathcomp-ssreflect libcoq-mathcomp-algebra libcoq-mathcomp-zify libcoq-mathcomp-multinomials "
    "libcoq-mathcomp-analysis"
)
ALGEBRA = ("mathcomp/ssreflect/all_ssreflect.vo", "mathcomp/algebra/all_algebra.vo", "SsrMultinomials/mpoly.vo")
ZIFY = ("mathcomp/zify/zify.vo", "mathcomp/zify.vo")
ANALYSIS = ("mathcomp/analysis/lebesgue_integral.vo",)
VERSION_SECONDS = 60


@dataclass(frozen=True)
class Coq:
    """The programs of one installation, found on PATH, and its version."""

    coqc: str
    version: str

    def program(self, name: str) -> str:
        """coqchk or coq_makefile of the same installation; raises UsageError if it is missing."""
        beside = Path(self.coqc).with_name(name)
        found = str(beside) if beside.is_file() else shutil.which(name)
        if found is None:
            raise _missing(name)
        return found

    @cached_property
    def where(self) -> Path:
        """The folder of its libraries."""
        return Path(_answer([self.coqc, "-where"]).strip())

    def libraries(self, measure: bool) -> bytes:
        """A digest of the installed mathcomp, which changes with it; raises UsageError if a library is missing."""
        contrib = self.where / "user-contrib"
        digest = hashlib.sha256()
        for names in [(name,) for name in (*ALGEBRA, *(ANALYSIS if measure else ()))] + [ZIFY]:
            found = next((contrib / name for name in names if (contrib / name).is_file()), None)
            if found is None:
                raise _missing(names[0].removesuffix(".vo").replace("/", "."))
            digest.update(found.read_bytes())
        return digest.digest()


def _missing(name: str) -> UsageError:
    return UsageError(f"{name} is missing", remedy=f"on Debian and Ubuntu: apt-get install {PACKAGES}")


def find_coq() -> Coq:
    """The Coq on PATH; raises UsageError if there is none, naming the Debian packages."""
    coqc = shutil.which("coqc")
    if coqc is None:
        raise _missing("coqc")
    version = re.search(r"version (\S+)", _answer([coqc, "--version"]))
    if version is None:
        raise UsageError("coqc does not say its version", got=coqc, remedy=f"install Coq {TESTED}")
    return Coq(coqc, version.group(1))


def _answer(command: Sequence[str]) -> str:
    try:
        done = subprocess.run(command, capture_output=True, timeout=VERSION_SECONDS, check=True)
    except (OSError, subprocess.SubprocessError) as error:
        raise UsageError("coqc does not run", got=str(error), remedy="install Coq again") from None
    return done.stdout.decode("utf-8", "replace")
