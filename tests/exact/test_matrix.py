"""Exact matrices: arithmetic agrees with fractions, edge shapes included; left inverses are witnesses of rank."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from symut.exact import PRIMES, Matrix, Residues, left_inverse, residues

small = st.integers(-4, 4)


@st.composite
def tables(draw, rows=None, columns=None):
    r = draw(st.integers(1, 4)) if rows is None else rows
    c = draw(st.integers(1, 4)) if columns is None else columns
    return draw(st.lists(st.lists(small, min_size=c, max_size=c), min_size=r, max_size=r))


def plain_rank(rows):
    """Gaussian elimination over Fraction, written out."""
    rows, rank = [[Fraction(x) for x in row] for row in rows], 0
    for column in range(len(rows[0]) if rows else 0):
        pivot = next((i for i in range(rank, len(rows)) if rows[i][column]), None)
        if pivot is None:
            continue
        rows[rank], rows[pivot] = rows[pivot], rows[rank]
        for i in range(rank + 1, len(rows)):
            factor = rows[i][column] / rows[rank][column]
            rows[i] = [x - factor * y for x, y in zip(rows[i], rows[rank], strict=True)]
        rank += 1
    return rank


@given(tables())
def test_rank_is_the_rank_of_elimination(rows):
    assert Matrix.from_rows(rows).rank() == plain_rank(rows)


def test_rank_of_zero_and_empty_matrices_is_zero():
    assert Matrix.from_rows([[0, 0], [0, 0]]).rank() == 0
    assert Matrix.from_rows([], columns=3).rank() == 0
    assert Matrix.from_rows([], columns=3).shape == (0, 3)
    assert (Matrix.from_rows([], columns=2) @ Matrix.eye(2)).shape == (0, 2)


@given(tables(rows=3, columns=2), tables(rows=2, columns=4))
def test_product_is_the_sum_of_products(left, right):
    expected = [
        [sum(a * b for a, b in zip(row, column, strict=True)) for column in zip(*right, strict=True)] for row in left
    ]
    assert (Matrix.from_rows(left) @ Matrix.from_rows(right)).rows() == expected


def test_columns_are_stacked_in_order():
    left, right = Matrix.from_rows([[1], [2]]), Matrix.from_rows([[3, 4], [5, Fraction(1, 3)]])
    assert Matrix.stack_columns([left, right]).rows() == [[1, 3, 4], [2, 5, Fraction(1, 3)]]


@given(tables(rows=4, columns=3), tables(rows=2, columns=3))
def test_solve_left_solves_or_refuses(tall, right):
    M, B = Matrix.from_rows(tall), Matrix.from_rows(right)
    if M.rank() == 3:
        assert M.solve_left(B) @ M == B
    else:
        with pytest.raises(ZeroDivisionError):
            M.solve_left(B)


@given(tables(rows=4, columns=3), st.sampled_from(PRIMES))
def test_left_inverse_exists_exactly_at_full_column_rank(rows, prime):
    # minors of 3 x 3 matrices with entries up to 4 are below 6 * 64, so no prime here divides a nonzero one
    found = left_inverse(Residues.from_rows(rows, 3, prime))
    assert (found is not None) == (plain_rank(rows) == 3)
    if found:
        product = [
            [sum(a * b for a, b in zip(line, column, strict=True)) % prime for column in zip(*rows, strict=True)]
            for line in found
        ]
        assert product == [[int(i == j) for j in range(3)] for i in range(3)]


def test_a_multiple_of_the_prime_has_no_left_inverse_there():
    assert left_inverse(Residues.from_rows([[65521]], 1, 65521)) is None
    assert left_inverse(Residues.from_rows([[65521]], 1, 65519)) is not None


@given(arrays(np.float64, (3,), elements=st.floats(allow_nan=False, allow_infinity=False)), st.sampled_from(PRIMES))
def test_residues_of_floats_are_those_of_their_fractions(tensor, prime):
    exact = [Fraction(float(x)) for x in tensor]
    assert residues(tensor, prime).tolist() == [x.numerator * pow(x.denominator, -1, prime) % prime for x in exact]


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.int8, np.int16, np.int64])
def test_residues_of_every_dtype(dtype):
    tensor = np.array([[1, -2], [0, 100]], dtype=dtype)
    assert residues(tensor, 65521).tolist() == [[1, 65519], [0, 100]]


def test_residues_of_extreme_integers():
    extremes = np.array([-(2**63), 2**63 - 1], dtype=np.int64)
    assert residues(extremes, 65521).tolist() == [-(2**63) % 65521, (2**63 - 1) % 65521]
