"""Random well-typed programs, each with a Python function that computes the same without symut.

Main definitions: `programs`, `ALPHABET`.  A program is an expression in RASP and a function from tokens to values.
Selector functions return a matrix, a row per query.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from hypothesis import strategies as st

ALPHABET = "abc"
Program = tuple[str, Callable[[str], list]]
_ORDERS = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}
_SUMS = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b}
_CONNECTIVES = {"and": lambda a, b: a and b, "or": lambda a, b: a or b}


def _zipped(text: str, function: Callable, *parts: Program) -> Program:
    return text, lambda w: [function(*row) for row in zip(*(part[1](w) for part in parts), strict=True)]


def _pair(symbol: str, function: Callable, left: Program, right: Program) -> Program:
    return _zipped(f"({left[0]} {symbol} {right[0]})", function, left, right)


def _selected(symbol: str, keys: Program, queries: Program) -> Program:
    order = _ORDERS[symbol]
    text = f"select({keys[0]}, {queries[0]}, {symbol})"
    return text, lambda w: [[order(k, q) for k in keys[1](w)] for q in queries[1](w)]


def _combined(symbol: str, left: Program, right: Program) -> Program:
    function = _CONNECTIVES[symbol]
    return _zipped(
        f"({left[0]} {symbol} {right[0]})",
        lambda a, b: [function(x, y) for x, y in zip(a, b, strict=True)],
        left,
        right,
    )


def _aggregated(selector: Program, values: Program, default: int) -> Program:
    def run(w: str) -> list:
        rows, taken = selector[1](w), values[1](w)
        chosen = [[v for v, on in zip(taken, row, strict=True) if on] for row in rows]
        return [Fraction(sum(row)) / len(row) if row else default for row in chosen]

    return f"aggregate({selector[0]}, {values[0]}, {default})", run


def _negated(part: Program) -> Program:
    return f"(not {part[0]})", lambda w: [not v if isinstance(v, bool) else [not x for x in v] for v in part[1](w)]


def _width(part: Program) -> Program:
    return f"selector_width({part[0]})", lambda w: [sum(row) for row in part[1](w)]


def _indicator(part: Program) -> Program:
    return f"indicator({part[0]})", lambda w: [int(v) for v in part[1](w)]


def _choice(then: Program, condition: Program, otherwise: Program) -> Program:
    text = f"({then[0]} if {condition[0]} else {otherwise[0]})"
    return _zipped(text, lambda t, c, o: t if c else o, then, condition, otherwise)


def _constant(value: int) -> Program:
    return f"(indices * 0 + {value})", lambda w: [value] * len(w)


def _is_letter(letter: str) -> Program:
    return f'(tokens == "{letter}")', lambda w: [token == letter for token in w]


@st.composite
def programs(draw: st.DrawFn, depth: int = 4) -> Program:
    """Numeric programs of at most `depth` levels over tokens in ALPHABET."""
    return _number(draw, depth)


def _number(draw: st.DrawFn, depth: int) -> Program:
    kind = draw(st.integers(0, 6 if depth else 1))
    if kind <= 1:
        return ("indices", lambda w: list(range(len(w)))) if kind else _constant(draw(st.integers(-2, 3)))
    if kind == 2:
        symbol = draw(st.sampled_from(sorted(_SUMS)))
        return _pair(symbol, _SUMS[symbol], _number(draw, depth - 1), _number(draw, depth - 1))
    if kind == 3:
        return _aggregated(_selector(draw, depth - 1), _number(draw, depth - 1), draw(st.integers(-1, 2)))
    if kind == 4:
        return _width(_selector(draw, depth - 1))
    if kind == 5:
        return _indicator(_boolean(draw, depth - 1))
    return _choice(_number(draw, depth - 1), _boolean(draw, depth - 1), _number(draw, depth - 1))


def _boolean(draw: st.DrawFn, depth: int) -> Program:
    kind = draw(st.integers(0, 3)) if depth > 0 else 0
    if kind == 0:
        return _is_letter(draw(st.sampled_from(ALPHABET)))
    if kind == 1:
        symbol = draw(st.sampled_from(sorted(_ORDERS)))
        return _pair(symbol, _ORDERS[symbol], _number(draw, depth - 1), _number(draw, depth - 1))
    if kind == 2:
        return _negated(_boolean(draw, depth - 1))
    symbol = draw(st.sampled_from(sorted(_CONNECTIVES)))
    return _pair(symbol, _CONNECTIVES[symbol], _boolean(draw, depth - 1), _boolean(draw, depth - 1))


def _selector(draw: st.DrawFn, depth: int) -> Program:
    kind, symbol = draw(st.integers(0, 3)) if depth > 0 else 0, draw(st.sampled_from(sorted(_ORDERS)))
    if kind == 0:
        return _selected(symbol, ("tokens", list), ("tokens", list))
    if kind == 1:
        return _selected(symbol, _number(draw, depth - 1), _number(draw, depth - 1))
    if kind == 2:
        return _negated(_selector(draw, depth - 1))
    connective = draw(st.sampled_from(sorted(_CONNECTIVES)))
    return _combined(connective, _selector(draw, depth - 1), _selector(draw, depth - 1))
