"""Groups whose subcommands are the theorems, constructions or simulators of the registry, with their parameters.

Main definitions: `NamedGroup`, `subcommand`, `output_options`, `all_or_help`.
Names are given explicitly because click would lower-case them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import click

from symut.cli.show import JSON, MAX_MEMORY, QUIET, named_folder
from symut.errors import UsageError
from symut.machine import Machine
from symut.theorem import CHOICE, FILE, FLAG, RATIONAL, Construction, Parameter, Theorem


class NamedGroup(click.Group):
    """`names()` lists the subcommands; `build(name)` makes one, or raises UsageError naming the nearest."""

    def __init__(
        self, *args: Any, names: Callable[[], Iterable[str]], build: Callable[[str], click.Command], **attributes: Any
    ) -> None:
        super().__init__(*args, invoke_without_command=True, **attributes)
        self._names, self._build = names, build

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self._names())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command:
        return self._build(cmd_name)


def output_options(folder: str) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """--out (default `folder`), --max-memory, --json and --quiet."""
    out = click.option(
        "--out", "out", default=folder, show_default=True, callback=named_folder, help="Folder that gets the results."
    )
    return lambda run: out(MAX_MEMORY(JSON(QUIET(run))))


def subcommand(
    owner: Theorem | Construction | Machine, parameters: Sequence[Parameter], folder: str, run: Callable[..., int]
) -> click.Command:
    """The command of one theorem or construction; `run` gets its parameters and the output options."""
    help_text = f"{owner.statement}.\n\nSource: {owner.source}."
    made = click.command(owner.id, help=help_text, short_help=owner.statement)(output_options(folder)(run))
    made.params[:0] = [_option(parameter) for parameter in parameters]
    return made


def _option(parameter: Parameter) -> click.Option:
    """`--name` with the parameter's help; the library applies the default and checks the range."""
    if parameter.kind == FLAG:
        return click.Option([parameter.option, parameter.name], is_flag=True, default=False, help=parameter.help)
    kinds = {CHOICE: click.Choice(parameter.choices), FILE: click.Path(), RATIONAL: click.STRING}
    return click.Option(
        [parameter.option, parameter.name],
        type=kinds.get(parameter.kind, click.INT),
        default=None,
        help=parameter.help + (f"  [default: {parameter.default}]" if parameter.default is not None else ""),
    )


def all_or_help(ctx: click.Context, everything: bool, run_all: Callable[[], int]) -> int:
    """What a group does before its subcommand: nothing, or with --all everything, or else show its help.

    Raises UsageError if options stand before the subcommand's name, where they would be lost.
    """
    if ctx.invoked_subcommand is None and everything:
        return run_all()
    names = ctx.command.list_commands(ctx) if isinstance(ctx.command, click.Group) else []
    if ctx.invoked_subcommand is None and ctx.params["as_json"]:
        raise UsageError(f"symut {ctx.info_name} needs a name", expected=" or ".join(names))
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help(), err=True)
        return 2
    for name in ctx.params:
        if ctx.get_parameter_source(name) == click.core.ParameterSource.COMMANDLINE:
            remedy = f"put it after {ctx.invoked_subcommand}"
            shown = {"as_json": "--json", "everything": "--all"}.get(name, "--" + name.replace("_", "-"))
            raise UsageError("an option stands before the name", got=shown, remedy=remedy)
    return 0
