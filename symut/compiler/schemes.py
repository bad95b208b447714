"""The table of key schemes, and the choice among them by the names in a file.

Main definitions: `SCHEMES`, `locate_target`.
"""

from __future__ import annotations

from pathlib import Path

from symut.compiler.bert import BERT
from symut.compiler.multihead import MULTIHEAD
from symut.compiler.native import NATIVE
from symut.compiler.reader import Header, Located, Request, Scheme
from symut.errors import TargetError, UsageError

SCHEMES = {scheme.name: scheme for scheme in (NATIVE, MULTIHEAD, BERT)}
AUTO = "auto"


def locate_target(path: Path, scheme: str | None = None, request: Request = Request()) -> Located:  # noqa: B008 (frozen)
    """The target in the file, found by names and shapes alone; `scheme` None or "auto" recognises it.

    Raises UsageError for an unknown scheme; TargetError if the file cannot be read, follows no known scheme or more
    than one, or does not fit its scheme.
    """
    if scheme not in (None, AUTO, *SCHEMES):
        raise UsageError("unknown scheme", expected=" or ".join(SCHEMES), got=str(scheme))
    header = Header.of(path)
    chosen = SCHEMES[scheme] if scheme in SCHEMES else _recognised(header)
    return chosen.locate(header, request)


def _recognised(header: Header) -> Scheme:
    found = [scheme for scheme in SCHEMES.values() if scheme.matches(header.shapes)]
    if len(found) == 1:
        return found[0]
    some = ", ".join(sorted(header.shapes)[:4]) + (" ..." if len(header.shapes) > 4 else "")
    raise TargetError(
        f"{header.path} follows {'several schemes' if found else 'no known scheme'}",
        expected=" | ".join(f"{scheme.name}: {scheme.keys}" for scheme in found or SCHEMES.values()),
        got=some or "no tensors",
        remedy=f"pass --scheme {'|'.join(scheme.name for scheme in found)}" if found else "rename the tensors",
    )
