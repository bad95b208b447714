"""The surface language of RASP: frozen dataclasses, one per construct, each with its place in the text.

Main definitions: `Expression` and `Statement` with their subclasses.
Source: Weiss, Goldberg, Yahav, "Thinking Like Transformers" (ICML 2021), and its reference implementation.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from symut.rasp.errors import Position


@dataclass(frozen=True)
class Expression:
    """Anything with a value; `at` is where errors point."""

    at: Position


@dataclass(frozen=True)
class Name(Expression):
    text: str


@dataclass(frozen=True)
class Literal(Expression):
    """A number or a string; a decimal such as 0.1 is the exact rational 1/10."""

    value: int | Fraction | str


@dataclass(frozen=True)
class ListOf(Expression):
    items: tuple[Expression, ...]


@dataclass(frozen=True)
class DictOf(Expression):
    entries: tuple[tuple[Expression, Expression], ...]


@dataclass(frozen=True)
class ListComprehension(Expression):
    value: Expression
    names: tuple[str, ...]
    iterable: Expression


@dataclass(frozen=True)
class DictComprehension(Expression):
    key: Expression
    value: Expression
    names: tuple[str, ...]
    iterable: Expression


@dataclass(frozen=True)
class Unary(Expression):
    """`operation` is neg, pos, not, round or indicator."""

    operation: str
    operand: Expression


@dataclass(frozen=True)
class Binary(Expression):
    """`operation` is a key of symut.rasp.operations.SYMBOLS, or "in"."""

    operation: str
    left: Expression
    right: Expression


@dataclass(frozen=True)
class Conditional(Expression):
    """`then if condition else otherwise`."""

    then: Expression
    condition: Expression
    otherwise: Expression


@dataclass(frozen=True)
class Select(Expression):
    """`select(keys, queries, predicate)`: query q selects key k if `k predicate q`."""

    keys: Expression
    queries: Expression
    predicate: str


@dataclass(frozen=True)
class Aggregate(Expression):
    selector: Expression
    values: Expression
    default: Expression | None


@dataclass(frozen=True)
class Index(Expression):
    container: Expression
    index: Expression


@dataclass(frozen=True)
class Call(Expression):
    """A function on arguments, or (as a statement of its own) a sequence or selector on an input."""

    function: Expression
    arguments: tuple[Expression, ...]
    keywords: tuple[tuple[str, Expression], ...]


@dataclass(frozen=True)
class Builtin(Expression):
    """`range(...)`, `zip(...)` or `len(...)`."""

    name: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True)
class Statement:
    """Anything that is executed."""

    at: Position


@dataclass(frozen=True)
class Evaluation(Statement):
    """An expression on its own; `text` is how it is written."""

    expression: Expression
    text: str


@dataclass(frozen=True)
class Assign(Statement):
    names: tuple[str, ...]
    values: tuple[Expression, ...]


@dataclass(frozen=True)
class Parameter:
    name: str
    default: Expression | None


@dataclass(frozen=True)
class Define(Statement):
    """`def name(parameters) { body return results; }`."""

    name: str
    parameters: tuple[Parameter, ...]
    body: tuple[Statement, ...]
    results: tuple[Expression, ...]


@dataclass(frozen=True)
class ForEach(Statement):
    names: tuple[str, ...]
    iterable: Expression
    body: tuple[Statement, ...]


@dataclass(frozen=True)
class Load(Statement):
    path: str


@dataclass(frozen=True)
class Draw(Statement):
    sequence: Expression
    input: Expression | None


@dataclass(frozen=True)
class SetExample(Statement):
    """`set example ...` of the reference's prompt: the input on which the program is shown."""

    value: Expression


@dataclass(frozen=True)
class Command(Statement):
    """A display command of the reference's prompt, or `exit`, behind which nothing is read: without effect here."""

    text: str
