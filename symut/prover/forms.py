"""Universality of a form: one 0/1 backbone, and from it almost every backbone of the form.

Main definitions: `form_universality`.
Main result: a routing that matches every slot of the form is a universal backbone of width N, and an N x N minor that
is +1 or -1 there makes almost every backbone of width m >= N universal (proofs/FORMAT.md, section 9).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from symut.backbone.forms import LOOPED, SHARED_KEY, FormShape
from symut.backbone.routing import Routing
from symut.backbone.shape import Shape
from symut.certificate import Certificate
from symut.errors import InternalError
from symut.prover.argument import (
    AFFINE_LIFT,
    EQUAL_SCORES,
    NULL_SET,
    PATH_MATCHING,
    RESIDUAL_PATH_MATCHING,
    SCHWARTZ_ZIPPEL,
    Argument,
    Context,
    Undecided,
)
from symut.prover.bounds import (
    below_score_bound,
    below_threshold,
    below_threshold_for_scores,
    is_filtered,
    score_band,
)
from symut.prover.genericity import check_formulas
from symut.prover.sizes import require_proof_memory
from symut.prover.universality import genericity_steps, matching_steps
from symut.statement import CITED, FormStatement, Step

CARRY = "carry"
"""The certificate's field with the values z of an affine form, one list of H integers for each layer."""


def form_universality(
    statement: FormStatement,
    layout: Callable[[FormShape], Routing],
    moved: Callable[[FormShape], int],
    context: Context,
    *,
    parts: Callable[[FormShape], Mapping[str, Any]] = lambda shape: {},
    notes: Sequence[Step] = (),
) -> Argument | Undecided:
    """A proof of all claims of the statement but the one about a stored backbone.

    `layout(shape)` makes the routing of width N whose heads move `moved(shape)` coordinates, `parts(shape)` the further
    fields of the certificate (`carry` of an affine form); `notes` are steps that say what else follows.
    Raises UsageError if the proof would be too large, InternalError if the routing or the carry is wrong.
    """
    shape, m = statement.units, statement.m
    if m is not None and m < shape.N:
        return _below_threshold(statement, shape, m, context)
    require_proof_memory(statement, moved(shape), context)
    check_formulas(shape.form, shape.H, shape.L)
    routing, fields = layout(shape), dict(parts(shape))
    steps = matching_steps(statement, routing, context)
    if shape.form.affine:
        steps.append(_carry_step(statement, fields[CARRY]))
    lemmas = _lemmas(statement)
    own = (step.method.removeprefix("lemma ") for step in lemmas)
    cited = (PATH_MATCHING, NULL_SET, SCHWARTZ_ZIPPEL, *(name for name in own if name != PATH_MATCHING))
    steps += [*genericity_steps(statement, lemmas), *notes]
    return Argument(statement, Certificate(statement.sha256, routing, parts=fields), tuple(steps), cited)


def _lemmas(statement: FormStatement) -> list[Step]:
    """Why E M(R) = B(W) is enough for networks of this form."""
    form = statement.form
    name = RESIDUAL_PATH_MATCHING if form.residual else PATH_MATCHING
    same = "E M(R) = B(W) implies UT(X, E) = T(X) for all n, X and alpha"
    steps = [("sufficiency", same + (", by induction with the letter 0 for a skip" if form.residual else ""), name)]
    if form.scores_only:
        claim = "the scores Q K^T of both networks agree, so attention functions of the scores have equal arguments"
        steps.append(("scores", claim, EQUAL_SCORES))
    if form.affine:
        claim = "the lifted target computes [X_l, 1], and the affine target is the lifted one read by C'"
        steps.append(("lift", claim, AFFINE_LIFT))
    return [Step(id, claim, f"lemma {lemma}", CITED) for id, claim, lemma in steps]


def _carry_step(statement: FormStatement, carry: Sequence[Sequence[int]]) -> Step:
    """The column of ones survives every layer: one head carries it, or the residual stream does."""
    wanted = 0 if statement.form.residual else 1
    shaped = len(carry) == statement.L and all(len(layer) == statement.H for layer in carry)
    skipped = not statement.form.residual or not any(any(layer) for layer in carry)
    if not shaped or not skipped or any(sum(layer) != wanted for layer in carry):
        raise InternalError("the constant is not carried", expected=f"sums {wanted} in every layer", got=str(carry))
    if statement.form.residual:
        return Step("carry", "no head writes the column of ones, which the residual stream keeps", "all z are 0")
    claim = "the column of ones reproduces itself in every layer, because the rows of alpha sum to 1"
    return Step("carry", claim, "z sums to 1 over the heads of each layer")


def _below_threshold(statement: FormStatement, shape: FormShape, m: int, context: Context) -> Argument | Undecided:
    """The answer for a width m < N: refuted where a bound for all backbones says so, else open.

    A looped backbone is a layered one, so it needs N.  One that matches scores has head width d: where that is the
    score rank k of the targets, invertible values are enough for W_1; otherwise outputs need d H^L, for all targets.
    """
    layered, lower = Shape(shape.H, shape.L, shape.d, shape.k), shape.d * shape.H**shape.L
    if shape.form == LOOPED:
        return below_threshold(layered, m, context)
    ranked = shape.form.scores_only and shape.k == shape.d and is_filtered(layered)
    if ranked:
        lower, _ = score_band(layered)
    if ranked and m < lower:
        return below_score_bound(layered, m, context)
    if shape.form == SHARED_KEY and m < lower:
        return below_threshold_for_scores(layered, m, context)
    reason = f"m = {m} is below N = {shape.N}, where this proof stops; known: N = {shape.N} suffices"
    known = {"best_width": shape.N}
    if shape.form == SHARED_KEY:
        return Undecided(statement, f"{reason}, and m >= {lower} is needed", (), {"best_lower": lower, **known})
    return Undecided(statement, reason, (), known)
