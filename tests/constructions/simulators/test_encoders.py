"""The encoders of simulators: what they compute, and how much work a layer does."""

from __future__ import annotations

import numpy as np
import pytest

from constructions.simulators import MACHINES
from symut.machine import Machine
from symut.prover.simulators import encoder_of
from symut.rasp import evaluate
from symut.rasp.encoder.model import Encoder, Gate
from symut.theorem import resolve
from tests.constructions.simulators.references import REFERENCES, random_blocks

CASES = [(machine, machine.sizes(resolve(machine, given))) for machine in MACHINES for given in machine.instances]
NAMES = [f"{machine.id}-{'-'.join(map(str, sizes.values()))}" for machine, sizes in CASES]


def laid_out(machine: Machine, sizes: dict, blocks: dict) -> list[float]:
    """The tokens of an input: its blocks by rows, and zeros."""
    tokens = [float(x) for block in machine.inputs(sizes) for x in blocks[block.name].ravel()]
    return tokens + [0.0] * (machine.tokens(sizes) - len(tokens))


def units(encoder: Encoder, layer: int) -> int:
    gates = [gate for level in encoder.layers[layer].levels for gate in level]
    return sum(len(gate.inputs) if isinstance(gate, Gate) and gate.kind == "relu" else 1 for gate in gates)


@pytest.mark.parametrize(("machine", "sizes"), CASES, ids=NAMES)
def test_program_computes_what_numpy_computes(machine, sizes):
    for seed in range(3):
        blocks = random_blocks(machine, sizes, seed)
        tokens = laid_out(machine, sizes, blocks)
        given = [int(token) for token in tokens] if machine.letters(sizes) is not None else tokens
        found = np.array(evaluate(machine.program(sizes), given, floats=True), dtype=float)
        block = machine.output(sizes)
        answer = found[: block.rows * block.columns].reshape(block.rows, block.columns)
        expected = REFERENCES[machine.id](blocks, sizes)
        known = ~np.isnan(expected)
        np.testing.assert_allclose(answer[known], expected[known], rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize(("machine", "sizes"), CASES, ids=NAMES)
def test_work_of_a_layer_is_bounded(machine, sizes):
    encoder, work = encoder_of(machine, sizes), machine.work(sizes)
    for number, layer in enumerate(encoder.layers):
        assert len(layer.heads) <= 2 * work + 2
        assert len(layer.levels) <= 4
        assert units(encoder, number) <= 4 * work


LAYERS = {
    ("relu", "n"): 0,
    ("transpose", "r"): 1,
    ("matmul", "r"): 1,
    ("softmax", "r"): 1,
    ("maxmin", "size"): 2,
    ("attention_simulator", "n"): 3,
    ("hierarchy", "N"): 3,
    ("parity", "n"): 1,
    ("match2", "n"): 1,
}


@pytest.mark.parametrize(("name", "size"), LAYERS, ids=[name for name, _ in LAYERS])
def test_layers_do_not_grow_with_size(name, size):
    (machine,) = (machine for machine in MACHINES if machine.id == name)
    for value in (2, 3, 5, 9):
        given = {size: value, **({"k": 1} if name == "parity" else {}), **({"groups": 1} if name == "maxmin" else {})}
        sizes = {**machine.sizes(resolve(machine, {})), **given}
        assert len(encoder_of(machine, sizes).layers) - 1 == LAYERS[name, size]


@pytest.mark.parametrize(("order", "layers"), [(1, 2), (2, 2), (3, 2), (4, 3)])
def test_an_inverse_takes_two_layers_or_three_at_order_four(order, layers):
    (machine,) = (machine for machine in MACHINES if machine.id == "inverse")
    assert len(encoder_of(machine, {"order": order}).layers) - 1 == layers
