"""From lark's tree to the syntax: one method per rule of the grammar, called from the leaves up without recursion.

Main definition: `Reader`.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from lark import Token, Transformer, v_args
from lark.tree import Meta
from lark.visitors import Transformer_NonRecursive

from symut.rasp import syntax
from symut.rasp.errors import Position, RaspError, Source
from symut.rasp.operations import SYMBOLS

MAX_NESTING = 60
_MAX_DIGITS = 1000
_SIGNS = {"-": "neg", "+": "pos", "not": "not", "round": "round", "indicator": "indicator"}


@v_args(meta=True)
class Reader(Transformer_NonRecursive):
    """Builds statements; `depths` holds how deeply each expression built so far is nested, by identity."""

    def __init__(self, source: Source) -> None:
        Transformer.__init__(self)
        self.source = source
        self.depths: dict[int, int] = {}
        self.kept: list[syntax.Expression] = []

    def _at(self, place: Meta | Token) -> Position:
        return Position(self.source, getattr(place, "line", None) or 1, getattr(place, "column", None) or 1)

    def _nested(self, made: Any, *parts: Any) -> Any:
        """Refuse an expression that is nested too deeply; a chain of operators counts once."""
        depth = 1 + max((self.depths.get(id(part), 0) for part in parts), default=0)
        if isinstance(made, syntax.Binary) and isinstance(made.left, syntax.Binary):
            depth = max(self.depths[id(made.left)], 1 + self.depths.get(id(made.right), 0))
        if depth > MAX_NESTING:
            raise RaspError(
                "an expression is nested too deeply",
                at=made.at,
                expected=f"at most {MAX_NESTING} levels",
                remedy="give parts of it a name",
            )
        self.depths[id(made)] = depth
        self.kept.append(made)  # an identity stays unique only while its object lives
        return made

    # Statements.

    def start(self, meta: Meta, children: list) -> list[syntax.Statement]:
        return [self._command(child) if isinstance(child, Token) else child for child in children]

    def _command(self, token: Token) -> syntax.Statement:
        return syntax.Command(self._at(token), " ".join(token.split()))

    def evaluation(self, meta: Meta, children: list) -> syntax.Statement:
        text = self.source.text[meta.start_pos : meta.end_pos].rstrip("; \t\r\n")
        return syntax.Evaluation(self._at(meta), children[0], " ".join(text.split()))

    def assign(self, meta: Meta, children: list) -> syntax.Statement:
        return syntax.Assign(self._at(meta), children[0], children[1])

    def draw(self, meta: Meta, children: list) -> syntax.Statement:
        return syntax.Draw(self._at(meta), children[0], children[1])

    def load(self, meta: Meta, children: list) -> syntax.Statement:
        return syntax.Load(self._at(meta), children[0][1:-1])

    def define(self, meta: Meta, children: list) -> syntax.Statement:
        name, parameters, body, _, results = children
        return self._nested(syntax.Define(self._at(meta), str(name), parameters or (), body, results), *body)

    def foreach(self, meta: Meta, children: list) -> syntax.Statement:
        names, iterable, body = children
        return self._nested(syntax.ForEach(self._at(meta), names, iterable, body), *body)

    def body(self, meta: Meta, children: list) -> tuple[syntax.Statement, ...]:
        return tuple(children)

    def set_example(self, meta: Meta, children: list) -> syntax.Statement:
        return syntax.SetExample(self._at(meta), children[1])

    # Parts of statements and expressions.

    def names(self, meta: Meta, children: list) -> tuple[str, ...]:
        return tuple(map(str, children))

    def values(self, meta: Meta, children: list) -> tuple:
        return tuple(children)

    entries = arguments = parameters = values

    def entry(self, meta: Meta, children: list) -> tuple:
        return tuple(children)

    def parameter(self, meta: Meta, children: list) -> syntax.Parameter:
        return syntax.Parameter(str(children[0]), children[1])

    def keyword(self, meta: Meta, children: list) -> tuple:
        return (str(children[0]), children[1])

    def predicate(self, meta: Meta, children: list) -> str:
        return SYMBOLS[children[0]]

    # Expressions.

    def name(self, meta: Meta, children: list) -> syntax.Expression:
        return syntax.Name(self._at(meta), str(children[0]))

    def integer(self, meta: Meta, children: list) -> syntax.Expression:
        return syntax.Literal(self._at(meta), int(self._digits(children[0])))

    def decimal(self, meta: Meta, children: list) -> syntax.Expression:
        return syntax.Literal(self._at(meta), Fraction(self._digits(children[0])))

    def _digits(self, token: Token) -> str:
        if len(token) > _MAX_DIGITS:
            raise RaspError("a number is too long", at=self._at(token), expected=f"at most {_MAX_DIGITS} digits")
        return str(token)

    def string(self, meta: Meta, children: list) -> syntax.Expression:
        return syntax.Literal(self._at(meta), children[0][1:-1])

    def binary(self, meta: Meta, children: list) -> syntax.Expression:
        left, token, right = children
        made = syntax.Binary(self._at(token), SYMBOLS.get(token, str(token)), left, right)
        return self._nested(made, left, right)

    def unary(self, meta: Meta, children: list) -> syntax.Expression:
        token, operand = children
        return self._nested(syntax.Unary(self._at(token), _SIGNS[token], operand), operand)

    def conditional(self, meta: Meta, children: list) -> syntax.Expression:
        return self._nested(syntax.Conditional(self._at(meta), *children), *children)

    def index(self, meta: Meta, children: list) -> syntax.Expression:
        return self._nested(syntax.Index(self._at(meta), *children), *children)

    def call(self, meta: Meta, children: list) -> syntax.Expression:
        function, arguments = children[0], children[1] or ()
        keywords = tuple(a for a in arguments if isinstance(a, tuple))
        plain = tuple(a for a in arguments if not isinstance(a, tuple))
        if any(isinstance(a, tuple) for a in arguments[: len(plain)]):
            raise RaspError("a named argument stands before a plain one", at=self._at(meta), remedy="name it last")
        names = [name for name, _ in keywords]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise RaspError(f"an argument is named twice: {twice}", at=self._at(meta), expected="different names")
        made = syntax.Call(self._at(meta), function, plain, keywords)
        return self._nested(made, function, *plain, *(value for _, value in keywords))

    def select(self, meta: Meta, children: list) -> syntax.Expression:
        _, keys, queries, predicate = children
        return self._nested(syntax.Select(self._at(meta), keys, queries, predicate), keys, queries)

    def aggregate(self, meta: Meta, children: list) -> syntax.Expression:
        return self._nested(syntax.Aggregate(self._at(meta), *children[1:]), *children[1:])

    def builtin(self, meta: Meta, children: list) -> syntax.Expression:
        token, arguments = children
        return self._nested(syntax.Builtin(self._at(meta), token.rstrip("( \t\r\n"), arguments), *arguments)

    def list_of(self, meta: Meta, children: list) -> syntax.Expression:
        items = children[0] or ()
        return self._nested(syntax.ListOf(self._at(meta), items), *items)

    def tuple_of(self, meta: Meta, children: list) -> syntax.Expression:
        return self.list_of(meta, [(children[0], *children[1])])

    def dict_of(self, meta: Meta, children: list) -> syntax.Expression:
        entries = children[0] or ()
        return self._nested(syntax.DictOf(self._at(meta), entries), *(part for entry in entries for part in entry))

    def list_comprehension(self, meta: Meta, children: list) -> syntax.Expression:
        value, names, iterable = children
        return self._nested(syntax.ListComprehension(self._at(meta), value, names, iterable), value, iterable)

    def dict_comprehension(self, meta: Meta, children: list) -> syntax.Expression:
        key, value, names, iterable = children
        made = syntax.DictComprehension(self._at(meta), key, value, names, iterable)
        return self._nested(made, key, value, iterable)
