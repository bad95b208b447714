"""Are two programs equal on all inputs of one length?  The methods in order, and what each answer is worth.

Main definitions: `compare`, `Comparison`, `Limits`.

- Over a small finite alphabet all inputs are run.
- Otherwise the programs are executed on symbolic tokens, along all cases of their comparisons.
- With too many cases z3 is asked about the whole question.
`REFUTED` comes with an input that the reference interpreter has confirmed.  `TRUSTED` says that symut's own engine (or the
named solver) found no difference: no independent checker has repeated that.  `UNKNOWN` says what was tried.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from symut.rasp import core
from symut.rasp.symbolic import smt
from symut.rasp.symbolic.cases import Analysis, CaseLimits, analyse
from symut.rasp.symbolic.domain import Domain, Letters, Unsupported
from symut.rasp.symbolic.exhaustive import MOST_INPUTS, compare_all
from symut.rasp.symbolic.separate import Separation, at_random, from_case, judged
from symut.rasp.symbolic.solver import ask

EXHAUSTIVE, CASES, SOLVER = "exhaustive", "cases", "z3"
ENGINE = "symut's symbolic engine"
RUNNER = "symut's exhaustive run"
MEMORY = 4 * 2**30


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
    `trusted` names what the answer True rests on, `tried` what was tried.
    """

    n: int
    equal: bool | None
    method: str = ""
    count: int = 0
    undefined: int = 0
    separation: Separation | None = None
    trusted: tuple[str, ...] = ()
    tried: tuple[str, ...] = field(default=())


def compare(
    first: core.Node, second: core.Node, n: int, domain: Domain, limits: Limits, *, defined: bool = False
) -> Comparison:
    """Whether the programs are equal on all inputs of length n.

    Two programs are equal on an input if both give equal values, or both stop with an error.  With `defined`, only inputs
    on which both give values count.
    """
    run = _Run(first, second, n, domain, limits, defined, time.monotonic() + limits.seconds)
    for method in (run.exhaustive, run.cases, run.solver, run.random):
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
    supported: bool = True

    def exhaustive(self) -> Iterator[Comparison]:
        """All inputs, if they are few."""
        if not isinstance(self.domain, Letters):
            return
        total = len(self.domain.letters) ** self.n
        if total > self.limits.inputs:
            self.tried.append(f"there are {len(self.domain.letters)}^{self.n} inputs, more than {self.limits.inputs}")
            return
        try:
            found = compare_all(self.first, self.second, self.n, self.domain.letters, defined=self.defined)
        except Unsupported as reason:
            self.tried.append(f"all inputs: {reason}")
            return
        if found.separating is None:
            yield Comparison(self.n, True, EXHAUSTIVE, found.inputs, found.undefined, trusted=(RUNNER,))
        else:
            yield self._refuted(judged(self.first, self.second, found.separating, defined=self.defined), EXHAUSTIVE)

    def _refuted(self, separation: Separation | None, method: str, count: int = 0) -> Comparison:
        if separation is None:
            from symut.errors import InternalError

            raise InternalError("the interpreter does not confirm an input that separates two programs")
        return Comparison(self.n, False, method, count, separation=separation, tried=tuple(self.tried))

    def cases(self) -> Iterator[Comparison]:
        """Symbolic execution; cases that seem to separate the programs must give an input or be empty."""
        limits = CaseLimits(self.deadline, self.limits.cases)
        try:
            found = analyse(self.first, self.second, self.n, self.domain, limits, defined=self.defined)
        except RecursionError:
            found = Analysis(stopped="the program is nested too deeply")
        trusted = {ENGINE}
        for path in found.separating:
            separation = from_case(path, self.first, self.second, self.domain, defined=self.defined)
            if separation is None and not found.stopped:
                separation, empty = self._inside(smt.of_path(path, self.domain))
                trusted |= {SOLVER} if empty else set()
                found.stopped = "" if empty or separation else "a case could not be decided"
            if separation:
                yield self._refuted(separation, CASES, found.cases)
                return
        if not found.stopped:
            yield Comparison(self.n, True, CASES, found.cases, found.undefined, trusted=tuple(sorted(trusted)))
        else:
            self.tried.append(f"cases: {found.stopped}")

    def _inside(self, query: str | None) -> tuple[Separation | None, bool]:
        """An input of a query that separates the programs, or that z3 finds no input at all."""
        if query is None:
            return None, False
        answer = ask(query, self.n, self.deadline - time.monotonic(), self.limits.memory)
        given = self.domain.input(answer.numbers) if answer.numbers is not None else None
        separation = judged(self.first, self.second, given, defined=self.defined) if given is not None else None
        return separation, answer.word == "unsat"

    def solver(self) -> Iterator[Comparison]:
        """z3 on the negation of the whole claim."""
        try:
            query = smt.of_programs(self.first, self.second, self.n, self.domain, defined=self.defined)
        except Unsupported as reason:
            self.tried.append(f"z3: {reason}")
            return
        answer = ask(query, self.n, self.deadline - time.monotonic(), self.limits.memory)
        given = self.domain.input(answer.numbers) if answer.numbers is not None else None
        separation = judged(self.first, self.second, given, defined=self.defined) if given is not None else None
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
            yield self._refuted(found, "random")
        else:
            self.tried.append("no input of a few hundred small ones separates them")
