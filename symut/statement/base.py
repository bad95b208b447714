"""What every statement has, and what an answer to one is.

Main definitions: `Statement`, `Outcome`, `Step`, `EXIT_CODES`.
The text of a statement is a function of its goal and parameters alone (proofs/FORMAT.md, section 2); the independent
checker derives it again and compares byte for byte.
"""

from __future__ import annotations

import hashlib
import json
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any, ClassVar

PROVED, REFUTED, UNKNOWN, TRUSTED = "PROVED", "REFUTED", "UNKNOWN", "TRUSTED"
CITED = "CITED"
"""The verdict of a step that rests on a textbook lemma; it does not lower the verdict of the whole."""
EXIT_CODES = {PROVED: 0, REFUTED: 10, UNKNOWN: 11, TRUSTED: 12}
"""The exit code of `prove` for each verdict."""


class Statement(ABC):
    """A goal of the checker with its parameters.  Sizes that a goal does not have, or leaves open, are None."""

    goal: str
    H: Any = None
    L: Any = None
    d: Any = None
    k: Any = None
    m: Any = None
    weights: Any = None
    template: ClassVar[str] = "proof.md.j2"
    """The template of proof.md."""

    @property
    @abstractmethod
    def parameters(self) -> dict[str, Any]:
        """The parameters of statement.json by name."""

    @property
    @abstractmethod
    def claims(self) -> list[str]:
        """The sentences claimed, in the order of FORMAT.md."""

    @property
    @abstractmethod
    def width(self) -> str:
        """The width that the statement is about, as text: an integer or a linear count such as `28*k + 8*d`."""

    @property
    def summary(self) -> str:
        """The width with its meaning, for one line, e.g. `N = 48` or `m >= 36`."""
        return f"N = {self.width}"

    def as_bytes(self) -> bytes:
        """The bytes of statement.json."""
        fields = {
            "format": "symut-statement-1",
            "goal": self.goal,
            "parameters": self.parameters,
            "claims": self.claims,
        }
        return (json.dumps(fields, indent=2, sort_keys=True) + "\n").encode("ascii")

    @property
    def sha256(self) -> str:
        """SHA-256 of statement.json, lower-case hexadecimal."""
        return hashlib.sha256(self.as_bytes()).hexdigest()


@dataclass(frozen=True)
class Step:
    """One step of a proof: what is claimed, by which method, and what the prover found."""

    id: str
    claim: str
    method: str
    verdict: str = PROVED


@dataclass(frozen=True)
class Outcome:
    """The answer of `prove`.

    `goal` is what check.py checked; `width` and `summary` are the statement's; `artifact` is the folder written (None
    if nothing was); `trusted` lists cited lemmas and programs that check.py does not re-check; `reason` says in one
    line why the verdict is not PROVED; `counterexample` says where a REFUTED one fails; `known` has the best bounds;
    `kernel` is what Coq says, if it was asked.
    """

    theorem: str
    parameters: dict[str, Any]
    verdict: str
    claims: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()
    goal: str = ""
    trusted: tuple[str, ...] = ()
    width: str = ""
    summary: str = ""
    artifact: str | None = None
    reason: str = ""
    counterexample: str = ""
    known: dict[str, Any] = field(default_factory=dict)
    kernel: dict[str, Any] = field(default_factory=dict)

    @property
    def exit_code(self) -> int:
        """0 PROVED, 10 REFUTED, 11 UNKNOWN, 12 TRUSTED."""
        return EXIT_CODES[self.verdict]
