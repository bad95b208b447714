"""What a proof method hands to the driver: an argument with its witnesses, or the reason why there is none.

Main definitions: `Argument`, `Confirmation`, `Undecided`, `Context`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from symut.certificate import Certificate
from symut.statement import Statement, Step

PATH_MATCHING = "path-matching-suffices"
NULL_SET = "zero-set-of-a-nonzero-polynomial-is-null"
SCHWARTZ_ZIPPEL = "schwartz-zippel"
RESIDUAL_PATH_MATCHING = "residual-path-matching-suffices"
EQUAL_SCORES = "equal-scores-suffice"
AFFINE_LIFT = "affine-lift"


@dataclass(frozen=True)
class Context:
    """How to run: the memory limit in bytes, and a progress callback (label, done, total)."""

    max_memory: int
    progress: Callable[[str, int, int], None] = lambda label, done, total: None


@dataclass(frozen=True)
class Argument:
    """A proof to be checked.

    `cited`: lemmas that the checker does not check; `unchecked`: programs whose word is taken, which makes the verdict
    TRUSTED; `unchecked_claims`: the sentences that rest on them and that the certificate's statement lacks;
    `counterexample` says where what was asked fails: the statement proved is then its negation and the verdict REFUTED;
    `certificate` is None if nothing can be re-checked; `weights` are the bytes of weights.safetensors.
    """

    statement: Statement
    certificate: Certificate | None
    steps: tuple[Step, ...]
    cited: tuple[str, ...]
    weights: bytes | None = None
    unchecked: tuple[str, ...] = ()
    unchecked_claims: tuple[str, ...] = ()
    reason: str = ""
    counterexample: str = ""


@dataclass(frozen=True)
class Confirmation:
    """What another program than check.py adds to a proof.

    `files` go beside the others of the artifact; `step` says what was confirmed; `lemmas` need not be cited any more;
    `report` is what `prove --json` prints about it.
    """

    files: Mapping[str, bytes]
    step: Step
    lemmas: frozenset[str]
    report: Mapping[str, Any]


@dataclass(frozen=True)
class Undecided:
    """No verdict: why, what was tried, and the best known bounds."""

    statement: Statement
    reason: str
    steps: tuple[Step, ...] = ()
    known: Mapping[str, Any] = field(default_factory=dict)
