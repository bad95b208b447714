"""How the 0/1 backbone of a form becomes a module.

Main definitions: `emit_statement`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from symut.backbone import Routing
from symut.backbone.forms import FormShape
from symut.statement import FormStatement


def emit_statement(
    statement: FormStatement,
    layout: Callable[[FormShape, int | None], Routing],
    theorem: str,
    command: str,
    max_memory: int,
) -> Mapping[str, bytes]:
    """The files of the backbone of width m that a statement with all widths is about.

    `layout(shape, m)` makes its routing, once the memory is known to suffice; raises UsageError as `emit_form` does.
    """
    from symut.emitter import emit_form

    shape, m = statement.units, statement.m or statement.units.N
    return emit_form(
        shape,
        m,
        routing=lambda: layout(shape, m),
        kind=statement.goal.removesuffix("_universality"),
        command=command,
        theorems=(theorem,),
        statement_hash=statement.sha256,
        max_memory=max_memory,
    )
