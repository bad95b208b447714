"""`symut emit CONSTRUCTION`: one subcommand per construction, with the sizes and its own options."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from symut.cli.options import option_of, refuse_before_name
from symut.cli.show import JSON, MAX_MEMORY, QUIET, console, print_json
from symut.theorem import SIZE, Construction, Parameter

if TYPE_CHECKING:
    from symut.api import Emission

SIZES = (
    Parameter("H", "heads per layer (2 if missing)", SIZE),
    Parameter("L", "layers (2 if missing)", SIZE),
    Parameter("d", "token width", SIZE),
    Parameter("k", "head width", SIZE),
    Parameter("m", "width; d and k that are missing become the largest that fit", SIZE),
)
OUT = click.option("--out", "out", default="generated", show_default=True, help="Folder that gets the module's folder.")


def _answer(emissions: Iterable[Emission], as_json: bool, quiet: bool, one: bool) -> int:
    found = []
    for emission in emissions:
        found.append(asdict(emission))
        if not as_json:
            click.echo(emission.path)
            _explain(emission, quiet)
    if as_json:
        print_json(found[0] if one else found)
    return 0


def _explain(emission: Emission, quiet: bool) -> None:
    sizes = ", ".join(f"{name} = {size}" for name, size in emission.shape.items())
    spare = emission.width - emission.used
    padding = f", {spare} coordinates of padding" if spare else ""
    console(error=True, quiet=quiet).print(
        f"{emission.construction} backbone for {sizes}: width {emission.width}, {emission.used} slots{padding}",
        f"Self-check: python {emission.path}/model.py",
        sep="\n",
        soft_wrap=True,
        markup=False,
    )


def _subcommand(construction: Construction) -> click.Command:
    @OUT
    @MAX_MEMORY
    @JSON
    @QUIET
    def run(out: str, max_memory: str, as_json: bool, quiet: bool, **options: Any) -> int:
        from symut.api import emit

        emission = emit(construction.id, out=out, max_memory=max_memory, **options)
        return _answer([emission], as_json, quiet, one=True)

    help_text = f"{construction.statement}.\n\nSource: {construction.source}."
    made = click.command(construction.id, help=help_text, short_help=construction.statement)(run)
    made.params[:0] = [option_of(parameter) for parameter in (*SIZES, *construction.parameters)]
    return made


class _Constructions(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        from symut.registry import constructions

        return list(constructions())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command:
        from symut.registry import find_construction

        return _subcommand(find_construction(cmd_name))


@click.command(cls=_Constructions, invoke_without_command=True, subcommand_metavar="CONSTRUCTION [OPTIONS]")
@click.option("--all", "everything", is_flag=True, help="Write the default set of modules of every construction.")
@OUT
@MAX_MEMORY
@JSON
@QUIET
@click.pass_context
def command(ctx: click.Context, everything: bool, out: str, max_memory: str, as_json: bool, quiet: bool) -> int:
    """Write a backbone as a standalone torch module: model.py and weights.safetensors."""
    if ctx.invoked_subcommand is not None:
        refuse_before_name(ctx)
        return 0
    if not everything:
        click.echo(ctx.get_help(), err=True)
        return 2
    from symut.api import emit_all

    return _answer(emit_all(out=out, max_memory=max_memory), as_json, quiet, one=False)
