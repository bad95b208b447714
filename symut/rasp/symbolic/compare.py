"""Are two programs equal on all inputs of one length?  The methods in order, and what each answer is worth.

Main definitions: `compare`, `Comparison`, `Limits`.

- Programs that are the same graph of operations are equal.
- Over a small finite alphabet all inputs are run.
- Otherwise the programs are executed on symbolic tokens, along all cases of their comparisons.
- With too many cases z3 is asked about the whole question.
`REFUTED` comes with an input that the reference interpreter has confirmed.  `TRUSTED` says that symut's own engine
(or the named solver) found no difference: no independent checker has repeated that.  `UNKNOWN` says what was tried.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from symut.errors import InternalError
from symut.rasp import core
from symut.rasp.sharing import shared
from symut.rasp.symbolic import smt
from symut.rasp.symbolic.cases import CaseLimits, Question, analyse
from symut.rasp.symbolic.domain import Domain, Letters, UnsupportedError
from symut.rasp.symbolic.exhaustive import MOST_INPUTS, compare_all
from symut.rasp.symbolic.path import EmptyCaseError, Path
from symut.rasp.symbolic.separate import Separation, at_random, from_case, judged
from symut.rasp.symbolic.solver import Answer, ask

IDENTICAL, EXHAUSTIVE, CASES, SOLVER, RANDOM = "identical", "exhaustive", "cases", "z3", "random"
ENGINE = "symut's symbolic engine"
RUNNER = "symut's exhaustive run"
MEMORY = 4 * 2**30
CASES_SHARE = 0.7


@dataclass(frozen=True)
class Limits:
    """Seconds for one length, inputs that are run one by one, cases that are told apart, bytes for z3."""

    seconds: float = 60.0
    inputs: int = MOST_INPUTS
    cases: int = 5000
    memory: int = MEMORY


@dataclass(frozen=True)
class Comparison:
    """The answer for inputs of length n: `equal` is True, False or None (not known).

    `count` inputs or cases were told apart by `method`; on `undefined` of them both programs stop with an error.
    `trusted` names what the answer True rests on, `tried` what was tried; `paths` are the cases of a case analysis.
    """

    n: int
    equal: bool | None
    method: str = ""
    count: int = 0
    undefined: int = 0
    separation: Separation | None = None
    trusted: tuple[str, ...] = ()
    tried: tuple[str, ...] = ()
    paths: tuple[Path, ...] = field(default=(), repr=False)


def compare(
    first: core.Node, second: core.Node, n: int, domain: Domain, limits: Limits, *, defined: bool = False
) -> Comparison:
    """Whether the programs are equal on all inputs of length n.

    Two programs are equal on an input if both give equal values, or both stop with an error.  With `defined`, only
    inputs on which both give values count.
    """
    run = _Run(first, second, n, domain, limits, defined, time.monotonic() + limits.seconds)
    for method in (run.exhaustive, run.identical, run.cases, run.solver, run.random):
        for found in method():
            return found
    return Comparison(n, None, tried=tuple(run.tried))


@dataclass
class _Run:
    first: core.Node
    second: core.Node
    n: int
    domain: Domain
    limits: Limits
    defined: bool
    deadline: float
    tried: list[str] = field(default_factory=list)
    solvers: tuple[str, ...] = ()

    def exhaustive(self) -> Iterator[Comparison]:
        """All inputs, if they are few."""
        if not isinstance(self.domain, Letters):
            return
        total = len(self.domain.letters) ** self.n
        if total > self.limits.inputs:
            self.tried.append(f"there are {len(self.domain.letters)}^{self.n} inputs, more than {self.limits.inputs}")
            return
        try:
            found = compare_all(
                self.first, self.second, self.n, self.domain.letters, defined=self.defined, deadline=self.deadline
            )
        except UnsupportedError as reason:
            self.tried.append(f"all inputs: {reason}")
            return
        if found.separating is None:
            yield Comparison(self.n, True, EXHAUSTIVE, found.inputs, found.undefined, trusted=(RUNNER,))
        else:
            yield self._refuted(judged(self.first, self.second, found.separating, defined=self.defined), EXHAUSTIVE)

    def _refuted(self, separation: Separation | None, method: str, count: int = 0) -> Comparison:
        if separation is None:
            raise InternalError("the interpreter does not confirm an input that separates two programs")
        return Comparison(self.n, False, method, count, separation=separation, tried=tuple(self.tried))

    def identical(self) -> Iterator[Comparison]:
        """The same operations on the same tokens."""
        one, other = shared([self.first, self.second])
        if one is other:
            yield Comparison(self.n, True, IDENTICAL, trusted=(ENGINE,))

    def cases(self) -> Iterator[Comparison]:
        """Symbolic execution along all cases; a part of the time is kept for the solver."""
        now = time.monotonic()
        limits = CaseLimits(now + CASES_SHARE * (self.deadline - now), self.limits.cases)
        question = Question(self.first, self.second, self.n, self.domain, self._judge, self.defined)
        found = analyse(question, limits)
        if found.separation:
            yield self._refuted(found.separation, CASES, found.cases)
        elif found.proves:
            yield Comparison(
                self.n,
                True,
                CASES,
                found.cases,
                found.undefined,
                trusted=(ENGINE, *self.solvers),
                paths=tuple(found.paths),
            )
        else:
            self.tried.append(f"cases: {found.stopped or f'{found.undecided} could not be decided'}")

    def _judge(self, path: Path) -> Separation | None:
        """An input of a case in which the programs differ.  Raises EmptyCaseError if z3 says that it has none."""
        found = from_case(path, self.first, self.second, self.domain, defined=self.defined)
        query = smt.of_path(path, self.domain) if found is None else None
        if query is None:
            return found
        answer, found = self._asked(query)
        if answer.word == "unsat":
            self.solvers = (SOLVER,)
            raise EmptyCaseError
        return found

    def _asked(self, query: str) -> tuple[Answer, Separation | None]:
        """z3's answer, and the separation if its numbers are one."""
        answer = ask(query, self.n, self.deadline - time.monotonic(), self.limits.memory)
        given = self.domain.input(answer.numbers) if answer.numbers is not None else None
        return answer, judged(self.first, self.second, given, defined=self.defined) if given is not None else None

    def solver(self) -> Iterator[Comparison]:
        """z3 on the negation of the whole claim."""
        try:
            query = smt.of_programs(self.first, self.second, self.n, self.domain, defined=self.defined)
        except UnsupportedError as reason:
            self.tried.append(f"z3: {reason}")
            return
        answer, separation = self._asked(query)
        if separation:
            yield self._refuted(separation, SOLVER)
        elif answer.word == "unsat":
            yield Comparison(self.n, True, SOLVER, trusted=(SOLVER,), tried=tuple(self.tried))
        else:
            self.tried.append(f"z3: {answer.reason or answer.word}")

    def random(self) -> Iterator[Comparison]:
        """A few hundred small inputs."""
        deadline = max(self.deadline, time.monotonic() + 2)
        found = at_random(self.first, self.second, self.n, self.domain, deadline, defined=self.defined)
        if found:
            yield self._refuted(found, RANDOM)
        else:
            self.tried.append("no input of a few hundred small ones separates them")
