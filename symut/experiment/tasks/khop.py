"""k-hop induction: follow k times the step "the token after the last earlier occurrence of this one".

Main definitions: `Khop`, `hop_positions`.
Source: Sanford, Hsu and Telgarsky, Transformers, Parallel Computation, and Logarithmic Depth, ICML 2024
(arXiv:2402.09268).  Over an alphabet of four letters without equal neighbours, with positions from 1,
find(i) = max({0} u {j <= i : X_{j-1} = X_i}) and hop_k(X)_i is X at find^k(i), undefined where that is 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from symut.errors import UsageError
from symut.experiment.refusal import out_of_range
from symut.experiment.tasks.block import IGNORED, Block
from symut.experiment.tasks.lookup import recent, table_accuracy
from symut.experiment.tasks.splits import Split, restricted

if TYPE_CHECKING:
    import numpy as np

LETTERS = 4
MOST_HOPS, MOST_TOKENS = 16, 1024
_FITTED = 65536
"""How many training sequences fit the lookup baselines."""
WINDOWS = (1, 2, 4)
"""The lengths w of the last tokens that the lookup baselines see."""


def sequences(rng: np.random.Generator, length: int, count: int) -> np.ndarray:
    """`count` uniform sequences (count x length) of letters 0..3 without equal neighbours."""
    import numpy as np

    steps = rng.integers(1, LETTERS, (count, length))
    steps[:, 0] = rng.integers(0, LETTERS, count)
    return (steps.cumsum(axis=1) % LETTERS).astype(np.int8)


def hop_positions(X: np.ndarray, hops: int) -> np.ndarray:
    """find^hops (B x n) of each position of X (B x n), counted from 0, and -1 where it is undefined."""
    import numpy as np

    rows = np.arange(len(X))
    after = np.full((len(X), LETTERS), -1)
    step = np.empty(X.shape, dtype=np.intp)
    for i in range(X.shape[1]):
        step[:, i] = after[rows, X[:, i]]
        after[rows, X[:, i]] = i + 1
    found = np.broadcast_to(np.arange(X.shape[1]), X.shape)
    for _ in range(hops):
        found = np.where(found < 0, -1, np.take_along_axis(step, found, axis=1))
    return found


@dataclass(frozen=True)
class Khop:
    """hop_k at every position of sequences of `n` letters, undefined answers ignored.

    Raises UsageError for sizes out of range, or if no position of a sequence can have k hops.
    """

    hops: int = 1
    n: int = 30

    vocabulary = LETTERS
    classes = LETTERS
    padding = None

    def __post_init__(self) -> None:
        if not 0 <= self.hops <= MOST_HOPS:
            raise out_of_range("hops", f"an integer from 0 to {MOST_HOPS}", self.hops)
        if not 2 <= self.n <= MOST_TOKENS:
            raise out_of_range("n", f"an integer from 2 to {MOST_TOKENS}", self.n)
        if self.hops > self.n - 2 and self.hops > 0:
            raise UsageError(
                "--hops is larger than the sequence allows",
                expected=f"at most n - 2 = {self.n - 2}",
                got=str(self.hops),
                remedy="raise --n",
            )

    @property
    def name(self) -> str:
        """khop2-n30 for two hops in sequences of 30."""
        return f"khop{self.hops}-n{self.n}"

    @property
    def length(self) -> int:
        """n."""
        return self.n

    @property
    def extra_tests(self) -> tuple[str, ...]:
        """None."""
        return ()

    def block(self, split: Split, seed: int, index: int, count: int) -> Block:
        """Uniform sequences of the split, with the share of undefined answers that they have."""
        import numpy as np

        rng = np.random.default_rng([seed, int(split), index])
        free = lambda rows: np.zeros(len(rows), dtype=bool)  # noqa: E731
        return self.answered(restricted(lambda size: sequences(rng, self.n, size), split, count, free))

    def answered(self, X: np.ndarray) -> Block:
        """The sequences X (B x n) with their answers."""
        import numpy as np

        found = hop_positions(X, self.hops)
        answers = np.where(found < 0, IGNORED, np.take_along_axis(X, np.maximum(found, 0), axis=1))
        return Block(X, answers.astype(np.int8), {})

    def extra_test(self, name: str, count: int) -> Block:
        """There is none."""
        raise KeyError(name)

    def baselines(self, block: Block) -> dict[str, float]:
        """x_{i-1}, x_i, and the best answer to the last w tokens by a table counted on training sequences."""
        import numpy as np

        previous = np.pad(block.tokens, ((0, 0), (1, 0)))[:, :-1]
        fitted = self.block(Split.TRAIN, 0, 0, min(_FITTED, 2**21 // self.n))
        lookups = {
            f"last {w} tokens" if w > 1 else "last token": table_accuracy(
                recent(fitted.tokens, w), fitted.answers, recent(block.tokens, w), block.answers
            )
            for w in WINDOWS
        }
        return {"x_{i-1}": _accuracy(previous, block), "x_i": _accuracy(block.tokens, block), **lookups}


def _accuracy(predicted: np.ndarray, block: Block) -> float:
    scored = block.answers != IGNORED
    return (predicted == block.answers)[scored].mean().item()
