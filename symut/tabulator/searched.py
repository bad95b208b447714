"""The statements of `symut search attention_matching` behind rows of the table.

Main definitions: `Searched`, `searched`.
"""

from __future__ import annotations

from dataclasses import dataclass

from symut.backbone.shape import Shape
from symut.errors import UsageError
from symut.searcher.artifact import TAGS, folder_name
from symut.searcher.request import Request
from symut.statement.search import INFEASIBLE, Width
from symut.tabulator.rows import Row


@dataclass(frozen=True)
class Searched:
    """A statement, the folders where its artifact may lie, and the command that makes it (None: too large for it)."""

    statement: Width
    folders: tuple[str, ...]
    command: str | None


def searched(row: Row, shape: Shape) -> Searched:
    """A lower bound excludes the width one below it; a construction is a backbone of its own width."""
    goal, (heads, targets) = row.goal or "", row.search
    m = row.value(shape) - (goal == INFEASIBLE)
    statement = Width(goal=goal, H=shape.H, L=shape.L, m=m, heads=heads, targets=targets)
    return Searched(statement, tuple(folder_name(statement, tag) for tag in TAGS[goal]), _command(statement))


def _command(statement: Width) -> str | None:
    try:
        request = Request(statement.H, statement.L, statement.m, statement.heads, statement.targets)
    except UsageError:
        return None
    return request.command if request.is_writable else None
