"""Equal programs are found equal by every method, and programs that differ on one rare input are separated by it."""

from __future__ import annotations

from fractions import Fraction

import pytest

from symut.rasp import evaluate, read_program
from symut.rasp.symbolic import Comparison, Domain, Letters, Limits, Numbers, compare

X = "x = tokens_float;\n"
RANKS = "low = selector_width(select(x, x, <)); high = selector_width(select(x, x, <=));\n"
BY_KEY = "y = sort(tokens_float, tokens_float);"
BY_RANK = X + RANKS + "y = aggregate(select(low, indices, <=) and select(high, indices, >), x);"
SOFTMAX = X + "e = exp(x); y = e / (length * average(e));"
LARGEST = "top = aggregate(select(selector_width(select(x, x, >)), 0, ==), x);\n"
SHIFTED = X + LARGEST + "e = exp(x - top); y = e / (length * average(e));"
NUMBERS, INTEGERS = Numbers(), Numbers(True)
ALPHABET = Letters(tuple("abcdefghijklmnopqrstuvwxyz"))

# 2 x 2 matrices A and B as 8 tokens: their product row by row, then zeros.
ENTRY = """
def at(i) { return aggregate(select(indices, i, ==), tokens_float); }
def pick(values, place) { return values[place]; }
"""
BY_TERMS = (
    ENTRY
    + """
row = 0 if indices < 2 else 1;
column = indices % 2;
a0 = at(0) if row == 0 else at(2);
a1 = at(1) if row == 0 else at(3);
b0 = at(4) if column == 0 else at(5);
b1 = at(6) if column == 0 else at(7);
y = a0 * b0 + a1 * b1 if indices < 4 else 0;
"""
)
BY_HEADS = """
row = (indices - indices % 2) / 2;
left = aggregate(select(indices, 2 * row, ==), tokens_float);
next = aggregate(select(indices, 2 * row + 1, ==), tokens_float);
up = aggregate(select(indices, 4 + indices % 2, ==), tokens_float);
down = aggregate(select(indices, 6 + indices % 2, ==), tokens_float);
y = (left * up + next * down) * indicator(indices < 4);
"""
TRANSPOSED = """
def transposed(x) {
    row = (indices - indices % 3) / 3;
    return aggregate(select(indices, 3 * (indices % 3) + row, ==), x);
}
"""


def asked(one: str, other: str, n: int, domain: Domain, limits: Limits | None = None, **options: bool) -> Comparison:
    nodes = [read_program(text).node("y") for text in (one, other)]
    found = compare(nodes[0], nodes[1], n, domain, limits or Limits(), **options)
    if found.separation and "exp" not in one + other:
        values = [found.separation.first, found.separation.second]
        assert values[0] != values[1]
        for node, value in zip(nodes, values, strict=True):
            assert isinstance(value, str) or evaluate(node, found.separation.input) == value
    return found


@pytest.mark.parametrize(
    ("one", "other", "n", "domain"),
    [
        (TRANSPOSED + "y = transposed(transposed(tokens_float));", "y = tokens_float;", 9, NUMBERS),
        (TRANSPOSED + "y = transposed(transposed(tokens));", "y = tokens;", 9, ALPHABET),
        (BY_TERMS, BY_HEADS, 8, NUMBERS),
        (BY_KEY, BY_RANK, 1, NUMBERS),
        (BY_KEY, BY_RANK, 2, NUMBERS),
        (BY_KEY, BY_RANK, 3, NUMBERS),
        (BY_KEY, BY_RANK, 4, NUMBERS),
        (SOFTMAX, SHIFTED, 1, NUMBERS),
        (SOFTMAX, SHIFTED, 2, NUMBERS),
        (SOFTMAX, SHIFTED, 3, NUMBERS),
        ("y = (tokens_float - 1) * (tokens_float + 1);", "y = tokens_float ^ 2 - 1;", 3, NUMBERS),
        ("y = exp(tokens_float) > exp(1 - tokens_float);", "y = tokens_float > 1 / 2;", 2, NUMBERS),
        ("y = tokens_float * tokens_float >= 0;", "y = length > 0;", 2, NUMBERS),
        ("y = sort(tokens, tokens);", "y = sort(sort(tokens, tokens), indices);", 4, ALPHABET),
        ("y = dyck1;", 'y = dyck(["()"]);', 8, Letters(("(", ")"))),
    ],
)
def test_equal_programs(one: str, other: str, n: int, domain: Domain) -> None:
    found = asked(one, other, n, domain)
    assert found.equal is True
    assert found.trusted


@pytest.mark.parametrize("n", range(1, 9))
def test_dyck_variants_are_equal_up_to_length_8(n: int) -> None:
    found = asked("y = dyck1;", 'y = dyck(["()"]);', n, Letters(("(", ")", "x")))
    assert (found.equal, found.method, found.count) == (True, "exhaustive", 3**n)


def test_histograms_by_heads_and_by_width_are_equal() -> None:
    by_heads = "y = selector_width_by_heads(select(tokens, tokens, ==));"
    assert asked("y = hist;", by_heads, 6, Letters(("a", "b", "c"))).equal is True
    assert asked("y = hist;", by_heads, 4, NUMBERS).equal is True


@pytest.mark.parametrize(
    ("one", "other", "n", "domain", "rare"),
    [
        ("y = tokens_float;", "y = tokens_float + indicator(tokens_float == 12345.5);", 3, NUMBERS, 12345.5),
        (BY_KEY, BY_RANK + "\ny = y + indicator(x == 77) * indicator(y == 78);", 3, NUMBERS, 77),
        ("y = 2 * tokens_float;", "y = 2 * max(tokens_float, -1000);", 2, NUMBERS, None),
        ("y = tokens_int;", "y = tokens_int + indicator(tokens_int > 99 and tokens_int < 101);", 2, INTEGERS, 100),
        ("y = hist;", 'y = hist + indicator(tokens[4] == "q" and tokens[1] == "z");', 5, ALPHABET, "q"),
        ("y = dyck2;", 'y = "T" if tokens == "}" and indices == 7 and dyck2 == "P" else dyck2;', 8, "(){}", None),
        ("y = tokens_float ^ 2;", "y = tokens_float ^ 2 + indicator(tokens_float ^ 2 == 6.25);", 1, NUMBERS, None),
    ],
)
def test_programs_that_differ_on_rare_inputs_are_separated(
    one: str, other: str, n: int, domain: Domain | str, rare: object
) -> None:
    found = asked(one, other, n, Letters(tuple(domain)) if isinstance(domain, str) else domain)
    assert found.equal is False
    assert found.separation is not None
    assert rare is None or rare in found.separation.input


def test_softmax_without_normalisation_is_separated_in_balls() -> None:
    found = asked(SOFTMAX, X + "e = exp(x); y = e / (length * average(e) + 0.001);", 2, NUMBERS)
    assert found.equal is False


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_a_solver_decides_what_has_too_many_cases(n: int) -> None:
    found = asked(BY_KEY, BY_RANK, n, NUMBERS, Limits(cases=2))
    assert (found.equal, found.method, found.trusted) == (True, "z3", ("z3",))


@pytest.mark.parametrize(
    ("one", "other", "domain"),
    [
        (BY_KEY, BY_RANK + "\ny = y + indicator(x == 77.5) * indicator(y == 78);", NUMBERS),
        ("y = sort(tokens, tokens);", 'y = sort(tokens, "m" if tokens == "q" else tokens);', ALPHABET),
        ("y = 1 / (selector_width(select(tokens_float, 7, ==)) - 2);", "y = 0 * length;", INTEGERS),
        ("y = tokens_float;", "y = average(tokens_float);", NUMBERS),
        ('y = "x" if tokens == "k" else tokens;', 'y = "x" if tokens == "k" or tokens == "j" else tokens;', ALPHABET),
        ("y = [1, 2, 3][tokens_float];", "y = tokens_float + 1;", INTEGERS),
    ],
)
def test_a_solver_separates(one: str, other: str, domain: Domain) -> None:
    found = asked(one, other, 3, domain, Limits(cases=0, inputs=0))
    assert (found.equal, found.method) == (False, "z3")


def test_an_error_of_one_program_separates() -> None:
    one, other = "y = tokens_float / tokens_float;", "y = length / length;"
    found = asked(one, other, 1, NUMBERS)
    assert found.equal is False
    assert found.separation is not None
    assert (found.separation.input, found.separation.second) == ([0], [1])
    assert "division by zero" in found.separation.first
    assert asked(one, other, 1, NUMBERS, defined=True).equal is True


def test_errors_of_both_programs_are_counted() -> None:
    found = asked("y = 1 / tokens_float;", "y = 2 / (2 * tokens_float);", 1, NUMBERS)
    assert (found.equal, found.count, found.undefined) == (True, 2, 1)


def test_different_domains_of_integers_and_rationals() -> None:
    one, other = "y = tokens_asis;", "y = 7 if tokens_asis > 0 and tokens_asis < 1 else tokens_asis;"
    assert asked(one, other, 1, INTEGERS).equal is True
    found = asked(one, other, 1, NUMBERS)
    assert found.separation is not None
    assert 0 < Fraction(found.separation.input[0]) < 1


def test_what_is_not_covered_is_unknown_with_its_place() -> None:
    found = asked("y = tokens_float % 2;", "y = (tokens_float + 2) % 2;", 1, NUMBERS)
    assert found.equal is None
    assert any("program:1:18" in line and "mod" in line for line in found.tried)


def test_a_difference_at_irrational_tokens_only_is_unknown() -> None:
    assert asked("y = tokens_float;", "y = tokens_float if tokens_float ^ 2 != 2 else 0;", 1, NUMBERS).equal is None


def test_the_same_graph_is_equal_whatever_it_computes() -> None:
    found = asked("y = tokens_float % 2;", "y = tokens_float % 2;", 5, NUMBERS)
    assert (found.equal, found.method) == (True, "identical")


def test_selectors_are_compared() -> None:
    one, other = "y = select(tokens_float, tokens_float, <);", "y = not select(tokens_float, tokens_float, >=);"
    assert asked(one, other, 3, NUMBERS).equal is True
    assert asked(one, "y = not select(tokens_float, tokens_float, >);", 3, NUMBERS).equal is False
