"""Programs as terms of linear real arithmetic with choices: what z3 is asked when there are too many cases.

Main definitions: `Encoding`, `Term`.

A value is known (an int, Fraction, bool or str) or a `Term` of sort Real, Bool, Mixed (a number, or a boolean as 0 or
1) or Text (the number that a string belongs to; strings that are no tokens get numbers beyond the alphabet's).  Every
step is named, so that shared parts are written once.  A condition under which a program stops with an error is one of
its `failures`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from symut.rasp.symbolic.domain import Domain, Letters, UnsupportedError

REAL, BOOL, TEXT, MIXED = "Real", "Bool", "Text", "Mixed"
_ORDERS = {"lt": "<", "le": "<=", "gt": ">", "ge": ">="}


def number(value: Any) -> str:
    """A rational in SMT-LIB's notation for reals."""
    fraction = Fraction(value)
    size = f"{abs(fraction.numerator)}.0"
    size = size if fraction.denominator == 1 else f"(/ {size} {fraction.denominator}.0)"
    return f"(- {size})" if fraction < 0 else size


@dataclass(frozen=True)
class Term:
    """A named expression."""

    text: str
    sort: str


@dataclass
class Encoded:
    """A sequence's values or a selector's entries (row per query), and the conditions under which there are none."""

    values: list[Any] = field(default_factory=list)
    failures: list[Any] = field(default_factory=list)


class Encoding:
    """`definitions` grows as programs are run; they share the tokens x0, ..., x(n-1).

    `gaps` are the conditions under which the terms are not what a program computes; they count as differences.
    """

    def __init__(self, n: int, domain: Domain) -> None:
        self.n, self.domain = n, domain
        self.definitions: list[str] = []
        self._names: dict[tuple[str, str], Term] = {}
        self.failures: list[Any] = []
        self.gaps: list[Any] = []
        self.strings: dict[str, int] = {}

    def name(self, text: str, kind: str) -> Term:
        """A name for an expression; the same one for the same expression."""
        key = (text, kind)
        if key not in self._names:
            self._names[key] = Term(f"t{len(self.definitions)}", kind)
            sort = BOOL if kind == BOOL else REAL
            self.definitions.append(f"(define-fun t{len(self.definitions)} () {sort} {text})")
        return self._names[key]

    def written(self, value: Any) -> str:
        """A value as an expression of its sort, strings as their numbers."""
        if isinstance(value, Term):
            return value.text
        if isinstance(value, bool):
            return "true" if value else "false"
        return number(value)

    def real(self, value: Any) -> str:
        """A number or boolean as an expression of sort Real."""
        if isinstance(value, Term) and value.sort == BOOL:
            return f"(ite {value.text} 1.0 0.0)"
        return self.written(int(value) if isinstance(value, bool) else value)

    def any(self, conditions: Iterable[Any]) -> str:
        """Whether one of the conditions holds, as an expression."""
        written = list(dict.fromkeys(self.written(condition) for condition in conditions))
        return f"(or {' '.join(written)} false)"

    def truth(self, value: Any) -> Any:
        """Whether a value counts as true: True, False or a Bool term."""
        if not isinstance(value, Term):
            return bool(value)
        if value.sort == TEXT:
            return self.negated(self.equal(value, ""))
        return value if value.sort == BOOL else self.name(f"(not (= {value.text} 0.0))", BOOL)

    def negated(self, condition: Any) -> Any:
        """not."""
        return not condition if isinstance(condition, bool) else self.name(f"(not {condition.text})", BOOL)

    def joined(self, word: str, *conditions: Any) -> Any:
        """The conjunction or disjunction of conditions."""
        ending = word == "or"
        if any(isinstance(c, bool) and c == ending for c in conditions):
            return ending
        left = list(dict.fromkeys(c.text for c in conditions if isinstance(c, Term)))
        return self.name(f"({word} {' '.join(left)})", BOOL) if left else not ending

    def choice(self, condition: Any, then: Any, otherwise: Any) -> Any:
        """then if condition else otherwise, for values of one kind."""
        if isinstance(condition, bool):
            return then if condition else otherwise
        sorts = {sort(then), sort(otherwise)}
        if TEXT in sorts and len(sorts) > 1:
            raise UnsupportedError("a choice between a string and a number")
        if TEXT in sorts:
            then, otherwise = self.as_text(then), self.as_text(otherwise)
        if sorts == {BOOL}:
            return self.name(f"(ite {condition.text} {self.written(then)} {self.written(otherwise)})", BOOL)
        kind = TEXT if TEXT in sorts else REAL if sorts == {REAL} else MIXED
        write = self.written if kind == TEXT else self.real
        return self.name(f"(ite {condition.text} {write(then)} {write(otherwise)})", kind)

    def as_text(self, value: Any) -> Term:
        """A string as a Text.  Raises UnsupportedError if it can be no token and tokens have no largest number."""
        if isinstance(value, Term):
            return value
        found = self.domain.number(value)
        if found is None:
            if not isinstance(self.domain, Letters):
                raise UnsupportedError("a string that is no token, next to tokens")
            found = self.strings.setdefault(value, len(self.domain.letters) + len(self.strings))
        return Term(self.written(found), TEXT)

    def token_number(self, text: str) -> Any:
        """The number of a string that a Text can be, else None."""
        return self.strings.get(text, self.domain.number(text))

    def equal(self, left: Any, right: Any) -> Any:
        """left == right."""
        if not isinstance(left, Term) and not isinstance(right, Term):
            return left == right
        texts = sort(left) == TEXT, sort(right) == TEXT
        if any(texts) and not all(texts):
            return False
        if all(texts):
            known = [v if isinstance(v, Term) else self.token_number(v) for v in (left, right)]
            if None in known:
                return False
            return self.name(f"(= {self.written(known[0])} {self.written(known[1])})", BOOL)
        return self.name(f"(= {self.real(left)} {self.real(right)})", BOOL)

    def differ(self, one: Encoded, other: Encoded) -> str:
        """Whether some value differs, as an expression."""
        pairs = zip(one.values, other.values, strict=False)
        return self.any(self.negated(self.equal(a, b)) for a, b in pairs)


def sort(value: Any) -> str:
    """Real, Bool, Mixed or Text."""
    if isinstance(value, Term):
        return value.sort
    return BOOL if isinstance(value, bool) else TEXT if isinstance(value, str) else REAL
