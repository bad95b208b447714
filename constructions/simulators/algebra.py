"""Linear algebra on matrices in the sequence: transpose, product, determinant and inverse.

Main definitions: `TRANSPOSE`, `MATMUL`, `DETERMINANT`, `INVERSE`.
Main result: one attention layer each, two for a determinant of order 4, two or three for an inverse with a flag that
tells whether there is one.
Source: On the Existence of Universal Simulators of Attention (there 2, 3 and 5 layers).
"""

from __future__ import annotations

from constructions.simulators.programs import sequence
from symut.errors import UsageError, shown
from symut.machine import Block, Machine
from symut.theorem import Parameter, Values

SOURCE = "On the Existence of Universal Simulators of Attention"
ROWS = Parameter("r", "rows of A", default=3)
COLUMNS = Parameter("c", "columns", default=4)
ORDER = Parameter("order", "order of the matrix, from 1 to 4", default=3)
DETERMINANT_TOKENS = {1: 1, 2: 4, 3: 9, 4: 42}
"""At order 4 there are 36 minors and 6 products of them."""


def _given(*names: str):
    return lambda values: {name: values[name] for name in names}


TRANSPOSE = Machine(
    id="transpose",
    statement="one encoder transposes every matrix of a size",
    source=SOURCE,
    task="transpose",
    parameters=(ROWS, COLUMNS),
    sizes=_given("r", "c"),
    program=lambda s: sequence("transpose", "transpose", s["r"], s["c"]),
    tokens=lambda s: s["r"] * s["c"],
    inputs=lambda s: (Block("A", s["r"], s["c"]),),
    output=lambda s: Block("B", s["c"], s["r"]),
    work=lambda s: max(s["r"], s["c"]),
    instances=({"r": 3, "c": 4}, {"r": 1, "c": 5}, {"r": 8, "c": 8}),
)

MATMUL = Machine(
    id="matmul",
    statement="one encoder multiplies all pairs of matrices of a size",
    source=SOURCE,
    task="matmul",
    parameters=(ROWS, Parameter("k", "columns of A, rows of B", default=3), COLUMNS),
    sizes=_given("r", "k", "c"),
    program=lambda s: sequence("matmul", "matmul", s["r"], s["k"], s["c"]),
    tokens=lambda s: max((s["r"] + s["c"]) * s["k"], s["r"] * s["c"]),
    inputs=lambda s: (Block("A", s["r"], s["k"]), Block("B", s["k"], s["c"])),
    output=lambda s: Block("C", s["r"], s["c"]),
    work=lambda s: max(s["r"], s["k"], s["c"]),
    instances=({"r": 3, "k": 3, "c": 4}, {"r": 4, "k": 4, "c": 4}, {"r": 3, "k": 1, "c": 3}, {"r": 2, "k": 5, "c": 1}),
)


def _order(values: Values) -> dict[str, int]:
    if values["order"] > 4:
        raise UsageError(
            "--order out of range",
            expected="an integer from 1 to 4",
            got=shown(values["order"]),
            remedy="cofactors of larger orders do not fit into the work of a layer",
        )
    return {"order": values["order"]}


DETERMINANT = Machine(
    id="determinant",
    statement="one encoder computes the determinant of every matrix of an order up to 4",
    source=SOURCE,
    task="determinant",
    parameters=(ORDER,),
    sizes=_order,
    program=lambda s: sequence("determinant", "determinant", s["order"]),
    tokens=lambda s: DETERMINANT_TOKENS[s["order"]],
    inputs=lambda s: (Block("A", s["order"], s["order"]),),
    output=lambda s: Block("det", 1, 1, axes=0),
    work=lambda s: s["order"],
    instances=({"order": 3}, {"order": 1}, {"order": 2}, {"order": 4}),
)

INVERSE = Machine(
    id="inverse",
    statement="one encoder inverts every matrix of an order up to 4 and tells which have no inverse",
    source=SOURCE,
    task="inverse",
    parameters=(ORDER,),
    sizes=_order,
    program=lambda s: sequence("inverse", "inverse", s["order"]),
    tokens=lambda s: max(s["order"] ** 2 + 1, DETERMINANT_TOKENS[s["order"]]),
    inputs=lambda s: (Block("A", s["order"], s["order"]),),
    output=lambda s: Block("B", s["order"], s["order"]),
    work=lambda s: s["order"],
    modules=({},),
    instances=({"order": 3}, {"order": 1}, {"order": 2}, {"order": 4}),
)
