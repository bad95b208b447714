"""The lower bounds on the width.

Main definitions: `LOWER`.
Sources: Fixed Universal Transformers, Theorem 4.1; the other rows are symut's own (proofs/FORMAT.md, sections 10, 11).
"""

from __future__ import annotations

from symut.backbone.forms import LAYERED
from symut.backbone.shape import Shape
from symut.statement.search import GENERAL, INFEASIBLE, STRONG, WEAK
from symut.tabulator.counts import attention_alone, general_scores, heads_sum, paths, score_matching
from symut.tabulator.problem import ALL, FREE, GENERIC, MATCHED, OUTPUTS, SCORES, Problem
from symut.tabulator.rows import MATCHING, SEARCH, UNIT_TARGETS, UNIVERSAL, Row, form_width, unit_shape

_SCORE_TARGETS = "targets with WQ, WK of rank k and invertible WV"


def _low_rank(shape: Shape) -> bool:
    return shape.k <= shape.d and not unit_shape(shape)


LOWER = (
    Row(
        "sharp_width",
        UNIVERSAL,
        form_width(LAYERED),
        "real weights, the same head width k in backbone and target",
        "sharp_width",
        "sharp_width",
        linear=True,
    ),
    Row(
        "output_bound",
        Problem(MATCHED, ALL, FREE, OUTPUTS),
        lambda shape: shape.d * paths(shape),
        "outputs alone: holds for every head width, and already for attention that ignores its arguments",
        "output_lower_bound",
        "output_lower_bound",
        linear=True,
    ),
    Row(
        "softmax_output_bound",
        Problem(MATCHED, ALL, FREE, OUTPUTS),
        lambda shape: shape.d * paths(shape),
        "outputs for one fixed attention function, softmax, if the attention matrices are equal; every head width",
        "output_lower_bound",
        "softmax_output_lower_bound",
        instances_only=True,
    ),
    Row(
        "score_matching",
        Problem(MATCHED, GENERIC),
        lambda shape: score_matching(shape, outputs=1),
        f"k <= d, scores and outputs path by path, {_SCORE_TARGETS}",
        MATCHING,
        "score_matching_lower_bound",
        _low_rank,
    ),
    Row(
        "score_matching_alone",
        Problem(MATCHED, GENERIC, matches=SCORES),
        lambda shape: score_matching(shape, outputs=0),
        f"k <= d, attention alone: scores path by path, {_SCORE_TARGETS}",
        MATCHING,
        "score_matching_lower_bound",
        _low_rank,
    ),
    Row(
        "attention_output",
        Problem(MATCHED, GENERIC),
        lambda shape: heads_sum(shape) + paths(shape),
        f"{UNIT_TARGETS}; scores and outputs path by path; exact",
        MATCHING,
        "attention_output_width",
        unit_shape,
    ),
    Row(
        "attention_alone",
        Problem(MATCHED, GENERIC, matches=SCORES),
        attention_alone,
        f"{UNIT_TARGETS}; attention alone: scores path by path; exact",
        MATCHING,
        "attention_width",
        unit_shape,
    ),
    Row(
        "general_scores",
        Problem(MATCHED, GENERIC, FREE),
        general_scores,
        f"{UNIT_TARGETS}; scores and outputs path by path; score matrices of any rank",
        SEARCH,
        INFEASIBLE,
        unit_shape,
        search=(GENERAL, WEAK),
    ),
    Row(
        "general_scores_all",
        Problem(MATCHED, ALL, FREE),
        lambda shape: 3,
        "H = L = d = k = 1, real weights, all q and v; the scores of targets with v = 0 match, too, which outputs do "
        "not force; score matrices of any rank",
        SEARCH,
        INFEASIBLE,
        lambda shape: unit_shape(shape) and shape.H == shape.L == 1,
        search=(GENERAL, STRONG),
    ),
    Row(
        "paper_theorem_4_1",
        Problem(MATCHED, ALL, matches=SCORES),
        lambda shape: (paths(shape) + 1) // 2,
        "Theorem 4.1 of the paper, m >= H^L/2 for H >= 2; superseded by attention_alone, which implies it",
        MATCHING,
        "attention_width",
        lambda shape: unit_shape(shape) and shape.H >= 2,
        superseded="attention_alone",
    ),
)
"""Lower bounds on the width."""
