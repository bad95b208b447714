"""Training steps: the sparse backbone in block form against the same network with its literal 0/1 matrices."""

import statistics
from collections.abc import Iterator

import numpy as np
import torch
from torch.nn.functional import cross_entropy, layer_norm

from constructions import layouts
from symut.experiment.building import build
from symut.experiment.configuration import Configuration
from symut.experiment.models.attention import per_head, score_bias, summed, weights
from symut.experiment.tasks import IGNORED
from symut.experiment.tasks.splits import Split
from symut.experiment.training import Trainer
from tests.benchmarks.row import Row, at_least, at_most, cpu_seconds
from tests.experiment.networks import form_shape, literal_matrices, prefix_order

BATCH, TOKENS, STEPS, ROUNDS = 64, 64, 10, 3
SIZES = {
    "attention": ({"H": 4, "L": 2, "d": 24, "k": 16}, 15),
    "residual": ({"H": 4, "L": 2, "d": 16, "k": 13}, 5),
}
"""Shapes of width 1024, and how many times faster than dense they must be."""


def side_by_side(heads):
    """Matrices (H, m, c) as one (m, H c)."""
    return heads.transpose(0, 1).flatten(1)


def literal_layers(about):
    """[RV | RQ | RK] of each layer as one 0/1 matrix, and the coordinates that the read-out sees."""
    shape = form_shape(about.residual, about.H, about.L, about.d, about.k)
    RQ, RK, RV, U = literal_matrices(layouts.merging(shape), prefix_order(shape))
    parts = [torch.cat([side_by_side(part[layer]) for part in (RV, RQ, RK)], 1) for layer in range(about.L)]
    return [part.float() for part in parts], slice(None) if about.residual else U.argmax(0)


def dense(network, layers, read, tokens):
    """The recursion with one product per layer for queries, keys and values of all heads."""
    normed = (lambda Z: layer_norm(Z, Z.shape[-1:])) if network.residual else (lambda Z: Z)
    H, m = network.backbone.H, network.backbone.m
    Z, bias = network.E[tokens] + network.P, score_bias(tokens, True, None, torch.float32)
    for matrix in layers:
        columns = normed(Z) @ matrix
        Q, K = per_head(columns[..., H * m :], 2 * H).split(H, dim=1)
        mixed = summed(weights(Q, K, bias), per_head(columns[..., : H * m], H))
        Z = Z + mixed if network.residual else mixed
    return normed(Z)[..., read] @ network.U


def ratio(one, other):
    """CPU time of the first over that of the second: the median over rounds, each the least of two runs."""
    one()
    other()
    return statistics.median(cpu_seconds(one, 2) / cpu_seconds(other, 2) for _ in range(ROUNDS))


def contestants(arch, sizes):
    """Forward + backward of the network in block form, and with its literal matrices."""
    about = Configuration(task="khop", backbone="sparse", arch=arch, n=TOKENS, **sizes)
    block = about.build_task().block(Split.TRAIN, 0, 0, BATCH)
    tokens, answers = (torch.from_numpy(part.astype(np.int64)) for part in (block.tokens, block.answers))
    network, (layers, read), scored = build(about), literal_layers(about), answers != IGNORED
    torch.testing.assert_close(network(tokens), dense(network, layers, read, tokens), rtol=1e-3, atol=1e-3)
    return (
        lambda: cross_entropy(network(tokens, scored), answers[scored]).backward(),
        lambda: cross_entropy(dense(network, layers, read, tokens)[scored], answers[scored]).backward(),
    )


def measure() -> Iterator[Row]:
    """Forward + backward at m = 1024, n = 64, batch 64, then a training step of the m = 128 model; one thread."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        for arch, (sizes, wanted) in SIZES.items():
            block, literal = contestants(arch, sizes)
            name = f"training, sparse {arch}, m = 1024: forward + backward, times faster than dense"
            yield at_least(name, ratio(literal, block), "x", wanted)
        trainer = Trainer(Configuration(task="dyck", backbone="sparse", arch="attention"), torch.device("cpu"))
        trainer._train_step()
        seconds = cpu_seconds(lambda: [trainer._train_step() for _ in range(STEPS)]) / STEPS
        yield at_most("training step, sparse, m = 128, dyck20, batch 64", seconds * 1e3, "CPU ms", 50)
    finally:
        torch.set_num_threads(threads)
