"""What every task offers: blocks of sequences with answers, and accuracies of predictors that use no network.

Main definitions: `Block`, `Task`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from symut.experiment.tasks.splits import Split

if TYPE_CHECKING:
    import numpy as np

IGNORED = -1
"""The answer at positions that are not scored."""


@dataclass(frozen=True)
class Block:
    """`tokens` (B x n), integers from 0, and `answers` (B x n): the class at scored positions, else IGNORED.

    `groups` names boolean masks (B) of sequences that are reported separately.
    """

    tokens: np.ndarray
    answers: np.ndarray
    groups: Mapping[str, np.ndarray]

    def __len__(self) -> int:
        return len(self.tokens)

    def rows(self, first: int, count: int) -> Block:
        """The sequences first, ..., first + count - 1."""
        part = slice(first, first + count)
        groups = {name: mask[part] for name, mask in self.groups.items()}
        return Block(self.tokens[part], self.answers[part], groups)


class Task(Protocol):
    """A stream of labelled sequences."""

    @property
    def vocabulary(self) -> int:
        """Number of tokens."""
        ...

    @property
    def classes(self) -> int:
        """Number of answers."""
        ...

    @property
    def padding(self) -> int | None:
        """The token that no position attends to, if there is one."""
        ...

    @property
    def extra_tests(self) -> tuple[str, ...]:
        """Names of test sets besides the test split."""
        ...

    @property
    def name(self) -> str:
        """The task with its size, a part of file names."""
        ...

    @property
    def length(self) -> int:
        """Tokens of a sequence, padding included."""
        ...

    def block(self, split: Split, seed: int, index: int, count: int) -> Block:
        """Block `index` of the split's stream: `count` sequences, a function of the four arguments."""
        ...

    def extra_test(self, name: str, count: int) -> Block:
        """A fixed test set that is no sample of the stream; its sequences are in no training stream."""
        ...

    def baselines(self, block: Block) -> dict[str, float]:
        """Accuracy on this block of predictors that use no network, by name."""
        ...
