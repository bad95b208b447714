"""What has no encoder, and why: collected before anything is lowered, so that all of it is said at once.

Main definitions: `Issue`, `refusal`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from symut.rasp.errors import Position, RaspError


@dataclass(frozen=True)
class Issue:
    """A construct without an encoder: its place (None if it does not come from a text), what, why, and a remedy."""

    at: Position | None
    what: str
    reason: str
    remedy: str = ""

    def __str__(self) -> str:
        where = f"{self.at}: " if self.at else ""
        return f"{where}{self.what} has no encoder: {self.reason}" + (f"; {self.remedy}" if self.remedy else "")


def refusal(issues: Sequence[Issue]) -> RaspError:
    """The error of a program with these issues: the first one, and how many more there are."""
    first = issues[0]
    more = f" (and {len(issues) - 1} more)" if len(issues) > 1 else ""
    return RaspError(f"{first.what} has no encoder: {first.reason}{more}", at=first.at, remedy=first.remedy)
