"""Which goals have a Coq counterpart, and what of their claims the kernel proves.

Main definitions: `Counterpart`, `COUNTERPARTS`, `require_counterpart`.
The map from goals to the theorems of proofs/coq is also docs/coq.md; a test compares both with the summaries.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from symut.errors import UsageError
from symut.prover.argument import (
    AFFINE_LIFT,
    EQUAL_SCORES,
    NULL_SET,
    PATH_MATCHING,
    RESIDUAL_PATH_MATCHING,
    SCHWARTZ_ZIPPEL,
)
from symut.prover.bounds.filter import FILTERED, SCORE_PROBES
from symut.prover.bounds.spanning import KRONECKER, PROBES
from symut.statement import Statement
from symut.statement.simulator import Simulator

ALMOST_EVERY = frozenset({PATH_MATCHING, NULL_SET, SCHWARTZ_ZIPPEL})


@dataclass(frozen=True)
class Counterpart:
    """The Coq side of one goal.

    `theorems` are those of proofs/coq that instance.v applies, as FILE.NAME; `lemmas` are the ones that check.py cites
    and that the kernel proves or does without, unless `cited` says that a statement still rests on them; `missing` says
    in words what of the claims the kernel does not prove.
    """

    theorems: tuple[str, ...]
    lemmas: frozenset[str] = frozenset()
    missing: Callable[[Any], Sequence[str]] = lambda statement: ()
    cited: Callable[[Any], frozenset[str]] = lambda statement: frozenset()

    @property
    def measure(self) -> bool:
        """Whether the theorems need mathcomp-analysis and its axioms."""
        return any(name.startswith("measure/") for name in self.theorems)


def _stored(statement: Any) -> Sequence[str]:
    """The kernel does not read files."""
    if statement.weights is None:
        return ()
    return ("Not proved here: the rank of M(R) of the stored backbone, which check.py computes from its bytes.",)


def _no_entries(statement: Any) -> Sequence[str]:
    return ("Not proved here: which integers are the entries of the backbone of claim 2.",)


def _weaker(statement: Any) -> Sequence[str]:
    """Both bounds agree if d divides the dimensions; else check.py rounds up in every layer."""
    from symut.kernel.numbers import coq_score_bound

    pairs = [(coq_score_bound(statement, outputs), statement.bound(outputs)) for outputs in (True, False)]
    return tuple(
        f"Not proved here: m >= {bound} {'with' if outputs else 'without'} outputs; m >= {proved} is."
        for outputs, (proved, bound) in zip((True, False), pairs, strict=True)
        if proved < bound
    )


def _encoder(statement: Any) -> Sequence[str]:
    feed_forward = ("Not proved here: the feed-forward layer.",) if statement.sizes.get("f") else ()
    return (
        *feed_forward,
        "Not proved here: that the encoder with the SHA-256 of the claim computes this formula, which check.py proves; "
        "the kernel proves the formula for the heads and gates that are written out.",
    )


COUNTERPARTS: dict[str, Counterpart] = {
    "sparse_universality": Counterpart(("Summary.sparse_universality",), frozenset({PATH_MATCHING})),
    "random_universality": Counterpart(
        ("measure/Summary.random_universality", "Summary.uniform_universality"), ALMOST_EVERY, _stored
    ),
    "backbone_universality": Counterpart(("Summary.full_rank_universal",), frozenset({PATH_MATCHING}), _stored),
    "looped_universality": Counterpart(
        ("FormsSummary.looped_universality", "FormsSummary.looped_generic", "measure/AlmostEverywhere.ae_generic"),
        ALMOST_EVERY,
        _stored,
    ),
    "residual_universality": Counterpart(
        ("FormsSummary.residual_universality", "FormsSummary.residual_generic", "measure/AlmostEverywhere.ae_generic"),
        ALMOST_EVERY | {RESIDUAL_PATH_MATCHING},
        _stored,
    ),
    "shared_residual_universality": Counterpart(
        (
            "SharedLayers.shared_residual_universality",
            "SharedLayers.shared_residual_generic",
            "measure/AlmostEverywhere.ae_generic",
        ),
        ALMOST_EVERY | {RESIDUAL_PATH_MATCHING},
        _stored,
    ),
    "shared_key_universality": Counterpart(
        (
            "ScoresSummary.shared_key_universality",
            "SharedKeys.shared_key_generic",
            "measure/AlmostEverywhere.ae_generic",
        ),
        ALMOST_EVERY | {EQUAL_SCORES},
        _stored,
    ),
    "readoff_key_universality": Counterpart(
        ("ScoresSummary.readoff_universality", "SharedKeys.readoff_generic", "measure/AlmostEverywhere.ae_generic"),
        ALMOST_EVERY | {EQUAL_SCORES},
        _stored,
    ),
    "affine_universality": Counterpart(
        ("FormsSummary.affine_universality", "FormsSummary.affine_generic", "measure/AlmostEverywhere.ae_generic"),
        ALMOST_EVERY | {AFFINE_LIFT},
        _stored,
    ),
    "sharp_width": Counterpart(
        ("Summary.universal_width", "Summary.universal_iff_full_rank"),
        frozenset({PATH_MATCHING, KRONECKER, PROBES}),
    ),
    "singular_backbone": Counterpart(
        ("Summary.universal_iff_full_rank",), frozenset({PATH_MATCHING, KRONECKER, PROBES}), _stored
    ),
    "output_lower_bound": Counterpart(("Summary.path_matching_lower_bound",), frozenset({KRONECKER})),
    "attention_output_width": Counterpart(("BoundsSummary.exact_output_width",), frozenset({FILTERED}), _no_entries),
    "attention_width": Counterpart(("BoundsSummary.exact_attention_width",), frozenset({FILTERED}), _no_entries),
    "score_matching_lower_bound": Counterpart(
        (
            "BoundsSummary.outputs_lower_bound",
            "BoundsSummary.attention_lower_bound",
            "BoundsSummary.simulation_iff_matching",
        ),
        frozenset({FILTERED, SCORE_PROBES}),
        _weaker,
        lambda statement: frozenset({FILTERED} if _weaker(statement) else ()),
    ),
    **{
        task: Counterpart((f"SimulatorsSummary.{task}_correct",), missing=_encoder)
        for task in ("transpose", "matmul", "softmax", "attention")
    },
}
"""By goal of statement.json, or by its task if the goal is a simulator."""


THEOREMS: dict[str, tuple[str, ...]] = {
    "sparse_universality": ("sparse_universality",),
    "random_universality": ("random_universality", "backbone_universality", "sharp_width", "singular_backbone"),
    "looped_universality": ("looped_universality",),
    "residual_universality": ("residual_universality", "shared_residual_universality"),
    "score_matching_universality": ("shared_key_universality", "readoff_key_universality"),
    "affine_universality": ("affine_universality",),
    "sharp_width": ("sharp_width",),
    "output_lower_bound": ("output_lower_bound",),
    "attention_matching_lower_bound": (
        "attention_output_width",
        "attention_width",
        "score_matching_lower_bound",
    ),
    "transpose": ("transpose",),
    "matmul": ("matmul",),
    "softmax": ("softmax",),
    "attention_simulator": ("attention",),
}
"""The goals with a counterpart that each theorem can prove."""


def require_theorem(theorem: str) -> None:
    """Raises UsageError for a theorem without a counterpart, naming those that have one."""
    if theorem not in THEOREMS:
        expected = f"one of {', '.join(THEOREMS)}"
        raise UsageError(f"{theorem} has no Coq counterpart", expected=expected, remedy="drop --kernel")


def key_of(statement: Statement) -> str:
    """The key of a statement in COUNTERPARTS, which also names its template."""
    return statement.task if isinstance(statement, Simulator) else statement.goal


def require_counterpart(statement: Statement) -> Counterpart:
    """The Coq side of a statement; raises UsageError if its goal has none."""
    goal = key_of(statement)
    if goal not in COUNTERPARTS:
        raise UsageError(
            f"{goal} has no Coq counterpart",
            expected="a goal of the table in docs/coq.md",
            remedy="drop --kernel, or the option that asks for this goal",
        )
    return COUNTERPARTS[goal]
