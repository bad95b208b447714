"""The theorem of a simulator: its encoder performs its task for all inputs.

Main definition: `theorem_of`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from symut.machine import Machine, Sizes
from symut.theorem import Theorem, Values

if TYPE_CHECKING:
    from symut.prover import Argument, Context
    from symut.statement.simulator import Simulator


def theorem_of(machine: Machine) -> Theorem:
    """The theorem with the machine's id, parameters and instances."""

    def provable(values: Values) -> Sizes:
        sizes = machine.sizes(values)
        machine.require_proof(sizes)
        return sizes

    def state(values: Values) -> Simulator:
        from symut.prover.simulators import described

        sizes = provable(values)
        return machine.stated(sizes, described(machine, sizes))

    def argue(values: Values, context: Context) -> Argument:
        from symut.prover.simulators import argue_machine

        return argue_machine(machine, provable(values), context)

    def recorded(values: Values, certificate: Mapping[str, Any]) -> Simulator | None:
        encoder = certificate.get("encoder")
        return machine.stated(provable(values), encoder) if isinstance(encoder, dict) else None

    return Theorem(
        machine.id, machine.statement, machine.source, machine.parameters, state, argue, machine.instances, recorded
    )
