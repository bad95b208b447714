"""Case trees for encoders on real numbers: all answers to the comparisons that a program makes.

Main definitions: `order_cases`, `walk`.
Specification: proofs/FORMAT.md, sections 12.3 and 13.4.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from symut.errors import UsageError

if TYPE_CHECKING:
    from symut.rasp.core import Sequence
    from symut.rasp.symbolic.path import Path

MOST_CASES = 20_000


def walk(n: int, visit: Callable[[Path], None]) -> list[Path]:
    """All branches of `visit`, which asks a path over n tokens for signs.

    Raises UsageError if there are too many.
    """
    from symut.rasp.symbolic.path import Path
    from symut.rasp.symbolic.ratio import Space

    space, found, waiting = Space(n), [], [[]]
    while waiting:
        if len(found) >= MOST_CASES:
            raise UsageError("a proof has too many cases", expected=f"at most {MOST_CASES}", remedy="smaller sizes")
        path = Path(space, waiting.pop())
        visit(path)
        found.append(path)
        chosen = [step.chosen for step in path.steps]
        new = range(len(path.prescribed), len(chosen))
        waiting += [[*chosen[:i], other] for i in new for other in path.steps[i].others]
    return found


def order_cases(root: Sequence, n: int) -> Any:
    """The tree of all cases that a program on n numbers tells apart, with a combination for each impossible one."""
    from symut.rasp.symbolic.domain import Numbers
    from symut.rasp.symbolic.execute import execute
    from symut.rasp.symbolic.tree import case_tree

    return case_tree(walk(n, lambda path: _run(execute, root, path, Numbers())))


def _run(execute: Callable, root: Sequence, path: Path, domain: Any) -> None:
    outcome = execute(root, path, domain)
    if outcome.error:
        raise UsageError("a program stops with an error", got=str(outcome.error))
