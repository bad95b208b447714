"""From a simulator's sizes to the two files of its module, as bytes; the caller publishes them.

Main definitions: `Simulated`, `emit_simulator`, `predicted_bytes`.
Main result: equal arguments give equal bytes on every machine (no clock, no path, no counter).
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from symut.backbone.stored import serialize
from symut.emitter.simulators.names import simulator_command, simulator_name
from symut.emitter.simulators.text import FORMAT, SimulatorSource, render
from symut.limits import require_memory
from symut.prover.simulators import encoder_of, require_tokens
from symut.rasp import core
from symut.rasp.emission.emit import DTYPES
from symut.rasp.emission.tensors import tensors
from symut.rasp.emission.text import ModuleSource
from symut.rasp.encoder.cost import Cost, cost
from symut.rasp.encoder.exported import exported
from symut.rasp.encoder.floats import Floats, floats
from symut.rasp.sharing import shared

if TYPE_CHECKING:
    from symut.machine import Machine, Sizes
    from symut.rasp.encoder.model import Encoder
    from symut.theorem import Values

ROUNDED_TIES = ("maxmin", "inverse")
"""Tasks in which a tie that rounding breaks changes answers by rounding only, or is noticed.

Equal numbers of a group have equal scores, and nearly equal scores belong to nearly equal numbers. A determinant that
should be 0 is found by comparing A B with the identity.
"""


NODE_BYTES, LETTER_BYTES = 1600, 24
"""For each node of a program and token, and for each pair of letters; measured: 0.2 to 1 of these."""


@dataclass(frozen=True)
class Simulated:
    """The files of a module by name, the sizes, and the cost and the SHA-256 of its encoder."""

    files: dict[str, bytes]
    sizes: Sizes
    cost: Cost
    encoder_sha256: str


def emit_simulator(machine: Machine, values: Values, max_memory: int) -> Simulated:
    """model.py and weights.safetensors of the encoder at checked parameters.

    Raises UsageError for sizes without an encoder, and before anything is analysed if it would need more than
    `max_memory` bytes.
    """
    sizes, name = machine.sizes(values), simulator_name(machine, values)
    tokens, letters = require_tokens(machine, sizes), machine.letters(sizes)
    require_memory(predicted_bytes(machine.program(sizes), tokens, letters), max_memory, f"emitting {name}")
    encoder = encoder_of(machine, sizes)
    statement = machine.stated(sizes, exported(encoder))
    module = _module(machine, values, name, encoder, tokens)
    source = SimulatorSource(machine, sizes, statement, simulator_command("prove", machine, values), module[0])
    files = {"model.py": render(source).encode(), "weights.safetensors": module[1]}
    return Simulated(files, sizes, cost(encoder), statement.digest)


def predicted_bytes(program: core.Sequence, tokens: int, letters: int | None) -> int:
    """Peak memory of compiling a program for sequences of exactly so many tokens."""
    return NODE_BYTES * len(core.order(shared([program]))) * tokens + LETTER_BYTES * (letters or 0) ** 2


def _module(machine: Machine, values: Values, name: str, encoder: Encoder, tokens: int) -> tuple[ModuleSource, bytes]:
    """What the encoder's own part of the module says, and the weights."""
    metadata = {"format": FORMAT, "n": encoder.n, "name": name}
    weights = serialize(tensors(encoder), metadata)
    source = ModuleSource(
        name=name,
        title=f"The simulator {machine.id} as a torch module: {machine.statement}.",
        encoder=encoder,
        floats=[_floats(machine, encoder, dtype) for dtype in DTYPES],
        command=simulator_command("emit", machine, values),
        program_sha256="",
        weights_sha256=hashlib.sha256(weights).hexdigest(),
        metadata=metadata,
        examples=(),
        shortest=tokens,
    )
    return source, weights


def _floats(machine: Machine, encoder: Encoder, dtype: str) -> Floats:
    found = floats(encoder, dtype)
    tolerated = machine.id in ROUNDED_TIES and all(problem.startswith("ties") for problem in found.problems)
    return replace(found, problems=(), rounded=True) if tolerated else found
