"""Proof methods, and the driver that turns a theorem into a verdict."""

from symut.prover.argument import Argument, Context, Undecided
from symut.prover.stored import add_stored_backbone, stored_backbone
from symut.prover.universality import (
    almost_every_backbone,
    below_threshold,
    fixed_backbone,
    require_proof_memory,
    require_rank_memory,
)

__all__ = [
    "Argument",
    "Context",
    "Undecided",
    "add_stored_backbone",
    "almost_every_backbone",
    "below_threshold",
    "fixed_backbone",
    "require_proof_memory",
    "require_rank_memory",
    "stored_backbone",
]
