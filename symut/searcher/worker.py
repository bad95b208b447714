"""The child process of `symut.search.process`: one job, JSON in, JSON out, memory limited by the system.

Main definitions: `main`, `JOBS`.
"""

from __future__ import annotations

import json
import resource
import signal
import sys
from collections.abc import Callable
from typing import Any


def identity(slice: dict[str, Any]) -> Any:
    """A Nullstellensatz identity as JSON, or None."""
    from symut.search.identity import find_identity
    from symut.search.slice import Slice, system

    points = tuple(tuple(point) for point in slice.pop("points"))
    found = find_identity(system(Slice(points=points, **slice)))
    return None if found is None else found.as_json()


def z3(text: str, simplify: list[str]) -> Any:
    """z3's answer to a query, with a simplified model if it is sat."""
    from symut.search.z3_solver import solve

    return solve(text, simplify)


def cvc5(text: str) -> Any:
    """cvc5's answer to a query."""
    from symut.search.cvc5_solver import solve

    return solve(text)


def unreached(scores: list[Any], r: int, kind: str, candidates: list[Any]) -> Any:
    """The first candidate that a map with rational coefficients does not reach, or None."""
    from symut.search.z3_solver import first_unreached

    return first_unreached(scores, r, kind, candidates)


def programs(scores: list[Any], r: int, kind: str, points: list[Any]) -> Any:
    """Exact programs for the points, or None."""
    from symut.search.programs import exact_programs

    return exact_programs(scores, r, kind, points)


JOBS: dict[str, Callable[..., Any]] = {
    "identity": identity,
    "z3": z3,
    "cvc5": cvc5,
    "unreached": unreached,
    "programs": programs,
}


def main() -> None:
    """Read {job, memory, arguments} from standard input and print {value, reason}."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends this process
    request = json.loads(sys.stdin.buffer.read())
    resource.setrlimit(resource.RLIMIT_AS, (request["memory"], request["memory"]))
    try:
        answer = {"value": JOBS[request["job"]](**request["arguments"])}
    except ImportError as error:
        answer = {"reason": f"missing: {error.name}"}
    except MemoryError:
        answer = {"reason": "the memory was over"}
    print(json.dumps(answer))
