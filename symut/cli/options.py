"""Declared parameters as command-line options.

Main definitions: `option_of`, `refuse_before_name`.  Names are given explicitly because click would lower-case them.
"""

from __future__ import annotations

import click

from symut.errors import UsageError
from symut.theorem import CHOICE, FILE, Parameter


def option_of(parameter: Parameter) -> click.Option:
    """`--name` with the parameter's help; the library applies the default and checks the range."""
    kinds = {CHOICE: click.Choice(parameter.choices), FILE: click.Path()}
    return click.Option(
        [f"--{parameter.name}", parameter.name],
        type=kinds.get(parameter.kind, click.INT),
        default=None,
        help=parameter.help + (f"  [default: {parameter.default}]" if parameter.default is not None else ""),
    )


def refuse_before_name(ctx: click.Context) -> None:
    """Raise UsageError if options stand before the subcommand's name, where they would be lost."""
    for name in ctx.params:
        if ctx.get_parameter_source(name) == click.core.ParameterSource.COMMANDLINE:
            raise UsageError(
                "an option stands before the name",
                got=name.replace("_", "-"),
                remedy=f"put it after {ctx.invoked_subcommand}",
            )
