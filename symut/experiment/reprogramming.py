"""A fully trained attention-only network as a target that other backbones can be programmed to compute.

Main definitions: `Trained`, `as_target`.
The weights file of such a run holds, next to its own tensors, WQ, WK and WV as `symut program` reads them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from symut.backbone.stored import read_metadata, read_tensors
from symut.compiler.target import Target
from symut.errors import TargetError
from symut.experiment.configuration import ARCHITECTURES, TRAINED, Configuration

_OWN = {"WQ": "backbone.RQ", "WK": "backbone.RK", "WV": "backbone.RV"}


def is_target(about: Configuration) -> bool:
    """Whether runs of this configuration are targets: attention only, and every weight trained."""
    return about.backbone == TRAINED and about.arch == ARCHITECTURES[0]


def as_target(stored: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """WQ, WK (L, H, m, k) and WV (L, H, m, m) under the names of symut's key scheme."""
    return {name: stored[own] for name, own in _OWN.items()}


@dataclass(frozen=True)
class Trained:
    """What `path` holds: the target, the embeddings E (vocabulary x d) and P (n x d), the read-out U (d x classes)."""

    path: Path
    about: Configuration
    target: Target
    E: np.ndarray
    P: np.ndarray
    U: np.ndarray

    @classmethod
    def read(cls, path: Path) -> Trained:
        """Raises TargetError unless the file is that of a trained attention-only network."""
        stored = read_tensors(path, ("E", "P", "U", *_OWN))
        about = Configuration.from_json(read_metadata(path))
        if not is_target(about):
            raise TargetError(f"{path} is no target", expected="--backbone trained --arch attention", got=about.cell)
        parts = {name: tensor.astype(np.float64) for name, tensor in stored.items()}
        target = Target(query=parts["WQ"], key=parts["WK"], value=parts["WV"], scale=about.k**-0.5)
        return cls(path, about, target, parts["E"], parts["P"], parts["U"])

    @property
    def causal(self) -> bool:
        """Whether tokens attend to earlier ones only."""
        return self.about.causal

    def embedded(self, tokens: np.ndarray) -> np.ndarray:
        """X (B, n, d), the target's input."""
        return self.E[tokens] + self.P[: tokens.shape[1]]

    def logits(self, tokens: np.ndarray) -> np.ndarray:
        """T(X) U (B, n, classes) in float64, by the target's direct evaluation."""
        return self.target.direct(self.embedded(tokens), causal=self.causal) @ self.U
