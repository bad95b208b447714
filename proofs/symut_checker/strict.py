"""Strict reading of JSON: no duplicate or unknown keys, integers only, and a reason of one line."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, NoReturn


class Invalid(Exception):  # noqa: N818 - the verdict's name
    """A rule rejected or a file is malformed; the message is the reason."""


def need(condition: bool, reason: str) -> None:
    if not condition:
        raise Invalid(reason)


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) != len(pairs):
        raise ValueError("duplicate key")
    return table


def refuse(text: str) -> NoReturn:
    raise ValueError(f"{text[:20]} is not an integer")


def read_json(data: bytes, where: str) -> Any:
    try:
        text = data.decode("utf-8")
        return json.loads(text, object_pairs_hook=unique, parse_float=refuse, parse_constant=refuse)
    except (ValueError, RecursionError) as error:
        raise Invalid(f"{where}: not strict JSON: {error}") from None


def fields(value: Any, where: str, names: Iterable[str], optional: Iterable[str] = ()) -> dict[str, Any]:
    need(type(value) is dict, f"{where}: expected an object")
    for name in names:
        need(name in value, f"{where}: missing field {name}")
    for name in value:
        need(name in {*names, *optional}, f"{where}: unknown field {name!a:.60}")
    return value


def listing(value: Any, where: str, length: int | None = None) -> list[Any]:
    need(type(value) is list, f"{where}: expected a list")
    need(length in (None, len(value)), f"{where}: has {len(value)} entries, expected {length}")
    return value


def integers(value: Any, where: str, low: float, high: float, length: int | None = None) -> list[int]:
    numbers = listing(value, where, length)
    # types are compared, because a boolean is an instance of int
    need(set(map(type, numbers)) <= {int}, f"{where}: expected integers")
    inside = not numbers or (low <= min(numbers) and max(numbers) <= high)
    need(inside, f"{where}: an entry lies outside {low}..{high}")
    return numbers


def printable(text: str) -> str:
    """One line: no name and no content of a file can forge a second one."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
