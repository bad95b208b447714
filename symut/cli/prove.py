"""`symut prove THEOREM`: one subcommand per theorem, its options from the theorem's declared parameters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from typing import Any

import click

from symut.cli.columns import table
from symut.cli.named import NamedGroup, all_or_help, output_options, subcommand
from symut.cli.show import bars, console, print_json, print_line, warn
from symut.searcher.process import interruptible
from symut.statement import UNKNOWN, Outcome

FOLDER = "proofs"


def _kernel_option(theorem: str) -> Callable[[click.Command], click.Command]:
    """--kernel; hidden, so that it is refused with a reason, where the theorem has no counterpart in Coq."""
    from symut.kernel.counterparts import THEOREMS

    text = "Also let Coq's kernel check the general theorem at these sizes; needs coqc, and first builds proofs/coq."
    return click.option("--kernel", type=click.Choice(["coq"]), default=None, help=text, hidden=theorem not in THEOREMS)


def as_json_object(outcome: Outcome) -> dict[str, Any]:
    """The object that `prove --json` prints."""
    fields: dict[str, Any] = {
        "theorem": outcome.theorem,
        "parameters": outcome.parameters,
        "verdict": outcome.verdict,
        "width": outcome.width,
        "goal": outcome.goal,
        "asked" if outcome.verdict == UNKNOWN else "claims": list(outcome.claims),
        "artifact": outcome.artifact,
        "steps": [asdict(step) for step in outcome.steps],
        "trusted": list(outcome.trusted),
    }
    if outcome.reason:
        fields["reason"] = outcome.reason
    if outcome.counterexample:
        fields["counterexample"] = outcome.counterexample
    if outcome.known:
        fields["known"] = outcome.known
    if outcome.kernel:
        fields["kernel"] = outcome.kernel
    return fields


def _shown(name: str, value: Any) -> str:
    """A size, a seed or a backbone's file with its value, and a flag that is on by its name."""
    if value is True:
        return "--" + name.replace("_", "-")
    return f"{name}={value}" if type(value) is int or len(name) == 1 or name == "backbone" else ""


def verdict_line(outcome: Outcome) -> str:
    """The one line on standard output."""
    sizes = " ".join(filter(None, map(_shown, outcome.parameters, outcome.parameters.values())))
    where = f"; artifact {outcome.artifact}" if outcome.artifact else ""
    why = "".join(f"; {text}" for text in (outcome.reason, outcome.counterexample) if text)
    of = f" ({outcome.goal})" if outcome.goal != outcome.theorem else ""
    return f"{outcome.verdict} {outcome.theorem}{of} {sizes}: {outcome.summary}{where}{why}"


def kernel_lines(report: Mapping[str, Any]) -> list[str]:
    """What Coq's kernel accepted, on which axioms each theorem rests, and what it does not say."""
    if not report:
        return []
    lines = [f"Kernel: coqc {report['coqc']} accepts {', '.join(report['theorems'])} of instance.v"]
    for name, axioms in report["assumptions"].items():
        lines.append(f"Assumptions of {name}: {', '.join(axioms) or 'none (closed under the global context)'}")
    return [*lines, *report["not_proved"]]


def _explain(outcome: Outcome, quiet: bool) -> None:
    screen = console(error=True, quiet=quiet)
    title = "Asked" if outcome.verdict == UNKNOWN else "Claim"
    for number, claim in enumerate(outcome.claims, 1):
        screen.print(f"{title} {number}: {claim}", markup=False)
    if outcome.steps:
        rows = [(step.id, step.verdict, step.claim, step.method) for step in outcome.steps]
        screen.print(table(("step", "verdict", "claim", "method"), rows, wide="claim", width=screen.width))
    if outcome.trusted:
        screen.print("Cited, not re-checked: " + ", ".join(outcome.trusted), markup=False)
    if outcome.artifact:
        with_coq = "--with coq " if outcome.kernel else ""
        screen.print(f"Re-check: symut check {with_coq}{outcome.artifact}", markup=False, soft_wrap=True)
    for line in kernel_lines(outcome.kernel):
        screen.print(line, markup=False, soft_wrap=True)


def _answer(outcomes: Iterable[Outcome], as_json: bool, quiet: bool, one: bool) -> int:
    found = []
    for outcome in outcomes:
        found.append(outcome)
        if not as_json:
            print_line(verdict_line(outcome))
            if one:
                _explain(outcome, quiet)
    if as_json:
        objects = [as_json_object(outcome) for outcome in found]
        print_json(objects[0] if one else objects)
    return max((outcome.exit_code for outcome in found), default=0)


def _names() -> Iterable[str]:
    from symut.registry import theorems

    return theorems()


def _build(name: str) -> click.Command:
    from symut.registry import find_theorem

    theorem = find_theorem(name)

    def run(out: str, max_memory: str, as_json: bool, quiet: bool, **parameters: Any) -> int:
        from symut.api import prove

        with interruptible(), bars(quiet or as_json) as progress:
            limits = {"max_memory": max_memory, "progress": progress, "warn": warn}
            outcome = prove(theorem.id, out=out, **limits, **parameters)
        return _answer([outcome], as_json, quiet, one=True)

    return _kernel_option(name)(subcommand(theorem, theorem.parameters, FOLDER, run))


@click.command(
    cls=NamedGroup,
    names=_names,
    build=_build,
    subcommand_metavar="THEOREM [OPTIONS]",
    short_help="Prove a theorem at some sizes and write its artifact.",
)
@click.option("--all", "everything", is_flag=True, help="Prove the default set of instances of every theorem.")
@output_options(FOLDER)
@click.pass_context
def command(ctx: click.Context, everything: bool, out: str, max_memory: str, as_json: bool, quiet: bool) -> int:
    """Prove one instance of a theorem, check it independently, and write its artifact.

    A theorem's own options, its sizes among them: symut prove THEOREM --help
    """

    def run_all() -> int:
        from symut.api import prove_all

        with bars(quiet or as_json) as progress:
            return _answer(prove_all(out=out, max_memory=max_memory, progress=progress), as_json, quiet, one=False)

    return all_or_help(ctx, everything, run_all)
