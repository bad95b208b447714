"""`symut prove THEOREM`: one subcommand per theorem, its options from the theorem's declared parameters."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

import click

from symut.cli.options import option_of, refuse_before_name
from symut.cli.show import JSON, MAX_MEMORY, QUIET, bars, console, print_json, table
from symut.statement import Outcome
from symut.theorem import Theorem

OUT = click.option("--out", "out", default="proofs", show_default=True, help="Folder that gets the artifact.")


def as_json_object(outcome: Outcome) -> dict[str, Any]:
    """The object that `prove --json` prints."""
    fields: dict[str, Any] = {
        "theorem": outcome.theorem,
        "parameters": outcome.parameters,
        "verdict": outcome.verdict,
        "width": outcome.width,
        "claims": list(outcome.claims),
        "artifact": outcome.artifact,
        "steps": [asdict(step) for step in outcome.steps],
        "trusted": list(outcome.trusted),
    }
    if outcome.reason:
        fields["reason"] = outcome.reason
    if outcome.known:
        fields["known"] = outcome.known
    return fields


def verdict_line(outcome: Outcome) -> str:
    """The one line on standard output."""
    sizes = " ".join(
        f"{name}={value}" for name, value in outcome.parameters.items() if len(name) == 1 or name == "seed"
    )
    where = f"; artifact {outcome.artifact}" if outcome.artifact else ""
    why = f"; {outcome.reason}" if outcome.reason else ""
    return f"{outcome.verdict} {outcome.theorem} {sizes}: N = {outcome.width}{where}{why}"


def _explain(outcome: Outcome, quiet: bool) -> None:
    screen = console(error=True, quiet=quiet)
    for claim in outcome.claims:
        screen.print(("Claim: " if outcome.exit_code in (0, 12) else "Asked: ") + claim, markup=False)
    if outcome.steps:
        rows = [(step.id, step.verdict, step.claim, step.method) for step in outcome.steps]
        screen.print(table(("step", "verdict", "claim", "method"), rows, wide="claim"))
    if outcome.trusted:
        screen.print("Cited, not re-checked: " + ", ".join(outcome.trusted), markup=False)
    if outcome.artifact:
        screen.print(f"Re-check: symut check {outcome.artifact}", markup=False, soft_wrap=True)


def _answer(outcomes: Iterable[Outcome], as_json: bool, quiet: bool, one: bool) -> int:
    found = []
    for outcome in outcomes:
        found.append(outcome)
        if not as_json:
            click.echo(verdict_line(outcome))
            if one:
                _explain(outcome, quiet)
    if as_json:
        objects = [as_json_object(outcome) for outcome in found]
        print_json(objects[0] if one else objects)
    return max((outcome.exit_code for outcome in found), default=0)


def _subcommand(theorem: Theorem) -> click.Command:
    @OUT
    @MAX_MEMORY
    @JSON
    @QUIET
    def run(out: str, max_memory: str, as_json: bool, quiet: bool, **parameters: Any) -> int:
        from symut.api import prove

        with bars(quiet or as_json) as progress:
            outcome = prove(theorem.id, out=out, max_memory=max_memory, progress=progress, **parameters)
        return _answer([outcome], as_json, quiet, one=True)

    help_text = f"{theorem.statement}.\n\nSource: {theorem.source}."
    made = click.command(theorem.id, help=help_text, short_help=theorem.statement)(run)
    made.params[:0] = [option_of(parameter) for parameter in theorem.parameters]
    return made


class _Theorems(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        from symut.registry import theorems

        return list(theorems())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command:
        from symut.registry import find_theorem

        return _subcommand(find_theorem(cmd_name))


@click.command(cls=_Theorems, invoke_without_command=True, subcommand_metavar="THEOREM [OPTIONS]")
@click.option("--all", "everything", is_flag=True, help="Prove the default set of instances of every theorem.")
@OUT
@MAX_MEMORY
@JSON
@QUIET
@click.pass_context
def command(ctx: click.Context, everything: bool, out: str, max_memory: str, as_json: bool, quiet: bool) -> int:
    """Prove one instance of a theorem, check it independently, and write its artifact."""
    if ctx.invoked_subcommand is not None:
        refuse_before_name(ctx)
        return 0
    if not everything:
        click.echo(ctx.get_help(), err=True)
        return 2
    from symut.api import prove_all

    with bars(quiet or as_json) as progress:
        return _answer(prove_all(out=out, max_memory=max_memory, progress=progress), as_json, quiet, one=False)
