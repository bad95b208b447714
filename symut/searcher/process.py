"""Heavy work in a subprocess with a hard limit on wall time and memory.

Main definitions: `Limits`, `Answer`, `ask`.
A job is the name of a function of `symut.search.worker`; its arguments and its answer are JSON.  The child is killed
when the time is over or when the parent is interrupted, and the parent says why there is no answer.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

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
    request = json.dumps({"job": job, "memory": limits.memory, "arguments": arguments}).encode()
    code = f"import sys; sys.path.insert(0, {str(_ROOT)!r}); from symut.search.worker import main; main()"
    with subprocess.Popen(
        [sys.executable, "-P", "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as child:
        try:
            output, errors = child.communicate(request, timeout=limits.left)
        except subprocess.TimeoutExpired:
            child.kill()
            return Answer(reason="the time was over")
        except BaseException:
            child.kill()
            child.wait()
            raise
    return _read(child.returncode, output, errors)


def _read(code: int, output: bytes, errors: bytes) -> Answer:
    if code == 0:
        return Answer(**json.loads(output))
    if code < 0:
        return Answer(reason=f"it crashed (signal {-code})")
    lines = errors.decode(errors="replace").strip().splitlines()
    last = lines[-1][:200] if lines else f"exit code {code}"
    return Answer(reason="the memory was over" if "emory" in last else f"it crashed ({last})")
