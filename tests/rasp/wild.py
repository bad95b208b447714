"""Random programs with strings, quotients, tables and mixed defaults, many of which stop with errors on some inputs.

Main definition: `wild_program`.
"""

from __future__ import annotations

import random

_ORDERS = ("==", "!=", "<", "<=", ">", ">=")
_DEFAULTS = ("", ', "-"', ', "a"')
_TABLE = '{"a": "b", "b": "x", "c": "a"}[tokens]'


class _Pick(random.Random):
    """A source of choices; with `mixed`, numbers may be booleans or strings at some positions or on some inputs."""

    mixed = False


def wild_program(seed: int, depth: int, mixed: bool = False) -> str:
    """An expression over tokens in "abc", of about `depth` levels."""
    pick = _Pick(seed)
    pick.mixed = mixed
    return pick.choice((_number, _string, _boolean))(pick, depth)


def _mixed(pick: _Pick, depth: int) -> str:
    kind = pick.randrange(5)
    if kind == 0:
        return _boolean(pick, depth)
    if kind < 3:
        taken = _boolean(pick, depth) if kind == 1 else _string(pick, depth)
        return f"({taken} if {_boolean(pick, depth)} else {_number(pick, depth)})"
    return f"aggregate({_selector(pick, depth)}, {_boolean(pick, depth)}{pick.choice(('', ', False', ', 2'))})"


def _number(pick: _Pick, depth: int) -> str:
    if pick.mixed and depth > 0 and pick.randrange(3) == 0:
        return _mixed(pick, depth - 1)
    kind = pick.randrange(12) if depth > 0 else pick.randrange(3)
    if kind < 3:
        return ("indices", f"(indices * 0 + {pick.randint(-2, 3)})", "length")[kind]
    left, right = _number(pick, depth - 1), _number(pick, depth - 1)
    if kind < 6:
        return f"({left} {pick.choice('+-*/%')} {right})"
    if kind == 6:
        return f"round({left})"
    if kind < 9:
        return f"aggregate({_selector(pick, depth - 1)}, {left}, {pick.randint(-2, 2)})"
    if kind == 9:
        return f"selector_width({_selector(pick, depth - 1)})"
    if kind == 10:
        return f"({left} if {_boolean(pick, depth - 1)} else {right})"
    return f"{pick.choice(('max', 'min'))}({left}, {right})"


def _string(pick: _Pick, depth: int) -> str:
    kind = pick.randrange(5) if depth > 0 else 0
    if kind == 0:
        return "tokens"
    if kind == 1:
        return f'("{pick.choice("abc")}" if {_boolean(pick, depth - 1)} else {_string(pick, depth - 1)})'
    if kind == 2:
        return f"({_string(pick, depth - 1)} + {_string(pick, depth - 1)})"
    if kind == 3:
        return f"aggregate({_selector(pick, depth - 1)}, {_string(pick, depth - 1)}{pick.choice(_DEFAULTS)})"
    return _TABLE


def _boolean(pick: _Pick, depth: int) -> str:
    kind = pick.randrange(6) if depth > 0 else 0
    if kind == 0:
        return f'(tokens == "{pick.choice("abc")}")'
    if kind == 1:
        return f"({_number(pick, depth - 1)} {pick.choice(_ORDERS)} {_number(pick, depth - 1)})"
    if kind == 2:
        return f"(not {_boolean(pick, depth - 1)})"
    if kind == 3:
        return f"({_boolean(pick, depth - 1)} {pick.choice(('and', 'or'))} {_boolean(pick, depth - 1)})"
    if kind == 4:
        return f"({_string(pick, depth - 1)} {pick.choice(_ORDERS)} {_string(pick, depth - 1)})"
    return f'({_string(pick, depth - 1)} in ["a", "bb", "-"])'


def _selector(pick: _Pick, depth: int) -> str:
    kind, order = pick.randrange(7) if depth > 0 else 0, pick.choice(_ORDERS)
    if kind == 0:
        return f"select(tokens, tokens, {order})"
    if kind == 1:
        return f"select({_number(pick, depth - 1)}, {_number(pick, depth - 1)}, {order})"
    if kind == 2:
        return f"select({_string(pick, depth - 1)}, {_string(pick, depth - 1)}, {order})"
    if kind == 3:
        return f"(not {_selector(pick, depth - 1)})"
    if kind < 6:
        return f"({_selector(pick, depth - 1)} {pick.choice(('and', 'or'))} {_selector(pick, depth - 1)})"
    return f"select(indices, indices, {order})"
