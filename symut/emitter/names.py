"""How emitted modules are named, and the one command that makes each.

Main definitions: `module_name`, `emit_command`.
"""

from __future__ import annotations

from symut.emitter.fit import Fit
from symut.limits import DEFAULT_MAX_MEMORY, parse_bytes
from symut.theorem import FLAG, SEED, SIZE, Construction, Values


def _sizes(chosen: Fit) -> dict[str, int]:
    shape = chosen.shape
    return {"H": shape.H, "L": shape.L, "d": shape.d, "k": shape.k, "m": chosen.m}


def module_name(owner: Construction, chosen: Fit, values: Values) -> str:
    """For example random-H2-L2-d3-k3-m48-s0-shared: sizes, then the seed and every choice that is not the default."""
    parts = [owner.id, *(f"{name}{size}" for name, size in _sizes(chosen).items())]
    for parameter in owner.parameters:
        value = values[parameter.name]
        if parameter.kind == SEED:
            parts.append(f"s{value}")
        elif value != parameter.default and value is not False:
            tags = {FLAG: parameter.option[2:], SIZE: f"{parameter.name}{value}"}
            parts.append(tags.get(parameter.kind, str(value)))
    return "-".join(parts)


def emit_command(owner: Construction, chosen: Fit, values: Values, max_memory: int) -> str:
    """The command with all sizes written out, so that every way to ask for a module writes the same bytes.

    `max_memory` bytes go into the module (`dense_weights`), so they are written unless they are the default.
    """
    words = [f"--{name} {size}" for name, size in _sizes(chosen).items()]
    for parameter in owner.parameters:
        value = values[parameter.name]
        if parameter.kind != FLAG and value is not None:
            words.append(f"{parameter.option} {value}")
        elif value:
            words.append(parameter.option)
    if max_memory != parse_bytes(DEFAULT_MAX_MEMORY):
        words.append(f"--max-memory {max_memory}")
    return " ".join(["python -m symut emit", owner.id, *words])
