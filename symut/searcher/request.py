"""What is asked, what is known about it, and what an answer is.

Main definitions: `Request`, `Finding`, `proven_lower`.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from math import comb
from typing import Any

from symut.errors import UsageError, shown
from symut.limits import require_seconds
from symut.searcher.again import command_of
from symut.searcher.backbone import upper_width
from symut.statement.search import HEADS, INFEASIBLE, RANK_ONE, STRONG, TARGETS, Width

METHODS = ("auto", "identity", "dimension", "smt")
SOLVERS = ("z3", "cvc5", "both")
LARGEST = 10**6
WIDEST, LONGEST = 2000, 200
"""The most coordinates and layers of a backbone that check.py reads."""
MOST_SCORES = 200
"""The most scores for which a degree is looked for."""


@dataclass(frozen=True)
class Request:
    """Does width m suffice?  `timeout` in seconds for everything, `max_memory` in bytes for each child process.

    Raises UsageError for a value out of range.
    """

    H: int
    L: int
    m: int
    heads: str = HEADS[0]
    targets: str = STRONG
    solver: str = "z3"
    timeout: float = 60.0
    seed: int = 0
    max_memory: int = 4 * 2**30
    method: str = "auto"
    start: int | None = None
    """How many of the decisive targets a solver gets at first; the others are added when a model misses them."""

    def __post_init__(self) -> None:
        for name in "HLm":
            _require(name, getattr(self, name), 1, LARGEST)
        _require("seed", self.seed, 0, 2**31 - 1)
        if self.start is not None:
            _require("start", self.start, 1, LARGEST)
        for name, choices in {"heads": HEADS, "targets": TARGETS, "solver": SOLVERS, "method": METHODS}.items():
            if getattr(self, name) not in choices:
                _refuse(name, " or ".join(choices), getattr(self, name))
        require_seconds(self.timeout)
        if self.H >= 2 and self.L > 64:
            _refuse("L", "at most 64 layers with 2 heads or more", self.L)

    @property
    def command(self) -> str:
        """The command that asks the same again, without --out and the limits."""
        return command_of(asdict(self))

    def by(self, method: str) -> str:
        """The command of what `method` finds: a certificate ("auto" for a theorem's) does not depend on the solver, the
        seed or --start, so every way to ask for it records the same one."""
        if method == "smt":
            return replace(self, method=method).command
        return replace(self, method=method, solver="z3", seed=0, start=None).command

    @property
    def reachable(self) -> bool:
        """Whether products of linear forms take all values of a slice, so that no slice excludes m."""
        return self.free >= self.scores + (self.scores == 1 and self.targets == STRONG)

    @property
    def is_writable(self) -> bool:
        """Whether the sizes allow an artifact without solvers: a backbone, or a degree (`dimension_degree`)."""
        if self.m >= self.upper:
            return self.m <= WIDEST and self.L <= LONGEST
        return self.scores <= MOST_SCORES or self.free < 0

    @property
    def solvers(self) -> tuple[str, ...]:
        """The solvers to ask."""
        return ("z3", "cvc5") if self.solver == "both" else (self.solver,)

    @property
    def upper(self) -> int:
        """A width that suffices (rule W of proofs/FORMAT.md)."""
        return upper_width(self.H, self.L, self.targets)

    @property
    def scores(self) -> int:
        """n, the number of scores of a slice."""
        return self.L * self.H

    @property
    def free(self) -> int:
        """r, the free coordinates of a program; negative if m is below the number of outputs."""
        return self.m - self.H**self.L

    def width(self, goal: str = INFEASIBLE) -> Width:
        """The statement asked for."""
        return Width(goal=goal, H=self.H, L=self.L, m=self.m, heads=self.heads, targets=self.targets)


def _require(name: str, value: Any, least: int, most: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        _refuse(name, f"an integer from {least} to {most}", value)


def _refuse(name: str, expected: str, value: Any) -> None:
    raise UsageError(f"--{name} out of range", expected=expected, got=shown(value), remedy=f"change --{name}")


def proven_lower(H: int, L: int, heads: str, targets: str) -> int:
    """The best lower bound that a theorem gives.

    H^L + L H, and 1 more if H, L >= 2 (rule T); for rank-one heads the upper bound (rule G of `attention_output_width`,
    rule T where H or L is 1); 3 at (1,1) for strong targets.
    """
    if heads == RANK_ONE or (H == L == 1 and targets == STRONG):
        return upper_width(H, L, targets)
    return H**L + L * H + (H >= 2 and L >= 2)


def dimension_suffices(H: int, L: int, r: int) -> bool:
    """Whether r free coordinates are too few for rule T: r < L H, or r = L H with two heads and two layers."""
    return r < L * H + (H >= 2 and L >= 2)


def dimension_degree(H: int, L: int, r: int) -> int | None:
    """The least D with C(D + n, n) > C(2 D + r, r), n = L H, or None if there is none because r >= n.

    With two heads and two layers C(2 D - 2 + r, r) is subtracted on the right, and r = n is small enough too.
    """
    n, quadric = L * H, H >= 2 and L >= 2
    if not dimension_suffices(H, L, r):
        return None

    def excludes(D: int) -> bool:
        return comb(D + n, n) > comb(2 * D + r, r) - quadric * comb(2 * D - 2 + r, r)

    high = 1
    while not excludes(high):
        high *= 2
    low = high // 2
    while low + 1 < high:
        middle = (low + high) // 2
        low, high = (low, middle) if excludes(middle) else (middle, high)
    return high


@dataclass(frozen=True)
class Finding:
    """The answer: `verdict`, `artifact` (None if nothing was written), `solver` whose word counts or that was asked
    last, `tried` (one line per method), `known` bounds of the minimal width, `go_on` (a command if time was short)."""

    verdict: str
    claims: tuple[str, ...] = ()
    artifact: str | None = None
    solver: str | None = None
    method: str | None = None
    tried: tuple[str, ...] = ()
    trusted: tuple[str, ...] = ()
    known: dict[str, int] = field(default_factory=dict)
    go_on: str = ""
