"""Process time of whole commands, in fresh interpreters."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.benchmarks.row import Row, at_most

ROOT = Path(__file__).resolve().parents[2]


def child_seconds(*arguments: str, repeats: int = 5) -> float:
    """The least user + system time of `python -m symut ...` among some runs."""
    best = float("inf")
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(repeats):
            before = os.times()
            subprocess.run(
                [sys.executable, "-m", "symut", *arguments],
                cwd=folder,
                env={**os.environ, "PYTHONPATH": str(ROOT)},
                check=True,
                capture_output=True,
            )
            after = os.times()
            spent = after.children_user + after.children_system - before.children_user - before.children_system
            best = min(best, spent)
    return best


def measure() -> Iterator[Row]:
    prove = child_seconds("prove", "random_universality", "--H", "2", "--L", "3")
    yield at_most("prove random_universality --H 2 --L 3", prove, "s", 1.0)
    yield at_most("list", child_seconds("list"), "s", 0.3)
