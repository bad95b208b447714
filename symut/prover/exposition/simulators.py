"""What the proof of a simulator shows beside its steps: the layers, and why symbols are enough.

Main definition: `simulator_context`.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from symut.prover.argument import Argument
from symut.statement.simulator import Simulator


def simulator_context(statement: Simulator, argument: Argument) -> dict[str, Any]:
    """The names that simulator.md.j2 uses: a row per layer, the gates assumed, and what rules decide."""
    encoder = statement.encoder
    parts = argument.certificate.parts if argument.certificate else {}
    layers = [(number, layer) for number, layer in enumerate(encoder["layers"])]
    return {
        "layers": [_row(number, layer) for number, layer in layers if number or layer["levels"]],
        "width": statement.width,
        "letters": encoder["letters"],
        "leaves": sum(map(_leaves, parts.get("cases", []))),
        "ranks": any(head["hidden"] is not None for _, layer in layers for head in layer["heads"]),
    }


def _row(number: int, layer: dict[str, Any]) -> dict[str, Any]:
    gates = Counter(gate[0] for level in layer["levels"] for gate in level)
    units = sum(len(gate[1]) for level in layer["levels"] for gate in level if gate[0] == "relu")
    counted = {**gates, "relu": units} if units else dict(gates)
    return {
        "number": number,
        "heads": len(layer["heads"]),
        "gates": ", ".join(f"{count} {kind}" for kind, count in sorted(counted.items())) or "none",
        "depth": len(layer["levels"]),
    }


def _leaves(tree: Any) -> int:
    return 1 if tree == [] else sum(map(_leaves, tree["cases"].values()))
