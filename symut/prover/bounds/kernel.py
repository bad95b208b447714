"""A stored backbone whose block matrix is singular: an exact kernel vector proves that it is not universal.

Main definitions: `refute_stored`.
Main result: if M(R) x = 0 with x != 0 then E M(R) x = 0 for every program E, while some target of the spanning family
has B(W) x != 0 (proofs/FORMAT.md, rules K and N).
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from symut.backbone import Shape, block_matrix, slots
from symut.backbone.paths import Slot
from symut.certificate import Certificate
from symut.prover.argument import Argument, Context
from symut.prover.bounds.columns import NAMES, exact_columns, log_columns
from symut.prover.bounds.spanning import KRONECKER, PROBES, probing_step, spanning_steps, spanning_targets
from symut.prover.rank import RECHECK_LIMIT, Certified, reduced_backbone
from symut.statement import SingularBackbone, Step

if TYPE_CHECKING:
    import numpy as np

DIGIT_LIMIT = 4000
"""Decimal digits of an entry of the kernel vector; check.py reads integers of at most 4300."""


def _column_bits(chosen: Sequence[Slot], bits: Mapping[str, int]) -> list[int]:
    """Column s of the scaled block matrix is 2^b_s times column s of M(R)."""
    return [len(slot.path) * bits["RV"] + bits[NAMES[slot.role]] for slot in chosen]


def _reduced(vector: list[int], column_bits: list[int]) -> list[int]:
    """The kernel vector of M(R) itself from that of the scaled matrix, divided by its common power of two."""
    used = [b for x, b in zip(vector, column_bits, strict=True) if x]
    moved = [x << (b - min(used)) if x else 0 for x, b in zip(vector, column_bits, strict=True)]
    common = min((x & -x).bit_length() - 1 for x in moved if x)
    return [x >> common for x in moved]


def exact_kernel(tensors: Mapping[str, np.ndarray], shape: Shape, prime: int) -> list[int] | str:
    """Integers x, not all 0, with M(R) x = 0; or in words why they were not found.

    `prime` is one modulo which M(R) has a rank below N.
    """
    import numpy as np

    from symut.exact.dyadic import fraction_bits
    from symut.exact.integers import Dependency, dependency, kernel_vector, predicted_digits

    found = dependency(block_matrix(reduced_backbone(tensors, prime)))
    listed = slots(shape.H, shape.L, shape.d, shape.k)
    chosen = [listed[j] for j in found.columns]
    bits = {name: fraction_bits(tensors[name]) for name in ("RQ", "RK", "RV", "U")}
    column_bits = _column_bits(chosen, bits)
    logarithms = (log_columns(tensors, chosen) + np.array(column_bits))[found.rows]
    digits = predicted_digits(logarithms) + (max(column_bits) - min(column_bits)) * 30103 // 100000
    if digits > DIGIT_LIMIT:
        return f"an exact kernel vector could have {digits} digits, more than {DIGIT_LIMIT}"
    matrix = exact_columns(tensors, bits, chosen)
    vector = kernel_vector(matrix, Dependency(list(range(len(chosen))), found.rows))
    if vector is None:
        return "the rank is below N modulo the primes tried only"
    kernel = dict(zip(found.columns, _reduced(vector, column_bits), strict=True))
    return [kernel.get(j, 0) for j in range(shape.N)]


def refute_stored(
    shape: Shape, tensors: Mapping[str, np.ndarray], content: bytes, found: Certified, context: Context
) -> Argument | str:
    """A proof that the backbone in the file `content` is not universal (goal singular_backbone), or why none is."""
    if shape.N > RECHECK_LIMIT:
        return f"check.py does not re-check kernel vectors above N = {RECHECK_LIMIT}"
    context.progress("kernel", 0, 1)
    kernel = exact_kernel(tensors, shape, found.prime)
    context.progress("kernel", 1, 1)
    if isinstance(kernel, str):
        return kernel
    m, digest = tensors["U"].shape[0], hashlib.sha256(content).hexdigest()
    statement = SingularBackbone(shape.H, shape.L, shape.d, shape.k, m, digest)
    parts = {"spanning": spanning_targets(shape.H, shape.L, context), "kernel": kernel}
    used = sum(map(bool, kernel))
    steps = (
        Step(
            "kernel",
            f"M(R) x = 0 exactly for an integer vector x with {used} entries that are not 0",
            "exact integers",
        ),
        *spanning_steps(shape.H, shape.L),
        probing_step(),
        Step(
            "conflict",
            f"the rows of B(W) over these targets span all {shape.N} columns, so B(W) x != 0 for one of them, while "
            "E M(R) x = 0 for every E",
            "linear algebra",
        ),
    )
    counterexample = (
        f"M(R) x = 0 for the x in kernel of certificate.json ({used} of {shape.N} entries not 0), so some target with "
        "values WV_{l,h} in {I, 2 I} and WQ, WK zero but for at most one entry 1 has no program"
    )
    return Argument(
        statement,
        Certificate(statement.sha256, parts=parts),
        steps,
        (PROBES, KRONECKER),
        content,
        counterexample=counterexample,
    )
