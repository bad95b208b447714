"""One program of Coq in a folder, with a limit on wall time; its children end with it.

Main definitions: `Done`, `run_program`.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from symut.errors import UsageError

TICK = 0.5
LONGEST = 1 << 24
"""Characters of a program's output that are kept."""
_FLAGS = ("MAKEFLAGS", "MFLAGS", "GNUMAKEFLAGS", "COQEXTRAFLAGS", "COQFLAGS", "OTHERFLAGS")
"""Variables that would make another build of this one."""
ERROR = re.compile(r'^File "([^"]*)", line (\d+).*\n(?:Warning.*\n)*Error:\s*((?:.*\n?){1,6})', re.MULTILINE)


@dataclass(frozen=True)
class Done:
    """Exit code, standard output and standard error."""

    code: int
    output: str
    errors: str

    @property
    def first_error(self) -> str:
        """coqc's first error with its place, in one line of at most 400 characters."""
        found = ERROR.search(self.errors)
        text = f"{found[1]} line {found[2]}: {found[3]}" if found else self.errors or f"exit code {self.code}"
        return " ".join(text.split())[:400]


def run_program(command: Sequence[str], folder: Path, seconds: float, show: Callable[[], None] = lambda: None) -> Done:
    """Run a command to its end, calling `show` now and then.

    Raises UsageError if it cannot be started or is not done in time; its whole process group is killed then, and when
    this process is interrupted.
    """
    environment = {name: value for name, value in os.environ.items() if name not in _FLAGS}
    with _kept() as output, _kept() as errors:
        try:
            child = subprocess.Popen(
                command,
                cwd=folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=errors,
                start_new_session=True,
            )
        except OSError as error:
            got, remedy = error.strerror or str(error), f"install {Path(command[0]).name}"
            raise UsageError(f"{command[0]} does not run", got=got, remedy=remedy) from None
        try:
            _wait(child, time.monotonic() + seconds, show)
        except subprocess.TimeoutExpired:
            remedy = "take smaller sizes, or a faster machine"
            raise UsageError(f"{Path(command[0]).name} is not done after {seconds:.0f} s", remedy=remedy) from None
        finally:
            _end(child)
        output.seek(0)
        errors.seek(0)
        return Done(child.returncode, output.read(LONGEST), errors.read(LONGEST))


def _kept() -> IO[str]:
    """A file for what a program prints, in whatever encoding."""
    return tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")


def _wait(child: subprocess.Popen, deadline: float, show: Callable[[], None]) -> None:
    while True:
        try:
            child.wait(min(TICK, max(0.0, deadline - time.monotonic())))
            return
        except subprocess.TimeoutExpired:
            if time.monotonic() >= deadline:
                raise
            show()


def _end(child: subprocess.Popen) -> None:
    """Kill what still runs of the child's process group."""
    if child.poll() is None:
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()
