"""Dyck-1 balance: is a string of parentheses balanced?  The answer is asked for at the token "?".

Main definitions: `Dyck`, `sample`, `balanced_strings`, `is_balanced`.
Source of the distribution: Zhong and Andreas, Algorithmic Capabilities of Random Transformers, NeurIPS 2024
(arXiv:2410.04368) and its published code.  A third of the strings is uniform, the others start balanced; half of these
and all uniform ones are then mutated with probability 3/4, by swaps, flips, or both.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from symut.experiment.refusal import out_of_range
from symut.experiment.tasks.block import IGNORED, Block
from symut.experiment.tasks.mutation import flipped, swapped
from symut.experiment.tasks.splits import Split, in_split, restricted

if TYPE_CHECKING:
    import numpy as np

PAD, OPEN, CLOSE, ASK = range(4)
SHORT = 10
"""Strings up to this length may be in every split: there are too few of them to keep some from training."""
FEWEST_PAIRS, MOST_PAIRS = 8, 500
"""With fewer pairs hardly any string is longer than SHORT."""
_CHUNK = 8192


def lengths(strings: np.ndarray) -> np.ndarray:
    """Characters of each row; padding follows them."""
    return (strings != PAD).sum(axis=1)


def _depths(strings: np.ndarray) -> np.ndarray:
    import numpy as np

    steps = (strings == OPEN).astype(np.int16) - (strings == CLOSE)
    return steps.cumsum(axis=1)


def is_balanced(strings: np.ndarray) -> np.ndarray:
    """Whether each row is balanced: no prefix has more ) than (, and both are equally many."""
    depths = _depths(strings)
    return (depths[:, -1] == 0) & (depths.min(axis=1) >= 0)


def equal_counts(strings: np.ndarray) -> np.ndarray:
    """Whether each row has as many ( as )."""
    return _depths(strings)[:, -1] == 0


def well_ended(strings: np.ndarray) -> np.ndarray:
    """Whether each row starts with ( and ends with )."""
    import numpy as np

    last = strings[np.arange(len(strings)), np.maximum(lengths(strings) - 1, 0)]
    return (strings[:, 0] == OPEN) & (last == CLOSE)


def balanced_strings(rng: np.random.Generator, pairs: np.ndarray, width: int) -> np.ndarray:
    """One balanced string per entry of `pairs` (each >= 1), padded to `width`.

    g(1) = (); g(t) is, with equal chances, (g(t - 1)) or g(u) g(t - u) for a uniform u in 1..t-1.  All strings grow
    together: each has a stack of sizes still to be expanded, with 0 for a closing parenthesis that is due.
    """
    import numpy as np

    strings = np.zeros((len(pairs), width), dtype=np.int8)
    stack = np.zeros((len(pairs), 2 * int(pairs.max(initial=1)) + 2), dtype=np.int16)
    stack[:, 0], top, end = pairs, np.ones(len(pairs), dtype=np.intp), np.zeros(len(pairs), dtype=np.intp)
    while len(rows := np.flatnonzero(top)):
        top[rows] -= 1
        sizes = stack[rows, top[rows]]
        joined = (sizes > 1) & (rng.random(len(rows)) < 0.5)
        one = rows[~joined]
        strings[one, end[one]] = np.where(sizes[~joined] == 0, CLOSE, OPEN)
        end[one] += 1
        wrapped = ~joined & (sizes > 0)
        _push(stack, top, rows[wrapped], np.zeros(int(wrapped.sum()), dtype=np.int16))
        _push(stack, top, rows[wrapped & (sizes > 1)], sizes[wrapped & (sizes > 1)] - 1)
        left = rng.integers(1, np.maximum(sizes[joined], 2))
        _push(stack, top, rows[joined], sizes[joined] - left)
        _push(stack, top, rows[joined], left)
    return strings


def _push(stack: np.ndarray, top: np.ndarray, rows: np.ndarray, sizes: np.ndarray) -> None:
    stack[rows, top[rows]] = sizes
    top[rows] += 1


def sample(rng: np.random.Generator, max_pairs: int, count: int) -> np.ndarray:
    """`count` strings of 1 to 2 max_pairs characters, padded (count x 2 max_pairs)."""
    import numpy as np

    width = 2 * max_pairs
    uniform = rng.random(count) < 1 / 3
    size = np.where(uniform, rng.integers(1, width + 1, count), 0)
    strings = np.where(np.arange(width) < size[:, None], rng.integers(OPEN, CLOSE + 1, (count, width)), PAD)
    strings = strings.astype(np.int8)
    others = np.flatnonzero(~uniform)
    strings[others] = balanced_strings(rng, rng.integers(1, max_pairs + 1, len(others)), width)
    mutation = np.where(uniform | (rng.random(count) < 0.5), rng.integers(0, 4, count), 0)
    swapped(rng, strings, np.flatnonzero(mutation & 1))
    flipped(rng, strings, np.flatnonzero(mutation & 2))
    return strings


@dataclass(frozen=True)
class Dyck:
    """Strings of up to `pairs` pairs; answers are 1 for balanced and 0 for not, at the token "?".

    Raises UsageError for `pairs` out of range.
    """

    pairs: int = 20

    vocabulary = 4
    classes = 2
    padding = PAD

    def __post_init__(self) -> None:
        if not FEWEST_PAIRS <= self.pairs <= MOST_PAIRS:
            raise out_of_range("pairs", f"an integer from {FEWEST_PAIRS} to {MOST_PAIRS}", self.pairs)

    @property
    def name(self) -> str:
        """dyck20 for strings of up to 20 pairs."""
        return f"dyck{self.pairs}"

    @property
    def length(self) -> int:
        """2 pairs + 1: the longest string and "?"."""
        return 2 * self.pairs + 1

    @property
    def extra_tests(self) -> tuple[str, ...]:
        """stress."""
        return ("stress",)

    def block(self, split: Split, seed: int, index: int, count: int) -> Block:
        """Strings of the distribution; those longer than SHORT belong to the split only."""
        import numpy as np

        rng = np.random.default_rng([seed, int(split), index])
        strings = restricted(
            lambda size: sample(rng, self.pairs, size), split, count, lambda rows: lengths(rows) <= SHORT
        )
        return _asked(strings)

    def extra_test(self, name: str, count: int) -> Block:
        """stress: strings of the test split longer than SHORT with equal counts, ( first and ) last, half unbalanced.

        They are drawn from the task's own distribution under these conditions.
        """
        import numpy as np

        rng, found = np.random.default_rng([0, 3]), ([], [])
        while min(sum(map(len, part)) for part in found) < count // 2:
            drawn = sample(rng, self.pairs, _CHUNK)
            drawn = drawn[(lengths(drawn) > SHORT) & equal_counts(drawn) & well_ended(drawn)]
            drawn = drawn[in_split(drawn, Split.TEST)]
            for part, chosen in zip(found, (~is_balanced(drawn), is_balanced(drawn)), strict=True):
                part.append(drawn[chosen])
        return _asked(np.concatenate([np.concatenate(part)[: count // 2] for part in found]))

    def baselines(self, block: Block) -> dict[str, float]:
        """What order-blind and end-aware rules score, and the share of the more frequent answer."""
        strings, balanced = _strings(block), _answers(block) == 1
        counted, ended = equal_counts(strings), well_ended(strings)
        return {
            "majority": max(balanced.mean(), 1 - balanced.mean()).item(),
            "equal counts": (counted == balanced).mean().item(),
            "equal counts, ( first, ) last": ((counted & ended) == balanced).mean().item(),
        }


def _strings(block: Block) -> np.ndarray:
    """The strings without "?", padded."""
    import numpy as np

    strings = block.tokens[:, :-1].copy()
    strings[strings == ASK] = PAD
    return np.ascontiguousarray(strings)


def _answers(block: Block) -> np.ndarray:
    return block.answers.max(axis=1)


def _asked(strings: np.ndarray) -> Block:
    """The strings with "?" after them, its answer, and the groups seen (up to SHORT) and unseen (longer)."""
    import numpy as np

    rows, end = np.arange(len(strings)), lengths(strings)
    tokens = np.pad(strings, ((0, 0), (0, 1)))
    tokens[rows, end] = ASK
    answers = np.full(tokens.shape, IGNORED, dtype=np.int8)
    answers[rows, end] = is_balanced(strings)
    return Block(tokens, answers, {"seen": end <= SHORT, "unseen": end > SHORT})
