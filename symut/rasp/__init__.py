"""RASP (Weiss, Goldberg, Yahav 2021): the language, its core graph of sequence operations, and exact evaluation.

Text goes through grammar.lark and `parse` to the syntax, through `elaborate` and `statements` to `core`, and is run by
`interpret`.  Main definitions: `load_program`, `read_program`, `Program`, `evaluate`, `RaspError`.
"""

from symut.rasp.errors import Position, RaspError, Source
from symut.rasp.interpret import evaluate, evaluate_all
from symut.rasp.program import Program, load_program, read_program

__all__ = [
    "Position",
    "Program",
    "RaspError",
    "Source",
    "evaluate",
    "evaluate_all",
    "load_program",
    "read_program",
]
