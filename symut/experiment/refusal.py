"""How options of `symut train` are refused: what was expected, what came, and what to do.

Main definitions: `out_of_range`, `require_choice`.
"""

from __future__ import annotations

from collections.abc import Sequence

from symut.errors import UsageError, shown
from symut.suggest import nearest


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def out_of_range(name: str, expected: str, got: object) -> UsageError:
    """The error for an option with a value that it cannot have."""
    option = _option(name)
    return UsageError(f"{option} out of range", expected=expected, got=shown(got), remedy=f"change {option}")


def require_choice(name: str, known: Sequence[str], got: object) -> None:
    """Raises UsageError with the nearest known word if `got` is none of them (the task is an argument, no option)."""
    if not isinstance(got, str) or got not in known:
        what = "unknown task" if name == "task" else f"{_option(name)} out of range"
        raise UsageError(what, expected=" or ".join(known), got=shown(got), remedy=nearest(shown(got), known))
