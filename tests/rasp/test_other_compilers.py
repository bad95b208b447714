"""Programs on which compilers of RASP are known to be wrong, at lengths where they are: exact here.

Measured on Tracr, ALTA and a compiler of C-RASP. Each kind is written with Tracr's names, has a reference in plain
Python, and is compared in the exact encoder and in the emitted module at n = 8, 10, 16, 32, 64 and 128.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import torch

from symut.rasp import RaspError
from symut.rasp import tracr as rasp
from tests.rasp.compiled import encoder_of, imported, module_of
from tests.rasp.references import dyck, shuffle_dyck
from tests.rasp.test_library import balanced
from tests.rasp.test_tracr import make_frac_prevs, make_length, make_reverse, make_shuffle_dyck, make_sort, shift_by

SIZES = (8, 10, 16, 32, 64, 128)
EQ, LEQ, LT = rasp.Comparison.EQ, rasp.Comparison.LEQ, rasp.Comparison.LT
Reference = Callable[[list], list]


def up_to(values: list) -> list[Fraction]:
    return [Fraction(total, i + 1) for i, total in enumerate(itertools.accumulate(values))]


def widths(w: list, chosen: Callable[[int, int], bool]) -> list[int]:
    return [sum(chosen(k, q) for k in range(len(w))) for q in range(len(w))]


def same() -> rasp.Selector:
    return rasp.Select(rasp.tokens, rasp.tokens, EQ)


def earlier() -> rasp.Selector:
    return rasp.Select(rasp.indices, rasp.indices, LT)


def parity() -> rasp.SOp:
    counted = rasp.SequenceMap(
        lambda share, i: round(share * (i + 1)), make_frac_prevs(rasp.tokens == "a"), rasp.indices
    )
    return rasp.Map(lambda count: count % 2, counted)


KINDS: dict[str, tuple[Callable[[int], rasp.SOp], Reference]] = {
    "length": (lambda n: make_length(), lambda w: [len(w)] * len(w)),
    "reverse": (lambda n: make_reverse(rasp.tokens), lambda w: w[::-1]),
    "widths of ten and more": (lambda n: rasp.SelectorWidth(same()), lambda w: [w.count(x) for x in w]),
    "negative results": (lambda n: -1 * rasp.indices - 2, lambda w: [-i - 2 for i in range(len(w))]),
    "mean over categories": (
        lambda n: rasp.Aggregate(rasp.Select(rasp.indices, rasp.indices, LEQ), rasp.categorical(rasp.indices)),
        lambda w: up_to(list(range(len(w)))),
    ),
    "none as default": (lambda n: shift_by(1, rasp.tokens), lambda w: [None, *w[:-1]]),
    "none stays none": (lambda n: shift_by(1, rasp.indices) + 1, lambda w: [None, *range(1, len(w))]),
    "identity": (lambda n: rasp.tokens, list),
    "full": (lambda n: rasp.Full(1), lambda w: [1] * len(w)),
    "selector and": (
        lambda n: rasp.SelectorWidth(rasp.SelectorAnd(same(), earlier())),
        lambda w: widths(w, lambda k, q: w[k] == w[q] and k < q),
    ),
    "selector or": (
        lambda n: rasp.SelectorWidth(rasp.SelectorOr(same(), earlier())),
        lambda w: widths(w, lambda k, q: w[k] == w[q] or k < q),
    ),
    "selector not": (
        lambda n: rasp.SelectorWidth(rasp.SelectorNot(same())),
        lambda w: widths(w, lambda k, q: w[k] != w[q]),
    ),
    "selectors in selectors": (
        lambda n: rasp.SelectorWidth(rasp.SelectorNot(rasp.SelectorOr(rasp.SelectorNot(same()), earlier()))),
        lambda w: widths(w, lambda k, q: w[k] == w[q] and k >= q),
    ),
    "parity of many ones": (lambda n: parity(), lambda w: [w[: i + 1].count("a") % 2 for i in range(len(w))]),
    "comparison at difference 1": (
        lambda n: make_frac_prevs(rasp.tokens == "a") > make_frac_prevs(rasp.tokens == "b"),
        lambda w: [w[: i + 1].count("a") > w[: i + 1].count("b") for i in range(len(w))],
    ),
}


def words(n: int) -> list[list[str]]:
    """Constant, alternating and random words: prefixes whose counts of a and b differ by 0 and by 1 are among them."""
    pick = random.Random(n)
    fixed = ["a" * n, "b" * n, ("ab" * n)[:n], ("ba" * n)[:n], "a" * (n // 2) + "b" * (n - n // 2)]
    return [*map(list, fixed), *(pick.choices("abc", k=m) for m in (1, n - 1, n, n))]


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("kind", KINDS)
def test_kind_is_exact(kind: str, n: int, tmp_path: Path) -> None:
    make, reference = KINDS[kind]
    program = make(n)
    model = rasp.compile(program, vocab=set("abc"), max_seq_len=n)
    module = imported(model.emit(tmp_path) / "model.py")
    expected = [reference(w) for w in words(n)]
    assert [program(w) for w in words(n)] == expected
    some = slice(2, None, 1 if n < 64 else 3)  # the exact evaluator takes long
    assert [model(w) for w in words(n)[some]] == expected[some]
    for dtype in module.EXACT:
        assert module.load(dtype=getattr(torch, dtype)).batch(words(n)) == expected
    assert "float64" in module.EXACT


@pytest.mark.parametrize("n", SIZES)
def test_causal_programs_have_the_values_of_the_interpreter_on_each_prefix(n: int) -> None:
    for make in (make_length, lambda: rasp.SelectorWidth(same()), lambda: shift_by(-1, rasp.tokens)):
        model = rasp.compile(make(), vocab=set("abc"), max_seq_len=n, bos="BOS", causal=True)
        for w in words(n)[3 : 4 if n > 64 else None : 2]:
            assert model(["BOS", *w]) == ["BOS", *(make()(w[: i + 1])[-1] for i in range(len(w)))]


@pytest.mark.parametrize("n", SIZES)
def test_sort_is_exact(n: int) -> None:
    pick = random.Random(n)
    model = rasp.compile(make_sort(n), vocab=range(-2, 8), max_seq_len=n)
    for w in (pick.choices(range(-2, 8), k=n), [0] * n, list(range(7, -3, -1)) * (n // 10)):
        assert not w or model(w) == sorted(w)


@pytest.mark.parametrize("n", SIZES)
def test_dyck_is_exact_on_balanced_strings_and_next_to_them(n: int, tmp_path: Path) -> None:
    whole = [balanced(n, "(){}", seed) for seed in range(2)]
    near = [w[:-2] + w[-1] + w[-2] for w in whole] + [w[:-1] for w in whole] + ["(" * (n // 2) + ")" * (n // 2)]
    model = rasp.compile(make_shuffle_dyck(["()", "{}"]), vocab=set("(){}"), max_seq_len=n)
    for w in (whole + near)[1 : 4 if n > 64 else None]:
        assert model(list(w)) == [shuffle_dyck(w, ["()", "{}"])[-1] == "T"] * len(w)
    for name, reference in (("dyck2", dyck), ("shuffle_dyck2", shuffle_dyck)):
        module = module_of(*encoder_of(f"y = {name};", n, "(){}"), tmp_path).load()
        assert module.batch(whole + near) == [reference(w, ["()", "{}"]) for w in whole + near]


def test_attention_does_not_leak_at_long_inputs(tmp_path: Path) -> None:
    text = 'y = aggregate(select(tokens, "a", ==), indicator(indices == 0) * 1000000, 0);'
    for n in (96, 128):
        module = module_of(*encoder_of(text, n, "ab"), tmp_path).load()
        w = "b" * (n - 1) + "a"
        assert module.batch([w, "a" + "b" * (n - 1)]) == [[0] * n, [1000000] * n]


@pytest.mark.parametrize("tokens", [["a", "x"], [], ["a"] * 9])
def test_a_compiled_program_refuses_what_it_was_not_compiled_for(tokens: list[Any]) -> None:
    model = rasp.compile(make_length(), vocab={"a"}, max_seq_len=8)
    with pytest.raises(RaspError):
        model(tokens)
