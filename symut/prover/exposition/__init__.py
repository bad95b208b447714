"""proof.md: the proof of one instance for people, Markdown with LaTeX; the checker does not read it.

Main definitions: `proof_markdown`, `command_of`.
The statement names its template; `context_of` adds what that template shows beside the steps.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from symut.errors import printable
from symut.prover.argument import Argument
from symut.prover.exposition.context import context_of
from symut.statement import Statement
from symut.theorem import FILE, FLAG, Theorem, stated_value


def command_of(theorem: Theorem, values: Mapping[str, Any], statement: Statement) -> str:
    """The command that regenerates the artifact: all its sizes, other options unless default, no --out."""
    options = []
    for parameter in theorem.parameters:
        value = stated_value(parameter, values, statement) if parameter.stated else None
        if parameter.kind == FLAG:
            options += [parameter.option] * bool(value)
        elif value is not None and (value != parameter.default or parameter.name in ("H", "L")):
            shown = printable(Path(value).name) if parameter.kind == FILE else str(value)
            options += [parameter.option, shlex.quote(shown)]
    return " ".join(["python -m symut prove", theorem.id, *options])


def proof_markdown(theorem: Theorem, values: Mapping[str, Any], argument: Argument) -> str:
    """The text of proof.md; a function of the theorem, its parameters and the certificate alone."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    statement = argument.statement
    environment = Environment(
        loader=PackageLoader("symut.prover"),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(statement.template).render(
        theorem=theorem,
        command=command_of(theorem, values, statement),
        statement=statement,
        sha256=statement.sha256,
        steps=argument.steps,
        cited=argument.cited,
        **context_of(statement, argument),
    )
