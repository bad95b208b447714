"""Rule P: an encoder with letters as tokens answers a task on every input (FORMAT.md, section 13.4).

Rows with the same letter hold the same values, because exchanging them changes nothing.  So a row is run for each
letter that occurs, and it stands for as many tokens.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from .encoder_execute import Run
from .encoder_layers import Head
from .encoder_read import Encoder
from .encoder_ring import Element, Ring
from .encoder_rules import check
from .encoder_signs import nothing
from .encoder_texts import Sizes
from .encoder_work import Work
from .strict import Invalid, need

MAX_INPUTS = 10**5
Counts = list[int]  # how often each letter of the task occurs


class Letters:
    """An input up to its order: row i is the letter number `letters[i]` of the encoder, `counts[i]` times."""

    def __init__(self, letters: list[int], counts: list[int], kinds: dict[tuple[int, int], str]) -> None:
        self.letters, self.counts, self.kinds, self.rows = letters, counts, kinds, len(letters)

    def place(self, row: int, kind: str) -> int:
        return self.letters[row]  # nothing is written by position

    def number(self, row: int) -> Element:
        raise Invalid("a letter is no number")

    def keys(self, row: int, head: Head) -> Iterator[tuple[int, int, bool]]:
        """The query itself, and the other tokens by their letters."""
        kind = self.kinds[head.place]
        yield row, 1, kind != "others"
        for key, count in enumerate(self.counts):
            rest = count - (key == row)
            if rest:
                yield key, rest, kind != "self"


def rule_permutations(task: str, sizes: Sizes, encoder: Encoder, work: Work) -> None:
    letters = list(range(4 if task == "parity" else sizes["p"]))
    kinds = symmetric(encoder)
    known = {letter: place for place, letter in enumerate(encoder.letters or [])}
    need(known.keys() >= set(letters), f"encoder.letters: not all of 0..{len(letters) - 1}")
    need(sizes["n"] <= encoder.tokens, "encoder.tokens: fewer than n")
    for counts in inputs(task, sizes):
        work.spend(100)
        present = [letter for letter in letters if counts[letter]]
        stream = Letters([known[letter] for letter in present], [counts[letter] for letter in present], kinds)
        run = Run(encoder, Ring(work), nothing, stream)
        check(run, [(row, run.ring.constant(ANSWERS[task](sizes, counts, x))) for row, x in enumerate(present)])


def symmetric(encoder: Encoder) -> dict[tuple[int, int], str]:
    """Whom each head prefers: all, the query itself, or all others."""
    need(encoder.letters is not None, "encoder.letters: missing")
    need(not encoder.positions, "encoder.position: an encoder of letters must not depend on positions")
    kinds = {}
    for head in encoder.heads:
        need(head.hidden is None, "head.hidden: null for letters")
        kinds[head.place] = "all" if head.mask is None else kind_of(head.mask)
    return kinds


def kind_of(mask: list[list[int]]) -> str:
    """A mask is a list of increasing lists of keys."""
    if all(keys == [q] for q, keys in enumerate(mask)):
        return "self"
    others = all(len(keys) == len(mask) - 1 and q not in keys for q, keys in enumerate(mask))
    need(others, "head.mask: neither null, nor the query alone, nor all but the query")
    return "others"


def inputs(task: str, sizes: Sizes) -> Iterator[Counts]:
    """One input for each multiset of letters."""
    n = sizes["n"]
    if task == "parity":
        k = sizes["k"]
        need(k <= n, "sizes: k is larger than n")
        yield from ([n - k - b, b, k - c, c] for b in range(n - k + 1) for c in range(k + 1))
    else:
        p = sizes["p"]
        need(
            math.comb(n + p - 1, n) <= MAX_INPUTS, f"more than {MAX_INPUTS} multisets of letters are too large to check"
        )
        yield from multisets(n, p)


def multisets(n: int, p: int) -> Iterator[Counts]:
    """All lists of p counts with the sum n."""
    waiting: list[tuple[Counts, int]] = [([], n)]
    while waiting:
        counts, rest = waiting.pop()
        if len(counts) == p - 1:
            yield [*counts, rest]
        else:
            waiting += [([*counts, count], rest - count) for count in range(rest + 1)]


def parity(sizes: Sizes, counts: Counts, letter: int) -> int:
    """Letter 3 is a bit 1 in the set."""
    return counts[3] % 2


def match(sizes: Sizes, counts: Counts, letter: int) -> int:
    partner = -letter % sizes["p"]
    return int(counts[partner] > (partner == letter and not sizes["self"]))


ANSWERS = {"parity": parity, "match2": match}
