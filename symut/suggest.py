"""The nearest known name to a mistyped one."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def nearest(name: str, known: Iterable[str]) -> str:
    """ "did you mean X?" for the closest known name, else "choose one of ..."."""
    names = list(known)
    close = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    return f"did you mean {close[0]}?" if close else f"choose one of {', '.join(names)}"
