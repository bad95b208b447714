"""Case analysis: two programs on the same symbolic tokens, along every branch that their conditions open.

Main definitions: `analyse`, `Analysis`, `CaseLimits`.

On a leaf both programs have been run to the end and their values compared; a comparison is one more condition. If no leaf
separates them, they are equal for all rational tokens.  A leaf on which one program stops with an error (say, division by
zero) and the other does not separates them too, unless only inputs on which both are defined are asked about.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from symut.rasp import core
from symut.rasp.symbolic.domain import Domain, Unsupported
from symut.rasp.symbolic.execute import Outcome, execute
from symut.rasp.symbolic.path import Dead, Path, Signs
from symut.rasp.symbolic.ratio import Restart, Space
from symut.rasp.symbolic.rules import equal

DIFFERENT, EQUAL, EMPTY, UNDEFINED = "different", "equal", "empty", "undefined"
MOST_SEPARATING = 16


@dataclass(frozen=True)
class CaseLimits:
    """`deadline` on the monotonic clock; at most `cases`."""

    deadline: float
    cases: int = 5000


@dataclass
class Analysis:
    """How many `cases` were visited, on how many of them both programs stop with an error (`undefined`), the paths of
    the `separating` ones, and `stopped`: why others are missing, or ""."""

    cases: int = 0
    undefined: int = 0
    separating: list[Path] = field(default_factory=list)
    stopped: str = ""

    @property
    def proves(self) -> bool:
        """Whether the programs are equal in every case."""
        return not self.stopped and not self.separating


def analyse(
    first: core.Node, second: core.Node, n: int, domain: Domain, limits: CaseLimits, *, defined: bool = False
) -> Analysis:
    """All cases of two programs on n tokens, up to the first MOST_SEPARATING that separate them.

    With `defined`, only inputs on which both programs have values count.
    """
    space = Space(n)
    while True:
        try:
            return _walk(_Question(first, second, domain, defined), space, limits)
        except Restart:
            space = space.enlarged()
            if time.monotonic() > limits.deadline or space.capacity > 4096:
                return Analysis(stopped="too many different exponents")


@dataclass(frozen=True, eq=False)
class _Question:
    first: core.Node
    second: core.Node
    domain: Domain
    defined: bool


def _walk(question: _Question, space: Space, limits: CaseLimits) -> Analysis:
    found = Analysis()
    waiting: list[list[Signs]] = [[]]
    while waiting:
        found.stopped = _exceeded(found, limits)
        if found.stopped:
            return found
        path = Path(space, waiting.pop())
        try:
            verdict = _leaf(question, path)
        except Unsupported as reason:
            found.stopped = str(reason)
            return found
        found.cases += 1
        found.undefined += verdict == UNDEFINED
        found.separating += [path] if verdict == DIFFERENT else []
        waiting += _branches(path)
    return found


def _exceeded(found: Analysis, limits: CaseLimits) -> str:
    if len(found.separating) >= MOST_SEPARATING:
        return f"{MOST_SEPARATING} cases seem to separate the programs"
    if found.cases >= limits.cases:
        return f"there are more than {limits.cases} cases"
    return "the time was over" if time.monotonic() > limits.deadline else ""


def _branches(path: Path) -> list[list[Signs]]:
    """The prefixes of the other answers to the questions that this path was the first to ask."""
    chosen = [step.chosen for step in path.steps]
    new = range(len(path.prescribed), len(chosen))
    return [[*chosen[:i], other] for i in new for other in path.steps[i].others]


def _leaf(question: _Question, path: Path) -> str:
    try:
        one = execute(question.first, path, question.domain)
        other = execute(question.second, path, question.domain)
        if one.error and other.error:
            return UNDEFINED
        return EQUAL if _agree(path, one, other, question.defined) else DIFFERENT
    except Dead:
        return EMPTY


def _agree(path: Path, one: Outcome, other: Outcome, defined: bool) -> bool:
    if one.error or other.error:
        return defined
    return all(equal(path, a, b) for a, b in zip(one.values, other.values, strict=True))
