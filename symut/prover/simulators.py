"""Simulators: a RASP program is compiled, and the encoder is the witness that check.py executes on symbols.

Main definitions: `argue_machine`, `described`, `encoder_of`, `require_tokens`.
Main result: what is proved is a sentence about the encoder's weights; the program is where they come from.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from symut.certificate import Certificate
from symut.errors import UsageError, shown
from symut.prover.argument import Argument, Context
from symut.rasp.encoder.exported import exported
from symut.statement import Step

if TYPE_CHECKING:
    from symut.machine import Machine, Sizes
    from symut.rasp.encoder.model import Encoder

GATES = ("product", "reciprocal", "exp", "root", "relu", "table")


def encoder_of(machine: Machine, sizes: Sizes) -> Encoder:
    """The compiled program; raises RaspError for programs without an encoder, UsageError for lengths beyond it."""
    from symut.rasp.lowering.lower import encode

    require_tokens(machine, sizes)
    letters = machine.letters(sizes)
    alphabet = None if letters is None else list(range(letters))
    return encode(machine.program(sizes), n=machine.tokens(sizes), alphabet=alphabet)


def require_tokens(machine: Machine, sizes: Sizes) -> int:
    """The tokens of the input; raises UsageError if there are more than an encoder has, before a program is made."""
    from symut.rasp.lowering.lower import MAX_N

    tokens = machine.tokens(sizes)
    if tokens > MAX_N:
        raise UsageError(
            f"too many tokens for {machine.id}",
            expected=f"at most {MAX_N}",
            got=shown(tokens),
            remedy="take smaller sizes",
        )
    return tokens


def described(machine: Machine, sizes: Sizes) -> dict[str, Any]:
    """The encoder as plain JSON."""
    return exported(encoder_of(machine, sizes))


def argue_machine(machine: Machine, sizes: Sizes, context: Context) -> Argument:
    """The encoder, with the cases of programs that depend on an order; check.py does the rest."""
    context.progress("compile", 0, 2)
    encoder = described(machine, sizes)
    context.progress("cases", 1, 2)
    evidence = machine.evidence(sizes)
    statement = machine.stated(sizes, encoder)
    certificate = Certificate(statement.sha256, parts={"encoder": encoder, **evidence})
    return Argument(statement, certificate, _steps(encoder, evidence), ())


def used_gates(encoder: dict[str, Any]) -> list[str]:
    """The kinds of gates, which a theorem about the encoder assumes."""
    kinds = {gate[0] for layer in encoder["layers"] for level in layer["levels"] for gate in level}
    return [kind for kind in GATES if kind in kinds]


def _steps(encoder: dict[str, Any], evidence: dict[str, Any]) -> tuple[Step, ...]:
    method = "all inputs up to order" if encoder["letters"] else "execution on symbols"
    gates = ", ".join(used_gates(encoder)) or "none"
    steps = [
        Step("encoder", f"average-hard attention with gates: {gates}", "RASP program, lowered"),
        Step("identity", "every output equals the task's value for all inputs", method),
    ]
    if evidence:
        steps.insert(1, Step("cases", "all orders of the numbers are covered", "case tree, Farkas combinations"))
    return tuple(steps)
