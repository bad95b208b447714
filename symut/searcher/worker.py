"""The child process of `symut.searcher.process`: one job, JSON in, JSON out, memory and time limited by the system.

Main definitions: `main`, `JOBS`.
The answer has a descriptor of its own: what a solver prints on standard output goes to standard error.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from symut.errors import CertificateError, UsageError

PR_SET_PDEATHSIG = 1


def identity(slice: dict[str, Any]) -> Any:
    """A Nullstellensatz identity as JSON, or None."""
    from symut.searcher.identity import find_identity
    from symut.searcher.slice import Slice, system

    points = tuple(tuple(point) for point in slice.pop("points"))
    found = find_identity(system(Slice(points=points, **slice)))
    return None if found is None else found.as_json()


def z3(text: str, simplify: list[str]) -> Any:
    """z3's answer to a query, with a simplified model if it is sat."""
    from symut.searcher.z3_solver import solve

    return solve(text, simplify)


def cvc5(text: str) -> Any:
    """cvc5's answer to a query."""
    from symut.searcher.cvc5_solver import solve

    return solve(text)


def unreached(scores: list[Any], r: int, kind: str, candidates: list[Any]) -> Any:
    """The first candidate that a map with rational coefficients does not reach, or None."""
    from symut.searcher.z3_solver import first_unreached

    return first_unreached(scores, r, kind, candidates)


def programs(scores: list[Any], r: int, kind: str, points: list[Any]) -> Any:
    """Exact programs for the points, or None."""
    from symut.searcher.programs import exact_programs

    return exact_programs(scores, r, kind, points)


def degree(H: int, L: int, r: int) -> Any:
    """The degree of a dimension certificate, or None."""
    from symut.searcher.request import dimension_degree

    return dimension_degree(H, L, r)


def check(statement: str, certificate: str) -> Any:
    """check.py's result for an artifact without weights."""
    from symut.prover.checker import check_bytes

    result = check_bytes(statement.encode(), certificate.encode(), None)
    return {name: getattr(result, name) for name in ("verdict", "reason", "claims", "cited")}


def theorem(name: str, parameters: dict[str, Any], out: str, max_memory: int) -> Any:
    """The outcome of a theorem of the registry; its artifact goes under `out`."""
    from symut.prover.argument import Context
    from symut.prover.driver import prove_theorem
    from symut.registry import theorems

    outcome = prove_theorem(theorems()[name], parameters, Path(out), Context(max_memory))
    names = ("verdict", "width", "summary", "claims", "artifact", "trusted")
    return {name: getattr(outcome, name) for name in names}


JOBS: dict[str, Callable[..., Any]] = {
    "identity": identity,
    "z3": z3,
    "cvc5": cvc5,
    "unreached": unreached,
    "programs": programs,
    "degree": degree,
    "check": check,
    "theorem": theorem,
}


def main() -> None:
    """Read {job, memory, seconds, parent, arguments} from standard input and answer {value, reason}."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends this process
    answers = os.dup(1)
    os.dup2(2, 1)
    request = json.loads(sys.stdin.buffer.read())
    _die_with(request["parent"])
    _limit(resource.RLIMIT_AS, request["memory"])
    _limit(resource.RLIMIT_CPU, request["seconds"])
    try:
        answer = {"value": JOBS[request["job"]](**request["arguments"])}
    except ModuleNotFoundError as error:
        answer = {"reason": f"missing: {error.name}"}
    except ImportError as error:
        answer = {"reason": f"it cannot be loaded ({' '.join(str(error).split())[:200]})"}
    except (UsageError, CertificateError) as error:
        answer = {"reason": str(error)}
    except MemoryError:
        answer = {"reason": "the memory was over"}
    with os.fdopen(answers, "w") as stream:
        json.dump(answer, stream)


def _die_with(parent: int) -> None:
    """Ask Linux to kill this process when the parent is gone; elsewhere the limit on time ends it."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def _limit(kind: int, value: int) -> None:
    """Set a limit, but never above what this process may have."""
    hard = resource.getrlimit(kind)[1]
    resource.setrlimit(kind, (value if hard == resource.RLIM_INFINITY else min(value, hard), hard))
