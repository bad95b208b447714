"""Programs written for Tracr: run, compiled and emitted, with the programs of its library written again here."""

from __future__ import annotations

import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from symut.errors import UsageError
from symut.rasp import RaspError, evaluate
from symut.rasp import tracr as rasp
from tests.rasp.compiled import imported
from tests.rasp.test_library import balanced

SIZES = (5, 8, 10, 16, 32, 64)


def make_length() -> rasp.SOp:
    everything = rasp.Select(rasp.tokens, rasp.tokens, rasp.Comparison.TRUE).named("all_true_selector")
    return rasp.SelectorWidth(everything).named("length")


def make_reverse(sop: rasp.SOp) -> rasp.SOp:
    opposite = (make_length() - rasp.indices).named("opp_idx") - 1
    return rasp.Aggregate(rasp.Select(rasp.indices, opposite, rasp.Comparison.EQ), sop).named("reverse")


def make_frac_prevs(bools: rasp.SOp) -> rasp.SOp:
    earlier = rasp.Select(rasp.indices, rasp.indices, rasp.Comparison.LEQ)
    return rasp.numerical(rasp.Aggregate(earlier, rasp.numerical(bools), default=0)).named("frac_prevs")


def make_pair_balance(opener: str, closer: str) -> rasp.SOp:
    opens, closes = (make_frac_prevs(rasp.tokens == token) for token in (opener, closer))
    return rasp.numerical(rasp.LinearSequenceMap(opens, closes, 1, -1))


def make_shuffle_dyck(pairs: list[str]) -> rasp.SOp:
    balances = [make_pair_balance(*pair) for pair in pairs]
    negative, zero = balances[0] < 0, balances[0] == 0
    for balance in balances[1:]:
        negative, zero = negative | (balance < 0), zero & (balance == 0)
    everything = rasp.Select(rasp.indices, rasp.indices, rasp.Comparison.TRUE)
    fell = rasp.numerical(rasp.Aggregate(everything, rasp.numerical(rasp.Map(lambda x: x, negative)), default=0))
    last = rasp.Aggregate(rasp.Select(rasp.indices, make_length() - 1, rasp.Comparison.EQ), zero)
    return (last & ~fell).named("shuffle_dyck")


def make_hist() -> rasp.SOp:
    return rasp.SelectorWidth(rasp.Select(rasp.tokens, rasp.tokens, rasp.Comparison.EQ)).named("hist")


def make_sort(size: int) -> rasp.SOp:
    keys = rasp.SequenceMap(lambda x, i: x + i / size, rasp.tokens, rasp.indices)
    place = rasp.SelectorWidth(rasp.Select(keys, keys, rasp.Comparison.LT))
    return rasp.Aggregate(rasp.Select(place, rasp.indices, rasp.Comparison.EQ), rasp.tokens).named("sort")


def shift_by(offset: int, sop: rasp.SOp) -> rasp.SOp:
    moved = rasp.Select(rasp.indices, rasp.indices, lambda key, query: query == key + offset)
    return rasp.Aggregate(moved, sop, default=None)


def detect_pattern(pattern: str) -> rasp.SOp:
    found = [rasp.tokens == letter for letter in reversed(pattern)]
    shifted = [found[0], *(shift_by(i, part) for i, part in enumerate(found) if i)]
    result = shifted.pop()
    while shifted:
        result = result & shifted.pop()
    return result.named("detect")


def _check(program: rasp.SOp, letters: Any, inputs: list[list], n: int) -> None:
    """The compiled program gives the interpreter's values, also when it is causal."""
    for causal in (False, True):
        model = rasp.compile(program, vocab=set(letters), max_seq_len=n, bos="BOS", causal=causal)
        for tokens in inputs:
            expected = evaluate(model.root, tokens, strict=False)
            assert causal or expected == program(tokens)
            assert model(["BOS", *tokens]) == ["BOS", *expected]


@pytest.mark.parametrize("n", SIZES)
def test_programs_of_its_library(n: int) -> None:
    pick = random.Random(n)
    inputs = [pick.choices("abc", k=m) for m in (1, n - 1, n)]
    for program in (make_length(), make_reverse(rasp.tokens), make_hist(), detect_pattern("aba"), rasp.length):
        _check(program, "abc", inputs, n)
    whole = list(balanced(n - n % 2, "(){}", seed=n))
    _check(make_shuffle_dyck(["()", "{}"]), "(){}", [whole, [*whole[:-2], whole[-1], whole[-2]], whole[:-1]], n)
    numbers = [pick.choices(range(-2, 4), k=m) for m in (2, n)]
    _check(make_sort(n), range(-2, 4), numbers, n)
    sort = rasp.compile(make_sort(n), range(-2, 4), n)
    assert sort(numbers[1]) == sorted(numbers[1])


PROGRAMS: dict[str, tuple[rasp.SOp, list]] = {
    "identity": (rasp.tokens, ["a", "b", "a"]),
    "full": (rasp.Full(1), [1, 1, 1]),
    "negative results": (-1 * rasp.indices - 2, [-2, -3, -4]),
    "mean over categories": (
        rasp.Aggregate(rasp.Select(rasp.indices, rasp.indices, rasp.Comparison.LEQ), rasp.categorical(rasp.indices)),
        [0, Fraction(1, 2), 1],
    ),
    "none defaults": (shift_by(1, rasp.tokens), [None, "a", "b"]),
    "none stays none": (shift_by(1, rasp.indices) + 1, [None, 1, 2]),
    "numbers as defaults": (
        rasp.Aggregate(rasp.Select(rasp.indices, rasp.indices, rasp.Comparison.LT), rasp.indices, default=-5),
        [-5, 0, Fraction(1, 2)],
    ),
    "selector and": (
        rasp.SelectorWidth(
            rasp.SelectorAnd(
                rasp.Select(rasp.tokens, rasp.tokens, rasp.Comparison.EQ),
                rasp.Select(rasp.indices, rasp.indices, rasp.Comparison.LT),
            )
        ),
        [0, 0, 1],
    ),
    "selector or": (
        rasp.SelectorWidth(
            rasp.Select(rasp.tokens, rasp.Full("a"), rasp.Comparison.EQ)
            | rasp.Select(rasp.indices, rasp.indices, rasp.Comparison.GT)
        ),
        [3, 2, 2],
    ),
    "selector not": (rasp.SelectorWidth(~rasp.Select(rasp.tokens, rasp.tokens, rasp.Comparison.EQ)), [1, 2, 1]),
    "python predicates": (
        rasp.SelectorWidth(rasp.Select(rasp.indices, rasp.tokens, lambda key, query: key > ord(query) - 97)),
        [2, 1, 2],
    ),
    "comparison false": (
        rasp.Aggregate(rasp.Select(rasp.tokens, rasp.tokens, rasp.Comparison.FALSE), rasp.indices, default=9),
        [9, 9, 9],
    ),
    "strings from maps": (rasp.SequenceMap(lambda x, i: x * (i + 1), rasp.tokens, rasp.indices), ["a", "bb", "aaa"]),
    "constants": (rasp.ConstantSOp([5, "x", None]), [5, "x", None]),
    "constant selectors": (
        rasp.Aggregate(rasp.ConstantSelector([[False, True, False]] * 3), rasp.tokens),
        ["b", "b", "b"],
    ),
    "values of or": (rasp.Map(lambda x: x == "a", rasp.tokens) | 7, [True, 7, True]),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str) -> None:
    program, expected = PROGRAMS[name]
    assert program(["a", "b", "a"]) == expected
    model = rasp.compile(program, vocab={"a", "b"}, max_seq_len=3)
    assert model(["a", "b", "a"]) == expected


def test_names_annotations_and_labels() -> None:
    hist = make_hist()
    assert hist.name == "hist"
    assert rasp.numerical(hist) is hist
    assert rasp.is_numerical(hist)
    assert hist.annotated(note=3).annotations["note"] == 3
    assert hist.label.startswith("hist_")
    assert rasp.tokens.name == "tokens"
    assert not rasp.is_numerical(rasp.tokens)


def test_compile_rasp_to_model_has_its_parameters() -> None:
    model = rasp.compile_rasp_to_model(
        make_hist(),
        vocab={1, 2},
        max_seq_len=12,
        causal=False,
        compiler_bos="BOS",
        compiler_pad="PAD",
        mlp_exactness=100,
    )
    assert model.apply(["BOS", *[1] * 11, 2]).decoded == ["BOS", *[11] * 11, 1]
    with pytest.raises(UsageError, match="padding token"):
        rasp.compile_rasp_to_model(make_hist(), vocab={"compiler_pad"}, max_seq_len=2)
    with pytest.raises(UsageError, match="start token is in"):
        rasp.compile_rasp_to_model(make_hist(), vocab={"compiler_bos"}, max_seq_len=2)


def test_emitted_module(tmp_path: Path) -> None:
    folder = rasp.compile(make_sort(6), vocab=range(4), max_seq_len=6).emit(tmp_path)
    assert folder.name == "rasp-sort-n6"
    assert imported(folder / "model.py").load()([3, 1, 2, 1]) == [1, 1, 2, 3]


@pytest.mark.parametrize(
    ("call", "match"),
    [
        (lambda: rasp.compile(make_hist(), {"a"}, 3, bos="B")(["a"]), "start token.*expected B, got a"),
        (lambda: rasp.compile(make_hist(), {"a"}, 3)(["a"] * 4), "too long"),
        (lambda: rasp.compile(make_hist(), {"a"}, 3)([]), "empty"),
        (lambda: rasp.compile(make_hist(), {"a"}, 3)(["b"]), "not in the alphabet"),
        (lambda: rasp.compile(rasp.ConstantSOp([1]), {"a"}, 3), "another length"),
        (lambda: rasp.ConstantSOp([1])(["a", "b"]), "another length"),
        (lambda: rasp.compile(rasp.Select(rasp.tokens, rasp.tokens, rasp.Comparison.EQ), {"a"}, 3), "only sequences"),
        (lambda: rasp.Aggregate(rasp.tokens, rasp.tokens), "wrong type"),  # type: ignore[arg-type]
        (lambda: bool(rasp.tokens == 1), "no truth value"),
    ],
)
def test_bad_use_is_one_line(call: Any, match: str) -> None:
    with pytest.raises((RaspError, UsageError), match=match) as caught:
        call()
    assert "\n" not in str(caught.value)
