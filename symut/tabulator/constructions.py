"""The constructions: widths that suffice.

Main definitions: `CONSTRUCTIONS`.
Sources: Fixed Universal Transformers, Theorems 3.1 and 3.2; the rest is symut's own (proofs/FORMAT.md, sections 9, 11).
"""

from __future__ import annotations

from symut.backbone.forms import (
    AFFINE,
    AFFINE_RESIDUAL,
    LAYERED,
    LOOPED,
    READOFF_KEY,
    RESIDUAL,
    SHARED_KEY,
    SHARED_RESIDUAL,
)
from symut.statement.search import BACKBONE_EXISTS, RANK_ONE, STRONG
from symut.tabulator.counts import attention_alone, heads_sum, paths, rank_one_scores
from symut.tabulator.problem import ALL, ANY, GENERIC, MATCHED, SCORE_ONLY, SCORES, D, Problem
from symut.tabulator.rows import MATCHING, NO_RULE, SEARCH, UNIT_TARGETS, UNIVERSAL, Row, form_width, unit_shape

CONSTRUCTIONS = (
    Row(
        "sparse",
        UNIVERSAL,
        form_width(LAYERED),
        "one backbone with entries 0 and 1",
        "sparse_universality",
        "sparse_universality",
    ),
    Row(
        "random",
        UNIVERSAL,
        form_width(LAYERED),
        "almost every backbone, for every m >= N",
        "random_universality",
        "random_universality",
    ),
    Row(
        "looped",
        UNIVERSAL,
        form_width(LOOPED),
        "the same weights in every layer of the backbone; targets need not be looped",
        "looped_universality",
        "looped_universality",
    ),
    Row(
        "shared_key",
        Problem(SCORE_ONLY, ALL, D),
        form_width(SHARED_KEY),
        "backbone head width d, one key matrix per layer",
        "score_matching_universality",
        "shared_key_universality",
    ),
    Row(
        "readoff_key",
        Problem(SCORE_ONLY, GENERIC, D),
        form_width(READOFF_KEY),
        "backbone head width d, keys read off the output slots, invertible values of head 1",
        "score_matching_universality",
        "readoff_key_universality",
    ),
    Row(
        "rank_one_scores",
        Problem(SCORE_ONLY, ALL),
        rank_one_scores,
        "d = k = 1, real weights, all q and v; every score is a product of two linear forms in free numbers",
        SEARCH,
        BACKBONE_EXISTS,
        unit_shape,
        search=(RANK_ONE, STRONG),
    ),
    Row(
        "fewer_conditions",
        Problem(SCORE_ONLY, ALL),
        lambda shape: (shape.k + shape.d) * heads_sum(shape) + shape.d * paths(shape),
        f"k >= d: queries fixed to W_p A with A of rank d; almost every backbone; {NO_RULE}",
        applies=lambda shape: shape.k >= shape.d,
    ),
    Row(
        "attention_alone",
        Problem(MATCHED, GENERIC, matches=SCORES),
        attention_alone,
        f"{UNIT_TARGETS}; attention alone, entries -1, 0, 1, 2; exact",
        MATCHING,
        "attention_width",
        unit_shape,
    ),
    Row(
        "attention_slots",
        Problem(MATCHED, ALL, matches=SCORES),
        lambda shape: 2 * shape.k * heads_sum(shape),
        f"attention alone: the query and key slots of the sparse backbone; {NO_RULE}",
    ),
    Row(
        "residual",
        Problem(ANY, "residual"),
        form_width(RESIDUAL),
        "backbone and targets with residual connections",
        "residual_universality",
        "residual_universality",
    ),
    Row(
        "shared_residual",
        Problem(ANY, "shared residual"),
        form_width(SHARED_RESIDUAL),
        "backbone and targets with residual connections and the same weights in every layer",
        "residual_universality",
        "shared_residual_universality",
    ),
    Row(
        "affine",
        Problem(ANY, "affine"),
        form_width(AFFINE),
        "targets with biases and d outputs, attention whose rows sum to 1",
        "affine_universality",
        "affine_universality",
    ),
    Row(
        "affine_residual",
        Problem(ANY, "affine residual"),
        form_width(AFFINE_RESIDUAL),
        "targets with biases, d outputs and residual connections",
        "affine_universality",
        "affine_residual_universality",
    ),
)
"""Widths that suffice."""
