"""z3 on an SMT-LIB query in a subprocess with a hard limit on wall time and memory.

Main definitions: `ask`, `Answer`, `main` (the child).
Nothing that z3 says is taken for an input without being run: its numbers are exact and go back to the interpreter.
"""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[3]


@dataclass(frozen=True)
class Answer:
    """`word` is sat, unsat or unknown; `numbers` are exact values of x0, ..., if all are rational; `reason` if none."""

    word: str = "unknown"
    numbers: tuple[Fraction, ...] | None = None
    reason: str = ""


def ask(query: str, n: int, seconds: float, memory: int) -> Answer:
    """z3's answer to a query over the constants x0, ..., x(n-1)."""
    if seconds <= 0:
        return Answer(reason="no time was left")
    request = json.dumps({"query": query, "n": n, "memory": memory}).encode()
    code = f"import sys; sys.path.insert(0, {str(_ROOT)!r}); from symut.rasp.symbolic.solver import main; main()"
    with subprocess.Popen(
        [sys.executable, "-P", "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as child:
        try:
            output, errors = child.communicate(request, timeout=seconds)
        except subprocess.TimeoutExpired:
            child.kill()
            return Answer(reason="the time was over")
        except BaseException:
            child.kill()
            raise
    if child.returncode != 0:
        return Answer(reason="it crashed or the memory was over: " + errors.decode(errors="replace").strip()[-100:])
    found = json.loads(output)
    numbers = found["numbers"]
    return Answer(found["word"], tuple(map(Fraction, numbers)) if numbers else None, found["reason"])


def main() -> None:
    """Read {query, n, memory} from standard input and print {word, numbers, reason}."""
    import resource

    request = json.loads(sys.stdin.buffer.read())
    resource.setrlimit(resource.RLIMIT_AS, (request["memory"], request["memory"]))
    try:
        import z3
    except ImportError:
        print(json.dumps({"word": "unknown", "numbers": None, "reason": "it is not installed (pip install z3-solver)"}))
        return
    solver = z3.Solver()
    solver.from_string(request["query"])
    word = str(solver.check())
    numbers = _numbers(solver.model(), request["n"]) if word == "sat" else None
    print(json.dumps({"word": word, "numbers": numbers, "reason": "" if word != "unknown" else "z3 gives no answer"}))


def _numbers(model, n: int) -> list[str] | None:
    """The model's values as texts p/q, None if one is irrational."""
    import z3

    given = {str(name): model[name] for name in model.decls()}
    values = [given.get(f"x{i}", z3.IntVal(0)) for i in range(n)]
    if not all(z3.is_rational_value(value) or z3.is_int_value(value) for value in values):
        return None
    return [str(value.as_fraction() if z3.is_rational_value(value) else value.as_long()) for value in values]
