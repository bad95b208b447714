"""Simulators: encoders whose program comes in the sequence.

Main definitions: `MACHINES`, `THEOREMS`.  The RASP programs lie beside this file; `simulators.rasp` has the attention
layers.
"""

from constructions.simulators.algebra import DETERMINANT, INVERSE, MATMUL, TRANSPOSE
from constructions.simulators.attention import ATTENTION, HIERARCHY, MULTIHEAD
from constructions.simulators.finite import MATCH2, PARITY
from constructions.simulators.lipschitz import LIPSCHITZ
from constructions.simulators.rows import MAXMIN, RELU, SOFTMAX
from constructions.simulators.theorems import theorem_of

MACHINES = (
    ATTENTION,
    MULTIHEAD,
    HIERARCHY,
    TRANSPOSE,
    MATMUL,
    DETERMINANT,
    INVERSE,
    SOFTMAX,
    RELU,
    MAXMIN,
    PARITY,
    MATCH2,
    LIPSCHITZ,
)
THEOREMS = tuple(map(theorem_of, MACHINES))
