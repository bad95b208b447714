"""Predictors that look up the last w tokens in a table of counts: what can be scored without any attention beyond w.

Main definitions: `recent`, `table_accuracy`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

_BASE, _BEFORE = 5, 4
"""Four letters, and a fifth for what lies before the sequence."""


def recent(tokens: np.ndarray, w: int) -> np.ndarray:
    """The code (B x n) of the last w tokens at every position, a number below 5^w."""
    import numpy as np

    codes = np.zeros(tokens.shape, dtype=np.int64)
    for back in range(w):
        codes *= _BASE
        codes[:, back:] += tokens[:, : tokens.shape[1] - back]
        codes[:, :back] += _BEFORE
    return codes


def table_accuracy(codes: np.ndarray, answers: np.ndarray, tested: np.ndarray, expected: np.ndarray) -> float:
    """Accuracy on (tested, expected) of the most frequent answer to each code in (codes, answers)."""
    import numpy as np

    known, scored = answers >= 0, expected >= 0
    size, classes = 1 + int(max(codes.max(), tested.max())), 1 + int(max(answers.max(), expected.max()))
    counts = np.bincount(codes[known] * classes + answers[known], minlength=size * classes)
    best = counts.reshape(size, classes).argmax(axis=1)
    return (best[tested[scored]] == expected[scored]).mean().item()
