"""Rule D: the terms listed are det M(R), at tiny sizes (FORMAT.md, section 5)."""

from __future__ import annotations

import itertools
import math
from typing import Any

from .matrices import beside
from .sizes import Sizes
from .strict import fields, integers, listing, need

Word = tuple[int, ...]  # a monomial: its variables in increasing order


def rule_determinant(st: Sizes, N: int, D: int, value: Any) -> None:
    """The terms listed are exactly those of det M(R) for m = N."""
    need(st.d is not None and st.m in (None, N), "determinant: only for scalar statements, m null or m = N")
    # N! N^(D-N) <= 2000 holds only for H = L = 1 and N <= 5; no factorial or power of a large N is formed
    small = (st.H, st.L) == (1, 1) and N <= 5 and math.factorial(N) * N ** (D - N) <= 2000
    need(small, "determinant: too large to expand")
    table = fields(value, "determinant", ("variables", "terms"))
    variables = 2 * N * st.q + N * N + N * st.u
    integers([table["variables"]], "determinant.variables", variables, variables)
    terms = [listing(term, "determinant.terms", 2) for term in listing(table["terms"], "determinant.terms")]
    coefficients = integers([c for c, _ in terms], "determinant.terms", -(10**6), 10**6)
    words = [tuple(integers(word, "determinant.terms", 0, variables - 1)) for _, word in terms]
    expected = sorted(determinant(generic_block_matrix(N, st.q, st.u)).items())
    need(len(words) > 0 and max(map(len, words)) <= D, "determinant.terms: empty, or a degree is above D")
    same = list(zip(words, coefficients, strict=True)) == expected
    need(same, "determinant.terms: not the terms of det M(R) in increasing order")


def generic_block_matrix(N: int, k: int, d: int) -> list[list[list[Word]]]:
    """[RQ | RK | RV U] for H = L = 1 and m = N; an entry is a list of words, to be summed."""
    RK, RV, U = N * k, 2 * N * k, 2 * N * k + N * N
    reads = [[[(start + i * k + j,)] for start in (0, RK) for j in range(k)] for i in range(N)]
    outputs = [[[(RV + i * N + t, U + t * d + c) for t in range(N)] for c in range(d)] for i in range(N)]
    return beside([reads, outputs])


def determinant(M: list[list[list[Word]]]) -> dict[Word, int]:
    """Leibniz' formula."""
    result: dict[Word, int] = {}
    for permutation in itertools.permutations(range(len(M))):
        sign = (-1) ** sum(a > b for a, b in itertools.combinations(permutation, 2))
        for factors in itertools.product(*(row[j] for row, j in zip(M, permutation, strict=True))):
            word = tuple(sorted(itertools.chain(*factors)))
            result[word] = result.get(word, 0) + sign
    return {word: coefficient for word, coefficient in result.items() if coefficient}
