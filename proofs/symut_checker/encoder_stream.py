"""Sequences of tokens: numbers, or letters up to their order (FORMAT.md, sections 13.3 and 13.4, rule P)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from .encoder_layers import Head
from .encoder_ring import Element


class Stream(Protocol):
    rows: int

    def place(self, row: int, kind: str) -> int: ...  # the entry of a list by position, or by token

    def number(self, row: int) -> Element: ...  # the token

    def keys(self, row: int, head: Head) -> Iterator[tuple[int, int, bool]]: ...  # row, how often, preferred


class Numbers:
    """Tokens that are numbers, one row for each."""

    def __init__(self, tokens: list[Element]) -> None:
        self.tokens, self.rows = tokens, len(tokens)

    def place(self, row: int, kind: str) -> int:
        return row  # there are no letters

    def number(self, row: int) -> Element:
        return self.tokens[row]

    def keys(self, row: int, head: Head) -> Iterator[tuple[int, int, bool]]:
        preferred = None if head.mask is None else set(head.mask[row])
        hidden = set() if head.hidden is None else set(head.hidden[row])
        for key in range(self.rows):
            if key not in hidden:
                yield key, 1, preferred is None or key in preferred
