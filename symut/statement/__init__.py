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
from symut.statement.universality import BACKBONE, RANDOM, SPARSE, Universality

__all__ = [
    "BACKBONE",
    "CITED",
    "EXIT_CODES",
    "PROVED",
    "RANDOM",
    "REFUTED",
    "SPARSE",
    "TRUSTED",
    "UNKNOWN",
    "Outcome",
    "Statement",
    "Step",
    "Universality",
]
