"""What an emitted folder was made of: the command and the program that its module states.

Main definition: `replaced`.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

_COMMAND = re.compile(r"^COMMAND = (\((?:\n.*)+?\n\)|.*)$", re.MULTILINE)
_PROGRAM = re.compile(r"^    program +SHA-256 ([0-9a-f]{64})$", re.MULTILINE)


def replaced(target: Path, module: bytes) -> str | None:
    """The command of the module in the folder `target`, if it was made of another command or program than `module`."""
    try:
        old = _made_of((target / "model.py").read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError):
        return None
    new = _made_of(module.decode())
    return old[0] if old is not None and old != new else None


def _made_of(text: str) -> tuple[str, str] | None:
    command, program = _COMMAND.search(text), _PROGRAM.search(text)
    if command is None or program is None:
        return None
    try:
        return str(ast.literal_eval(command.group(1))), program.group(1)
    except (ValueError, SyntaxError):
        return None
