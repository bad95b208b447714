"""Case analysis: two programs on the same symbolic tokens, along every branch that their conditions open.

Main definitions: `analyse`, `Analysis`, `Question`, `CaseLimits`.

On a leaf both programs have been run to the end and their values compared; a comparison is one more condition. If no
leaf separates them, they are equal for all rational tokens.  A leaf on which one program stops with an error (say,
division by zero) and the other does not separates them too, unless only inputs on which both are defined are asked
about.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from symut.rasp import core
from symut.rasp.symbolic.domain import Domain, UnsupportedError
from symut.rasp.symbolic.execute import Outcome, execute
from symut.rasp.symbolic.path import EmptyCaseError, Path, Signs
from symut.rasp.symbolic.ratio import RestartError, Space
from symut.rasp.symbolic.rules import equal
from symut.rasp.symbolic.separate import Separation

DIFFERENT, EQUAL, EMPTY, UNDEFINED = "different", "equal", "empty", "undefined"
MOST_UNDECIDED = 16
MOST_EXPONENTIALS = 1024


@dataclass(frozen=True)
class CaseLimits:
    """`deadline` on the monotonic clock; at most `cases`."""

    deadline: float
    cases: int = 5000


@dataclass
class Analysis:
    """How many `cases` were visited, and their `paths`; on how many of them both programs stop with an error
    (`undefined`); the first `separation`; in how many the programs seem to differ but no input is known (`undecided`);
    why other cases are missing (`stopped`), or "".
    """

    cases: int = 0
    undefined: int = 0
    separation: Separation | None = None
    paths: list[Path] = field(default_factory=list)
    undecided: int = 0
    stopped: str = ""

    @property
    def proves(self) -> bool:
        """Whether the programs are equal in every case."""
        return not (self.stopped or self.separation or self.undecided)


@dataclass(frozen=True, eq=False)
class Question:
    """Two programs on n tokens of a domain; with `defined`, only inputs on which both have values count.

    `judge` is asked about every case in which they differ: an input of the case that separates them, None if it knows
    none; it raises EmptyCaseError if the case has no input.
    """

    first: core.Node
    second: core.Node
    n: int
    domain: Domain
    judge: Callable[[Path], Separation | None]
    defined: bool = False


def analyse(question: Question, limits: CaseLimits) -> Analysis:
    """All cases, up to the first that gives an input on which the programs differ."""
    space = Space(question.n)
    while True:
        try:
            return _walk(question, space, limits)
        except RestartError:
            space = space.enlarged()
            if time.monotonic() > limits.deadline or space.capacity > MOST_EXPONENTIALS:
                return Analysis(stopped="too many different exponents")


def _walk(question: Question, space: Space, limits: CaseLimits) -> Analysis:
    found = Analysis()
    waiting: list[list[Signs]] = [[]]
    while waiting:
        found.stopped = _exceeded(found, limits)
        if found.stopped:
            return found
        path = Path(space, waiting.pop())
        try:
            verdict = _leaf(question, path)
        except UnsupportedError as reason:
            found.stopped = str(reason)
            return found
        found.cases += 1
        found.undefined += verdict == UNDEFINED
        found.paths.append(path)
        if verdict == DIFFERENT and _judge(question, path, found):
            return found
        waiting += _branches(path)
    return found


def _judge(question: Question, path: Path, found: Analysis) -> bool:
    """Note what becomes of a case in which the programs differ; True if an input separates them."""
    try:
        found.separation = question.judge(path)
    except EmptyCaseError:
        return False
    found.undecided += found.separation is None
    return found.separation is not None


def _exceeded(found: Analysis, limits: CaseLimits) -> str:
    if found.undecided >= MOST_UNDECIDED:
        return f"{MOST_UNDECIDED} cases could not be decided"
    if found.cases >= limits.cases:
        return f"there are more than {limits.cases} cases"
    return "the time was over" if time.monotonic() > limits.deadline else ""


def _branches(path: Path) -> list[list[Signs]]:
    """The prefixes of the other answers to the questions that this path was the first to ask."""
    chosen = [step.chosen for step in path.steps]
    new = range(len(path.prescribed), len(chosen))
    return [[*chosen[:i], other] for i in new for other in path.steps[i].others]


def _leaf(question: Question, path: Path) -> str:
    try:
        one = execute(question.first, path, question.domain)
        other = execute(question.second, path, question.domain)
        if one.error and other.error:
            return UNDEFINED
        return EQUAL if _agree(path, one, other, question.defined) else DIFFERENT
    except EmptyCaseError:
        return EMPTY


def _agree(path: Path, one: Outcome, other: Outcome, defined: bool) -> bool:
    if one.error or other.error:
        return defined
    return all(equal(path, a, b) for a, b in zip(one.values, other.values, strict=True))
