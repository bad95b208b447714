"""The text of an emitted simulator: constants are computed here, the templates only place them.

Main definitions: `SimulatorSource`, `render`.
"""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from symut.errors import UsageError
from symut.prover.simulators import used_gates
from symut.rasp.emission import text as encoders
from symut.rasp.emission.text import LINE, ModuleSource, context_of, literal
from symut.rasp.encoder.cost import cost

if TYPE_CHECKING:
    from symut.machine import Block, Machine, Sizes
    from symut.statement.simulator import Simulator

FORMAT = "symut-simulator-1"
TEMPLATES = Path(__file__).parent / "templates"
TOLERANCES = {"float32": 1e-5, "float64": 1e-9}
"""What the self-check allows between the module and the task, relative to the largest number of the answers."""
_GATES = {
    "product": "products",
    "reciprocal": "reciprocals",
    "exp": "exponentials",
    "root": "roots",
    "relu": "ReLU",
    "table": "tables",
}
_ANSWERS = {"inverse": "B, invertible"}


@dataclass(frozen=True)
class SimulatorSource:
    """One emitted simulator: its exact claim, the command that proves it, and the encoder's own part of the module."""

    machine: Machine
    sizes: Sizes
    statement: Simulator
    prove: str
    module: ModuleSource


def render(source: SimulatorSource) -> str:
    """The text of model.py; equal sources give equal text."""
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader([TEMPLATES, encoders.TEMPLATES]),
        undefined=jinja2.StrictUndefined,
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,
    )
    return environment.get_template("simulator.py.j2").render(_context(source))


def _context(source: SimulatorSource) -> dict[str, Any]:
    machine, sizes, task = source.machine, source.sizes, source.statement.task
    blocks = machine.inputs(sizes)
    return context_of(source.module) | {
        "format": FORMAT,
        "class_name": "Simulator",
        "facts": _facts(source),
        "statement": _paragraphs(source),
        "usage": _usage(task, blocks, machine.output(sizes)),
        "task": task,
        "sizes": dict(sizes),
        "sizes_constant": encoders.named("SIZES", dict(sizes)),
        "blocks": [literal(tuple(block)) for block in blocks],
        "given": literal(tuple(block.name for block in _given(task, blocks))),
        "output": literal(tuple(machine.output(sizes))),
        "output_name": machine.output(sizes).name,
        "output_shape": _shape(machine.output(sizes)),
        "letters": machine.letters(sizes),
        "encode_doc": _encode_doc(source, blocks),
        "tolerances": literal(TOLERANCES),
    }


def _given(task: str, blocks: tuple[Block, ...]) -> tuple[Block, ...]:
    """The blocks that a user gives: the length of a hierarchy is that of X."""
    return tuple(block for block in blocks if (task, block.name) != ("hierarchy", "n"))


def _shape(block: Block) -> str:
    """(... x rows x columns) in words, without the axes that the block does not have."""
    return f"({' x '.join(['...', *map(str, (block.rows, block.columns)[2 - block.axes :])])})"


def _encode_doc(source: SimulatorSource, blocks: tuple[Block, ...]) -> str:
    """The docstring of encode, which has another text for each task."""
    task, given = source.statement.task, _given(source.statement.task, blocks)
    padded = f" X may have n <= {source.sizes.get('N')} rows: n goes into the sequence, and its last row is repeated."
    refused = {
        "parity": ", unless exactly k letters are marked",
        "lipschitz": ", for x outside of [0, 1]^dim, for a table that is steeper than K",
    }
    kind = "finite" if source.machine.letters(source.sizes) is None else "letters"
    texts = [
        f"Tokens (... x N) of {', '.join(block.name for block in given)}.",
        f"Shapes: {', '.join(f'{block.name} {_shape(block)}' for block in given)}; tensors or nested lists, whose "
        f"leading dimensions broadcast.{padded if task == 'hierarchy' else ''}",
        f"Raises ValueError for other shapes{refused.get(task, '')}, and for entries that are not {kind}.",
    ]
    return "\n\n        ".join("\n        ".join(textwrap.wrap(text, LINE - 8)) for text in texts)


def _usage(task: str, blocks: tuple[Block, ...], output: Block) -> list[str]:
    names = ", ".join(block.name for block in _given(task, blocks))
    answer = _ANSWERS.get(task, output.name)
    lines = [
        (f"tokens = module.encode({names})", "tensors or nested lists; leading dimensions broadcast"),
        ("values = module(tokens)", "the encoder: all that is computed is computed here"),
        (f"{answer} = module.decode(values)", f"reads {output.name} off {_shape(output)}"),
        (f"{answer} = module.simulate({names})", "the three in one"),
    ]
    return [f"{call:46} # {comment}" if len(call) < 46 else f"{call}  # {comment}" for call, comment in lines]


def _facts(source: SimulatorSource) -> list[str]:
    """The header's facts as wrapped lines `    label       text`."""
    facts = {
        "command": source.module.command,
        "theorem": _theorem(source),
        "encoder": f"SHA-256 {source.statement.digest} of its exact description",
        **dict(cost(source.module.encoder).lines()),
        "stored": f"SHA-256 {source.module.weights_sha256}",
    }
    lines = []
    for label, text in facts.items():
        lines += textwrap.wrap(
            text, LINE - 4, initial_indent=f"    {label:18}", subsequent_indent=" " * 22, break_on_hyphens=False
        )
    return lines


def _theorem(source: SimulatorSource) -> str:
    """The theorem's id, and how to prove it for this encoder."""
    try:
        source.machine.require_proof(source.sizes)
    except UsageError as error:
        return f"{source.machine.id}, at sizes that symut does not prove: expected {error.expected}, got {error.got}"
    return f"{source.machine.id}; `{source.prove}` proves it for this encoder, within the limits of check.py"


def _paragraphs(source: SimulatorSource) -> str:
    """The exact claim with its quantifiers, what it assumes, and what floats change."""
    return "\n\n".join(textwrap.fill(text, LINE - 4) for text in (_claim(source), _assumed(source), _floats(source)))


def _claim(source: SimulatorSource) -> str:
    (claim,) = source.statement.claims
    head, _, rest = claim.partition(": ")
    return (
        f"Theorem, for {head}: there is one encoder, whose weights do not depend on the input, such that for all "
        f"inputs the following holds. {rest[0].upper()}{rest[1:]} Tokens that hold no part of the input are 0."
    )


def _assumed(source: SimulatorSource) -> str:
    gates = [_GATES[kind] for kind in used_gates(dict(source.statement.encoder))]
    text = (
        "The machine: in an attention layer each query averages the values of all keys with the largest score "
        "(average-hard attention; a head that ranks numbers has a fixed mask of positions). "
    )
    if not gates:
        return text + "There are no gates."
    text += f"Gates are assumptions; these are used, exact and applied to each token alone: {', '.join(gates)}."
    if "exponentials" in gates:
        text += (
            " Hard attention alone averages and compares, which gives no exponential and no product, so that softmax "
            "needs an exponential gate, and products of two numbers of the sequence a product gate."
        )
    if "roots" in gates:
        text += " Hard attention alone gives no roots, so that an exponent below 1 needs a root gate."
    return text


def _floats(source: SimulatorSource) -> str:
    if source.statement.encoder["letters"] is not None:
        return "The theorem is about exact numbers; on letters float32 and float64 are exact in this encoder."
    bounds = ", ".join(f"{bound:.0e} in {dtype}" for dtype, bound in TOLERANCES.items())
    text = f"The theorem is about real numbers and floats round: the self-check allows a relative error of {bounds}."
    if source.statement.task == "inverse":
        text += (
            " A determinant of 0 may come out as rounding noise, so forward compares A B with the identity and puts "
            "NaN at the flag's token where they differ: no float matrix is called invertible that is singular."
        )
    return text
