"""The sparse module computes every target, with every attention function, exactly where floats are exact."""

import copy

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.emitter.targets import ATTENTIONS, evaluate, hard, linear, random_target, simulate_densely, softmax, tokens

SIZES = [  # H, L, d, k, m, n: one head, one layer, k = 1, d = 1, padding, few and many tokens
    (2, 2, 3, 3, 48, 5),
    (1, 3, 2, 3, 21, 4),
    (3, 2, 2, 1, 60, 9),
    (2, 1, 4, 2, 16, 7),
    (2, 3, 1, 2, 64, 3),
    (1, 1, 1, 1, 3, 1),
    (2, 2, 5, 2, 50, 40),
    (2, 4, 2, 1, 92, 30),
    (2, 2, 3, 3, 48, 0),
]


def close(got, expected, steps=300):
    """Equal up to `steps` roundings of the largest number: sums here have fewer terms than that."""
    eps = torch.finfo(got.dtype).eps
    top = expected.abs().max().item() if expected.numel() else 0.0
    assert got.shape == expected.shape
    torch.testing.assert_close(got, expected, rtol=0, atol=steps * eps * max(top, 1.0))


@pytest.mark.parametrize(
    ("name", "sizes"),
    # the largest of no keys is undefined, so hard attention needs a token
    [(name, sizes) for name in ATTENTIONS for sizes in SIZES if name != "hard" or sizes[-1] > 0],
    ids=str,
)
def test_module_equals_the_target_for_any_attention_function(emitted, sizes, name):
    *shape, m, n = sizes
    module, target, X = emitted("sparse", *shape, m).load(), random_target(*shape), tokens(n, shape[2])
    E = module.compile_program(*target)
    assert E.shape == (shape[2], m)
    close(module(X, E, attention=ATTENTIONS[name]), evaluate(target, X, ATTENTIONS[name]))


@pytest.mark.parametrize("sizes", SIZES, ids=str)
@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("scale", [1.0, 0.5])
def test_builtin_softmax_equals_the_target(emitted, sizes, causal, scale):
    *shape, m, n = sizes
    module, target, X = emitted("sparse", *shape, m).load(), random_target(*shape), tokens(2, n, shape[2])
    got = module(X, module.compile_program(*target), causal=causal, scale=scale)
    close(got, evaluate(target, X, softmax(causal, scale)))


def masks(n):
    """Padding, one mask per head and batch, floats with a bias, a row and a key without permission."""
    allowed = torch.rand(4, 2, n, n, generator=torch.Generator().manual_seed(2)) > 0.3
    allowed[0, :, 1] = False
    bias = tokens(n, n).masked_fill(~allowed[0, 0], -torch.inf)
    return {
        "padding": torch.arange(n).lt(n - 2).reshape(1, 1, 1, n),
        "heads": allowed,
        "float": bias,
        "float32": bias.float(),
    }


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("name", masks(6))
def test_masks_join_causal_and_empty_rows_give_zeros(emitted, name, causal):
    module, target, X, mask = (
        emitted("sparse", 2, 2, 3, 2, 40).load(),
        random_target(2, 2, 3, 2),
        tokens(4, 6, 3),
        masks(6)[name],
    )
    got = module(X, module.compile_program(*target), mask=mask, causal=causal)
    close(got, evaluate(target, X, softmax(causal, mask=mask.double() if mask.dtype != torch.bool else mask)))


def test_rows_without_any_key_have_finite_gradients(emitted):
    module, X = emitted("sparse", 2, 2, 3, 3, 48).load(), tokens(4, 3)
    E = module.compile_program(*random_target(2, 2, 3, 3)).requires_grad_()
    Y = module(X, E, mask=torch.tensor([True, False, False, True]).reshape(4, 1).expand(4, 4))
    (gradient,) = torch.autograd.grad(Y.sum(), E)
    assert torch.equal(Y[1], torch.zeros(3, dtype=Y.dtype))
    assert gradient.isfinite().all()


def test_fused_attention_agrees_with_the_explicit_one(emitted, monkeypatch):
    source = emitted("sparse", 2, 3, 3, 2, 80)
    module, X, E = source.load(), tokens(2, 6, 3), tokens(3, 1, 3, 80) / 3
    calls = [{"causal": causal, "mask": mask} for causal in (False, True) for mask in (None, *masks(6).values())]
    calls = [call for call in calls if call["mask"] is None or call["mask"].dim() < 4 or len(call["mask"]) == 1]
    expected = [module(X, E, **call) for call in calls]

    def fused(*tensors, **options):
        if options["causal"] and options["bias"] is not None and options["bias"].dim() == 2 and plain_causal:
            options["bias"] = None
        return source.fused_attention(*tensors, **options)

    monkeypatch.setattr(source, "explicit_attention", fused)
    for call, answer in zip(calls, expected, strict=True):
        plain_causal = call["mask"] is None
        close(module(X, E, **call), answer)
    close(module(X[0], E[0, 0]), expected[0][0, 0])


@pytest.mark.parametrize("attention", [linear, hard])
@pytest.mark.parametrize("sizes", [(2, 2, 3, 3, 48, 4), (1, 3, 2, 2, 14, 6), (2, 1, 4, 1, 20, 2)], ids=str)
def test_integer_targets_are_computed_exactly(emitted, sizes, attention):
    *shape, m, n = sizes
    generator = torch.Generator().manual_seed(3)
    integers = lambda size: torch.randint(-2, 3, size, generator=generator).double()  # noqa: E731
    target, X = [integers(W.shape) for W in random_target(*shape)], integers((n, shape[2]))
    module = emitted("sparse", *shape, m).load()
    assert torch.equal(module(X, module.compile_program(*target), attention=attention), evaluate(target, X, attention))


@pytest.mark.parametrize("batch", [(), (3,), (2, 3)], ids=str)
def test_programs_of_many_targets_are_compiled_and_run_at_once(emitted, batch):
    module, target = emitted("sparse", 2, 2, 3, 3, 50).load(), random_target(2, 2, 3, 3, batch=batch)
    X = tokens(*batch, 5, 3)
    E = module.compile_program(*target)
    assert E.shape == (*batch, 3, 50)
    close(module(X, E), evaluate(target, X, softmax()))


@pytest.mark.parametrize("n", [2, 30])
def test_many_programs_broadcast_against_many_inputs(emitted, n):
    module, target, X = emitted("sparse", 2, 2, 3, 2, 36).load(), random_target(2, 2, 3, 2, batch=(4,)), tokens(5, n, 3)
    E = module.compile_program(*target)
    got = module(X, E.unsqueeze(1))
    assert got.shape == (4, 5, n, 3)
    for p in range(4):
        close(got[p], module(X, E[p]))
        close(module(X[0], E)[p], got[p, 0])
    close(module(X.unsqueeze(1), E), got.transpose(0, 1))


@pytest.mark.parametrize("rows", [1, 3, 4, 9])
@pytest.mark.parametrize("n", [3, 12])
def test_one_layer_takes_targets_with_any_number_of_rows(emitted, rows, n):
    module, target, X = (
        emitted("sparse", 2, 1, 3, 2, 14).load(),
        random_target(2, 1, 3, 2, rows=rows),
        tokens(2, n, rows),
    )
    E = module.compile_program(*target)
    assert E.shape == (rows, 14)
    close(module(X, E, causal=True), evaluate(target, X, softmax(True)))


@settings(max_examples=15, deadline=None)
@given(st.integers(1, 3), st.integers(1, 3), st.integers(1, 4), st.integers(1, 3), st.integers(0, 9), st.integers(0, 3))
def test_any_shape_and_length_equals_the_target(emitted, H, L, d, k, n, padding):
    N = 2 * k * sum(H**i for i in range(1, L + 1)) + d * H**L
    module, target, X = emitted("sparse", H, L, d, k, N + padding).load(), random_target(H, L, d, k), tokens(n, d)
    close(module(X, module.compile_program(*target), causal=True), evaluate(target, X, softmax(True)))


@pytest.mark.parametrize("sizes", SIZES[:-1], ids=str)
@pytest.mark.parametrize("name", ["linear", "rotary", "softmax"])
def test_any_program_runs_as_on_the_dense_matrices(emitted, sizes, name):
    *shape, m, n = sizes
    module, X = emitted("sparse", *shape, m).load(dtype=torch.float64), tokens(2, n, shape[2])
    E = (module.compile_program(*random_target(*shape)) + tokens(shape[2], m) / m**0.5).requires_grad_()
    fast = module(X, E, attention=ATTENTIONS[name])
    dense = simulate_densely(module.dense_weights(), X, E, ATTENTIONS[name])
    close(fast, dense, steps=1000)
    ours, theirs = (torch.autograd.grad(Y.square().sum(), E)[0] for Y in (fast, dense))
    close(ours, theirs, steps=10000)


def test_padding_columns_of_a_program_are_never_read(emitted):
    module, X, E = emitted("sparse", 2, 2, 3, 3, 60).load(), tokens(5, 3), tokens(3, 60)
    spoiled = E.clone()
    spoiled[:, 48:] = torch.nan
    assert torch.equal(module(X, E), module(X, spoiled))


@pytest.mark.parametrize("n", [2, 5])
def test_gradients_pass_gradcheck(emitted, n):
    module = emitted("sparse", 2, 2, 2, 1, 20).load()
    target = [W.requires_grad_() for W in random_target(2, 2, 2, 1)]
    X = tokens(n, 2).requires_grad_()
    bias = tokens(n, n).requires_grad_()
    run = lambda X, bias, *W: module(X, module.compile_program(*W), mask=bias, causal=True)  # noqa: E731
    assert torch.autograd.gradcheck(run, (X, bias, *target))


def test_dense_weights_are_zeros_and_ones_in_the_dtype_of_the_module(emitted):
    module = emitted("sparse", 2, 2, 3, 3, 50).load(dtype=torch.float64)
    RQ, RK, RV, U = module.dense_weights()
    assert [W.shape for W in (RQ, RK, RV, U)] == [(2, 2, 50, 3), (2, 2, 50, 3), (2, 2, 50, 50), (50, 3)]
    for W in (RQ, RK, RV, U):
        assert W.dtype == torch.float64
        assert ((W == 0) | (W == 1)).all()


def test_sizes_are_attributes_and_shown(emitted):
    module = emitted("sparse", 2, 2, 3, 2, 40).load()
    assert (module.H, module.L, module.d, module.k, module.m, module.N) == (2, 2, 3, 2, 40, 36)
    assert "m=40" in repr(module)
    assert "padding=4" in repr(module)


def test_bfloat16_and_float32_stay_within_their_rounding(emitted):
    module, target, X = (
        emitted("sparse", 2, 2, 3, 3, 48).load(dtype=torch.bfloat16),
        random_target(2, 2, 3, 3),
        tokens(8, 3),
    )
    expected = evaluate(target, X, softmax())
    for dtype in (torch.float32, torch.bfloat16):
        Y = module(X.to(dtype), module.compile_program(*(W.to(dtype) for W in target)))
        assert Y.dtype == dtype
        assert (Y.double() - expected).abs().max() < 40 * torch.finfo(dtype).eps * expected.abs().max()


def test_copies_and_restored_modules_agree(emitted):
    source = emitted("sparse", 2, 2, 3, 3, 48)
    module, X, E = source.load(), tokens(5, 3), tokens(3, 48)
    restored = source.load()
    restored.load_state_dict(module.state_dict())
    for other in (copy.deepcopy(module), restored, source.load().double().to("cpu")):
        assert torch.equal(other(X, E), module(X, E))


@pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device on this machine")
def test_cuda_agrees_with_the_cpu(emitted):
    source = emitted("sparse", 2, 3, 3, 2, 80)
    X, E = tokens(2, 6, 3), tokens(3, 80) / 3
    for options in ({}, {"causal": True}, {"mask": masks(6)["padding"]}):
        moved = {name: value.cuda() if isinstance(value, torch.Tensor) else value for name, value in options.items()}
        close(source.load("cuda")(X.cuda(), E.cuda(), **moved).cpu(), source.load()(X, E, **options))
