"""`range`, `zip` and `len` on values that are known when a program is elaborated.

Main definition: `BUILTINS`.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Any

from symut.rasp.errors import RaspError
from symut.rasp.operators import MAX_ITEMS, described


def _range(arguments: list) -> list:
    if len(arguments) > 3 or not all(isinstance(value, int) for value in arguments):
        got = ", ".join(map(described, arguments[:4]))
        raise RaspError("range of the wrong arguments", expected="one to three integers", got=got)
    if len(arguments) == 3 and arguments[2] == 0:
        raise RaspError("range with step 0", expected="a step that is not 0")
    found = list(islice(range(*arguments), MAX_ITEMS + 1))
    if len(found) > MAX_ITEMS:
        raise RaspError("a list is too long", expected=f"at most {MAX_ITEMS} items")
    return found


def _zip(arguments: list) -> list:
    for value in arguments:
        if not isinstance(value, list) or len(value) != len(arguments[0]):
            got = ", ".join(f"{len(v)} items" if isinstance(v, list) else described(v) for v in arguments[:4])
            raise RaspError("zip of the wrong arguments", expected="lists of one length", got=got)
    return [list(items) for items in zip(*arguments, strict=True)]


def _len(arguments: list) -> int:
    if len(arguments) != 1 or not isinstance(arguments[0], (list, dict)):
        got = ", ".join(map(described, arguments[:2]))
        raise RaspError("len of the wrong argument", expected="one list", got=got, remedy="a sequence's is length")
    return len(arguments[0])


BUILTINS: dict[str, Callable[[list], Any]] = {"range": _range, "zip": _zip, "len": _len}
