"""Heavy work in a subprocess with a hard limit on wall time and memory.

Main definitions: `Limits`, `Answer`, `ask`, `interruptible`.
A job is the name of a function of `symut.searcher.worker`; its arguments and its answer are JSON.  The child is killed
when the time is over, when the parent is interrupted, and (by the system) when the parent is killed; the parent says
why there is no answer.
"""

from __future__ import annotations

import json
import math
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

OUT_OF_TIME, OUT_OF_MEMORY = "the time was over", "the memory was over"
_ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Limits:
    """`deadline` on the monotonic clock, in seconds; `memory` in bytes for each child."""

    deadline: float
    memory: int

    @classmethod
    def of(cls, seconds: float, memory: int) -> Limits:
        """Limits that start now."""
        return cls(time.monotonic() + seconds, memory)

    @property
    def left(self) -> float:
        """Seconds that are left, at least 0."""
        return max(0.0, self.deadline - time.monotonic())


@dataclass(frozen=True)
class Answer:
    """`value` is what the job returned, or None with `reason` in a few words."""

    value: Any = None
    reason: str = ""


def ask(job: str, limits: Limits, **arguments: Any) -> Answer:
    """Run one job; an answer without value if the time or memory is over or the child dies."""
    if limits.left <= 0:
        return Answer(reason="no time was left")
    bounds = {"memory": limits.memory, "seconds": math.ceil(limits.left) + 1, "parent": os.getpid()}
    request = json.dumps({"job": job, **bounds, "arguments": arguments}).encode()
    code = f"import sys; sys.path.insert(0, {str(_ROOT)!r}); from symut.searcher.worker import main; main()"
    with subprocess.Popen(
        [sys.executable, "-P", "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as child:
        try:
            output, errors = child.communicate(request, timeout=limits.left)
        except subprocess.TimeoutExpired:
            child.kill()
            return Answer(reason=OUT_OF_TIME)
        except BaseException:
            child.kill()
            child.wait()
            raise
    return _read(child.returncode, output, errors)


@contextmanager
def interruptible() -> Iterator[None]:
    """SIGTERM and SIGHUP interrupt like Ctrl-C, so that children end and nothing half-written stays.

    A signal that the process ignores or handles stays as it is.
    """
    replaced = []
    if threading.current_thread() is threading.main_thread():
        replaced = [s for s in (signal.SIGTERM, signal.SIGHUP) if signal.getsignal(s) is signal.SIG_DFL]
    for number in replaced:
        signal.signal(number, signal.default_int_handler)
    try:
        yield
    finally:
        for number in replaced:
            signal.signal(number, signal.SIG_DFL)


def _read(code: int, output: bytes, errors: bytes) -> Answer:
    if code == -signal.SIGXCPU:
        return Answer(reason=OUT_OF_TIME)
    if code < 0:
        return Answer(reason=f"it crashed (signal {-code})")
    if code == 0:
        try:
            return Answer(**json.loads(output))
        except (ValueError, TypeError):
            return Answer(reason="it crashed (no answer)")
    lines = errors.decode(errors="replace").strip().splitlines()
    last = lines[-1][:200] if lines else f"exit code {code}"
    return Answer(reason=OUT_OF_MEMORY if "emory" in last else f"it crashed ({last})")
