"""What model.py of an emitted folder must be, byte for byte, given the weights beside it.

Main definition: `rendered_again`.
Main result: the answer is symut's own rendering, whatever the folder holds.  The recorded command, theorem ids,
statement hash and memory limit are not in the weights; they are taken from the found text as plain words and numbers,
which the renderer quotes, so that they cannot become code.
"""

from __future__ import annotations

import ast
import re
from itertools import zip_longest
from typing import Any

from symut.backbone.forms import FormShape


def rendered_again(found: str, kind: str, shape: FormShape, m: int, weights: bytes) -> str:
    """The module of this kind that this version of symut emits for the file `weights`, with the words that `found` has.

    Raises UsageError if the weights have other sizes than the shape and m say or than the recorded memory limit allows.
    """
    from symut.emitter import emit

    literals, theorems = _literals(found), _fact(found, "theorems")
    files = emit(
        kind,
        shape,
        m,
        weights=lambda: weights,
        command=literals.get("COMMAND", ""),
        theorems=() if theorems == "none" else theorems.split(", "),
        statement_hash=_fact(found, "statement").removeprefix("SHA-256 ").removeprefix("none"),
        max_memory=literals.get("MAX_MEMORY", 0),
        dtype="float32",  # for the memory prediction only: what was emitted under the recorded limit passes
    )
    return files["model.py"].decode()


def first_difference(expected: str, found: str) -> str:
    """Which line of `found` differs first, for a message."""
    pairs = zip_longest(expected.splitlines(), found.splitlines(), fillvalue="the end of the file")
    for number, (ours, theirs) in enumerate(pairs, 1):
        if ours != theirs:
            return f"line {number}: {theirs.strip()[:80]!r}"
    return "other line ends"


def _literals(text: str) -> dict[str, Any]:
    """COMMAND (text) and MAX_MEMORY (integer) as the module assigns them; parsed, never evaluated."""
    wanted = {"COMMAND": str, "MAX_MEMORY": int}
    try:
        assigned = [node for node in ast.parse(text).body if isinstance(node, ast.Assign)]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    found = {}
    for node in assigned:
        target, value = node.targets[0], node.value
        name = target.id if isinstance(target, ast.Name) else ""
        if name in wanted and isinstance(value, ast.Constant) and type(value.value) is wanted[name]:
            found[name] = value.value
    return found


def _fact(text: str, label: str) -> str:
    """A fact of the module's header, its wrapped lines joined; "none" if there is no such line."""
    match = re.search(rf"^    {label:<12}(.*(?:\n {{16}}.*)*)$", text, flags=re.MULTILINE)
    return " ".join(match[1].split()) if match else "none"
