"""Sizes in bytes, and times: read from the command line, predicted, and refused before anything is allocated.

Main definitions: `parse_bytes`, `require_memory`, `require_seconds`, `DEFAULT_MAX_MEMORY`, `MOST_SECONDS`.
"""

from __future__ import annotations

import re

from symut.errors import UsageError, shown

DEFAULT_MAX_MEMORY = "4GiB"
MOST_BYTES = 2**62
"""A larger limit on memory means the same as this one, and no system takes it."""
MOST_SECONDS = 10**6
"""The longest time limit, below what the clocks of the system can wait for."""
_UNITS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}


def parse_bytes(text: str | int) -> int:
    """ "512MiB", "4GiB", "2G", "1000000" as a number of bytes (binary units), at most `MOST_BYTES`.

    Raises UsageError for anything else.
    """
    if isinstance(text, int) and not isinstance(text, bool) and text >= 0:
        return min(text, MOST_BYTES)
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?\s*", str(text), flags=re.IGNORECASE | re.ASCII)
    if not match:
        raise UsageError(
            "--max-memory is no size", expected="a number with a unit", got=str(text), remedy="for example 4GiB"
        )
    return int(min(float(match[1]) * _UNITS[match[2].upper()], MOST_BYTES))


def show_bytes(count: int) -> str:
    """A number of bytes in the largest binary unit that keeps it at least 1."""
    size, unit = float(count), "B"
    for larger in ("KiB", "MiB", "GiB", "TiB"):
        if size < 1024:
            break
        size, unit = size / 1024, larger
    return f"{size:.0f} {unit}" if unit == "B" else f"{size:.1f} {unit}"


def require_seconds(value: float) -> None:
    """Raise UsageError for a --timeout that is negative, no number, or longer than `MOST_SECONDS`."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= MOST_SECONDS:
        raise UsageError(
            "--timeout out of range",
            expected=f"seconds from 0 to {MOST_SECONDS}",
            got=shown(value),
            remedy="change --timeout",
        )


def require_memory(predicted: int, limit: int, what: str) -> None:
    """Raise UsageError if `predicted` bytes exceed `limit`."""
    if predicted > limit:
        raise UsageError(
            f"{what} would need more memory than allowed",
            expected=f"at most {show_bytes(limit)}" if limit < 2**60 else "less",
            got=show_bytes(predicted) if predicted < 2**80 else "over a yobibyte",
            remedy="take a smaller size or raise --max-memory",
        )
