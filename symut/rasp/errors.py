"""Errors in RASP programs: one line with file, line and column, and an excerpt with a caret under the place.

Main definitions: `Source`, `Position`, `RaspError`.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field

from symut.errors import SymutError, printable

_EXCERPT_WIDTH = 100


@dataclass(frozen=True, eq=False)
class Source:
    """A program's text and the name under which errors cite it."""

    name: str
    text: str = field(repr=False)


@dataclass(frozen=True)
class Position:
    """A place in a source; line and column count from 1. `calls` are the calls around it, innermost first."""

    source: Source
    line: int
    column: int
    calls: tuple[Position, ...] = ()

    def __str__(self) -> str:
        return f"{self.source.name}:{self.line}:{self.column}"

    def excerpt(self) -> tuple[str, str]:
        """The source line, and a line with a caret under the column."""
        lines = self.source.text.split("\n")
        text = lines[self.line - 1] if self.line <= len(lines) else ""
        start = max(0, self.column - 1 - _EXCERPT_WIDTH // 2)
        before = text[start : self.column - 1].replace("\t", " ")
        rest = text[self.column - 1 : start + _EXCERPT_WIDTH].replace("\t", " ")
        margin = f"{self.line:>5} | "
        caret = " " * (len(margin) - 2) + "| " + " " * _columns(printable(before)) + "^"
        return margin + printable(before + rest.rstrip("\r")), caret


def _columns(text: str) -> int:
    """The width of a text on a terminal: wide characters take two columns, combining ones none."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in ("W", "F") else 1 for c in text
    )


class RaspError(SymutError):
    """A program that cannot be read, elaborated or run; `at` is its place, if it comes from a text."""

    kind = "rasp"

    def __init__(
        self, what: str, *, at: Position | None = None, expected: str = "", got: str = "", remedy: str = ""
    ) -> None:
        self.at = at
        super().__init__(what, expected=expected, got=got, remedy=remedy)

    def placed(self, at: Position | None) -> RaspError:
        """This error, at the given place if it had none."""
        self.at = self.at or at
        return self

    def __str__(self) -> str:
        where = f"{self.at}: " if self.at else ""
        calls = list(dict.fromkeys(map(str, self.at.calls))) if self.at else []
        trail = f" (called from {', '.join(calls[:3])})" if calls else ""
        return where + super().__str__() + trail

    def excerpt(self) -> tuple[str, ...]:
        """The line of the program and its caret, if the place is known."""
        return self.at.excerpt() if self.at else ()

    def as_json(self) -> dict[str, dict]:
        """As for every error, with `file`, `line` and `column` (null if the place is unknown)."""
        at = self.at
        place = {"file": at.source.name, "line": at.line, "column": at.column} if at else None
        return {"error": {**super().as_json()["error"], **(place or {"file": None, "line": None, "column": None})}}


class LimitError(RaspError):
    """A limit of this implementation was met, for example on the length of numbers: the program itself has a value."""
