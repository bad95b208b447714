"""What the library's programs compute, in plain Python and without attention.

Main definitions: one function per program, from the input to its values.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

Tokens = Sequence[str]


def reverse(tokens: Tokens) -> list[str]:
    return list(tokens)[::-1]


def length(tokens: Tokens) -> list[int]:
    return [len(tokens)] * len(tokens)


def hist(tokens: Tokens) -> list[int]:
    counts = Counter(tokens)
    return [counts[token] for token in tokens]


def hist2(tokens: Tokens) -> list[int]:
    counts = Counter(tokens)
    of_counts = Counter(counts.values())
    return [of_counts[counts[token]] for token in tokens]


def sorted_tokens(tokens: Tokens) -> list[str]:
    return sorted(tokens)


def most_freq(tokens: Tokens) -> list[str]:
    """Different tokens, the most frequent first, the earlier one first among equals; then filler."""
    counts = Counter(tokens)
    ranked = sorted(counts, key=lambda token: -counts[token])
    return ranked + ["§"] * (len(tokens) - len(ranked))


def dyck(tokens: Tokens, pairs: Sequence[str]) -> list[str]:
    """Per prefix "T" (balanced), "P" (can be completed) or "F", by a stack."""
    opened: dict[str, str] = {pair[1]: pair[0] for pair in pairs}
    stack: list[str] = []
    failed, found = False, []
    for token in tokens:
        if token in opened.values():
            stack.append(token)
        elif token in opened:
            failed = failed or not stack or stack.pop() != opened[token]
        found.append("F" if failed else "P" if stack else "T")
    return found


def shuffle_dyck(tokens: Tokens, pairs: Sequence[str]) -> list[str]:
    """The same with one counter per kind."""
    depths = dict.fromkeys(pairs, 0)
    failed, found = False, []
    for token in tokens:
        for pair in pairs:
            depths[pair] += (token == pair[0]) - (token == pair[1])
        failed = failed or any(depth < 0 for depth in depths.values())
        found.append("F" if failed else "P" if any(depths.values()) else "T")
    return found


REFERENCES = {
    "reverse": reverse,
    "length": length,
    "hist": hist,
    "hist2": hist2,
    "sorted": sorted_tokens,
    "most_freq": most_freq,
    "dyck1": lambda tokens: dyck(tokens, ["()"]),
    "dyck2": lambda tokens: dyck(tokens, ["()", "{}"]),
    "dyck3": lambda tokens: dyck(tokens, ["()", "{}", "[]"]),
    "shuffle_dyck2": lambda tokens: shuffle_dyck(tokens, ["()", "{}"]),
}
"""The library's sequences, by name."""
