"""What is claimed: goals, parameters, and the sentences that they determine; one file per family of goals."""

from symut.statement.base import (
    CITED,
    EXIT_CODES,
    PROVED,
    REFUTED,
    TRUSTED,
    UNKNOWN,
    Outcome,
    Statement,
    Step,
)
from symut.statement.bounds import Bound, OutputBound, ScoresQuestion, SharpWidth, SingularBackbone, SoftmaxOutputBound
from symut.statement.forms import FormStatement
from symut.statement.matching import (
    ALONE,
    WITH_OUTPUTS,
    AttentionWidth,
    HeadWidthObstruction,
    ScoreMatchingBound,
    score_bound,
    score_ranks,
)
from symut.statement.universality import BACKBONE, RANDOM, SPARSE, Universality

__all__ = [
    "ALONE",
    "BACKBONE",
    "CITED",
    "EXIT_CODES",
    "PROVED",
    "RANDOM",
    "REFUTED",
    "SPARSE",
    "TRUSTED",
    "UNKNOWN",
    "WITH_OUTPUTS",
    "AttentionWidth",
    "Bound",
    "FormStatement",
    "HeadWidthObstruction",
    "Outcome",
    "OutputBound",
    "ScoreMatchingBound",
    "ScoresQuestion",
    "SharpWidth",
    "SingularBackbone",
    "SoftmaxOutputBound",
    "Statement",
    "Step",
    "Universality",
    "score_bound",
    "score_ranks",
]
