"""Process time of whole commands, in fresh interpreters."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.benchmarks.row import Row, at_most

DEEP = (
    "sparse_universality",
    "random_universality",
    "looped_universality",
    "residual_universality",
    "score_matching_universality",
    "affine_universality",
    "sharp_width",
    "output_lower_bound",
    "attention_matching_lower_bound",
)
ROOT = Path(__file__).resolve().parents[2]


def child_seconds(*arguments: str, repeats: int = 5) -> float:
    """The least user + system time of `python -m symut ...` among some runs."""
    best = float("inf")
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(repeats):
            before = os.times()
            subprocess.run(
                [sys.executable, "-m", "symut", *arguments],
                cwd=ROOT if arguments[0] == "bounds" else folder,
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
    yield at_most(
        "bounds --H 2 --L 3 --d 4 --k 4",
        child_seconds("bounds", *["--H", "2", "--L", "3", "--d", "4", "--k", "4"]),
        "s",
        1.0,
    )
    search = child_seconds("search", "attention_matching", *["--H", "2", "--L", "1", "--m", "3"])
    yield at_most("search attention_matching --H 2 --L 1 --m 3", search, "s", 5.0)
    for theorem in DEEP:
        seconds = child_seconds("prove", theorem, "--H", "3", "--L", "6", repeats=2)
        yield at_most(f"prove {theorem} --H 3 --L 6", seconds, "s", 5.0)
