"""Fast paths equal the literal recursion; only what may be trained is trained; order and padding are respected."""

import numpy as np
import pytest
import torch
from torch.testing import assert_close

from constructions import layouts
from symut.experiment.models import sparse_width
from symut.experiment.models.dense import DISTRIBUTIONS
from tests.experiment.networks import form_shape, literal, literal_matrices, network, prefix_order

ARCHITECTURES = ["attention", "residual", "mlp"]
TOKENS = torch.randint(0, 4, (5, 6), generator=torch.Generator().manual_seed(0))


def literal_logits(kind, net, tokens, d=3, k=2):
    if kind != "sparse":
        return literal(
            net, tokens, (net.backbone.RQ, net.backbone.RK, net.backbone.RV), torch.eye(net.backbone.m).double()
        )
    shape = form_shape(net.residual, net.backbone.H, net.backbone.layers, d, k)
    *matrices, readout = literal_matrices(layouts.merging(shape), prefix_order(shape))
    return literal(net, tokens, matrices, torch.eye(shape.N).double() if net.residual else readout)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("kind", ["sparse", "random", "shared"])
@pytest.mark.parametrize("sizes", [{"H": 2, "L": 2}, {"H": 1, "L": 3}, {"H": 3, "L": 1}])
def test_logits_are_those_of_the_literal_recursion(kind, architecture, sizes):
    net = network(kind, architecture, **sizes)
    assert_close(net(TOKENS), literal_logits(kind, net, TOKENS))


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("kind", ["sparse", "random"])
def test_without_causal_order_tokens_attend_to_all_but_padding(kind, architecture):
    net = network(kind, architecture, causal=False, padding=0)
    assert_close(net(TOKENS.clamp(min=1)), literal_logits(kind, net, TOKENS.clamp(min=1)))
    padded = TOKENS.clamp(min=1)
    padded[:, 4:] = 0
    assert_close(net(padded), literal_logits(kind, net, padded))
    assert_close(net(padded)[:, :4], net(padded[:, :4]))


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("kind", ["sparse", "random"])
@pytest.mark.parametrize("causal", [True, False])
@pytest.mark.parametrize("L", [1, 2])
def test_one_scored_position_per_sequence_has_the_logits_of_the_whole(kind, architecture, causal, L):
    net = network(kind, architecture, causal=causal, padding=0, L=L)
    scored = torch.zeros(5, 6, dtype=torch.bool)
    scored[torch.arange(5), torch.tensor([0, 5, 2, 2, 4])] = True
    tokens = TOKENS.clamp(min=1)
    assert_close(net(tokens, scored), net(tokens)[scored])
    scored[0, 3] = True
    assert_close(net(tokens, scored), net(tokens)[scored])


@pytest.mark.parametrize("kind", ["sparse", "random"])
def test_in_causal_order_later_tokens_change_nothing(kind):
    net, changed = network(kind, "residual"), TOKENS.clone()
    changed[:, 4:] = (changed[:, 4:] + 1) % 4
    assert_close(net(TOKENS)[:, :4], net(changed)[:, :4])
    assert not torch.allclose(net(TOKENS)[:, 4:], net(changed)[:, 4:])


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("kind", ["sparse", "random", "shared"])
def test_only_embeddings_and_read_out_are_trained_and_nothing_else_changes_by_a_bit(kind, architecture):
    net = network(kind, architecture)
    before = {name: tensor.clone() for name, tensor in net.named_buffers()}
    assert {name for name, _ in net.named_parameters()} == {"E", "P", "U"}
    ends = {name: tensor.detach().clone() for name, tensor in net.named_parameters()}
    optimizer = torch.optim.AdamW(net.parameters(), lr=0.1)
    for _ in range(3):
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(net(TOKENS).flatten(0, 1), TOKENS.flatten() % 3).backward()
        optimizer.step()
    after = dict(net.named_buffers())
    assert before.keys() == after.keys()
    assert all(torch.equal(before[name], after[name]) for name in before)
    assert all(not torch.equal(tensor, ends[name]) for name, tensor in net.named_parameters())


@pytest.mark.parametrize(("architecture", "count"), [("attention", 6), ("mlp", 10)])
def test_a_trained_network_trains_every_weight(architecture, count):
    net = network("random", architecture, trained=True)
    assert not list(net.buffers())
    assert len(list(net.parameters())) == count
    net(TOKENS).square().mean().backward()
    assert all(parameter.grad is not None and parameter.grad.any() for parameter in net.parameters())


def test_a_sparse_backbone_stores_no_weights():
    net = network("sparse", "residual")
    assert not list(net.buffers())
    assert net.backbone.m == sparse_width(2, 2, 3, 2, residual=True)


def test_the_width_of_the_standard_shape_is_128():
    assert sparse_width(2, 2, 8, 8, residual=False) == 128


def test_orthogonal_matrices_have_orthonormal_columns_and_gaussian_ones_variance_one_over_rows():
    rng = np.random.default_rng(0)
    matrix = DISTRIBUTIONS["orthogonal"](rng, (2, 50, 8))
    np.testing.assert_allclose(matrix.mT @ matrix, np.broadcast_to(np.eye(8), (2, 8, 8)), atol=1e-12)
    assert DISTRIBUTIONS["gaussian"](rng, (200, 200)).var() * 200 == pytest.approx(1, abs=0.03)


def test_the_seed_of_a_backbone_decides_its_weights():
    one, same, other = (network("random", "attention", seed=seed).backbone.RV for seed in (0, 0, 1))
    assert torch.equal(one, same)
    assert not torch.equal(one, other)
