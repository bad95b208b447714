"""One run, completely described: the same configuration gives the same numbers on the same machine.

Main definitions: `Configuration`, `DYCK`, `KHOP`, `BACKBONES`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from symut.backbone.forms import LAYERED, RESIDUAL, FormShape
from symut.backbone.shape import positive
from symut.errors import UsageError
from symut.experiment.kinds import require_kind
from symut.experiment.refusal import out_of_range, require_choice
from symut.experiment.tasks import Dyck, Khop, Task

DYCK, KHOP = TASKS = ("dyck", "khop")
SPARSE, RANDOM, TRAINED = BACKBONES = ("sparse", "random", "trained")
ARCHITECTURES = ("attention", "residual", "mlp")
DISTRIBUTIONS = ("gaussian", "orthogonal")
_CHOICES = {"task": TASKS, "backbone": BACKBONES, "arch": ARCHITECTURES, "distribution": DISTRIBUTIONS}
_POSITIVE = ("H", "L", "d", "k", "mlp", "steps", "batch", "every", "patience", "validation", "test")
_REAL = ("init", "lr", "clip")
"""Options that are real numbers above 0."""
_MOST = 1e37
"""The largest number of an option: AdamW takes ten times the rate at its first step, as a float32."""


@dataclass(frozen=True)
class Configuration:
    """What is trained, on what, and how.

    `pairs`: of Dyck; `hops`, `n`: of k-hop; `H`, `L`, `d`, `k`: heads, layers, outputs and head width; `m`: width, None
    for the N slots of the sparse backbone of that shape; `shared`: one set of matrices in all layers (random only);
    `mlp`: hidden width of feed-forward blocks as a multiple of m; `init`: standard deviation of E and P at the start;
    `warmup`: share of the steps; `every`: steps between two evaluations; `patience`: evaluations without a smaller
    validation loss; `validation`, `test`: sequences.

    Raises UsageError for any option out of range or without meaning for the backbone.
    """

    task: str
    backbone: str
    arch: str
    pairs: int = 20
    hops: int = 1
    n: int = 30
    H: int = 2
    L: int = 2
    d: int = 8
    k: int = 8
    m: int | None = None
    distribution: str = "gaussian"
    shared: bool = False
    causal: bool = True
    mlp: int = 4
    init: float = 1.0
    lr: float = 0.03
    weight_decay: float = 0.001
    clip: float = 1.0
    warmup: float = 0.05
    steps: int = 2000
    batch: int = 64
    every: int = 100
    patience: int = 20
    validation: int = 1000
    test: int = 4000
    seed: int = 0

    def __post_init__(self) -> None:
        for name, choices in _CHOICES.items():
            require_choice(name, choices, getattr(self, name))
        for field in fields(self):
            require_kind(field.name, str(field.type), getattr(self, field.name))
        positive(**{name: getattr(self, name) for name in _POSITIVE})
        self._require_numbers()
        if not 0 <= self.seed < 2**32:
            raise out_of_range("seed", "an integer from 0 to 2^32 - 1", self.seed)
        self._require_meaning()
        self.build_task()

    def _require_numbers(self) -> None:
        for name in _REAL:
            if not 0 < getattr(self, name) <= _MOST:
                raise out_of_range(name, f"a number above 0, at most {_MOST:g}", getattr(self, name))
        if not 0 <= self.warmup < 1:
            raise out_of_range("warmup", "a share from 0 to below 1", self.warmup)
        if not 0 <= self.weight_decay <= _MOST / max(1, self.lr):
            expected = f"a number from 0 to {_MOST / max(1, self.lr):g}"
            raise out_of_range("weight_decay", expected, self.weight_decay)

    def _require_meaning(self) -> None:
        """Options that say nothing about this backbone are refused, not ignored."""
        if self.m is not None:
            positive(m=self.m)
            if self.backbone == SPARSE and self.m != self.slots:
                remedy = "leave --m out, or change --d and --k"
                raise UsageError(
                    "a sparse backbone has one width", expected=f"--m {self.slots}", got=str(self.m), remedy=remedy
                )
        if self.backbone != RANDOM and (self.shared or self.distribution != DISTRIBUTIONS[0]):
            raise UsageError("--shared and --distribution are for random backbones", got=f"--backbone {self.backbone}")
        if self.distribution == "orthogonal" and self.k > self.width:
            raise out_of_range("k", f"at most m = {self.width} orthonormal columns", self.k)

    @property
    def residual(self) -> bool:
        """Whether there are residual connections and layer normalisation."""
        return self.arch != ARCHITECTURES[0]

    @property
    def slots(self) -> int:
        """N, the slots of the sparse backbone of this shape."""
        return FormShape(RESIDUAL if self.residual else LAYERED, self.H, self.L, self.d, self.k).N

    @property
    def width(self) -> int:
        """m."""
        return self.slots if self.m is None else self.m

    def build_task(self) -> Task:
        """The task with its sizes."""
        return Dyck(self.pairs) if self.task == DYCK else Khop(self.hops, self.n)

    @property
    def cell(self) -> str:
        """What all seeds share, a part of file names: dyck20-sparse-attention-H2-L2-d8-k8-m128."""
        words = [self.build_task().name, self.backbone, self.arch]
        words += [f"{name}{getattr(self, name)}" for name in "HLdk"] + [f"m{self.width}"]
        words += ["orthogonal"] * (self.distribution == "orthogonal") + ["shared"] * self.shared
        return "-".join(words + ["bidirectional"] * (not self.causal))

    @property
    def name(self) -> str:
        """The cell and the seed."""
        return f"{self.cell}-s{self.seed}"

    def with_(self, **changes: Any) -> Configuration:
        """The same with other options."""
        return replace(self, **changes)

    def as_json(self) -> dict[str, Any]:
        """All options, with m filled in."""
        return asdict(self) | {"m": self.width}

    @classmethod
    def from_json(cls, found: Mapping[str, Any]) -> Configuration:
        """The inverse of `as_json`; UsageError for a missing, unknown or malformed option."""
        names = {field.name for field in fields(cls)}
        if not isinstance(found, Mapping) or set(found) != names:
            raise UsageError("this is no configuration of a run", expected=", ".join(sorted(names)))
        return cls(**found)

    def difference(self, other: Configuration) -> str:
        """The first option in which they differ, as words; empty if there is none."""
        ours, theirs = self.as_json(), other.as_json()
        differing = [f"{name} = {theirs[name]} instead of {ours[name]}" for name in ours if ours[name] != theirs[name]]
        return ", ".join(differing[:3])


OPTIONS = tuple(field.name for field in fields(Configuration))
