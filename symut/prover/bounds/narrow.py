"""Widths below N: no universal backbone has one; for attention functions of the scores a band is open.

Main definitions: `below_threshold`, `below_threshold_for_scores`, `below_score_bound`, `score_band`.
"""

from __future__ import annotations

from dataclasses import replace

from symut.backbone.forms import SHARED_KEY, form_count
from symut.backbone.shape import Shape, slot_count
from symut.prover.argument import Argument, Context, Undecided
from symut.prover.bounds.filter import fits_filter, score_matching_bound
from symut.prover.bounds.softmax import is_tried
from symut.prover.bounds.spanning import output_bound, sharp_width
from symut.statement import (
    CITED,
    RANDOM,
    OutputBound,
    ScoreMatchingBound,
    ScoresQuestion,
    SharpWidth,
    SoftmaxOutputBound,
    Step,
)
from symut.statement.matching import score_bound


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
    """(The best lower bound, the least width known to suffice for almost every backbone), for attention functions of
    the scores.

    For k <= d the bound is W_1 of `score_matching_lower_bound`, else d H^L.

    For k >= d the queries may be W_p [I 0], so that d columns of each key remain to be matched:
    (k + d) sum_l H^l + d H^L conditions, a subset of the N slots.
    """
    count, d, k = slot_count(shape.H, shape.L), shape.d, shape.k
    fewer = (k + d) * (count.per_k // 2) + d * count.per_d
    lower = score_bound(shape.H, shape.L, d, k, True) if is_filtered(shape) else d * count.per_d
    return lower, min(shape.N, fewer) if k >= d else shape.N


def is_filtered(shape: Shape) -> bool:
    """Whether the bound of `score_matching_lower_bound` holds here and has a certificate that check.py reads."""
    return shape.k <= shape.d and fits_filter(shape.H, shape.L, 2 * shape.k * shape.d - shape.k**2)


def below_threshold_for_scores(shape: Shape, m: int, context: Context) -> Argument | Undecided:
    """The same for attention functions of the scores: refuted below d H^L (goal output_lower_bound) and, for k <= d,
    below W_1 (goal score_matching_lower_bound), open above."""
    lower, width = score_band(shape)
    outputs = shape.d * shape.H**shape.L
    if m < outputs:
        counterexample = (
            f"every backbone of width m = {m} < d H^L = {outputs} lacks a program for some target with values "
            "WV_{l,h} in {I, 2 I}, already for attention functions that ignore their arguments"
        )
        proved = output_bound(OutputBound(shape.H, shape.L, shape.d, m), context)
        return replace(proved, counterexample=counterexample)
    if m < lower:
        return below_score_bound(shape, m, context)
    asked = ScoresQuestion(RANDOM, shape.H, shape.L, shape.d, shape.k, m)
    return Undecided(asked, _band(shape, m, lower, width), (), {"best_lower": lower, "best_width": width})


def below_score_bound(shape: Shape, m: int, context: Context) -> Argument:
    """The refutation of a width m < W_1 for attention functions of the scores (goal score_matching_lower_bound)."""
    statement = ScoreMatchingBound(shape.H, shape.L, shape.d, shape.k)
    counterexample = (
        f"every backbone of width m = {m} < {statement.width} and head width k = {shape.k} lacks a program for some "
        "target with WQ, WK of rank k and invertible WV"
    )
    return replace(score_matching_bound(statement, context), counterexample=counterexample)


def _band(shape: Shape, m: int, lower: int, width: int) -> str:
    known = (
        f"for attention functions of the scores no backbone of width m < {lower} is universal, and almost every one of "
        f"width m >= {width} is"
    )
    if m >= width:
        return f"m = {m} is below N = {shape.N}; {known}, by a proof for k >= d that check.py has no rule for"
    narrow = form_count(SHARED_KEY, shape.H, shape.L).at(shape.d, shape.k)
    special = f"; some backbones of head width d and width {narrow} are (score_matching_universality)"
    return f"m = {m} lies in the open band: {known}{special * (narrow < width)}"
