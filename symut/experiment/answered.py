"""Sets of sequences that are to measure something must have answers.

Main definition: `require_answers`.
"""

from __future__ import annotations

from symut.errors import UsageError
from symut.experiment.tasks import IGNORED, Block


def require_answers(name: str, block: Block) -> Block:
    """The block; UsageError if it has no scored position, so that no accuracy on it means anything."""
    if not (block.answers != IGNORED).any():
        raise UsageError(
            f"the {name} set has no answer",
            expected="at least one scored position",
            got=f"{len(block)} sequences without any",
            remedy="raise --n, --validation or --test",
        )
    return block
