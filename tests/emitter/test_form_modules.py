"""Modules of every form compute their targets, by every attention function that the form promises."""

import copy

import pytest
import torch

from tests.emitter.emission import FORMS, routing_of, shape_of
from tests.emitter.targets import (
    attentions_of,
    evaluate_form,
    form_target,
    hard,
    linear,
    simulate_densely,
    softmax,
    tokens,
)

SIZES = [  # H, L, d, k, padding, n: one head, one layer, k = 1, d = 1, padding, few and many tokens
    (2, 2, 3, 3, 0, 5),
    (1, 3, 2, 3, 1, 4),
    (3, 2, 2, 1, 4, 9),
    (2, 1, 4, 2, 0, 7),
    (2, 3, 1, 2, 4, 3),
    (1, 1, 1, 1, 0, 1),
    (2, 2, 5, 2, 2, 40),
    (2, 3, 2, 1, 0, 70),
    (2, 2, 3, 3, 0, 0),
]


def close(got, expected, steps=1000):
    """Equal up to `steps` roundings of the largest number: sums here have fewer terms than that."""
    top = expected.abs().max().item() if expected.numel() else 0.0
    assert got.shape == expected.shape
    torch.testing.assert_close(got, expected, rtol=0, atol=steps * torch.finfo(got.dtype).eps * max(top, 1.0))


def picked(columns, width):
    """Columns that are 1 at the listed coordinates."""
    matrix = torch.zeros(width, len(columns), dtype=torch.float64)
    for column, coordinates in enumerate(columns):
        matrix[list(coordinates), column] = 1
    return matrix


def moved(moves, width):
    matrix = torch.zeros(width, width, dtype=torch.float64)
    for source, target, length in moves:
        matrix[range(source, source + length), range(target, target + length)] = 1
    return matrix


def every(table, build):
    """One matrix per layer and head, stacked."""
    return torch.stack([torch.stack([build(entry) for entry in layer]) for layer in table])


def loaded(emitted, kind, H, L, d, k, padding=0, **options):
    return emitted(kind, H, L, d, k, padding=padding, **options).load(dtype=torch.float64)


@pytest.mark.parametrize("kind", FORMS)
@pytest.mark.parametrize("sizes", SIZES, ids=str)
def test_module_equals_the_target_for_the_attention_functions_of_its_form(emitted, kind, sizes):
    *shape, padding, n = sizes
    module, target, X = loaded(emitted, kind, *shape, padding), form_target(kind, *shape), tokens(2, n, shape[2])
    E = module.compile_program(*target)
    assert E.shape == (shape[2] + kind.startswith("affine"), shape_of(kind, *shape).N + padding)
    for name, attention in attentions_of(kind).items():
        if n > 0 or name != "hard":
            close(module(X, E, attention=attention), evaluate_form(kind, target, X, attention, shape[1]))


@pytest.mark.parametrize("kind", FORMS)
@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("n", [2, 30])
def test_builtin_softmax_equals_the_target(emitted, kind, causal, n):
    module, target, X = loaded(emitted, kind, 2, 2, 3, 2, 1), form_target(kind, 2, 2, 3, 2), tokens(2, n, 3)
    got = module(X, module.compile_program(*target), causal=causal, scale=0.5)
    close(got, evaluate_form(kind, target, X, softmax(causal, 0.5), 2))


@pytest.mark.parametrize("kind", FORMS)
@pytest.mark.parametrize("causal", [False, True])
def test_masks_join_causal(emitted, kind, causal):
    module, target, X = loaded(emitted, kind, 2, 2, 3, 2), form_target(kind, 2, 2, 3, 2), tokens(4, 6, 3)
    allowed = torch.rand(4, 2, 6, 6, generator=torch.Generator().manual_seed(2)) > 0.3
    allowed[..., 0] = True
    for mask in (allowed, tokens(6, 6).masked_fill(~allowed[0, 0], -torch.inf)):
        got = module(X, module.compile_program(*target), mask=mask, causal=causal)
        close(got, evaluate_form(kind, target, X, softmax(causal, mask=mask), 2))


@pytest.mark.parametrize("kind", [kind for kind in FORMS if kind != "affine"])
def test_rows_without_any_key_give_zeros_to_the_sum_over_heads(emitted, kind):
    module, target, X = loaded(emitted, kind, 2, 2, 3, 2), form_target(kind, 2, 2, 3, 2), tokens(6, 3)
    mask = torch.ones(6, 6, dtype=torch.bool)
    mask[1] = False
    got = module(X, module.compile_program(*target), mask=mask)
    close(got, evaluate_form(kind, target, X, softmax(mask=mask), 2))


@pytest.mark.parametrize("kind", FORMS)
def test_masks_of_more_batches_than_the_tokens_broadcast(emitted, kind):
    module, target, X = loaded(emitted, kind, 2, 2, 3, 2), form_target(kind, 2, 2, 3, 2), tokens(6, 3)
    mask = torch.arange(6).lt(torch.tensor([2, 5, 6]).reshape(3, 1, 1, 1))
    got = module(X, module.compile_program(*target), mask=mask)
    close(got, evaluate_form(kind, target, X.expand(3, 6, 3), softmax(mask=mask), 2))


@pytest.mark.parametrize("kind", FORMS)
@pytest.mark.parametrize("n", [3, 60])
def test_forward_is_the_recursion_on_the_dense_weights_for_any_program(emitted, kind, n):
    module, d = loaded(emitted, kind, 2, 3, 2, 1, 3), 2
    X, E = tokens(2, n, d), tokens(3, 1, d + kind.startswith("affine"), module.m) / 3
    expected = simulate_densely(module.dense_weights(), X, E, softmax(True), kind, 3)
    close(module(X, E, causal=True), expected)


@pytest.mark.parametrize("kind", FORMS)
@pytest.mark.parametrize("sizes", [(2, 2, 3, 2, 0), (3, 2, 1, 2, 5), (1, 3, 2, 1, 1)], ids=str)
def test_dense_weights_are_those_of_the_routing(emitted, kind, sizes):
    *shape, padding = sizes
    module, form = loaded(emitted, kind, *shape, padding), shape_of(kind, *shape)
    routing = routing_of(form, form.N + padding)
    RQ, RK, RV, U = module.dense_weights()
    assert RQ.shape == (1 if form.form.shared else form.L, form.H, form.N + padding, form.read_width)
    assert torch.equal(RQ, every(routing.queries, lambda columns: picked(columns, module.m)))
    assert torch.equal(RV, every(routing.values, lambda moves: moved(moves, module.m)))
    assert torch.equal(U, picked(routing.readout, module.m))
    if kind != "readoff_key":
        assert torch.equal(RK, every(routing.keys, lambda columns: picked(columns, module.m)))
        return
    for layer in range(form.L):
        product = U
        for later in reversed(range(layer, form.L)):
            product = RV[later, 0] @ product
        assert torch.equal(RK[layer, 0], product)


@pytest.mark.parametrize("kind", [kind for kind in FORMS if kind != "readoff_key"])
def test_integer_targets_are_computed_exactly(emitted, kind):
    generator = torch.Generator().manual_seed(3)
    integers = lambda size: torch.randint(-2, 3, size, generator=generator).double()  # noqa: E731
    target, X = [integers(W.shape) for W in form_target(kind, 2, 2, 3, 2)], integers((4, 3))
    module = loaded(emitted, kind, 2, 2, 3, 2, 2)
    for attention in (hard,) if kind == "affine" else (hard, linear):
        got = module(X, module.compile_program(*target), attention=attention)
        assert torch.equal(got, evaluate_form(kind, target, X, attention, 2))


@pytest.mark.parametrize("kind", FORMS)
@pytest.mark.parametrize("batch", [(3,), (2, 3)], ids=str)
def test_programs_of_many_targets_are_compiled_and_run_at_once(emitted, kind, batch):
    module, target = loaded(emitted, kind, 2, 2, 3, 2, 1), form_target(kind, 2, 2, 3, 2, batch=batch)
    E, X = module.compile_program(*target), tokens(*batch, 5, 3)
    assert E.shape[:-2] == batch
    close(module(X, E), evaluate_form(kind, target, X, softmax(), 2))
    alone = tokens(4, 5, 3)
    pairs = module(alone, E.unsqueeze(-3))
    assert pairs.shape == (*batch, 4, 5, 3)
    close(pairs[..., 1, :, :], module(alone[1].expand(*batch, 5, 3), E))


@pytest.mark.parametrize("kind", FORMS)
@pytest.mark.parametrize("n", [2, 8])
def test_gradients_pass_gradcheck(emitted, kind, n):
    module = loaded(emitted, kind, 2, 2, 2, 1, 1)
    target, X = [W.requires_grad_() for W in form_target(kind, 2, 2, 2, 1)], tokens(n, 2).requires_grad_()
    run = lambda X, *W: module(X, module.compile_program(*W), causal=True)  # noqa: E731
    assert torch.autograd.gradcheck(run, (X, *target))
    E = module.compile_program(*target).detach().requires_grad_()
    assert torch.autograd.gradcheck(lambda E: module(X.detach(), E), (E,))


@pytest.mark.parametrize("kind", FORMS)
def test_bfloat16_and_float32_stay_within_their_rounding(emitted, kind):
    module, target = emitted(kind, 2, 2, 3, 3).load(dtype=torch.bfloat16), form_target(kind, 2, 2, 3, 3)
    X = tokens(8, 3)
    expected = evaluate_form(kind, target, X, softmax(), 2)
    for dtype in (torch.float32, torch.bfloat16):
        Y = module(X.to(dtype), module.compile_program(*(W.to(dtype) for W in target)))
        assert Y.dtype == dtype
        assert (Y.double() - expected).abs().max() < 100 * torch.finfo(dtype).eps * expected.abs().max()


@pytest.mark.parametrize("kind", FORMS)
def test_padding_is_ignored(emitted, kind):
    module, X = loaded(emitted, kind, 2, 2, 3, 2, 4), tokens(5, 3)
    E = tokens(3 + kind.startswith("affine"), module.m)
    spoiled = E.clone()
    spoiled[:, module.N :] = torch.nan
    assert torch.equal(module(X, E), module(X, spoiled))


@pytest.mark.parametrize("kind", FORMS)
def test_copies_and_restored_modules_agree(emitted, kind):
    source = emitted(kind, 2, 2, 3, 2)
    module, X = source.load(), tokens(5, 3)
    E, restored = tokens(3 + kind.startswith("affine"), module.m), source.load()
    restored.load_state_dict(module.state_dict())
    for other in (copy.deepcopy(module), restored, source.load().double().to("cpu")):
        assert torch.equal(other(X, E), module(X, E))


@pytest.mark.parametrize("kind", FORMS)
def test_fused_attention_agrees_with_the_explicit_one(emitted, monkeypatch, kind):
    """The kernel of accelerators, on the CPU."""
    source, target, X = emitted(kind, 2, 2, 3, 2), form_target(kind, 2, 2, 3, 2), tokens(2, 12, 3)
    module = source.load(dtype=torch.float64)
    E, mask = module.compile_program(*target), torch.ones(12, 12).tril(2).bool()
    calls = [{}, {"mask": mask}, {"mask": mask, "causal": True}]
    expected = [module(X, E, **call) for call in calls]
    monkeypatch.setattr(source, "explicit_attention", source.fused_attention)
    for call, answer in zip(calls, expected, strict=True):
        close(module(X, E, **call), answer)


@pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device on this machine")
@pytest.mark.parametrize("kind", FORMS)
def test_cuda_agrees_with_the_cpu(emitted, kind):
    source = emitted(kind, 2, 3, 3, 2)
    target, X = form_target(kind, 2, 3, 3, 2), tokens(2, 6, 3)
    E = source.load().compile_program(*target)
    for options in ({}, {"causal": True}):
        close(source.load("cuda")(X.cuda(), E.cuda(), **options).cpu(), source.load()(X, E, **options))
