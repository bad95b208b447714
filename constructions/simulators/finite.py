"""Tasks on letters: k-PARITY and Match2, each with one attention head.

Main definitions: `PARITY`, `MATCH2`.
Source: On the Existence of Universal Simulators of Attention (k-PARITY, Match2).
"""

from __future__ import annotations

from constructions.simulators.programs import sequence
from symut.errors import UsageError, shown
from symut.machine import Block, Machine
from symut.theorem import FLAG, Parameter, Values

SOURCE = "On the Existence of Universal Simulators of Attention"


def _subset(values: Values) -> dict[str, int]:
    if values["k"] > values["n"]:
        raise UsageError("--k out of range", expected=f"at most n = {values['n']}", got=shown(values["k"]))
    return {"k": values["k"], "n": values["n"]}


PARITY = Machine(
    id="parity",
    statement="one encoder computes the parity of the bits at any k marked positions",
    source=SOURCE,
    task="parity",
    parameters=(Parameter("k", "marked positions", default=3), Parameter("n", "tokens", default=16)),
    sizes=_subset,
    program=lambda s: sequence("parity", "parity"),
    tokens=lambda s: s["n"],
    letters=lambda s: 4,
    inputs=lambda s: (Block("x", 1, s["n"], axes=1),),
    output=lambda s: Block("y", 1, s["n"], axes=1),
    work=lambda s: s["n"],
    modules=({},),
    instances=({"k": 3, "n": 16}, {"k": 1, "n": 1}, {"k": 10, "n": 10}, {"k": 20, "n": 40}),
)

MATCH2 = Machine(
    id="match2",
    statement="one encoder finds for every token whether another one completes it to 0 modulo p",
    source=SOURCE,
    task="match2",
    parameters=(
        Parameter("p", "modulus", default=5),
        Parameter("n", "tokens", default=8),
        Parameter("self", "a token may match itself", FLAG),
    ),
    sizes=lambda values: {"p": values["p"], "n": values["n"], "self": int(bool(values["self"]))},
    program=lambda s: sequence("match2", "match2", s["p"], s["self"]),
    tokens=lambda s: s["n"],
    letters=lambda s: s["p"],
    inputs=lambda s: (Block("x", 1, s["n"], axes=1),),
    output=lambda s: Block("y", 1, s["n"], axes=1),
    work=lambda s: s["n"],
    modules=({},),
    instances=({"p": 5, "n": 8}, {"p": 5, "n": 8, "self": True}, {"p": 2, "n": 12}, {"p": 1, "n": 3}),
)
