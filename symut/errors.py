"""The error tree of symut: every error says what, expected, got and remedy in one line.

Main definitions: `printable`, `SymutError` and its subclasses; each carries its exit code.
"""

from __future__ import annotations


def printable(text: str) -> str:
    """One line: characters that a terminal would act on are written as escapes, so that no name can forge a line."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def shown(value: object) -> str:
    """A user's value in a message: at most 60 characters, also for integers too long to be written out."""
    try:
        return f"{value!s:.60}"
    except ValueError:
        return "a number of thousands of digits"


class SymutError(Exception):
    """One line: `what: expected ..., got ...; remedy`.

    Fields: `what`, `expected`, `got`, `remedy` (strings, `expected` and `got` may be empty).
    `kind` names the error for machines and `exit_code` is the command's exit code.
    """

    kind = "error"
    exit_code = 2

    def __init__(self, what: str, *, expected: str = "", got: str = "", remedy: str = "") -> None:
        self.what, self.expected, self.got, self.remedy = what, expected, got, remedy
        super().__init__(str(self))

    def __str__(self) -> str:
        facts = [f"expected {self.expected}" if self.expected else "", f"got {self.got}" if self.got else ""]
        detail = ", ".join(filter(None, facts))
        line = self.what + (f": {detail}" if detail else "") + (f"; {self.remedy}" if self.remedy else "")
        return " ".join(line.split())

    def as_json(self) -> dict[str, dict[str, str]]:
        """The object that `--json` prints: {"error": {kind, what, expected, got, remedy}}."""
        fields = {"what": self.what, "expected": self.expected, "got": self.got, "remedy": self.remedy}
        return {"error": {"kind": self.kind, **fields}}


class UsageError(SymutError):
    """A parameter or option that no construction or theorem can take."""

    kind = "usage"


class TargetError(SymutError):
    """A user's weights, inputs or backbone that cannot be read or do not fit."""

    kind = "target"


class CertificateError(SymutError):
    """A certificate that cannot be written or that the independent checker refuses."""

    kind = "certificate"
    exit_code = 13


class InternalError(SymutError):
    """A broken invariant of symut itself: a bug, never the user's fault."""

    kind = "internal"
    exit_code = 1
