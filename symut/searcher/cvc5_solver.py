"""cvc5 on an SMT-LIB query; runs in the worker only."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def solve(text: str) -> dict[str, Any]:
    """{"answer": "sat" | "unsat" | "unknown"}: the words of cvc5 about the last check of the query."""
    cvc5: Any = import_module("cvc5")  # without type information
    solver = cvc5.Solver()
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "query")
    words = ""
    while not (command := parser.nextCommand()).isNull():
        words += command.invoke(solver, parser.getSymbolManager())
    lines = words.split()
    answer = lines[-1] if lines else "unknown"
    return {"answer": answer if answer in ("sat", "unsat") else "unknown"}
