"""`symut emit CONSTRUCTION`: one subcommand per construction or simulator, with the sizes and its own options."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from symut.cli.named import NamedGroup, all_or_help, output_options, subcommand
from symut.cli.show import console, print_json, print_line
from symut.theorem import SIZE, Parameter

if TYPE_CHECKING:
    from symut.api import Emission, SimulatorEmission

SIZES = (
    Parameter("H", "heads per layer (2 if missing)", SIZE),
    Parameter("L", "layers (2 if missing)", SIZE),
    Parameter("d", "token width", SIZE),
    Parameter("k", "head width", SIZE),
    Parameter("m", "width; d and k that are missing become the largest that fit", SIZE),
)
FOLDER = "generated"


def _answer(emissions: Iterable[Emission | SimulatorEmission], as_json: bool, quiet: bool, one: bool) -> int:
    found = []
    for emission in emissions:
        found.append(asdict(emission))
        if not as_json:
            print_line(emission.path)
            _explain(emission, quiet)
    if as_json:
        print_json(found[0] if one else found)
    return 0


def _explain(emission: Emission | SimulatorEmission, quiet: bool) -> None:
    from symut.api import Emission

    told = _backbone(emission) if isinstance(emission, Emission) else _simulator(emission)
    console(error=True, quiet=quiet).print(
        told, f"Self-check: python {emission.path}/model.py", sep="\n", soft_wrap=True, markup=False
    )


def _simulator(emission: SimulatorEmission) -> str:
    sizes = ", ".join(f"{name} = {size}" for name, size in emission.sizes.items())
    cost = f"{emission.layers} attention layers, {emission.tokens} tokens, stream width {emission.width}"
    return f"{emission.simulator} for {sizes}: {cost}, encoder SHA-256 {emission.encoder}"


def _backbone(emission: Emission) -> str:
    sizes = ", ".join(f"{name} = {size}" for name, size in emission.shape.items())
    spare = emission.width - emission.used
    padding = f", {spare} coordinates more than slots" if spare else ""
    return f"{emission.construction} backbone for {sizes}: width {emission.width}, {emission.used} slots{padding}"


def _names() -> Iterable[str]:
    from symut.registry import constructions, machines

    return [*constructions(), *machines()]


def _build(name: str) -> click.Command:
    from symut.machine import Machine
    from symut.registry import find_buildable

    found = find_buildable(name)

    def run(out: str, max_memory: str, as_json: bool, quiet: bool, **options: Any) -> int:
        from symut.api import emit

        emission = emit(found.id, out=out, max_memory=max_memory, **options)
        return _answer([emission], as_json, quiet, one=True)

    parameters = found.parameters if isinstance(found, Machine) else (*SIZES, *found.parameters)
    return subcommand(found, parameters, FOLDER, run)


@click.command(
    cls=NamedGroup,
    names=_names,
    build=_build,
    subcommand_metavar="CONSTRUCTION [OPTIONS]",
    short_help="Write a backbone or simulator as a standalone torch module.",
)
@click.option("--all", "everything", is_flag=True, help="Write the default set of modules of all of them.")
@output_options(FOLDER)
@click.pass_context
def command(ctx: click.Context, everything: bool, out: str, max_memory: str, as_json: bool, quiet: bool) -> int:
    """Write a backbone or simulator as a standalone torch module: model.py and weights.safetensors.

    The sizes and options of one: symut emit CONSTRUCTION --help
    """

    def run_all() -> int:
        from symut.api import emit_all

        return _answer(emit_all(out=out, max_memory=max_memory), as_json, quiet, one=False)

    return all_or_help(ctx, everything, run_all)
