"""Dtypes that differ: programs promote, tokens and programs are refused in the module's own line."""

from itertools import product

import pytest
import torch

from symut.emitter.kinds import KINDS
from tests.emitter.emission import TABLES
from tests.emitter.targets import evaluate_form, form_target, softmax, tokens

FLOATS = (torch.bfloat16, torch.float32, torch.float64)
PAIRS = list(product(FLOATS, FLOATS))
PARTS = ("WQ", "WK", "WV", "bQ", "bK", "bV", "C", "c", "embedding", "positions")


def module_of(emitted, kind, dtype):
    return emitted(kind, 2, 2, 3, 2).load(dtype=dtype)


def target_of(kind, dtype):
    """All that compile_program takes, by name."""
    target = [W.to(dtype) for W in form_target(kind, 2, 2, 3, 2)]
    embeddings = [tokens(7, 3).to(dtype), tokens(5, 3).to(dtype)] if kind.startswith("affine") else []
    return dict(zip(PARTS, [*target, *embeddings], strict=False))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("working", "given"), PAIRS, ids=str)
def test_a_program_has_the_dtype_that_target_and_module_promote_to(emitted, kind, working, given):
    E = module_of(emitted, kind, working).compile_program(**target_of(kind, given))
    assert E.dtype == torch.promote_types(working, given)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("wide", PARTS)
def test_one_part_of_higher_precision_makes_the_program_one(emitted, kind, wide):
    target = target_of(kind, torch.float32)
    if wide not in target:
        return
    target[wide] = target[wide].double()
    assert module_of(emitted, kind, torch.float32).compile_program(**target).dtype == torch.float64


@pytest.mark.parametrize("kind", KINDS)
def test_integer_targets_have_programs_in_the_dtype_of_the_module(emitted, kind):
    target = {name: W.sign() for name, W in target_of(kind, torch.float64).items()}
    target["WV"] = torch.eye(3).double().expand_as(target["WV"]).contiguous()
    module = module_of(emitted, kind, torch.float64)
    integers = module.compile_program(**{name: W.to(torch.int64) for name, W in target.items()})
    assert torch.equal(integers, module.compile_program(**target))


@pytest.mark.parametrize("kind", KINDS)
def test_a_float64_module_runs_the_program_of_a_float32_target(emitted, kind):
    module, target, X = module_of(emitted, kind, torch.float64), form_target(kind, 2, 2, 3, 2), tokens(5, 3)
    Y = module(X, module.compile_program(*(W.float() for W in target)))
    expected = evaluate_form(kind, [W.float().double() for W in target], X, softmax(), 2)
    assert Y.dtype == torch.float64
    assert (Y - expected).abs().max() < 1e-6 * expected.abs().max()


def test_scores_that_factor_up_to_the_rounding_of_the_target_still_do_in_a_float64_module(emitted):
    WQ, WK, WV = form_target("readoff_key", 2, 2, 3, 2)
    WV[:, 0, :, 2] = 0  # no product of them is invertible
    WV = WV.bfloat16().double()
    for layer, product_of_values in enumerate((WV[0, 0] @ WV[1, 0], WV[1, 0])):
        WK[layer] = product_of_values @ WK[layer]
    rounded = [W.bfloat16() for W in (WQ, WK, WV)]
    assert module_of(emitted, "readoff_key", torch.float64).compile_program(*rounded).dtype == torch.float64


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("left", "right"), [p for p in PAIRS if p[0] != p[1]] + [(torch.int64,) * 2], ids=str)
@pytest.mark.parametrize("options", [{}, {"causal": True}], ids=str)
def test_tokens_and_programs_of_different_dtypes_are_refused_on_one_line(emitted, kind, left, right, options):
    module = module_of(emitted, kind, torch.float32)
    X, E = tokens(5, 3).to(left), tokens(3 + kind.startswith("affine"), module.m).to(right)
    with pytest.raises(ValueError, match=f"^tokens and program: expected .*, got X {left} and E {right}; con") as error:
        module(X, E, **options)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in TABLES])
@pytest.mark.parametrize(("working", "given"), [p for p in PAIRS if p[0] != p[1]], ids=str)
def test_a_random_module_refuses_what_is_not_of_its_dtype(emitted, kind, working, given):
    module = module_of(emitted, kind, working)
    X, E = tokens(5, 3).to(given), tokens(3, module.m).to(given)
    with pytest.raises(ValueError, match=f"^tokens and program: expected both {working} as the module, got X {given}"):
        module(X, E)
    assert module.to(given)(X, E).dtype == given


@pytest.mark.parametrize("kind", TABLES)
@pytest.mark.parametrize(("working", "given"), PAIRS, ids=str)
def test_tables_run_in_the_dtype_of_their_tokens(emitted, kind, working, given):
    module = module_of(emitted, kind, working)
    X, E = tokens(5, 3).to(given), tokens(3 + kind.startswith("affine"), module.m).to(given)
    assert module(X, E).dtype == given
