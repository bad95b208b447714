"""Inputs: the tokens of a run, and how the five kinds of token sequences read them.

Main definitions: `tokens_of`, `READERS`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from fractions import Fraction

from symut.errors import shown
from symut.rasp.arithmetic import Value, normal
from symut.rasp.errors import RaspError

_INTEGER = re.compile(r"[+-]?[0-9]{1,1000}")
_DECIMAL = re.compile(r"[+-]?[0-9]{1,1000}(\.[0-9]{1,1000})?([eE][+-]?[0-9]{1,3})?")


def tokens_of(given: str | Sequence[Value]) -> list[Value]:
    """One token per character of a string or per item of a list; floats become the rationals that they are.

    Raises RaspError for an empty input, for numbers that are not finite and for other types.
    """
    if not isinstance(given, (str, list, tuple)):
        raise RaspError("an input of the wrong type", expected="a string or a list of tokens", got=shown(given))
    if not given:
        raise RaspError("the input is empty", expected="at least one token", remedy="give a token")
    return [_token(item, position) for position, item in enumerate(given)]


def _token(item: Value, position: int) -> Value:
    item = item.item() if hasattr(item, "item") else item
    if isinstance(item, float):
        if not math.isfinite(item):
            raise RaspError(
                f"the token at position {position} is not finite", got=str(item), remedy="give finite numbers"
            )
        return normal(Fraction(item))
    if item is not None and not isinstance(item, (str, int, Fraction)):
        raise RaspError(
            f"a token of the wrong type at position {position}",
            expected="a number, a string or a boolean",
            got=shown(item),
            remedy="give a list of such tokens",
        )
    return normal(item)


def decimal(text: str) -> Value | None:
    """A decimal number such as -1.5 or 2e-3 as an exact value, None if the text is none."""
    return normal(Fraction(text)) if _DECIMAL.fullmatch(text) else None


def _as_text(token: Value) -> str:
    """As the number is usually written: 1.5 for 3/2 when the decimal expansion ends, else 3/7."""
    if not isinstance(token, Fraction):
        return str(token)
    power = next((k for k in range(1, 60) if 10**k % token.denominator == 0), None)
    if power is None:
        return str(token)
    digits = f"{abs(token.numerator) * (10**power // token.denominator):0{power + 1}d}"
    return ("-" if token < 0 else "") + f"{digits[:-power]}.{digits[-power:]}"


def _as_integer(token: Value) -> int:
    if token is None or isinstance(token, str):
        if token is None or not _INTEGER.fullmatch(token.strip()):
            raise RaspError(
                "tokens_int of a token that is no integer",
                got=repr(shown(token)),
                remedy="use tokens_str, or give numbers",
            )
        return int(token.strip())
    return int(token)


def _as_number(token: Value) -> Value:
    if token is not None and not isinstance(token, str):
        return token + 0
    found = decimal(token.strip()) if token is not None else None
    if found is None:
        raise RaspError(
            "tokens_float of a token that is no number",
            got=repr(shown(token)),
            remedy="use tokens_str, or give numbers",
        )
    return found


READERS: dict[str, Callable[[Value], Value]] = {
    "str": _as_text,
    "int": _as_integer,
    "float": _as_number,
    "bool": bool,
    "asis": lambda token: token,
}
"""How each kind of `core.Tokens` reads a token."""
