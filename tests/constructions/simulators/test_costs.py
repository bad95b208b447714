"""The cost formulas of simulators are those of the encoders that are built."""

from __future__ import annotations

from itertools import product

import pytest

from constructions.simulators import MACHINES
from constructions.simulators.costs import FORMULAS, cost_of
from symut.prover.simulators import encoder_of
from symut.rasp.encoder.cost import cost

SMALL = (1, 2, 3, 5)
GRIDS = {
    "attention_simulator": [dict(zip("ndkf", p, strict=True)) for p in product((1, 4), (1, 3), (1, 2), (0, 2, 7))],
    "multihead_simulator": [dict(zip("ndkH", p, strict=True)) for p in product((2, 4), (2, 3), (1, 3), (1, 2, 5))]
    + [dict(zip("ndk", p, strict=True)) for p in product((1, 4), (1, 3), (2, 5))],
    "hierarchy": [{"N": N, "d": d, "k": k} for N, d, k in product((1, 2, 5), (1, 3), (1, 2))],
    "transpose": [{"r": r, "c": c} for r, c in product((2, 3), (2, 5))],
    "matmul": [{"r": r, "k": k, "c": c} for r, k, c in product((1, 3), (1, 4), (2, 5))],
    "determinant": [{"order": order} for order in (1, 2, 3, 4)],
    "inverse": [{"order": order} for order in (1, 2, 3, 4)],
    "softmax": [{"r": r, "c": c} for r, c in product((1, 4), (1, 2, 5))],
    "relu": [{"n": n} for n in SMALL],
    "maxmin": [{"groups": g, "size": s} for g, s in product((2, 3), SMALL)],
    "lipschitz": [
        {"dim": d, "steps": s, "top": 3, "bottom": 2, "up": p, "down": q}
        for (d, s), (p, q) in product(((1, 2), (1, 5), (2, 2), (3, 2)), ((1, 1), (1, 2), (3, 4)))
    ],
}
CASES = [(machine, sizes) for machine in MACHINES for sizes in GRIDS.get(machine.id, [])]


@pytest.mark.parametrize(
    ("machine", "sizes"), CASES, ids=[f"{m.id}-{'-'.join(map(str, s.values()))}" for m, s in CASES]
)
def test_formulas_are_those_of_the_encoder(machine, sizes):
    built, stated = cost(encoder_of(machine, sizes)), cost_of(machine, sizes)
    assert built.attention_layers == stated.layers
    assert sum(built.heads) == stated.heads
    assert sum(built.gates.values()) == stated.gates
    assert built.tokens - 1 == stated.tokens
    assert built.stream_width == stated.width


def test_every_simulator_on_numbers_has_formulas():
    assert {machine.id for machine in MACHINES} - set(FORMULAS) == {"parity", "match2"}
