"""Universality from witnesses: one fixed 0/1 backbone, or almost every backbone.

Main definitions: `fixed_backbone`, `almost_every_backbone`, `below_threshold`.
Each takes a construction's witness and returns an argument whose certificate the independent checker re-checks.
Sources: Fixed Universal Transformers, Theorems 3.1 and 3.2; written out in proofs/README.md.
"""

from __future__ import annotations

from dataclasses import replace

from symut.backbone.routing import Routing
from symut.backbone.shape import Shape, block_count
from symut.certificate import Certificate
from symut.errors import UsageError
from symut.limits import require_memory
from symut.prover.argument import NULL_SET, PATH_MATCHING, SCHWARTZ_ZIPPEL, Argument, Context, Undecided
from symut.prover.checker import largest_routing
from symut.prover.genericity import check_formulas, determinant_polynomial, written_out
from symut.prover.identity import check_block_sizes, match_paths
from symut.statement import CITED, Step, Universality

BYTES_PER_UNIT, BYTES_PER_MOVE = 900, 200
"""Measured peak of a proof per slot or block, and per coordinate that some head moves, rounded up."""


def units(statement: Universality) -> tuple[int, int]:
    """(d, k) of a scalar statement, (1, 1) of a block statement, whose unit is a whole block."""
    return (1, 1) if statement.d is None or statement.k is None else (statement.d, statement.k)


def require_proof_memory(statement: Universality, moved: int, context: Context) -> None:
    """Refuse a statement before its slots are listed: by memory, or because check.py would refuse the routing.

    `moved` is the number of coordinates that all heads of the routing move.
    """
    d, k = units(statement)
    slots = Shape(statement.H, statement.L, d, k).N
    predicted = slots * BYTES_PER_UNIT + moved * BYTES_PER_MOVE
    require_memory(predicted, context.max_memory, f"a proof with {slots:.3g} slots")
    _require_checkable(moved)


def require_rank_memory(shape: Shape, m: int, context: Context) -> None:
    """Refuse a stored backbone whose weights and modular matrices would exceed the memory limit."""
    require_memory(24 * shape.L * shape.H * m * m + 120 * m * m, context.max_memory, f"a backbone of width {m}")


def _require_checkable(moved: int) -> None:
    if moved > largest_routing():
        raise UsageError(
            "too large for check.py",
            expected=f"moves of at most {largest_routing()} coordinates",
            got=str(moved),
            remedy="take a smaller size",
        )


def _matching_steps(statement: Universality, routing: Routing, context: Context) -> list[Step]:
    _require_checkable(sum(move.length for layer in routing.values for head in layer for move in head))
    H, L = statement.H, statement.L
    d, k = units(statement)
    if statement.d is None:
        check_block_sizes(routing, H, L)
    matched = match_paths(routing, H, L, d, k, lambda done, total: context.progress("paths", done, total))
    unit = "blocks" if statement.d is None else "columns"
    return [
        Step(
            "slots",
            f"E M(R) = B(W) has N = {statement.N} columns, in {block_count(H, L)} blocks",
            "counting slots",
        ),
        Step(
            "matching",
            f"E R_p RQ = W_p WQ, E R_p RK = W_p WK for every path shorter than {L} and E R_p U = W_p for every path of "
            f"length {L}: {matched} {unit} agree as words",
            "words in non-commuting letters, path by path",
        ),
        Step(
            "identity",
            f"the {matched} rows of M(S) that hold slots form the identity",
            "each word occurs once",
        ),
    ]


def _sufficiency() -> Step:
    return Step(
        "sufficiency",
        "E M(R) = B(W) implies UT(X, E) = T(X) for all n, X and alpha",
        f"lemma {PATH_MATCHING}",
        CITED,
    )


def fixed_backbone(statement: Universality, routing: Routing, context: Context) -> Argument:
    """A proof that this routing is a universal backbone (goal sparse_universality)."""
    steps = (*_matching_steps(statement, routing, context), _sufficiency())
    return Argument(statement, Certificate(statement.sha256, routing), steps, (PATH_MATCHING,))


def _genericity_steps(statement: Universality) -> list[Step]:
    D = statement.degree
    return [
        Step(
            "polynomial",
            f"a fixed N x N minor of M(R) is a polynomial with integer coefficients of degree at most D = {D} in the "
            "entries, with value +1 or -1 at the sparse backbone (zero rows and columns added if m > N)",
            "column degrees |p| + 1 and L + 1; closed forms of N and D compared in sympy",
        ),
        Step(
            "null set",
            "its zero set has measure zero, so almost every backbone has rank M(R) = N",
            f"lemma {NULL_SET}",
            CITED,
        ),
        Step("solvability", "rank M(R) = N gives E = B(W) M(R)^+ for every target", "linear algebra"),
        _sufficiency(),
        Step(
            "finite entries",
            "entries uniform on s numbers fail with probability at most D/s",
            f"lemma {SCHWARTZ_ZIPPEL}",
            CITED,
        ),
    ]


def almost_every_backbone(statement: Universality, routing: Routing, context: Context) -> Argument:
    """A proof that almost every backbone is universal (goal random_universality) from a routing as witness."""
    check_formulas(statement.H, statement.L)
    steps = (*_matching_steps(statement, routing, context), *_genericity_steps(statement))
    certificate = Certificate(statement.sha256, routing)
    shape = (
        None
        if statement.d is None or statement.k is None
        else Shape(statement.H, statement.L, statement.d, statement.k)
    )
    if shape and statement.m in (None, shape.N) and written_out(shape):
        certificate = replace(certificate, determinant=determinant_polynomial(shape))
    return Argument(statement, certificate, steps, (PATH_MATCHING, NULL_SET, SCHWARTZ_ZIPPEL))


def below_threshold(statement: Universality, shape: Shape, m: int) -> Undecided:
    """The answer for a width m < N: not settled here, with the bounds that are known."""
    lower = shape.d * shape.H**shape.L
    reason = (
        f"m = {m} is below N = {shape.N}, where this proof stops; known: N = {shape.N} suffices, and a backbone that "
        f"reproduces the attention matrices of every target needs m >= d H^L = {lower}"
    )
    return Undecided(statement, reason, known={"best_lower": lower, "best_width": shape.N})
