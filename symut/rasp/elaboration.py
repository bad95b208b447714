"""The state of one elaboration: what it has used, where it is, and what it has met besides definitions.

Main definition: `Elaboration`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from symut.rasp import core, syntax
from symut.rasp.errors import Position, RaspError
from symut.rasp.scope import Scope

MAX_STEPS = 1_000_000
MAX_DEPTH = 150


@dataclass(eq=False)
class Elaboration:
    """What one elaboration has used, and what it has met besides definitions.

    `execute` runs the statements of a function (set by symut.rasp.statements); `loading` are the files being read;
    `applications` are (text, node, input) of statements such as `sort(tokens, tokens)("hello");`, `evaluations` are
    (text, value) of expressions that are statements of the program itself, whose scope is `main`.
    """

    library: Scope
    execute: Callable[[Elaboration, syntax.Statement, Scope], None]
    steps: int = 0
    depth: int = 0
    calls: tuple[Position, ...] = ()
    example: Any = None
    loading: list[Path] = field(default_factory=list)
    applications: list[tuple[str, core.Node, Any]] = field(default_factory=list)
    main: Scope | None = None
    evaluations: list[tuple[str, Any]] = field(default_factory=list)

    def here(self, node: syntax.Expression | syntax.Statement) -> Position:
        """The place of a construct, with the calls in which it is being elaborated."""
        return replace(node.at, calls=self.calls) if self.calls else node.at

    def spend(self, steps: int, at: Position) -> None:
        """Count work, so that no program runs forever."""
        self.steps += steps
        if self.steps > MAX_STEPS:
            raise RaspError("the program does not end", at=at, expected=f"at most {MAX_STEPS} steps")
