"""`python -m tests.constructions.simulators.tables`: the tables of docs/simulators.md."""

from __future__ import annotations

from pathlib import Path

from constructions.simulators import MACHINES
from constructions.simulators.costs import FORMULAS, Cost, cost_of
from symut.backbone import Shape
from symut.machine import Machine
from symut.prover.simulators import encoder_of
from symut.rasp.encoder.cost import cost
from symut.theorem import resolve

PAGE = Path(__file__).resolve().parents[3] / "docs" / "simulators.md"
PUBLISHED = {"transpose": "2", "matmul": "3", "inverse": "5 (order 3)"}
n, d, k, H, L = 8, 4, 2, 2, 2
"""The sizes at which the two machines stand side by side."""


def _table(heads: list[str], rows: list[list[object]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "".join("| " + " | ".join(map(str, line)) + " |\n" for line in lines)


def formulas() -> str:
    """Every simulator's cost as formulas, with the published layers."""
    heads = ["simulator", "attention layers", "published", "heads", "gates", "tokens", "stream width"]
    rows = []
    for name, formula in FORMULAS.items():
        text: Cost = formula.text
        cells = [f"`{name}`", text.layers, PUBLISHED.get(name, ""), text.heads, text.gates, text.tokens, text.width]
        rows.append(cells)
    return _table(heads, rows)


def _sizes(machine: Machine) -> dict[str, int]:
    return machine.sizes(resolve(machine, machine.instances[0]))


def built() -> str:
    """The default encoders, counted layer by layer."""
    heads = ["simulator", "sizes", "layers", "heads per layer", "gates per layer", "depth", "tokens", "width"]
    rows = []
    for machine in MACHINES:
        sizes = _sizes(machine)
        found = cost(encoder_of(machine, sizes))
        layers = found.layers if found.attention_layers == 0 else found.layers[1:]
        rows.append(
            [
                f"`{machine.id}`",
                ", ".join(f"{name} = {size}" for name, size in sizes.items()),
                found.attention_layers,
                ", ".join(map(str, found.heads)) or "none",
                ", ".join(str(layer.gates) for layer in layers),
                ", ".join(str(layer.depth) for layer in layers),
                found.tokens - 1,
                found.stream_width,
            ]
        )
    return _table(heads, rows)


def machines() -> str:
    """The program in the embedding beside the program in the sequence, as formulas and at n, d, k, H, L."""
    (simulator,) = (machine for machine in MACHINES if machine.id == "multihead_simulator")
    one = cost_of(simulator, {"n": n, "d": d, "k": k, "H": H})
    text = FORMULAS["multihead_simulator"].text
    width = Shape(H, L, d, k).N
    at = f"(n, d, k, H, L) = ({n}, {d}, {k}, {H}, {L})"
    heads = ["", "program in the embedding", at, "program in the sequence", at]
    rows: list[list[object]] = [
        ["attention", "any function, exact", "", "softmax, exact with an exponential gate", ""],
        ["attention layers", "L", L, f"{text.layers}, times L", one.layers * L],
        ["heads", "H L", H * L, f"({text.heads}) L", one.heads * L],
        ["gates per token", "0", 0, f"({text.gates}) L", one.gates * L],
        ["tokens", "n", n, text.tokens, one.tokens],
        ["stream width", "2k (H + .. + H^L) + d H^L", width, text.width, one.width],
        ["numbers in the program", "d times the width", d * width, "4 H d k L", 4 * H * d * k * L],
    ]
    return _table(heads, rows)


def page() -> str:
    """The text of docs/simulators.md with the tables of today."""
    text = PAGE.read_text()
    for name, table in {"formulas": formulas, "built": built, "machines": machines}.items():
        start, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->\n"
        before, rest = text.split(start)
        text = before + start + table() + end + rest.split(end)[1]
    return text


if __name__ == "__main__":
    PAGE.write_text(page())
    print(PAGE)
