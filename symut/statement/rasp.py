"""The statement that two RASP programs, as graphs of operations, are equal on all inputs of some lengths.

Main definition: `Equality`.  Specification: proofs/FORMAT.md, section 12.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any, ClassVar

from symut.statement.base import Statement

RASP_EQUALITY = "rasp_equality"
RATIONAL, INTEGER, LETTERS = "rational", "integer", "letters"


def compact(value: Any) -> str:
    """JSON with sorted keys, without spaces, in ASCII."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


@dataclass(frozen=True, kw_only=True)
class Equality(Statement):
    """Nodes `first` and `second` of a graph are equal on all inputs of `least` to `most` tokens."""

    goal: str = RASP_EQUALITY
    least: int
    most: int
    tokens: str
    letters: list[Any]
    nodes: list[list[Any]]
    first: int
    second: int
    defined: bool
    programs: tuple[str, str]
    template: ClassVar[str] = "rasp_equality.md.j2"

    @property
    def parameters(self) -> dict[str, Any]:
        """The lengths, what the tokens are, the graph, its two nodes, and the SHA-256 of both programs' texts."""
        names = ("tokens", "letters", "nodes", "first", "second", "defined")
        fields = {name: getattr(self, name) for name in names}
        return fields | {"lengths": [self.least, self.most], "programs": list(self.programs)}

    @property
    def span(self) -> str:
        """The lengths in words."""
        return f"n = {self.least}" if self.least == self.most else f"n = {self.least}..{self.most}"

    @property
    def claims(self) -> list[str]:
        """One sentence."""
        tokens = {
            RATIONAL: "rational numbers",
            INTEGER: "integers",
            LETTERS: f"from the list {compact(self.letters)}",
        }
        graph = hashlib.sha256(compact(self.nodes).encode("ascii")).hexdigest()
        where = "wherever both have values" if self.defined else "or both have none"
        comma = "" if self.defined else ","
        return [
            f"{self.span}: nodes {self.first} and {self.second} of the graph of RASP operations with SHA-256 {graph} "
            f"have equal values{comma} {where}, on every input of n tokens that are {tokens[self.tokens]}."
        ]

    @property
    def width(self) -> str:
        """The longest input."""
        return str(self.most)

    @property
    def summary(self) -> str:
        """The lengths."""
        return self.span
