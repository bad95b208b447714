"""From a configuration to its network, on a device, within the memory that is allowed.

Main definitions: `build`, `find_device`, `predicted_bytes`.
"""

from __future__ import annotations

import numpy as np
import torch

from symut.errors import UsageError
from symut.experiment.configuration import SPARSE, TRAINED, Configuration
from symut.experiment.models import Dense, Network, Sparse
from symut.experiment.models.dense import DISTRIBUTIONS
from symut.experiment.models.network import MLP, FeedForward
from symut.experiment.refusal import require_choice

DEVICES = ("cpu", "cuda")
_BACKBONE = 2**20
"""Seeds of backbones and starts are apart from those of the data by this entry of the seed sequence."""


def find_device(name: str) -> torch.device:
    """The device; UsageError if it is CUDA and torch finds none."""
    require_choice("device", DEVICES, name)
    if name == "cuda" and not torch.cuda.is_available():
        raise UsageError("--device cuda is absent", expected="a GPU that torch can use", got="none", remedy="drop it")
    return torch.device(name)


def build(configuration: Configuration) -> Network:
    """The network at its start, a function of the configuration; float32 on the CPU."""
    rng, about = np.random.default_rng([configuration.seed, _BACKBONE]), configuration
    trained, task = about.backbone == TRAINED, about.build_task()
    if about.backbone == SPARSE:
        backbone = Sparse(about.H, about.L, about.d, about.k, about.residual)
    else:
        draw = DISTRIBUTIONS[about.distribution]
        backbone = Dense(
            about.H, about.L, about.k, about.width, draw=draw, shared=about.shared, trained=trained, rng=rng
        )
    count = about.L if about.arch == MLP else 0
    blocks = [FeedForward(about.width, about.mlp * about.width, trained, rng) for _ in range(count)]
    return Network(
        backbone,
        vocabulary=task.vocabulary,
        classes=task.classes,
        length=task.length,
        padding=task.padding,
        architecture=about.arch,
        causal=about.causal,
        feed_forward=blocks,
        init=about.init,
        rng=rng,
    )


def predicted_bytes(configuration: Configuration) -> int:
    """About what one step takes: the matrices, and the activations that the gradient needs."""
    about, n = configuration, configuration.build_task().length
    dense = about.backbone != SPARSE
    matrices = about.L * about.H * about.width * (about.width + 2 * about.k) * (4 if about.backbone == TRAINED else 1)
    hidden = about.mlp * about.width if about.arch == MLP else 0
    matrices = matrices * dense + 2 * about.L * hidden * about.width
    row = (about.H + 4 if dense else 4) * about.width + 2 * hidden + 3 * about.H * n
    return 4 * (matrices + about.L * about.batch * n * row)
