"""The random module: programs solve E M(R) = B(W) accurately, from the stored weights, whatever the working dtype."""

import copy

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save

from symut.backbone import Backbone, Network, block_matrix, solve_program, target_blocks
from tests.emitter.emission import emitted_files, import_folder, write
from tests.emitter.targets import ATTENTIONS, evaluate, random_target, simulate_densely, softmax, tokens

SIZES = [(2, 2, 3, 3, 48), (2, 2, 3, 3, 55), (1, 2, 2, 1, 6), (2, 1, 4, 2, 16)]


def relative_error(module, target, X, attention):
    expected = evaluate(target, X, attention)
    got = module(X, module.compile_program(*target), attention=attention)
    return ((got - expected).abs().max() / expected.abs().max()).item()


@pytest.mark.parametrize("sizes", SIZES, ids=str)
@pytest.mark.parametrize("distribution", ["gaussian", "uniform", "integer"])
@pytest.mark.parametrize("name", ATTENTIONS)
def test_module_equals_the_target_in_float64(emitted, sizes, distribution, name):
    module = emitted("random", *sizes, distribution=distribution).load(dtype=torch.float64)
    target, X = random_target(*sizes[:4]), tokens(2, 6, sizes[2])
    assert relative_error(module, target, X, ATTENTIONS[name]) < 1e-9


@pytest.mark.slow
@pytest.mark.parametrize("sizes", [(2, 4, 26, 26, 1976), (2, 7, 3, 2, 1400)], ids=str)
def test_large_and_deep_modules_are_accurate_in_float64(emitted, sizes):
    module = emitted("random", *sizes).load(dtype=torch.float64)
    assert relative_error(module, random_target(*sizes[:4]), tokens(2, 8, sizes[2]), softmax()) < 1e-9


def test_program_agrees_with_the_library(emitted):
    module, target = emitted("random", 2, 2, 3, 3, 50).load(dtype=torch.float64), random_target(2, 2, 3, 3)
    split = lambda W: [[head.numpy() for head in layer] for layer in W]  # noqa: E731
    RQ, RK, RV, U = module.dense_weights()
    M = block_matrix(Backbone(Network(split(RQ), split(RK), split(RV)), U.numpy()))
    E = solve_program(M, target_blocks(Network(*(split(W) for W in target))))
    np.testing.assert_allclose(module.compile_program(*target).numpy(), E, atol=1e-9 * np.abs(E).max())
    assert module.condition_number() == pytest.approx(np.linalg.cond(M / np.linalg.norm(M, axis=0)), rel=1e-6)


def test_forward_is_the_recursion_on_the_dense_weights(emitted):
    module, X, E = emitted("random", 2, 2, 3, 3, 48).load(dtype=torch.float64), tokens(2, 5, 3), tokens(3, 1, 3, 48)
    expected = simulate_densely(module.dense_weights(), X, E, softmax(True))
    torch.testing.assert_close(module(X, E, causal=True), expected, rtol=0, atol=1e-12)


def test_low_precision_never_touches_the_stored_weights(emitted):
    source, target = emitted("random", 2, 2, 3, 3, 48), random_target(2, 2, 3, 3)
    fresh, used = source.load(dtype=torch.float64), source.load(dtype=torch.bfloat16)
    X = tokens(4, 3)
    assert used(X.bfloat16(), used.compile_program(*target).bfloat16()).dtype == torch.bfloat16
    assert torch.equal(used.compile_program(*target), fresh.compile_program(*target))
    assert torch.equal(used.double()(X, fresh.compile_program(*target)), fresh(X, fresh.compile_program(*target)))
    assert used.RV.dtype == torch.float32


def test_program_has_the_dtype_of_its_target(emitted):
    module, target = emitted("random", 2, 2, 3, 3, 48).load(), random_target(2, 2, 3, 3, dtype=torch.float32)
    assert module.compile_program(*target).dtype == torch.float32


def test_weights_stored_in_float64_keep_all_their_bits(emitted):
    module = emitted("random", 2, 2, 2, 1, 20, dtype="float64").load()
    assert module.RV.dtype == torch.float64
    assert module(tokens(3, 2).float(), tokens(2, 20).float()).dtype == torch.float32


@pytest.mark.parametrize("batch", [(3,), (2, 3)], ids=str)
def test_many_programs_at_once(emitted, batch):
    module, target = emitted("random", 2, 2, 3, 3, 48).load(dtype=torch.float64), random_target(2, 2, 3, 3, batch=batch)
    X = tokens(*batch, 5, 3)
    assert module.compile_program(*target).shape == (*batch, 3, 48)
    assert relative_error(module, target, X, softmax()) < 1e-9


def test_one_layer_takes_targets_with_any_number_of_rows(emitted):
    module, target = emitted("random", 2, 1, 4, 2, 16).load(dtype=torch.float64), random_target(2, 1, 4, 2, rows=5)
    assert relative_error(module, target, tokens(3, 5), softmax()) < 1e-9


def test_program_is_differentiable_in_the_target(emitted):
    module = emitted("random", 1, 2, 2, 1, 6).load(dtype=torch.float64)
    assert torch.autograd.gradcheck(module.compile_program, [W.requires_grad_() for W in random_target(1, 2, 2, 1)])


def test_module_first_used_in_inference_mode_can_still_be_trained_through(emitted):
    module, X = emitted("random", 2, 2, 3, 3, 48).load(dtype=torch.float64), tokens(4, 3)
    with torch.inference_mode():
        module(X, module.compile_program(*random_target(2, 2, 3, 3)))
    E = tokens(3, 48).requires_grad_()
    module(X, E).sum().backward()
    assert E.grad.isfinite().all()


def test_loading_other_weights_forgets_the_old_factorization(emitted):
    source, target, X = emitted("random", 2, 2, 3, 3, 48), random_target(2, 2, 3, 3), tokens(4, 3)
    module = source.load(dtype=torch.float64)
    assert relative_error(module, target, X, softmax()) < 1e-9
    module.load_state_dict({name: W.flip(-2) * 2 for name, W in module.state_dict().items()})
    assert relative_error(module, target, X, softmax()) < 1e-9


def test_copies_and_restored_modules_agree(emitted):
    source, target = emitted("random", 2, 2, 3, 3, 48), random_target(2, 2, 3, 3)
    module, X = source.load(dtype=torch.float64), tokens(4, 3)
    E = module.compile_program(*target)
    restored = source.load(dtype=torch.float64)
    restored.load_state_dict(module.state_dict())
    for other in (copy.deepcopy(module), restored):
        assert torch.equal(other.compile_program(*target), E)
        assert torch.equal(other(X, E), module(X, E))


@pytest.mark.parametrize("spoil", ["zero column", "equal columns"])
def test_singular_backbone_is_refused(tmp_path, spoil):
    source = import_folder(write(tmp_path / "singular", emitted_files("random")))
    weights = load_file(source.WEIGHTS)
    weights["U"][:, 0] = 0 if spoil == "zero column" else weights["U"][:, 1]
    module = source.RandomBackbone(weights)
    with pytest.raises(ValueError, match=r"^smallest pivot of M\(R\): expected .* got .*; use another seed"):
        module.compile_program(*random_target(2, 2, 3, 3))


def test_saved_state_is_the_stored_file(emitted):
    source = emitted("random", 2, 2, 3, 3, 48)
    state = source.load(dtype=torch.bfloat16).state_dict()
    assert save(state) == save(load_file(source.WEIGHTS))


@pytest.mark.parametrize("sizes", [(2, 2, 3, 3, 48), (1, 3, 2, 1, 8), (2, 3, 1, 1, 40)], ids=str)
@pytest.mark.parametrize("name", ATTENTIONS)
def test_one_set_of_matrices_for_all_layers_serves_targets_whose_layers_differ(emitted, sizes, name):
    module = emitted("shared_random", *sizes).load(dtype=torch.float64)
    target, X = random_target(*sizes[:4]), tokens(2, 6, sizes[2])
    assert [W.shape[0] for W in module.dense_weights()[:3]] == [1, 1, 1]
    assert relative_error(module, target, X, ATTENTIONS[name]) < 1e-8


def test_shared_matrices_run_in_every_layer(emitted):
    module, X, E = emitted("shared_random", 2, 3, 2, 1, 44).load(dtype=torch.float64), tokens(5, 2), tokens(2, 44)
    RQ, RK, RV, U = module.dense_weights()
    repeated = [W.expand(3, *W.shape[1:]) for W in (RQ, RK, RV)]
    expected = simulate_densely((*repeated, U), X, E, softmax(True))
    torch.testing.assert_close(module(X, E, causal=True), expected, rtol=0, atol=1e-12)
