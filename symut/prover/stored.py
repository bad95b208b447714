"""Universality of one stored backbone, from the exact rank of its block matrix.

Main definitions: `stored_backbone`, `add_stored_backbone`.
Main result: rank M(R) = N suffices, and it is certified from the stored weights (proofs/FORMAT.md, section 6).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from symut.backbone.forms import FormShape
from symut.backbone.shape import Shape
from symut.certificate import Certificate
from symut.prover.argument import PATH_MATCHING, Argument, Context, Undecided
from symut.prover.bounds.kernel import refute_stored
from symut.prover.rank import RECHECK_LIMIT, Certified, certify
from symut.statement import CITED, TRUSTED, UNKNOWN, FormStatement, Step, Universality

if TYPE_CHECKING:
    import numpy as np

FLINT = "python-flint"


def _beyond(N: int) -> str:
    """Why check.py does not re-check the rank."""
    return f"N = {N} is above {RECHECK_LIMIT}" if N > RECHECK_LIMIT else f"too much work for check.py at N = {N}"


def _rank_step(found: Certified, N: int) -> Step:
    claim = f"M(R) of the stored backbone has rank {found.rank} modulo {found.prime}, N = {N}"
    if found.rank < N:
        return Step("rank", f"{claim}; nothing follows", "every listed prime tried", UNKNOWN)
    claim += ", hence rank N over the reals"
    if found.inverse is None:
        return Step("rank", claim, f"{FLINT}; {_beyond(N)}, not re-checked", TRUSTED)
    return Step("rank", claim, "left inverse modulo an odd prime")


def _taken_on_trust(N: int) -> str:
    return f"{_beyond(N)}: {FLINT} computed the rank of this backbone, check.py did not re-check it"


def _singular(statement: Universality | FormStatement, found: Certified, N: int, why: str) -> Undecided:
    reason = (
        f"rank M(R) = {found.rank} < N = {N} modulo every prime tried, so the sufficient condition was not "
        f"established{'; ' * bool(why)}{why}"
    )
    return Undecided(statement, reason, (_rank_step(found, N),), {"best_width": N})


def stored_backbone(
    statement: Universality | FormStatement,
    shape: Shape | FormShape,
    tensors: Mapping[str, np.ndarray],
    content: bytes,
    context: Context,
) -> Argument | Undecided:
    """A proof that the backbone in the file `content` is universal (goal backbone_universality).

    A layered backbone with a singular block matrix is refuted by an exact kernel vector (goal singular_backbone).
    """
    context.progress("rank", 0, 1)
    found = certify(tensors, shape)
    context.progress("rank", 1, 1)
    if found.rank < shape.N:
        refuted = refute_stored(shape, tensors, content, found, context) if isinstance(shape, Shape) else ""
        return _singular(statement, found, shape.N, refuted) if isinstance(refuted, str) else refuted
    step = _rank_step(found, shape.N)
    reasons = (
        Step("solvability", "rank N gives E = B(W) M(R)^+ for every target", "linear algebra"),
        Step("sufficiency", "E M(R) = B(W) implies UT(X, E) = T(X)", f"lemma {PATH_MATCHING}", CITED),
    )
    if found.inverse is None:
        return Argument(
            statement,
            None,
            (step, *reasons),
            (PATH_MATCHING,),
            unchecked=(FLINT,),
            reason=_taken_on_trust(shape.N),
        )
    certificate = Certificate(statement.sha256, inverse=found.inverse)
    return Argument(statement, certificate, (step, *reasons), (PATH_MATCHING,), content)


def add_stored_backbone(
    argument: Argument, shape: Shape | FormShape, tensors: Mapping[str, np.ndarray], content: bytes, context: Context
) -> Argument | Undecided:
    """The argument for almost every backbone, extended to the stored one that its statement names.

    Beyond check.py's reach, as above N = 512, the certificate keeps the statement without the stored backbone, and the
    verdict becomes TRUSTED.
    """
    statement = cast(Universality | FormStatement, argument.statement)
    alone = stored_backbone(statement, shape, tensors, content, context)
    if isinstance(alone, Undecided) or alone.counterexample:
        return alone
    steps = (*argument.steps, *alone.steps[:1])
    if alone.certificate is None or argument.certificate is None:
        general = replace(statement, weights=None)
        certificate = Certificate(general.sha256, argument.certificate.routing if argument.certificate else None)
        return replace(
            argument,
            statement=general,
            certificate=certificate,
            steps=steps,
            unchecked=alone.unchecked,
            unchecked_claims=tuple(argument.statement.claims[len(general.claims) :]),
            reason=alone.reason,
        )
    certificate = replace(argument.certificate, inverse=alone.certificate.inverse)
    return replace(argument, certificate=certificate, steps=steps, weights=content)
