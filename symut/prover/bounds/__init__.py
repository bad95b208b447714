"""Lower bounds on the width of a backbone, and what they refute; one file per method."""

from symut.prover.bounds.filter import (
    attention_output_width,
    attention_width,
    require_readoff_memory,
    score_matching_bound,
)
from symut.prover.bounds.narrow import (
    below_score_bound,
    below_threshold,
    below_threshold_for_scores,
    is_filtered,
    score_band,
)
from symut.prover.bounds.obstruction import head_width_obstruction
from symut.prover.bounds.softmax import softmax_output_bound
from symut.prover.bounds.spanning import output_bound, sharp_width

__all__ = [
    "attention_output_width",
    "attention_width",
    "below_score_bound",
    "below_threshold",
    "below_threshold_for_scores",
    "head_width_obstruction",
    "is_filtered",
    "output_bound",
    "require_readoff_memory",
    "score_band",
    "score_matching_bound",
    "sharp_width",
    "softmax_output_bound",
]
