"""Proof methods, and the driver that turns a theorem into a verdict."""

from symut.prover.argument import Argument, Context, Undecided
from symut.prover.bounds import below_threshold, below_threshold_for_scores
from symut.prover.forms import form_universality
from symut.prover.sizes import require_proof_memory, require_rank_memory
from symut.prover.stored import add_stored_backbone, stored_backbone
from symut.prover.universality import almost_every_backbone, fixed_backbone

__all__ = [
    "Argument",
    "Context",
    "Undecided",
    "add_stored_backbone",
    "almost_every_backbone",
    "below_threshold",
    "below_threshold_for_scores",
    "fixed_backbone",
    "form_universality",
    "require_proof_memory",
    "require_rank_memory",
    "stored_backbone",
]
