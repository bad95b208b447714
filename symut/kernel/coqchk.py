"""coqchk, Coq's second checker, on the compiled library and on one instance.

Main definitions: `check_compiled`.
The modules of proofs/coq and the instance are checked; the compiled files of mathcomp, which they use, are taken as
they are installed.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from symut.errors import InternalError
from symut.kernel.confirm import Kernel
from symut.kernel.instances import Instance
from symut.kernel.library import built_library
from symut.kernel.process import run_program
from symut.kernel.run import compile_into

COQCHK_SECONDS = 3600.0


def modules(library: Path) -> list[str]:
    """The logical names of the compiled files of a library, e.g. Symut.measure.Null."""
    names = [path.relative_to(library).with_suffix("").parts for path in sorted(library.rglob("*.vo"))]
    return [".".join(("Symut", *parts)) for parts in names]


def check_compiled(kernel: Kernel, instance: Instance) -> None:
    """Run coqchk on every module of the library and on the instance; raises InternalError if it refuses one."""
    library = built_library(kernel.coq, instance.counterpart.measure, kernel.progress)
    with tempfile.TemporaryDirectory(prefix="symut-coq-") as scratch:
        compile_into(Path(scratch), kernel.coq, library, instance)
        checked = [word for name in (*modules(library.folder), "Instance.instance") for word in ("-norec", name)]
        paths = ["-R", str(library.folder), "Symut", "-Q", scratch, "Instance"]
        command = [kernel.coq.program("coqchk"), "-silent", *paths]
        kernel.progress("coqchk", 0, 1)
        done = run_program([*command, *checked], library.folder, COQCHK_SECONDS)
        kernel.progress("coqchk", 1, 1)
    if done.code != 0:
        raise InternalError("coqchk refuses what coqc accepted", got=done.first_error)
