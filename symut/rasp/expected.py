"""What a syntax error says: what stands there, and what could have stood there instead.

Main definition: `syntax_error`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from symut.errors import shown
from symut.rasp.errors import Position, RaspError, Source

if TYPE_CHECKING:
    from lark.exceptions import UnexpectedInput

_OPERAND = {"ID", "INTEGER", "FLOAT", "STRING", "SELECT", "AGGREGATE", "RANGE", "ZIP", "LEN", "ROUND", "INDICATOR"}
_PREFIX = {"NOT", "LPAR", "LSQB", "LBRACE"}
_COMPARISON = {"EQUAL", "UNEQUAL", "LESS", "GREATER", "AT_MOST", "AT_LEAST"}
_OPERATOR = {"STAR", "SLASH", "PERCENT", "CARET", "AND", "OR", "IN", "IF", "PLUS", "MINUS", *_COMPARISON}
_STATEMENT = {"DEF", "FOR", "LOAD", "DRAW", "COMMAND", "EXIT", "SET_EXAMPLE", "$END"}
_WRITTEN = {
    "SEMICOLON": "';'",
    "COMMA": "','",
    "RPAR": "')'",
    "LPAR": "'('",
    "RSQB": "']'",
    "LSQB": "'['",
    "RBRACE": "'}'",
    "LBRACE": "'{'",
    "COLON": "':'",
    "ASSIGN": "'='",
    "$END": "the end",
    "ID": "a name",
    "STRING": "a string",
    "END_OF_LINE": "the end of the line",
    "ELSE": "'else'",
    "FOR": "'for'",
    "IN": "'in'",
    "RETURN": "'return'",
}


def syntax_error(source: Source, error: UnexpectedInput) -> RaspError:
    """The refusal of a text: place, what was expected and what was found."""
    from lark.exceptions import UnexpectedCharacters, UnexpectedToken

    if isinstance(error, UnexpectedCharacters):
        return _bad_character(source, error)
    assert isinstance(error, UnexpectedToken)
    token = error.token
    if token.type in ("$END", "END_OF_LINE"):
        return _ended(source, error, token.type)
    return RaspError(
        "syntax error",
        at=Position(source, token.line or 1, token.column or 1),
        expected=_described(set(error.accepts or error.expected)),
        got=repr(shown(token)),
        remedy=_remedy(error),
    )


def _ended(source: Source, error, kind: str) -> RaspError:
    """The text, or the line of a command, stops too early: the caret stands behind the last character."""
    lines = source.text.rstrip().split("\n")
    at = Position(source, len(lines), len(lines[-1]) + 1)
    what = "the program ends too early" if kind == "$END" else "the line ends too early"
    return RaspError(what, at=at, expected=_described(set(error.accepts or error.expected)), remedy=_remedy(error))


def _bad_character(source: Source, error) -> RaspError:
    found = source.text[error.pos_in_stream]
    remedies = {
        '"': "close the string on its line; a string cannot contain a quotation mark",
        "'": "strings stand in double quotes",
        "=": "compare with ==",
        "&": "write and",
        "|": "write or",
        "!": "write != or not",
    }
    return RaspError(
        "a character that RASP does not use",
        at=Position(source, error.line, error.column),
        got=repr(found),
        remedy=remedies.get(found, "remove it, or put it in a string"),
    )


def _remedy(error) -> str:
    accepts = set(error.accepts or error.expected)
    if "SEMICOLON" in accepts:
        return "end every statement with ';'"
    if str(error.token) == "}" and "RETURN" in accepts:
        return "end every function with return ...;"
    return ""


def _described(accepts: set[str]) -> str:
    found = []
    if accepts & _STATEMENT - {"FOR"} and len(accepts & _OPERAND) > 3:
        return "a statement" + (" or 'return'" if "RETURN" in accepts else "")
    if len(accepts & _OPERAND) > 3:
        found.append("an expression")
        accepts = accepts - _OPERAND - _PREFIX - {"PLUS", "MINUS"}
    elif accepts >= _COMPARISON and "PLUS" not in accepts:
        return "a comparison: ==, !=, <, <=, > or >="
    if len(accepts & _OPERATOR) > 3:
        accepts = accepts - _OPERATOR
        found.append("an operator")
    found += sorted(_WRITTEN.get(name, repr(name.lower())) for name in accepts)
    return " or ".join(found[:6])
