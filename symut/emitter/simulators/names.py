"""How emitted simulators are named, and the commands that emit and prove each.

Main definitions: `simulator_name`, `simulator_command`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from symut.theorem import FLAG, Values, instance_name

if TYPE_CHECKING:
    from symut.machine import Machine


def simulator_name(machine: Machine, values: Values) -> str:
    """For example attention_simulator-n4-d3-k2: sizes, rationals and flags as in the names of artifacts."""
    sizes = instance_name(machine, values, None)
    return f"{machine.id}-{sizes}" if sizes else machine.id


def simulator_command(verb: str, machine: Machine, values: Values) -> str:
    """The command `symut VERB` with all parameters written out."""
    words = []
    for parameter in machine.parameters:
        value = values[parameter.name]
        if parameter.kind != FLAG and value is not None:
            words.append(f"{parameter.option} {value}")
        elif value:
            words.append(parameter.option)
    return " ".join(["python -m symut", verb, machine.id, *words])
