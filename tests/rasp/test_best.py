"""`best`: generalised hard attention in the interpreter, in encoders and in emitted modules."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import torch

from symut.rasp import RaspError, builder, core, evaluate, read_program
from symut.rasp.emission.picture import picture
from symut.rasp.encoder.cost import cost
from symut.rasp.encoder.floats import floats
from symut.rasp.encoder.run import run
from symut.rasp.lowering.causal import causal
from symut.rasp.lowering.lower import encode
from symut.rasp.sharing import shared
from symut.rasp.validate import validate
from tests.rasp.compiled import encoder_of, module_of, node_of

MAXIMUM = "y = aggregate(best(full_s, tokens_float), tokens_float);"
EARLIER = "select(indices, indices, <)"
PROGRAMS = (
    MAXIMUM,
    f"y = aggregate(best({EARLIER}, tokens_float, -1), indices, -5);",
    "y = aggregate(best(full_s, [tokens_float, indices], [1, 2]), indices);",
    "y = aggregate(best(select(indices, 2, >=), tokens_float, tokens_float), tokens_float, 7);",
    "b = best(full_s, tokens_float, tokens_float); y = aggregate(b, tokens_float) - aggregate(b, indices);",
    "m = aggregate(best(full_s, tokens_float), tokens_float);"
    "y = aggregate(best(select(indices, indices, >=), m * tokens_float - indices), tokens_float * tokens_float);",
)


def _reference(scores: list[list[Fraction]], chosen: list[list[bool]], values: list, default: int) -> list:
    rows = []
    for line, on in zip(scores, chosen, strict=True):
        top = max((s for s, c in zip(line, on, strict=True) if c), default=None)
        found = [v for v, s, c in zip(values, line, on, strict=True) if c and s == top]
        rows.append(Fraction(sum(found), len(found)) if found else default)
    return rows


def test_ties_are_averaged_and_nothing_selected_gives_the_default() -> None:
    node = node_of(f"y = aggregate(best({EARLIER}, tokens_float), indices, -1);")
    assert evaluate(node, [3, 1, 3, 2]) == [-1, 0, 0, 1]
    assert evaluate(node_of(MAXIMUM), [-3, -1, -2]) == [-1, -1, -1]


def test_scores_are_sums_of_products_of_keys_and_queries() -> None:
    pick = random.Random(1)
    node = node_of(
        "y = aggregate(best(select(indices, indices, !=), [tokens_float, 3], [indices - 1, 2]), indices, 9);"
    )
    for _ in range(50):
        x = [Fraction(pick.randint(-3, 3), pick.randint(1, 2)) for _ in range(pick.randint(1, 6))]
        scores = [[k * (q - 1) + 6 for k in x] for q in range(len(x))]
        chosen = [[k != q for k in range(len(x))] for q in range(len(x))]
        assert evaluate(node, x) == _reference(scores, chosen, list(range(len(x))), 9)


def test_it_is_a_selector_among_others() -> None:
    node = node_of('y = selector_width(not best(full_s, indicator(tokens == "a")) and select(indices, 0, !=));')
    assert evaluate(node, "abab") == [2, 2, 2, 2]
    assert evaluate(node_of('y = aggregate(best(full_s, [tokens == "b"], [1]), tokens);'), "aba") == ["b"] * 3


def test_floats_score_in_floats() -> None:
    assert (
        evaluate(node_of("y = aggregate(best(full_s, exp(tokens_float)), tokens_float);"), [1, 3, 2], floats=True)
        == [3] * 3
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("y = best(indices, 1);", "first argument of best is of the wrong type: expected a selector"),
        ("y = best(full_s, full_s);", "one of the keys of best .*expected a sequence, got a selector"),
        ("y = best(full_s, indices, full_s);", "one of the queries of best"),
        ("y = best(full_s, [indices, 1]);", "expected as many queries as keys.*2 keys and 1 queries"),
        ("y = best(full_s, [], []);", "at least one, got 0 keys"),
        ("y = best(full_s, [[1]], [1]);", "an argument of best is of the wrong type.*got a list"),
        ("y = best(full_s);", r"expected best\(selector, keys, queries\)"),
        ("y = best(full_s, {1: 2});", "got a dictionary"),
    ],
)
def test_wrong_arguments_are_refused_where_they_stand(text: str, said: str) -> None:
    with pytest.raises(RaspError, match=said) as caught:
        read_program(text)
    assert (caught.value.at.line, caught.value.at.column) == (1, 5)  # type: ignore[union-attr]
    assert "\n" not in str(caught.value)


def test_strings_are_no_scores() -> None:
    node = node_of("y = aggregate(best(full_s, tokens_str), indices);")
    with pytest.raises(RaspError, match="best scores by values that are no numbers"):
        evaluate(node, "ab")
    assert "may be no numbers" in validate(node, n=3, alphabet="ab")[0].reason


def test_the_builder_makes_the_same_node() -> None:
    built = builder.aggregate(builder.best(builder.full_s, [builder.indices, 2], [1, builder.indices]), builder.indices)
    text = node_of("y = aggregate(best(full_s, [indices, 2], [1, indices]), indices);")
    assert built("abc") == evaluate(text, "abc") == [2, 2, 2]
    one, other = shared([built.node, text])
    assert one is other


@pytest.mark.parametrize("text", PROGRAMS)
def test_the_encoder_is_exact_at_every_length(text: str) -> None:
    node, pick = node_of(text), random.Random(len(text))
    encoder = encode(node, n=6, alphabet=None)
    for _ in range(60):
        x = [Fraction(pick.randint(-4, 4), pick.choice([1, 1, 3])) for _ in range(pick.randint(1, 6))]
        assert run(encoder, x) == evaluate(node, x)


@pytest.mark.parametrize("text", PROGRAMS)
def test_a_causal_encoder_chooses_from_earlier_keys(text: str) -> None:
    node, pick = node_of(text), random.Random(len(text))
    encoder = encode(node, n=5, alphabet=None, causal=True)
    for _ in range(30):
        x = [pick.randint(-3, 3) for _ in range(5)]
        assert run(encoder, x) == evaluate(causal(node), x)
        for m in range(1, 5):
            assert run(encoder, x[:m]) == run(encoder, x)[:m]


def test_over_an_alphabet_values_stay_finite_and_strings_are_moved(tmp_path: Path) -> None:
    text = 'y = aggregate(best(select(indices, indices, <=), [tokens == "a", indices], [9, 1]), tokens, "-");'
    encoder, root = encoder_of(text, 5, "ab")
    loaded = module_of(encoder, root, tmp_path).load()
    for tokens in ("a", "b", "bab", "abbab"):
        assert run(encoder, tokens) == evaluate(root, tokens) == loaded(tokens)


def test_strings_that_tie_are_an_error(tmp_path: Path) -> None:
    encoder, root = encoder_of('y = aggregate(best(full_s, tokens == "a"), tokens);', 3, "ab")
    for evaluated in (lambda: evaluate(root, "aab"), lambda: run(encoder, "aab")):
        with pytest.raises(RaspError, match="no numbers"):
            evaluated()
    with pytest.raises(ValueError, match="no numbers"):
        module_of(encoder, root, tmp_path).load()("aab")


def test_one_head_serves_all_aggregates_of_a_best_and_has_a_hard_mask() -> None:
    encoder = encode(node_of(PROGRAMS[4]), n=4, alphabet=None)
    (head,) = encoder.layers[1].heads
    assert (cost(encoder).heads, len(head.values)) == ((1,), 2)
    assert head.mask is None
    assert head.hidden is not None
    assert not head.hidden.any()
    assert b"head 0: best" in picture(encoder)
    earlier = encode(node_of(PROGRAMS[1]), n=4, alphabet=None).layers[1].heads[0]
    assert (earlier.hidden == ~np.tri(4, k=-1, dtype=bool)).all()


def test_the_guard_is_read_only_where_no_key_is_left() -> None:
    encoder = encode(node_of(PROGRAMS[1]), n=4, alphabet=None)
    (head,) = encoder.layers[1].heads
    nothing = replace(head, hidden=np.ones((4, 4), dtype=bool))
    hidden = replace(encoder, layers=(encoder.layers[0], replace(encoder.layers[1], heads=(nothing,))))
    assert run(encoder, [-100, 100, 5]) == [-5, 0, 0]
    assert run(hidden, [-100, 100, 5]) == [-5, -5, -5]


@pytest.mark.parametrize(
    ("text", "column", "reason"),
    [
        ("y = aggregate(best(select(tokens_int, 1, ==), indices), 1);", 15, "depend on the tokens"),
        ("y = aggregate(best(full_s, indices) and full_s, indices);", 15, "combined with another selector"),
        ("y = aggregate(not best(full_s, indices), indices);", 19, "combined with another selector"),
        ("y = aggregate(best(best(full_s, indices), tokens_int), indices);", 20, "combined with another selector"),
        ("y = selector_width(best(full_s, tokens_int));", 5, "counts the ties"),
        ("y = selector_width(best(full_s, tokens_int), assume_bos=True);", 20, "combined with another selector"),
        ("y = aggregate(best(full_s, tokens_int < 2), indices);", 39, "finite range"),
    ],
)
def test_what_has_no_encoder_is_listed_and_still_runs(text: str, column: int, reason: str) -> None:
    node = node_of(text)
    issues = validate(node, n=4, alphabet=None)
    assert len(evaluate(node, [1, 2, 2])) == 3
    assert [issue.at.column for issue in issues if issue.at] == [column]
    assert reason in issues[0].reason
    assert issues[0].remedy


@pytest.mark.parametrize("text", PROGRAMS)
def test_the_module_agrees_in_floats(text: str, tmp_path: Path) -> None:
    node, pick = node_of(text), random.Random(3)
    module = module_of(encode(node, n=5, alphabet=None), node, tmp_path).load(dtype=torch.float64, exact=False)
    inputs = [[pick.randint(-4, 4) for _ in range(pick.randint(1, 5))] for _ in range(40)]
    for x, found in zip(inputs, module.batch(inputs), strict=True):
        assert found == pytest.approx([float(v) for v in evaluate(node, x)], abs=1e-12)


def test_ties_are_exact_where_scores_are_and_do_not_matter_to_a_maximum() -> None:
    for dtype in ("float32", "float64"):
        assert not floats(encode(node_of(MAXIMUM), n=4, alphabet=None), dtype).problems
        assert "ties are not kept" in floats(encode(node_of(PROGRAMS[1]), n=4, alphabet=None), dtype).problems[0]
        assert not floats(encode(node_of(PROGRAMS[1]), n=4, alphabet=[1, 2, Fraction(-1, 2)]), dtype).problems
    thirds = encode(node_of(PROGRAMS[1]), n=4, alphabet=[1, Fraction(1, 3)])
    assert "ties are not kept" in floats(thirds, "float64").problems[0]


def test_scores_beyond_floats_are_refused_by_the_module(tmp_path: Path) -> None:
    node = node_of("y = aggregate(best(full_s, tokens_float, tokens_float), indices);")
    module = module_of(encode(node, n=3, alphabet=None), node, tmp_path).load(dtype=torch.float32, exact=False)
    assert module([1, 3, 2]) == [1, 1, 1]
    with pytest.raises(ValueError, match=r"score of best .*too large"):
        module([1e30, 1])
    node = node_of("y = aggregate(best(full_s, tokens_float, -tokens_float), indices, 7);")
    module = module_of(encode(node, n=3, alphabet=None), node, tmp_path).load(dtype=torch.float32, exact=False)
    with pytest.raises(ValueError, match=r"score of best .*too large"):
        module([1e30, 2e30])


def test_it_has_as_many_queries_as_keys() -> None:
    with pytest.raises(RaspError, match="2 keys and 1 queries"):
        core.Best(core.FULL, (core.Indices(), core.Indices()), (core.Indices(),))
