"""The lowered encoder, run exactly, against the interpreter: all constructs, random programs, the library.

Kinds of programs on which other compilers are wrong are tests of their own, at n = 8, 10, 16, 32, 64 and 128.
"""

from __future__ import annotations

import random
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from symut.rasp import core, evaluate, load_program, read_program
from symut.rasp.encoder.cost import cost
from symut.rasp.encoder.run import run
from symut.rasp.lowering.lower import encode, lower, prepare
from symut.rasp.sharing import shared
from tests.rasp.cases import CASES, Case
from tests.rasp.compiled import alphabet_for, encoder_of, inputs_for, letters_of, node_of
from tests.rasp.generated import ALPHABET, Program, programs
from tests.rasp.references import REFERENCES

SIZES = (8, 10, 16, 32, 64, 128)
SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture]
library = load_program("library")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_encoder_gives_the_expected_values(case: Case) -> None:
    encoder = encode(read_program(case.text).node("answer"), n=8, alphabet=letters_of(case.runs))
    for tokens, expected in case.runs:
        found = run(encoder, tokens)
        assert found == expected
        assert list(map(type, found)) == list(map(type, expected))


@pytest.mark.parametrize("case", [case for case in CASES if case.numeric], ids=lambda case: case.name)
def test_numbers_without_an_alphabet(case: Case) -> None:
    found = prepare(read_program(case.text).node("answer"), n=8, alphabet=None)
    if found.issues:
        assert "bounded" in found.issues[0].reason
        return
    for tokens, expected in case.runs:
        assert run(lower(found), tokens) == expected


@settings(deadline=None, max_examples=150, suppress_health_check=SLOW)
@given(program=programs(), tokens=st.text(alphabet=ALPHABET, min_size=1, max_size=6), more=st.integers(0, 3))
def test_random_program(program: Program, tokens: str, more: int) -> None:
    text, function = program
    encoder = encode(node_of(f"y = {text};"), n=len(tokens) + more, alphabet=ALPHABET)
    assert run(encoder, tokens) == function(tokens)


@settings(deadline=None, max_examples=60, suppress_health_check=SLOW)
@given(program=programs(), tokens=st.text(alphabet=ALPHABET, min_size=1, max_size=6))
def test_random_causal_program(program: Program, tokens: str) -> None:
    encoder, root = encoder_of(f"y = {program[0]};", len(tokens), ALPHABET, causal=True)
    assert run(encoder, tokens) == evaluate(root, tokens)


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("name", REFERENCES)
def test_library_is_exact_at_every_size(name: str, n: int) -> None:
    encoder = encode(library.node(name), n=n, alphabet=alphabet_for(name))
    for tokens in inputs_for(name, n):
        assert run(encoder, tokens) == REFERENCES[name](tokens)


DEFECTS = {
    "widths of ten and more": ("selector_width(select(tokens, tokens, ==)) + 0 * length", "ab"),
    "negative numbers": ('aggregate(select(indices, indices, <=), indicator(tokens == "a") - 3) * indices', "ab"),
    "negative defaults": ('aggregate(select(tokens, "a", ==) and select(indices, indices, <), 0 - indices, -7)', "ab"),
    "identity": ("tokens", "ab"),
    "constants": ("indices * 0 + 1", "ab"),
    "full selector": ("aggregate(full_s, indices)", "ab"),
    "disjunctions": ("selector_width(select(tokens, tokens, ==) or select(indices, indices, <))", "abc"),
    "negated disjunctions": ("selector_width(not (select(tokens, tokens, <) or select(indices, indices, ==)))", "abc"),
    "nested connectives": (
        'selector_width((select(tokens, "a", ==) and select(indices, indices, <)) '
        "or (select(tokens, tokens, !=) and not select(indices, 2, ==)))",
        "abc",
    ),
    "parity": (
        'round((indices + 1) * aggregate(select(indices, indices, <=), indicator(tokens == "a"))) % 2 == 1',
        "ab",
    ),
    "comparison at difference 1": ('num_prevs(tokens, "a") > num_prevs(tokens, "b")', "ab"),
    "comparison of means": ('frac(tokens, "a") >= frac(tokens, "b")', "abc"),
    "orders of tokens": ("selector_width(select(tokens, tokens, <=))", "abcdef"),
}


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("name", DEFECTS)
def test_what_other_compilers_get_wrong(name: str, n: int) -> None:
    text, letters = DEFECTS[name]
    node, pick = node_of(f"y = {text};"), random.Random(n)
    encoder = encode(node, n=n, alphabet=letters)
    half = "a" * (n // 2) + "b" * (n - n // 2)
    for tokens in (
        "a" * n,
        half,
        half[::-1],
        "".join(pick.choices(letters, k=n)),
        "".join(pick.choices(letters, k=n - 1)),
    ):
        assert run(encoder, tokens) == evaluate(node, tokens)


@pytest.mark.parametrize("n", SIZES)
def test_causal_programs(n: int) -> None:
    pick = random.Random(n)
    for text in ("length", "reverse", "hist", "hist2", "dyck1", "aggregate(full_s, indices)"):
        encoder, root = encoder_of(f"y = {text};", n, "abc", causal=True)
        tokens = "".join(pick.choices("abc", k=n))
        assert run(encoder, tokens) == evaluate(root, tokens)
    assert run(encoder_of("y = length;", n, "a", causal=True)[0], "a" * n) == list(range(1, n + 1))


def _pairs(root: core.Node) -> int:
    """The distinct (selector, value) pairs of a program; a width is a pair of its own."""
    nodes = core.order(shared([root]))
    aggregates = {(node.selector, node.values) for node in nodes if isinstance(node, core.Aggregate)}
    return len(aggregates) + len({node.selector for node in nodes if isinstance(node, core.SelectorWidth)})


def _depth(node: core.Node, known: dict[core.Node, int]) -> int:
    if node not in known:
        own = isinstance(node, (core.Aggregate, core.SelectorWidth))
        known[node] = own + max((_depth(child, known) for child in node.children), default=0)
    return known[node]


@pytest.mark.parametrize("name", REFERENCES)
def test_layers_heads_and_tables_follow_the_program(name: str) -> None:
    (root,) = shared([library.node(name)])
    for n in (8, 64):
        found = cost(encode(root, n=n, alphabet=alphabet_for(name)))
        assert found.attention_layers <= _depth(root, {})
        assert sum(found.heads) <= _pairs(root)
        assert found.largest_table <= max(4096, (n + 1) ** 2)


def test_positions_fold_into_masks() -> None:
    transposed = cost(
        encode(
            node_of("y = aggregate(select(indices, 3 * (indices % 3) + round((indices - 1) / 3), ==), tokens);"),
            n=9,
            alphabet="abc",
        )
    )
    assert (transposed.attention_layers, transposed.heads, transposed.gates) == (1, (1,), {})
    counted = cost(encode(node_of("y = selector_width(select(indices, indices, <)) + indices;"), n=9, alphabet="a"))
    assert (counted.attention_layers, counted.gates) == (0, {})


def test_aggregates_of_one_selector_share_a_head() -> None:
    text = (
        'y = aggregate(full_s, indices) + aggregate(full_s, indicator(tokens == "a")) + aggregate(full_s, indices, 3);'
    )
    assert cost(encode(node_of(text), n=6, alphabet="ab")).heads == (1,)


@pytest.mark.parametrize("name", ["reverse", "hist", "sorted", "dyck1", "length"])
def test_compiling_takes_less_than_a_second(name: str) -> None:
    letters = "()" if name == "dyck1" else "abcdefgh"
    encode(library.node(name), n=8, alphabet=letters)
    start = time.process_time()
    encode(library.node(name), n=64, alphabet=letters)
    assert time.process_time() - start < 1
