"""Ranges of sizes on the command line, and the shapes that they span.

Main definitions: `sizes`, `shapes`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import product

from symut.backbone.shape import SIZE_LIMIT, Shape
from symut.errors import UsageError, shown

Sizes = int | str | Iterable[int]
MOST_SHAPES = 256
"""Shapes of one grid; more are refused before they are listed."""
_PART = re.compile(r"(\d{1,8})(?:\.\.(\d{1,8}))?", re.ASCII)


def _refuse(name: str, given: object) -> UsageError:
    expected = f"sizes from 1 to {SIZE_LIMIT} such as 2, 1..3 or 1,2,4, at most {MOST_SHAPES} of them"
    return UsageError(f"--{name} is no size or range", expected=expected, got=shown(given), remedy=f"change --{name}")


def _part(name: str, text: str, given: object) -> range:
    match = _PART.fullmatch(text.strip())
    if not match:
        raise _refuse(name, given)
    first, last = int(match[1]), int(match[2] or match[1])
    if not 1 <= first <= last <= SIZE_LIMIT or last - first >= MOST_SHAPES:
        raise _refuse(name, given)
    return range(first, last + 1)


def sizes(name: str, given: Sizes) -> list[int]:
    """The sizes that `given` lists: an integer, several, or text such as "2", "1..3" or "1..3,8"; without repetitions.

    Raises UsageError for anything else, and for more than MOST_SHAPES sizes.
    """
    listed = [given] if isinstance(given, (int, str)) else list(given)
    found = list(dict.fromkeys(s for item in listed for part in str(item).split(",") for s in _part(name, part, given)))
    if not found or len(found) > MOST_SHAPES or any(isinstance(item, bool) for item in listed):
        raise _refuse(name, given)
    return found


def shapes(H: Sizes, L: Sizes, d: Sizes, k: Sizes | None = None) -> list[Shape]:
    """All shapes with these sizes, the last size varying fastest; k = d if k is None.

    Raises UsageError for a bad range or more than MOST_SHAPES shapes.
    """
    heads, layers, tokens = sizes("H", H), sizes("L", L), sizes("d", d)
    widths = None if k is None else sizes("k", k)
    count = len(heads) * len(layers) * len(tokens) * len(widths or [None])
    if count > MOST_SHAPES:
        raise UsageError("too many shapes", expected=f"at most {MOST_SHAPES}", got=str(count), remedy="narrow a range")
    return [Shape(h, n, e, width) for h, n, e in product(heads, layers, tokens) for width in widths or [e]]
