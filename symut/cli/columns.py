"""Tables whose words stay whole where the terminal is wide enough for them.

Main definitions: `shared`, `table`.
rich shrinks the widest columns first, whatever their words; so the widths are chosen here and given to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.text import Text

_READABLE = 24
"""What the column of sentences keeps before others get room for their longest words."""
_PARTS = re.compile(r"[^-_]*[-_]+|[^-_]+")
"""The parts of a name such as path-matching-suffices, each with the hyphens or underscores behind it."""


def shared(room: int, least: Sequence[int], words: Sequence[int], lines: Sequence[int]) -> list[int]:
    """Widths of columns that are `room` together: `least`, then `words` where they fit, then up to `lines`, fairly.

    If even `least` is too much, the widest columns give way.
    """
    widths = list(least)
    while sum(widths) > max(room, len(widths)):
        widths[widths.index(max(widths))] -= 1
    for column in sorted(range(len(widths)), key=lambda column: words[column] - widths[column]):
        lack = words[column] - widths[column]
        widths[column] += lack if 0 < lack <= room - sum(widths) else 0
    for _ in range(room - sum(widths)):
        short = [column for column, wanted in enumerate(lines) if widths[column] < wanted]
        if not short:
            break
        widths[min(short, key=widths.__getitem__)] += 1
    return widths


def table(columns: Sequence[str], rows: Sequence[Sequence[str | Text]], *, wide: str, width: int) -> Any:
    """A rich table of `width` characters; cells fold at spaces, and `wide` names the column of sentences.

    A word longer than its column breaks behind a hyphen or underscore, if it has any.
    """
    from rich import box
    from rich.table import Table

    widths = _widths(columns, rows, wide, width)
    made = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column, characters in zip(columns, widths, strict=True):
        made.add_column(column, overflow="fold", width=characters)
    for row in rows:
        made.add_row(*(_broken(cell, characters) for cell, characters in zip(row, widths, strict=True)))
    return made


def _widths(columns: Sequence[str], rows: Sequence[Sequence[str | Text]], wide: str, width: int) -> list[int]:
    texts = [[str(cell) for cell in cells] for cells in zip(columns, *rows, strict=True)]
    parts = [
        _longest(part for text in column for word in text.split() for part in _PARTS.findall(word)) for column in texts
    ]
    words = [_longest(word for text in column for word in text.split()) for column in texts]
    lines = [_longest(line for text in column for line in text.splitlines()) for column in texts]
    for index, name in enumerate(columns):
        if name == wide:
            parts[index] = max(parts[index], min(_READABLE, lines[index]))
    between = 3 * len(columns) - 1  # a space at every side of a cell and at both edges of the table, and a divider
    return shared(width - between, parts, words, lines)


def _longest(texts: Iterable[str]) -> int:
    return max(map(len, texts), default=1)


def _broken(cell: str | Text, width: int) -> Text:
    """The cell, with a space in every word that its column is too narrow for, where the word may break."""
    from rich.text import Text

    if isinstance(cell, Text):
        return cell
    return Text(re.sub(r"\S+", lambda word: " ".join(_pieces(word[0], width)), cell))


def _pieces(word: str, width: int) -> list[str]:
    pieces = [""]
    for part in _PARTS.findall(word) if len(word) > width else [word]:
        if pieces[-1] and len(pieces[-1] + part) > width:
            pieces.append("")
        pieces[-1] += part
    return pieces
