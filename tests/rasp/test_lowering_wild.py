"""Interpreter, exact encoder and emitted module on random programs that also fail: equal values, or errors in all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from symut.rasp import RaspError, evaluate, read_program
from symut.rasp.encoder.run import run
from symut.rasp.lowering.lower import lower, prepare
from tests.rasp.compiled import module_of
from tests.rasp.wild import wild_program

SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture]
WORDS = st.lists(st.text(alphabet="abc", min_size=1, max_size=7), min_size=1, max_size=4)


def _or_error(function: Any, tokens: str) -> Any:
    try:
        return function(tokens)
    except (RaspError, ValueError):
        return "an error"


@settings(deadline=None, max_examples=100, suppress_health_check=SLOW)
@given(seed=st.integers(0, 2**32), depth=st.integers(1, 5), inputs=WORDS, causal=st.booleans(), mixed=st.booleans())
def test_all_evaluators_agree(
    seed: int, depth: int, inputs: list[str], causal: bool, mixed: bool, tmp_path: Path
) -> None:
    try:
        node = read_program(f"y = {wild_program(seed, depth, mixed)};").node("y")
    except RaspError:
        return
    found = prepare(node, n=7, alphabet="abc", causal=causal)
    if found.issues:
        with pytest.raises(RaspError, match="has no encoder"):
            lower(found)
        return
    encoder = lower(found)
    module = module_of(encoder, found.root, tmp_path)
    loaded = [module.load(dtype=getattr(torch, dtype)) for dtype in module.EXACT]
    for tokens in inputs:
        expected = _or_error(lambda w: evaluate(found.root, w), tokens)
        assert _or_error(lambda w: run(encoder, w), tokens) == expected
        for part in loaded:
            answer = _or_error(part, tokens)
            listed = module.BOUNDED or module.BELOW is not None or "an error" in (answer, expected)
            assert answer == (expected if listed else pytest.approx([float(value) for value in expected], rel=1e-4))
