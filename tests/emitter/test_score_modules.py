"""The score-matching modules: targets of any head width, and the condition of keys that are read off the outputs."""

import pytest
import torch

from tests.emitter.targets import evaluate_form, form_target, random_target, rotary, softmax, tokens
from tests.emitter.test_form_modules import close, loaded

KINDS = ("shared_key", "readoff_key")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("k", [1, 3, 8])
def test_targets_may_have_any_head_width(emitted, kind, k):
    module, target, X = loaded(emitted, kind, 2, 2, 3, 2), form_target(kind, 2, 2, 3, k), tokens(5, 3)
    close(module(X, module.compile_program(*target), causal=True), evaluate_form(kind, target, X, softmax(True), 2))


@pytest.mark.parametrize("kind", KINDS)
def test_attention_functions_of_more_than_the_scores_are_outside_the_claim(emitted, kind):
    module, target, X = loaded(emitted, kind, 2, 2, 3, 3), form_target(kind, 2, 2, 3, 3), tokens(5, 3)
    got = module(X, module.compile_program(*target), attention=rotary)
    assert not torch.allclose(got, evaluate_form(kind, target, X, rotary, 2))


def test_all_heads_of_a_layer_get_the_same_keys(emitted):
    keys = []

    def attention(Q, K, V, layer):
        assert Q.shape == K.shape == (2, 5, 3)
        keys.append(K)
        return torch.softmax(Q @ K.mT, -1) @ V

    for kind in KINDS:
        module = loaded(emitted, kind, 2, 2, 3, 2)
        module(tokens(5, 3), tokens(3, module.m), attention=attention)
    assert len(keys) == 4
    assert all(torch.equal(K[0], K[1]) for K in keys)


@pytest.mark.parametrize(("layer", "head"), [(1, 1), (1, 2), (2, 1), (2, 2)])
def test_scores_that_do_not_factor_are_refused_by_layer_and_head(emitted, layer, head):
    """Singular values of head 1: keys in the column space of V_l = WV_{l,1} ... WV_{L,1} factor, others do not."""
    module, (WQ, WK, WV) = loaded(emitted, "readoff_key", 2, 2, 3, 2), form_target("readoff_key", 2, 2, 3, 2)
    WV[1, 0] = WV[1, 0] @ torch.diag(torch.tensor([1.0, 1.0, 0.0], dtype=torch.float64))
    bases = [torch.linalg.svd(V)[0] for V in (WV[0, 0] @ WV[1, 0], WV[1, 0])]
    for index, U in enumerate(bases):
        WK[index] = U[:, :2] @ (U[:, :2].mT @ WK[index])
    X = tokens(5, 3)
    expected = evaluate_form("readoff_key", (WQ, WK, WV), X, softmax(), 2)
    close(module(X, module.compile_program(WQ, WK, WV)), expected)
    WK[layer - 1, head - 1] += 0.01 * bases[layer - 1][:, 2:]
    with pytest.raises(ValueError, match=f"^target of layer {layer}, head {head}: expected WQ WK.T = F") as error:
        module.compile_program(WQ, WK, WV)
    assert "\n" not in str(error.value)


def test_zero_values_are_refused_unless_the_scores_are_zero(emitted):
    module, (WQ, WK, WV) = loaded(emitted, "readoff_key", 2, 2, 3, 2), random_target(2, 2, 3, 2)
    with pytest.raises(ValueError, match="layer 1, head 1"):
        module.compile_program(WQ, WK, WV * 0)
    X = tokens(5, 3)
    E = module.compile_program(WQ * 0, WK, WV * 0)
    assert torch.equal(module(X, E), torch.zeros(5, 3, dtype=torch.float64))


def test_ill_conditioned_values_are_still_matched(emitted):
    """cond(WV) about 1e6: the factors are large and cost about that much precision."""
    module, (WQ, WK, WV) = loaded(emitted, "readoff_key", 2, 2, 3, 2), form_target("readoff_key", 2, 2, 3, 2)
    WV[1, 0] = WV[1, 0] @ torch.diag(torch.tensor([1.0, 1e-3, 1e-6], dtype=torch.float64))
    X = tokens(5, 3)
    expected = evaluate_form("readoff_key", (WQ, WK, WV), X, softmax(), 2)
    assert (module(X, module.compile_program(WQ, WK, WV)) - expected).abs().max() < 1e-8
