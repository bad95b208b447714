"""What a caller's attention function gets: queries and keys of the promised shape, values of any width."""

import pytest
import torch

from symut.emitter.kinds import KINDS
from tests.emitter.targets import SCORES, tokens


@pytest.mark.parametrize("kind", KINDS)
def test_attention_functions_get_queries_and_keys_of_the_documented_shape(emitted, kind):
    module, seen = emitted(kind, 2, 3, 3, 2).load(dtype=torch.float64), []

    def attention(Q, K, V, layer):
        seen.append((layer, Q.shape, K.shape, V.shape[:-1]))
        return SCORES["softmax"](Q, K, V, layer)

    module(tokens(4, 5, 3), tokens(3 + kind.startswith("affine"), module.m), attention=attention)
    width = 3 if KINDS[kind].form.scores_only else 2
    read = (4, 2, 5, width)
    assert seen == [(layer, read, read, (4, 2, 5)) for layer in (1, 2, 3)]


@pytest.mark.parametrize("kind", KINDS)
def test_the_documentation_says_that_the_values_mean_nothing(emitted, kind):
    text = " ".join(type(emitted(kind, 2, 2, 3, 2).load()).forward.__doc__.split())
    assert "content and width v" in text
    assert f"(..., H, n, {'d' if KINDS[kind].form.scores_only else 'k'})" in text
