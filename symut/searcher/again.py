"""The command that asks a question of the search again, without anything heavy to import.

Main definitions: `command_of`, `limits_of`.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any

from symut.limits import DEFAULT_MAX_MEMORY, MOST_BYTES, MOST_SECONDS, parse_bytes

_DEFAULTS = {"solver": "z3", "method": "auto", "seed": 0, "start": None}
FOLDER = "proofs"
"""Where artifacts go without --out."""


def command_of(options: Mapping[str, Any]) -> str:
    """The command by the names of its options, without --out and the limits."""
    sizes = " ".join(f"--{name} {options[name]}" for name in ("H", "L", "m", "heads", "targets"))
    given = [(name, options[name]) for name, default in _DEFAULTS.items() if options[name] != default]
    return f"python -m symut search attention_matching {sizes}" + "".join(f" --{name} {value}" for name, value in given)


def limits_of(seconds: float, memory: int, out: str) -> str:
    """The options --timeout, and --max-memory and --out unless they are the defaults; never more than is allowed."""
    memory = min(memory, MOST_BYTES)
    text = f" --timeout {min(seconds, MOST_SECONDS):.12g}"
    if memory != parse_bytes(DEFAULT_MAX_MEMORY):
        text += f" --max-memory {f'{memory >> 20}MiB' if memory % 2**20 == 0 else memory}"
    return text + (f" --out {shlex.quote(out)}" if out != FOLDER else "")
