"""The RASP programs of this folder, with sizes.

Main definition: `sequence`.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from symut.rasp.core import Sequence

FOLDER = Path(__file__).resolve().parent


def text(file: str, function: str, *sizes: int) -> str:
    """A program that loads `file`.rasp and calls one of its functions."""
    return f'load "{file}";\nanswer = {function}({", ".join(map(str, sizes))});\n'


def sequence(file: str, function: str, *sizes: int) -> Sequence:
    """The sequence that the program computes."""
    from symut.rasp import read_program
    from symut.rasp.core import Sequence

    node = read_program(text(file, function, *sizes), f"{function}.rasp", FOLDER / f"{function}.call").node("answer")
    assert isinstance(node, Sequence)
    return node
