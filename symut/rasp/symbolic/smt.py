"""SMT-LIB queries: the inputs of one case, and the negation of "the programs are equal on all inputs of length n".

Main definitions: `of_path`, `of_programs`.
Tokens are constants x0, ..., x(n-1), as in `symut.rasp.symbolic.domain`.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from symut.rasp import core
from symut.rasp.symbolic.domain import Domain, Letters, Numbers
from symut.rasp.symbolic.encode import encoded
from symut.rasp.symbolic.path import NEGATIVE, NONZERO, POSITIVE, ZERO, Path
from symut.rasp.symbolic.ratio import Polynomial, terms
from symut.rasp.symbolic.terms import Encoding, number

_RELATIONS = {NEGATIVE: "(< {} 0)", ZERO: "(= {} 0)", POSITIVE: "(> {} 0)", NONZERO: "(not (= {} 0))"}


def header(n: int, domain: Domain) -> list[str]:
    """The declarations of the tokens, with the bounds of the domain, and r0, ..., the same as reals."""
    whole = isinstance(domain, Letters) or (isinstance(domain, Numbers) and domain.integers)
    lines = [f"(declare-const x{i} {'Int' if whole else 'Real'})" for i in range(n)]
    lines += [f"(define-fun r{i} () Real {f'(to_real x{i})' if whole else f'x{i}'})" for i in range(n)]
    if isinstance(domain, Letters):
        lines += [f"(assert (and (<= 0 x{i}) (< x{i} {len(domain.letters)})))" for i in range(n)]
    return lines


def of_path(path: Path, domain: Domain) -> str | None:
    """The inputs of the domain on which all that the path assumes about polynomials holds; None if that is nothing.

    Assumptions about exponentials are left out, so that a case without solutions stays one.
    """
    kept = [step for step in path.steps if not any(step.form.degrees()[path.space.n :])]
    lines = [f"(assert {_RELATIONS[step.chosen].format(_polynomial(step.form))})" for step in kept]
    return "\n".join([*header(path.space.n, domain), *lines]) if lines else None


def _polynomial(form: Polynomial) -> str:
    return f"(+ {' '.join(_monomial(*term) for term in terms(form))} 0.0)"


def _monomial(powers: tuple[int, ...], coefficient: Any) -> str:
    factors = [f"r{i}" for i, power in enumerate(powers) for _ in range(power)]
    return f"(* {number(Fraction(int(coefficient.p), int(coefficient.q)))} {' '.join(factors)} 1.0)"


def of_programs(first: core.Node, second: core.Node, n: int, domain: Domain, *, defined: bool = False) -> str:
    """The inputs on which the programs differ.  Raises UnsupportedError for constructs without a term."""
    encoding = Encoding(n, domain)
    one, other = encoded(encoding, first), encoded(encoding, second)
    different = encoding.differ(one, other)
    fail, fails = encoding.any(one.failures), encoding.any(other.failures)
    both = f"(and (not {fail}) (not {fails}) {different})"
    wrong = encoding.any(encoding.gaps)
    query = f"(or {both} {wrong})" if defined else f"(or {both} {wrong} (xor {fail} {fails}))"
    return "\n".join([*header(n, domain), *encoding.definitions, f"(assert {query})"])
