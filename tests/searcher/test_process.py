"""Limits are hard: a child that takes too long or too much is killed, and so it is when the parent is interrupted."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import symut.searcher.process as process
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


@pytest.mark.parametrize("end", [b"", b"[", b"{}{}", b'{"other": 1}', b"3"])
def test_answer_that_is_none_is_a_crash(end):
    assert process._read(0, end, b"").reason == "it crashed (no answer)"


CVC5 = """
import os, types
os.write(1, b"banner of the library\\n")
print("and of its module")
class Command:
    def __init__(self, last): self.last = last
    def isNull(self): return self.last
    def invoke(self, *_): print("noise"); return "unsat"
class InputParser:
    def __init__(self, _): self.commands = [Command(False), Command(True)]
    def setStringInput(self, *_): os.write(1, b"more")
    def nextCommand(self): return self.commands.pop(0)
    def getSymbolManager(self): return None
class Solver: pass
InputLanguage = types.SimpleNamespace(SMT_LIB_2_6=0)
"""


def test_what_a_solver_prints_does_not_change_its_answer(tmp_path, monkeypatch):
    (tmp_path / "cvc5.py").write_text(CVC5)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert ask("cvc5", Limits.of(60, 2**32), text="").value == {"answer": "unsat"}


@pytest.mark.parametrize(
    ("module", "reason"),
    [
        ("raise ImportError('libcvc5.so: cannot open')", "it cannot be loaded (libcvc5.so: cannot open)"),
        ("raise ImportError", "it cannot be loaded ()"),
        ("import nowhere_to_be_found", "missing: nowhere_to_be_found"),
    ],
)
def test_solver_that_cannot_be_loaded_says_why(tmp_path, monkeypatch, module, reason):
    (tmp_path / "cvc5.py").write_text(module)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert ask("cvc5", Limits.of(60, 2**32), text="").reason == reason


def alive(pid):
    """Whether the process runs; one that ended and that nobody has waited for does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state not in "ZX"


@pytest.mark.skipif(sys.platform != "linux", reason="the parent's death is reported by Linux")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_child_ends_with_its_parent_and_leaves_nothing(tmp_path, number):
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
    parent.send_signal(number)
    output, errors = parent.communicate(timeout=30)
    while alive(child) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not alive(child)
    assert output == ""
    assert not (tmp_path / "proofs").exists()
    assert parent.returncode == (130 if number != signal.SIGKILL else -9)
    again = "to go on: python -m symut search attention_matching --H 4 --L 1 --m 7"
    assert (again in errors) == (number != signal.SIGKILL)


def test_ignored_signals_stay_ignored():
    old = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with process.interruptible():
            assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
            assert signal.getsignal(signal.SIGTERM) is signal.default_int_handler
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    finally:
        signal.signal(signal.SIGHUP, old)
