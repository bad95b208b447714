"""The encoder itself: its evaluator runs the stored weights, its cost is what was built, its float bounds hold."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from symut.rasp.emission.picture import picture
from symut.rasp.encoder.cost import cost
from symut.rasp.encoder.floats import floats
from symut.rasp.encoder.model import GUARD, ONE, Encoder, Gate, Head, Table
from symut.rasp.encoder.run import run
from tests.rasp.compiled import encoder_of


def _with_head(encoder: Encoder, **changes: object) -> Encoder:
    """The encoder with its only head changed."""
    first, second = encoder.layers
    (head,) = second.heads
    return replace(encoder, layers=(first, replace(second, heads=(replace(head, **changes),))))


def test_the_evaluator_runs_the_stored_weights() -> None:
    encoder, _ = encoder_of('y = aggregate(select(tokens, "a", ==), indices, -1);', 4, "ab")
    (head,) = encoder.layers[1].heads
    ((form, output),) = head.values
    assert run(encoder, "bab") == [1, 1, 1]
    assert run(encoder, "bbb") == [-1, -1, -1]
    doubled = {c: 2 * weight for c, weight in form.items() if c != GUARD}
    changed = replace(_with_head(encoder, values=((doubled, output),)), codes=None)
    assert run(changed, "bab") == [2, 2, 2]
    assert run(changed, "bbb") == [0, 0, 0]
    certain = replace(_with_head(encoder, guard=1), codes=None)
    assert run(certain, "bab") == [-1, -1, -1]


def test_the_guard_is_a_key_only() -> None:
    encoder, _ = encoder_of("y = selector_width(select(tokens, tokens, ==));", 3, "ab")
    (head,) = encoder.layers[1].heads
    assert isinstance(head, Head)
    assert head.guard == 0
    assert [form for form, _ in head.values] == [{GUARD: 1}]
    everywhere = {c for term in head.bilinear for form in term.keys for c in form}
    assert GUARD not in everywhere
    assert ONE in everywhere


def test_cost_counts_what_was_built() -> None:
    found = cost(encoder_of("y = reverse;", 6, "abc")[0])
    assert (found.attention_layers, found.heads, found.gate_depth) == (2, (1, 1), 2)
    assert found.gates == {"product": 1, "reciprocal": 1}
    assert (found.tokens, found.largest_table) == (7, 0)
    assert 0 < found.nonzero < found.weights
    assert found.as_json()["heads"] == [1, 1]
    assert [(layer.heads, layer.gates, layer.depth) for layer in found.layers] == [(0, 0, 0), (1, 2, 2), (1, 0, 0)]
    assert any("reciprocal" in text for _, text in found.lines())


def test_cost_per_layer_counts_the_units_of_relu_gates_and_levels() -> None:
    encoder, _ = encoder_of("y = max(tokens_float * tokens_float, 1) * aggregate(full_s, tokens_float);", 3, None)
    assert cost(encoder).as_json()["layers"] == [
        {"heads": 0, "gates": 2, "depth": 2},
        {"heads": 1, "gates": 1, "depth": 1},
    ]


def test_copies_are_what_the_scores_of_the_mask_select() -> None:
    encoder, _ = encoder_of("y = aggregate(select(indices, indices * 2 - 1, ==), indices + 5, -1);", 6, None)
    (head,) = encoder.layers[1].heads
    assert head.sources is not None
    assert head.sources.tolist() == [-1, 1, 3, 5, -1, -1]
    general = replace(head)
    general.__dict__["sources"] = None
    scored = replace(encoder, layers=(encoder.layers[0], replace(encoder.layers[1], heads=(general,))))
    for m in range(1, 7):
        assert run(encoder, [0] * m) == run(scored, [0] * m)
    assert replace(head, guard=0).sources is None


def test_numeric_weights_do_not_grow_with_the_length() -> None:
    small, large = (cost(encoder_of("y = reverse;", n, "abc")[0]) for n in (8, 128))
    assert (small.stream_width, small.nonzero) == (large.stream_width, large.nonzero)


def test_gates_by_kind() -> None:
    encoder, _ = encoder_of("y = 2 ^ tokens_int + max(tokens_int, 1) / (tokens_float * tokens_float + 1);", 3, None)
    assert cost(encoder).gates == {"exp": 1, "product": 2, "reciprocal": 1, "relu": 1}
    assert run(encoder, [1, -2]) == [2 + Fraction(1, 2), Fraction(1, 4) + Fraction(1, 5)]


def test_tables_read_reachable_combinations_only() -> None:
    encoder, _ = encoder_of(
        'y = (indices * indices) % 7 + (round((indices + 1) * frac_prevs(tokens, "a")) % 3);', 20, "ab"
    )
    tables = [gate for layer in encoder.layers for level in layer.levels for gate in level if isinstance(gate, Table)]
    assert tables
    assert all(table.combinations <= 21**2 for table in tables)


def test_float_bounds() -> None:
    encoder, _ = encoder_of('y = round((indices + 1) * frac_prevs(tokens, "a")) % 2;', 64, "ab")
    found = floats(encoder, "float32")
    assert not found.problems
    gates = [gate for layer in encoder.layers for level in layer.levels for gate in level if isinstance(gate, Gate)]
    product = next(gate for gate in gates if gate.kind == "product")
    assert found.snaps[product.output] == 1


@pytest.mark.parametrize("letters", [[2**24 + 1, 2**24], [Fraction(1, 3), Fraction(1, 3) + Fraction(1, 10**9)]])
def test_values_that_float32_confuses_are_reported(letters: list) -> None:
    encoder, _ = encoder_of("y = tokens_asis;", 3, letters)
    assert "told apart" in floats(encoder, "float32").problems[0]
    assert not floats(encoder, "float64").problems


def test_numbers_beyond_floats_are_reported() -> None:
    encoder, _ = encoder_of("y = tokens_asis;", 3, [10**400, 1])
    assert "too large" in floats(encoder, "float64").problems[0]


def test_picture_is_the_same_every_time() -> None:
    encoder, _ = encoder_of("y = dyck1;", 6, "()")
    assert picture(encoder) == picture(encoder)
    assert b"layer 2, head 0" in picture(encoder)
