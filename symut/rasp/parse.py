"""Text to syntax: an LALR parse, then one pass that turns lark's tree into the dataclasses of symut.rasp.syntax.

Main definitions: `parse` (a whole file), `parse_expression`.
Nothing here recurses over the program, so no nesting overflows Python's stack; nesting beyond MAX_NESTING is refused
because the passes that follow do recurse.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from symut.rasp.errors import RaspError, Source
from symut.rasp.expected import syntax_error
from symut.rasp.syntax import Expression, Statement

if TYPE_CHECKING:
    from lark import Lark, Token

MAX_CHARACTERS = 300_000


class _LineEnd:
    """Inserts END_OF_LINE where the line of a `set example` ends, outside all brackets, and stops at `exit`."""

    always_accept = ()

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        depth, last = 0, None
        for token in stream:
            if last is not None and depth == 0 and last.type != "SET_EXAMPLE" and token.line != last.end_line:
                yield self._end(last)
                last = None
            yield token
            if token.type == "EXIT":
                return
            depth += token.endswith(("(", "[", "{")) - (token in (")", "]", "}"))
            if token.type == "SET_EXAMPLE":
                depth, last = 0, token
            elif last is not None:
                last = token if token != ";" else None
        if last is not None and last.type != "SET_EXAMPLE":
            yield self._end(last)

    @staticmethod
    def _end(last: Token) -> Token:
        from lark import Token

        return Token.new_borrow_pos("END_OF_LINE", "", last)


@cache
def _parser() -> Lark:
    from lark import Lark

    grammar = files("symut.rasp").joinpath("grammar.lark").read_text(encoding="utf-8")
    return Lark(
        grammar,
        parser="lalr",
        lexer="basic",
        postlex=_LineEnd(),  # type: ignore[arg-type]
        propagate_positions=True,
        maybe_placeholders=True,
        start=["start", "expression"],
    )


def parse(source: Source) -> tuple[Statement, ...]:
    """The statements of a program.

    Raises RaspError with the place, what was expected there and what stands there.
    """
    return tuple(_read(source, "start"))


def parse_expression(source: Source) -> Expression:
    """One expression, as `parse` reads it."""
    return _read(source, "expression")


def _read(source: Source, start: str):
    from lark.exceptions import UnexpectedInput, VisitError

    from symut.rasp.tree import Reader

    if len(source.text) > MAX_CHARACTERS:
        raise RaspError(
            f"{source.name} is too long", expected=f"at most {MAX_CHARACTERS} characters", got=str(len(source.text))
        )
    try:
        tree = _parser().parse(source.text, start=start)
    except UnexpectedInput as error:
        raise syntax_error(source, error) from None
    try:
        return Reader(source).transform(tree)
    except VisitError as error:
        raise error.orig_exc from None
