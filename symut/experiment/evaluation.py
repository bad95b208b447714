"""Accuracy and loss of a network on a block, at its scored positions.

Main definitions: `Score`, `evaluate`, `scores`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor

from symut.experiment.tasks import IGNORED, Block

if TYPE_CHECKING:
    from symut.experiment.models import Network

_BATCH = 256


@dataclass(frozen=True)
class Score:
    """`accuracy` and mean cross-entropy `loss` over `answers` scored positions."""

    accuracy: float
    loss: float
    answers: int


def tensors(block: Block, device: torch.device) -> tuple[Tensor, Tensor]:
    """Tokens and answers (B, n) as int64 tensors."""
    tokens, answers = (torch.from_numpy(part.astype(np.int64)).to(device) for part in (block.tokens, block.answers))
    return tokens, answers


@torch.no_grad()
def _judged(network: Network, block: Block) -> tuple[np.ndarray, np.ndarray]:
    """For every answer whether it is right, and its cross-entropy, in the order of the scored positions."""
    right, losses = [], []
    for tokens, answers in _batches(block, network.E.device):
        scored = answers != IGNORED
        logits, expected = network(tokens, scored).double(), answers[scored]
        right.append((logits.argmax(dim=-1) == expected).cpu().numpy())
        losses.append(torch.nn.functional.cross_entropy(logits, expected, reduction="none").cpu().numpy())
    return np.concatenate(right), np.concatenate(losses)


def _batches(block: Block, device: torch.device) -> Iterator[tuple[Tensor, Tensor]]:
    for first in range(0, len(block), _BATCH):
        yield tensors(block.rows(first, _BATCH), device)


def evaluate(network: Network, block: Block) -> Score:
    """The score over all answers of the block."""
    return _score(*_judged(network, block))


def scores(network: Network, block: Block) -> dict[str, Score]:
    """The score over all answers, under "all", and over those of each group of the block that has any."""
    right, losses = _judged(network, block)
    rows = np.nonzero(block.answers != IGNORED)[0]
    chosen = {name: mask[rows] for name, mask in block.groups.items() if mask.any()}
    parts = {name: _score(right[mask], losses[mask]) for name, mask in chosen.items()}
    return {"all": _score(right, losses)} | parts


def _score(right: np.ndarray, losses: np.ndarray) -> Score:
    return Score(float(right.mean()), float(losses.mean()), len(right))
