"""The table of minimal widths at d = 1, read off artifacts that check.py accepts now.

Main definitions: `Bound`, `Cell`, `minimal_widths`.
Nothing is known here but what an artifact says: an excluded width is a lower bound, a backbone an upper bound, and a
conditional artifact a lower bound with the status TRUSTED, which never displaces a PROVED one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from symut.errors import UsageError
from symut.prover.checker import check_artifact, find_artifacts
from symut.searcher.artifact import ID
from symut.statement import PROVED, TRUSTED, WITH_OUTPUTS
from symut.statement.search import BACKBONE_EXISTS, GENERAL, HEADS, INFEASIBLE, QUERY, RANK_ONE, STRONG, TARGETS, WEAK

THEOREM = "attention_matching_lower_bound"
OPEN = "open"


@dataclass(frozen=True)
class Bound:
    """A width, PROVED or TRUSTED, and the artifact behind it; `width` is None while the side is open."""

    width: int | None = None
    status: str = OPEN
    artifact: str | None = None


@dataclass(frozen=True)
class Cell:
    """The bounds on the minimal width for one shape, one kind of heads and one class of targets.

    `lower` and `upper` are PROVED; `trusted` is a better lower bound that trusts a solver, if there is one.
    """

    H: int
    L: int
    heads: str
    targets: str
    lower: Bound
    upper: Bound
    trusted: Bound

    @property
    def settled(self) -> bool:
        """Whether both sides are the same and PROVED."""
        return self.lower.status == self.upper.status == PROVED and self.lower.width == self.upper.width


@dataclass(frozen=True)
class _Fact:
    """width is a bound of the minimal width for these shapes, heads and targets."""

    H: int
    L: int
    heads: tuple[str, ...]
    targets: tuple[str, ...]
    is_lower: bool
    bound: Bound


def minimal_widths(proofs: Path) -> list[Cell]:
    """Cells for every shape that an artifact under `proofs` is about, in the order of (L H, H).

    Raises UsageError if there is none, if one is INVALID, or if two contradict each other.
    """
    facts = [fact for folder in _folders(proofs) for fact in _facts(folder)]
    shapes = sorted({(fact.H, fact.L) for fact in facts}, key=lambda shape: (shape[0] * shape[1], shape))
    return [_cell(facts, H, L, heads, targets) for H, L in shapes for heads in HEADS for targets in TARGETS]


def _folders(proofs: Path) -> list[Path]:
    places = [proofs / ID, *([proofs / THEOREM] if (proofs / THEOREM).is_dir() else [])]
    return find_artifacts(places)


def _facts(folder: Path) -> Iterator[_Fact]:
    result = check_artifact(folder)
    if result.verdict != "VALID":
        raise UsageError(f"{folder} is INVALID", got=result.reason, remedy="remove it or make it again")
    parameters = json.loads((folder / "statement.json").read_bytes())["parameters"]
    yield from _read(result.goal, parameters, str(folder))


def _read(goal: str, p: dict[str, Any], folder: str) -> Iterator[_Fact]:
    """What a goal with these parameters says.  Excluding general heads or weak targets excludes rank-one heads or
    strong targets; a backbone of rank-one heads or for strong targets serves general heads or weak targets."""
    if goal in (INFEASIBLE, QUERY):
        heads = HEADS if p["heads"] == GENERAL else (RANK_ONE,)
        targets = TARGETS if p["targets"] == WEAK else (STRONG,)
        status = PROVED if goal == INFEASIBLE else TRUSTED
        yield _Fact(p["H"], p["L"], heads, targets, True, Bound(p["m"] + 1, status, folder))
    elif goal == BACKBONE_EXISTS:
        heads = HEADS if p["heads"] == RANK_ONE else (GENERAL,)
        targets = TARGETS if p["targets"] == STRONG else (WEAK,)
        yield _Fact(p["H"], p["L"], heads, targets, False, Bound(p["m"], PROVED, folder))
    elif goal == WITH_OUTPUTS:
        exact = Bound(sum(p["H"] ** layer for layer in range(1, p["L"] + 1)) + p["H"] ** p["L"], PROVED, folder)
        yield _Fact(p["H"], p["L"], (RANK_ONE,), TARGETS, True, exact)
        yield _Fact(p["H"], p["L"], HEADS, (WEAK,), False, exact)


def _cell(facts: list[_Fact], H: int, L: int, heads: str, targets: str) -> Cell:
    own = [f for f in facts if (f.H, f.L) == (H, L) and heads in f.heads and targets in f.targets]
    lower, upper, trusted = _best(own, True, PROVED), _best(own, False, PROVED), _best(own, True, TRUSTED)
    for bound in (lower, trusted):
        _require_order(bound, upper)
    better = trusted.width is not None and (lower.width is None or trusted.width > lower.width)
    return Cell(H, L, heads, targets, lower, upper, trusted if better else Bound())


def _best(facts: list[_Fact], is_lower: bool, status: str) -> Bound:
    """The strongest bound with this status; of equal ones the first artifact."""
    bounds = [fact.bound for fact in facts if fact.is_lower == is_lower and fact.bound.status == status]
    sign = -1 if is_lower else 1
    return min(bounds, key=lambda b: (sign * (b.width or 0), b.artifact), default=Bound())


def _require_order(lower: Bound, upper: Bound) -> None:
    if lower.width is not None and upper.width is not None and lower.width > upper.width:
        raise UsageError(
            "two artifacts contradict each other",
            got=f"{lower.width} at least by {lower.artifact} ({lower.status}), {upper.width} at most by "
            f"{upper.artifact} ({upper.status})",
            remedy="a solver that is trusted was wrong, or there is a bug in the checker",
        )
