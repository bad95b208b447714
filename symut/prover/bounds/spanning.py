"""Targets whose path values span everything: the sharp threshold N and the lower bound d H^L.

Main definitions: `Basis`, `ones_and_identity`, `spanning_targets`, `sharp_width`, `output_bound`.
Main result: target T_i, i = (i_1 .. i_L), has WV_{l,h} = b_{i_l h} I with b = ones + identity.  The values v_p of its
paths are row i of the Kronecker power of b, which is invertible, so no width below the number of conditions matches all
T_i (proofs/FORMAT.md, rule K).
"""

from __future__ import annotations

from typing import Any, NamedTuple

from symut.certificate import Certificate
from symut.errors import InternalError, UsageError
from symut.limits import require_memory
from symut.prover.argument import PATH_MATCHING, Argument, Context
from symut.statement import CITED, OutputBound, SharpWidth, Step

KRONECKER = "kronecker-product-of-invertible-matrices"
PROBES = "probes-force-path-matching"
PRODUCT_LIMIT, LAYER_LIMIT = 2 * 10**6, 10**4
"""Products in the bases of all layers, and layers: more is too large for check.py."""


class Basis(NamedTuple):
    """An H x H integer matrix without zeros, and an integer matrix with basis . inverse = scale . identity."""

    basis: list[list[int]]
    inverse: list[list[int]]
    scale: int


def ones_and_identity(H: int) -> Basis:
    """J + I with J all ones; (J + I) ((H + 1) I - J) = (H + 1) I because J J = H J."""
    heads = range(H)
    found = Basis(
        [[1 + (i == j) for j in heads] for i in heads], [[H * (i == j) - (i != j) for j in heads] for i in heads], H + 1
    )
    _require_inverse(found)
    return found


def _require_inverse(found: Basis) -> None:
    columns = list(zip(*found.inverse, strict=True))
    for i, row in enumerate(found.basis):
        for j, column in enumerate(columns):
            product = sum(a * b for a, b in zip(row, column, strict=True))
            if product != found.scale * (i == j) or row[j] == 0:
                raise InternalError("ones + identity is not inverted", got=f"{product} at {i}, {j}")


def require_basis(H: int, L: int, context: Context) -> None:
    """Refuse a basis of H heads in L layers that is too large to be written or re-checked."""
    require_memory(400 * L * H * H, context.max_memory, f"a certificate for {H} heads in {L} layers")
    if L * H**3 > PRODUCT_LIMIT or L > LAYER_LIMIT:
        expected = f"L H^3 <= {PRODUCT_LIMIT} and L <= {LAYER_LIMIT}"
        raise UsageError(
            "too large for check.py", expected=expected, got=f"H = {H}, L = {L}", remedy="take a smaller size"
        )


def spanning_targets(H: int, L: int, context: Context) -> dict[str, Any]:
    """The certificate's field `spanning`: the same basis in every layer."""
    require_basis(H, L, context)
    found = ones_and_identity(H)
    return {"basis": [found.basis] * L, "inverse": [found.inverse] * L, "scale": [found.scale] * L}


def spanning_steps(H: int, L: int) -> list[Step]:
    """The targets T_i, and that their path values are invertible."""
    return [
        Step(
            "targets",
            f"T_i, i in {{1..{H}}}^{L}: WV_{{l,h}} = 2 I if h = i_l, else I; b = ones + identity has "
            f"b ({H + 1} identity - ones) = {H + 1} identity, and no entry 0",
            "integer matrices",
        ),
        Step(
            "path values",
            "the values v_p of T_i are row i of the Kronecker product of the bases, which is invertible",
            f"lemma {KRONECKER}",
            CITED,
        ),
    ]


def probing_step() -> Step:
    """What a network of targets with scalar values forces, by lemma."""
    return Step(
        "probes",
        "if UT(X, E) = T(X) for all attention functions and WV_{l,h} = v I with v != 0 then E M(R) = B(W)",
        f"lemma {PROBES}",
        CITED,
    )


def sharp_width(statement: SharpWidth, context: Context) -> Argument:
    """No backbone of a width below N is universal (goal sharp_width)."""
    width = statement.width
    steps = [
        *spanning_steps(statement.H, statement.L),
        probing_step(),
        Step(
            "rank",
            f"the rows of B(W) over the T_i with WQ, WK zero but for at most one entry 1 span all {width} columns; so "
            f"a universal backbone has rank M(R) = {width}, and m >= {width}",
            "linear algebra",
        ),
    ]
    cited = (PROBES, KRONECKER)
    if statement.m is None:
        claim = f"rank M(R) = {width} gives E = B(W) M(R)^+, and E M(R) = B(W) implies UT(X, E) = T(X)"
        steps.append(Step("sufficiency", claim, f"lemma {PATH_MATCHING}", CITED))
        cited = (PATH_MATCHING, *cited)
    parts = {"spanning": spanning_targets(statement.H, statement.L, context)}
    return Argument(statement, Certificate(statement.sha256, parts=parts), tuple(steps), cited)


def output_bound(statement: OutputBound, context: Context) -> Argument:
    """Outputs alone need m >= d H^L (goal output_lower_bound)."""
    width = statement.width
    steps = (
        *spanning_steps(statement.H, statement.L),
        Step(
            "outputs",
            f"row r of E maps to row r of [W_p]_p under [R_p U]_p, which is m x {width}; for T_i that row is v_p e_r, "
            f"and over i and r these rows are {width} independent ones, so m >= {width}",
            "linear algebra",
        ),
        Step(
            "networks",
            "with attention functions that return I for the heads along p and 0 for all others, UT(X, E) = X E R_p U "
            "and T(X) = X W_p; so UT = T for all constant attention functions implies E R_p U = W_p for all p",
            "constant attention functions",
        ),
    )
    parts = {"spanning": spanning_targets(statement.H, statement.L, context)}
    return Argument(statement, Certificate(statement.sha256, parts=parts), steps, (KRONECKER,))
