"""Training batches: batch s is a function of the task, the seed and s, so that a resumed run sees what it would have.

Main definition: `Stream`.
"""

from __future__ import annotations

from symut.experiment.tasks import Block, Task
from symut.experiment.tasks.splits import Split

_BLOCK = 4096
"""About how many sequences are drawn at once."""


class Stream:
    """The training stream of a task; the data of seed s are those of seed s + 1 of the split."""

    def __init__(self, task: Task, seed: int, batch: int) -> None:
        self._task, self._seed, self._batch = task, seed + 1, batch
        self._per_block = max(1, _BLOCK // batch)
        self._index, self._block = -1, None

    def batch(self, step: int) -> Block:
        """Batch `step`, counted from 0."""
        index, row = divmod(step, self._per_block)
        if self._block is None or index != self._index:
            count = self._batch * self._per_block
            self._index, self._block = index, self._task.block(Split.TRAIN, self._seed, index, count)
        return self._block.rows(row * self._batch, self._batch)
