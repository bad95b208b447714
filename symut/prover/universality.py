"""Universality from witnesses: one fixed 0/1 backbone, or almost every backbone.

Main definitions: `fixed_backbone`, `almost_every_backbone`.
Each takes a construction's witness and returns an argument whose certificate the independent checker re-checks.
Sources: Fixed Universal Transformers, Theorems 3.1 and 3.2; written out in proofs/README.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from symut.backbone.forms import LAYER, LAYERED, OUTPUTS, Form, form_count
from symut.backbone.routing import Routing
from symut.backbone.shape import Shape
from symut.certificate import Certificate
from symut.prover.argument import NULL_SET, PATH_MATCHING, SCHWARTZ_ZIPPEL, Argument, Context
from symut.prover.genericity import check_formulas, determinant_polynomial, written_out
from symut.prover.identity import check_block_sizes, match_paths
from symut.prover.sizes import require_checkable
from symut.statement import CITED, FormStatement, Step, Universality


def _conditions(form: Form, L: int) -> str:
    """What `match_paths` checks, as text."""
    short, full = f"for every path shorter than {L}", f"for every path of length {L}"
    if form.affine:
        return f"E R_p RQ = W'_p WQ', E R_p RK = W'_p WK' {short} and E R_p U = W'_p C' {full}"
    if form.outputs_everywhere:
        return f"E R_p RQ = W_p WQ, E R_p RK = W_p WK {short} and E R_p U = W_p for every path up to length {L}"
    if form.keys == LAYER:
        return f"E R_p RQ = W_p WQ WK^T, E R_p RK = W_p {short} and E R_p U = W_p {full}"
    if form.keys == OUTPUTS:
        return f"E R_p RQ = W_p F {short} and E R_p U = W_p {full}"
    return f"E R_p RQ = W_p WQ, E R_p RK = W_p WK {short} and E R_p U = W_p {full}"


def matching_steps(statement: Universality | FormStatement, routing: Routing, context: Context) -> list[Step]:
    """The steps from the slots of a form to M(S) = I on the rows that hold words, checked path by path.

    Raises InternalError if the routing does not match every slot.
    """
    shape, block = statement.units, statement.d is None
    moved = sum(move.length for layer in routing.values for head in layer for move in head)
    require_checkable(shape, moved, routing.width)
    if block:
        check_block_sizes(routing, shape)
    matched = match_paths(routing, shape, lambda done, total: context.progress("paths", done, total))
    blocks = form_count(shape.form, shape.H, shape.L).at(1, 1)
    return [
        Step("slots", f"E M(R) = B(W) has N = {statement.N} columns, in {blocks} blocks", "counting slots"),
        Step(
            "matching",
            f"{_conditions(shape.form, shape.L)}: {matched} {'blocks' if block else 'columns'} agree as words",
            "words in non-commuting letters, path by path",
        ),
        Step("identity", f"the {matched} rows of M(S) that hold slots form the identity", "each word occurs once"),
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
    steps = (*matching_steps(statement, routing, context), _sufficiency())
    return Argument(statement, Certificate(statement.sha256, routing), steps, (PATH_MATCHING,))


def genericity_steps(statement: Universality | FormStatement, lemmas: Sequence[Step]) -> list[Step]:
    """From one witness to almost every backbone; `lemmas` say why solving E M(R) = B(W) is enough."""
    layered = statement.units.form == LAYERED
    kind = "sparse" if layered else "0/1"
    skips = " that are not 0" if statement.units.form.letters else ""
    degrees = "|p| + 1 and L + 1" if layered else f"1 + the letters of p{skips}"
    return [
        Step(
            "polynomial",
            f"a fixed N x N minor of M(R) is a polynomial with integer coefficients of degree at most "
            f"D = {statement.degree} in the entries, with value +1 or -1 at the {kind} backbone (zero rows and columns "
            "added if m > N)",
            f"column degrees {degrees}; closed forms of N and D compared in sympy",
        ),
        Step(
            "null set",
            "its zero set has measure zero, so almost every backbone has rank M(R) = N",
            f"lemma {NULL_SET}",
            CITED,
        ),
        Step("solvability", "rank M(R) = N gives E = B(W) M(R)^+ for every target", "linear algebra"),
        *lemmas,
        Step(
            "finite entries",
            "entries uniform on s numbers fail with probability at most D/s",
            f"lemma {SCHWARTZ_ZIPPEL}",
            CITED,
        ),
    ]


def almost_every_backbone(statement: Universality, routing: Routing, context: Context) -> Argument:
    """A proof that almost every backbone is universal (goal random_universality) from a routing as witness."""
    check_formulas(LAYERED, statement.H, statement.L)
    steps = (*matching_steps(statement, routing, context), *genericity_steps(statement, [_sufficiency()]))
    certificate = Certificate(statement.sha256, routing)
    shape = (
        None
        if statement.d is None or statement.k is None
        else Shape(statement.H, statement.L, statement.d, statement.k)
    )
    if shape and statement.m in (None, shape.N) and written_out(shape):
        certificate = replace(certificate, determinant=determinant_polynomial(shape))
    return Argument(statement, certificate, steps, (PATH_MATCHING, NULL_SET, SCHWARTZ_ZIPPEL))
