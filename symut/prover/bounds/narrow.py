"""Widths below N: no universal backbone has one; for attention functions of the scores a band is open.

Main definitions: `below_threshold`, `below_threshold_for_scores`, `score_band`.
"""

from __future__ import annotations

from dataclasses import replace

from symut.backbone.forms import SHARED_KEY, form_count
from symut.backbone.shape import Shape, slot_count
from symut.prover.argument import Argument, Context, Undecided
from symut.prover.bounds.softmax import is_tried
from symut.prover.bounds.spanning import output_bound, sharp_width
from symut.statement import CITED, RANDOM, OutputBound, ScoresQuestion, SharpWidth, SoftmaxOutputBound, Step


def _stronger(shape: Shape, m: int) -> list[Step]:
    """Below d H^L smaller classes of attention functions are out of reach, too; each has its own artifact."""
    H, L = shape.H, shape.L
    least = shape.d * H**L
    if m >= least:
        return []
    command = f"output_lower_bound --H {H} --L {L}"
    claim = f"m is below d H^L = {least}: attention functions that ignore their arguments are out of reach already"
    steps = [Step("outputs", claim, f"theorem {command}, its own artifact", CITED)]
    if is_tried(SoftmaxOutputBound(H, L, 2)):
        claim = "so is softmax(Q K^T) alone, if backbone and target have the same attention matrices"
        steps.append(Step("softmax", claim, f"theorem {command} --softmax (softmax_output_lower_bound)", CITED))
    return steps


def below_threshold(shape: Shape, m: int, context: Context) -> Argument:
    """The refutation of a universal backbone of width m < N, stored, sparse or random (goal sharp_width)."""
    argument = sharp_width(SharpWidth(shape.H, shape.L, shape.d, shape.k, m), context)
    counterexample = (
        f"every backbone of width m = {m} < N = {shape.N} lacks a program for some target with values WV_{{l,h}} in "
        "{I, 2 I} and WQ, WK zero but for at most one entry 1"
    )
    return replace(argument, steps=(*argument.steps, *_stronger(shape, m)), counterexample=counterexample)


def score_band(shape: Shape) -> tuple[int, int]:
    """(d H^L, the least width known to suffice for almost every backbone) for attention functions of the scores.

    For k >= d the queries may be W_p [I 0], so that d columns of each key remain to be matched:
    (k + d) sum_l H^l + d H^L conditions, a subset of the N slots.
    """
    count, d, k = slot_count(shape.H, shape.L), shape.d, shape.k
    fewer = (k + d) * (count.per_k // 2) + d * count.per_d
    return d * count.per_d, min(shape.N, fewer) if k >= d else shape.N


def below_threshold_for_scores(shape: Shape, m: int, context: Context) -> Argument | Undecided:
    """The same for attention functions of the scores: refuted below d H^L (goal output_lower_bound), open above."""
    lower, width = score_band(shape)
    if m < lower:
        counterexample = (
            f"every backbone of width m = {m} < d H^L = {lower} lacks a program for some target with values WV_{{l,h}} "
            "in {I, 2 I}, already for attention functions that ignore their arguments"
        )
        proved = output_bound(OutputBound(shape.H, shape.L, shape.d, m), context)
        return replace(proved, counterexample=counterexample)
    asked = ScoresQuestion(RANDOM, shape.H, shape.L, shape.d, shape.k, m)
    return Undecided(asked, _band(shape, m, lower, width), (), {"best_lower": lower, "best_width": width})


def _band(shape: Shape, m: int, lower: int, width: int) -> str:
    known = (
        f"for attention functions of the scores no backbone of width m < d H^L = {lower} is universal, and almost "
        f"every one of width m >= {width} is"
    )
    if m >= width:
        return f"m = {m} is below N = {shape.N}; {known}, by a proof for k >= d that check.py has no rule for"
    narrow = form_count(SHARED_KEY, shape.H, shape.L).at(shape.d, shape.k)
    special = f"; some backbones of head width d and width {narrow} are (score_matching_universality)"
    return f"m = {m} lies in the open band: {known}{special * (narrow < width)}"
