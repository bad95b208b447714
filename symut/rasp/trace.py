"""How a run is shown: a row per sequence, a small matrix per selector, as the reference's prompt draws them.

Main definitions: `row`, `matrix`, `drawn`, `shown_value`, `as_json`, `from_json`.
"""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

from symut.rasp import core
from symut.rasp.arithmetic import Value, normal


def shown_value(value: Value) -> str:
    """A value in a row: strings in quotes, rationals as p/q, booleans as True and False."""
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    return str(value)


def row(name: str, values: list[Value]) -> str:
    """`name = [v, v, ...]`."""
    return f"{name} = [{', '.join(map(shown_value, values))}]"


def matrix(name: str, tokens: list[Value], rows: list[list[bool]]) -> str:
    """A selector: a column per key, a line per query, 1 where it is selected."""
    heads = [_plain(token) for token in tokens]
    width = max(map(len, heads))
    lines = [f"{name}:", f"  {' ' * width}   " + " ".join(head.rjust(width) for head in heads)]
    for head, chosen in zip(heads, rows, strict=True):
        marks = " ".join(("1" if on else "").rjust(width) for on in chosen)
        lines.append(f"  {head.rjust(width)} | {marks}".rstrip())
    return "\n".join(lines)


def _plain(token: Value) -> str:
    text = str(token)
    return text if text.isprintable() and text.strip() else json.dumps(text)


def as_json(value: Value) -> bool | int | float | str | dict | None:
    """A value in JSON: rationals that are no integers as {"q": [p, q]}, which `from_json` reads."""
    return {"q": [value.numerator, value.denominator]} if isinstance(value, Fraction) else value


def from_json(value: Any) -> Any:
    """{"q": [p, q]} as the rational p/q, everything else as it is."""
    pair = value["q"] if isinstance(value, dict) and set(value) == {"q"} else None
    if not isinstance(pair, list) or len(pair) != 2 or not all(type(part) is int for part in pair) or pair[1] == 0:
        return value
    return normal(Fraction(*pair))


def drawn(name: str, node: core.Node, values: list, given: str | list) -> str:
    """A sequence as a row, a selector as a matrix over the input."""
    return matrix(name, list(given), values) if isinstance(node, core.Selector) else row(name, values)
