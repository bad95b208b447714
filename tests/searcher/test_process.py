"""Limits are hard: a child that takes too long or too much is killed, and so it is when the parent is interrupted."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from symut.searcher.process import Limits, ask
from symut.searcher.slice import decisive, query

HARD = decisive(4, 1, 7, "general", "weak")


def test_overrun_is_killed_at_the_limit():
    start = time.monotonic()
    answer = ask("z3", Limits.of(2.0, 2**32), text=query(HARD, 0), simplify=[])
    seconds = time.monotonic() - start
    assert (answer.value, answer.reason) == (None, "the time was over")
    assert 1.9 < seconds < 4.0  # the limit, and slack for a loaded machine


def test_no_time_starts_nothing():
    assert ask("z3", Limits.of(0, 2**32), text="", simplify=[]).reason == "no time was left"


def test_memory_limit_is_named():
    answer = ask("z3", Limits.of(60, 2**26), text=query(HARD, 0), simplify=[])
    assert answer.value is None
    assert answer.reason.startswith(("the memory was over", "it crashed", "missing"))


def test_broken_query_is_a_crash_with_its_reason():
    answer = ask("z3", Limits.of(60, 2**32), text="(assert", simplify=[])
    assert answer.value is None
    assert answer.reason.startswith("it crashed (")


def test_interrupt_kills_the_child_and_leaves_nothing(tmp_path):
    command = "search attention_matching --H 4 --L 1 --m 7 --targets weak --method smt --timeout 600"
    root = Path(__file__).resolve().parents[2]
    parent = subprocess.Popen(
        [sys.executable, "-m", "symut", *command.split(), "--out", str(tmp_path / "proofs")],
        cwd=root,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    children = Path(f"/proc/{parent.pid}/task/{parent.pid}/children")
    deadline = time.monotonic() + 60
    while not children.read_text().split() and time.monotonic() < deadline:
        time.sleep(0.05)
    child = int(children.read_text().split()[0])
    time.sleep(0.5)
    parent.send_signal(signal.SIGINT)
    output, errors = parent.communicate(timeout=30)
    assert parent.returncode == 130
    assert output == ""
    assert "to go on: python -m symut search attention_matching --H 4 --L 1 --m 7" in errors
    assert not (tmp_path / "proofs").exists()
    assert not os.path.exists(f"/proc/{child}")  # noqa: PTH110 - a pid, not a file of ours
