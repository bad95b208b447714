"""Named sizes: `cpu` for a laptop in minutes, `paper` for the published scale on a GPU.

Main definitions: `PRESETS`, `preset`, `INITS`, `RATES`, `TRIAL_SHARE`.
Sources of the paper preset: Zhong and Andreas (2024) for Dyck (30 pairs, batches of 1000, 10 000 steps); Sanford, Hsu
and Telgarsky (2024) for k-hop (sequences of 100 over 4 letters, 100 000 steps).  Its widths are about 1000.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from symut.experiment.configuration import ARCHITECTURES, BACKBONES, DYCK, KHOP, SPARSE, TASKS
from symut.experiment.refusal import require_choice

INITS, RATES = (0.02, 0.3, 1.0), (0.003, 0.01, 0.03)
"""The grid over the standard deviation of E and P at the start, and the learning rate."""
TRIAL_SHARE = {DYCK: 6, KHOP: 3}
"""A trial of the grid takes this fraction of a run's steps: k-hop stays longer at its first plateau."""

_SIZES: Mapping[str, Mapping[str, tuple[Mapping[str, Any], Mapping[str, Any]]]] = {
    "cpu": {
        DYCK: ({"H": 2, "L": 2, "d": 8, "k": 8}, {"H": 2, "L": 2, "d": 8, "k": 8}),
        KHOP: ({"H": 2, "L": 2, "d": 8, "k": 8}, {"H": 2, "L": 3, "d": 4, "k": 8, "batch": 32}),
    },
    "paper": {
        DYCK: ({"H": 4, "L": 2, "d": 24, "k": 16}, {"H": 4, "L": 2, "d": 16, "k": 13}),
        KHOP: ({"H": 2, "L": 4, "d": 4, "k": 16}, {"H": 2, "L": 4, "d": 4, "k": 4}),
    },
}
"""Options by preset and task: for attention only, and with residual connections."""
_TRAINING: Mapping[str, Mapping[str, Mapping[str, Any]]] = {
    "cpu": {DYCK: {"pairs": 20, "mlp": 1}, KHOP: {"n": 30, "mlp": 1}},
    "paper": {
        DYCK: {"pairs": 30, "batch": 1000, "steps": 10000, "every": 250, "test": 10000},
        KHOP: {"n": 100, "batch": 64, "steps": 100000, "every": 1000, "patience": 40},
    },
}
_NARROW = {("cpu", KHOP): 128}
"""The width of dense backbones by preset and task where that of the sparse one, N, would take too long."""
PRESETS = tuple(_SIZES)


def preset(name: str, task: str, arch: str, backbone: str) -> dict[str, Any]:
    """Options of `Configuration` for a task, an architecture and a backbone; UsageError for an unknown name."""
    chosen = {"preset": (name, PRESETS), "task": (task, TASKS), "arch": (arch, ARCHITECTURES)}
    for option, (value, known) in (chosen | {"backbone": (backbone, BACKBONES)}).items():
        require_choice(option, known, value)
    residual = arch != ARCHITECTURES[0]
    m = None if backbone == SPARSE else _NARROW.get((name, task))
    options = {"task": task, "arch": arch, "backbone": backbone, "m": m}
    return options | dict(_TRAINING[name][task]) | dict(_SIZES[name][task][residual])
