"""What every target reader shares: the request, the header of a file, where its tensors are, checks of their shapes.

Main definitions: `Request`, `Header`, `Located`, `Scheme`.
A reader works on names and shapes first, so that a wrong file is refused before any tensor is read.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from symut.backbone import Shape
from symut.backbone.stored import read_tensors, tensor_shapes
from symut.compiler.target import Target
from symut.errors import TargetError, UsageError

Shapes = Mapping[str, tuple[int, ...]]
Tensors = Mapping[str, np.ndarray]


@dataclass(frozen=True)
class Request:
    """What the user asked of a target file: layer (from 0), heads and scale, each None if left to the file or scheme.

    Raises UsageError if one is out of range.
    """

    layer: int | None = None
    heads: int | None = None
    scale: float | None = None

    def __post_init__(self) -> None:
        for name, value, least in (("layer", self.layer, 0), ("heads", self.heads, 1)):
            if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < least):
                raise UsageError(f"--{name} out of range", expected=f"an integer >= {least}", got=str(value))
        if self.scale is not None and not math.isfinite(self.scale):
            raise UsageError("--scale out of range", expected="a finite number", got=str(self.scale))


@dataclass(frozen=True)
class Header:
    """Names and shapes of the tensors in the file `path`; no tensor is read."""

    path: Path
    shapes: Shapes

    @classmethod
    def of(cls, path: Path) -> Header:
        """Raises TargetError if the file is missing, truncated or not safetensors."""
        return cls(path, tensor_shapes(path))

    def require(self, name: str, expected: Sequence[object], remedy: str = "") -> None:
        """Raise TargetError unless the tensor is there with exactly this shape."""
        if name not in self.shapes:
            some = ", ".join(sorted(self.shapes)[:4]) + (" ..." if len(self.shapes) > 4 else "")
            raise TargetError(f"{self.path} lacks tensor {name}", expected=by(expected), got=some or "no tensors")
        if self.shapes[name] != tuple(expected):
            raise TargetError(
                f"tensor {name} of {self.path} has a wrong shape",
                expected=by(expected),
                got=by(self.shapes[name]),
                remedy=remedy or "check the scheme and save it again",
            )

    def matrix(self, name: str) -> tuple[int, int]:
        """(rows, columns) of a matrix that must be there; raises TargetError if it is not one or is empty."""
        shape = self.shapes.get(name, ())
        if len(shape) != 2 or 0 in shape:
            self.require(name, ("rows", "columns"))
        return shape[0], shape[1]


@dataclass(frozen=True)
class Located:
    """A target found in a file: its shape, the tensors it needs by role, and how they become a `Target`.

    `layer` is the layer that was chosen, None if the target is all layers of the file; `biased` and `residual` say
    whether it has biases and residual connections; `d_out` is the width of its read-out, None if it has none.
    """

    path: Path
    scheme: str
    shape: Shape
    scale: float
    names: Mapping[str, str]
    build: Callable[[Tensors, Shape, float], Target]
    biased: bool
    layer: int | None = None
    residual: bool = False
    d_out: int | None = None

    @property
    def output_width(self) -> int:
        """The columns of the target's answer: d_out, or d without a read-out."""
        return self.shape.d if self.d_out is None else self.d_out

    def sha256(self) -> str:
        """The SHA-256 of the file in hexadecimal."""
        with self.path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()

    def read(self) -> Target:
        """The target in float64; only the wanted tensors are read.

        Raises TargetError if one is truncated, has a dtype that is no exact number, or is not finite.
        """
        stored = read_tensors(self.path, list(self.names.values()))
        tensors = {role: stored[name].astype(np.float64) for role, name in self.names.items()}
        return self.build(tensors, self.shape, self.scale)


@dataclass(frozen=True)
class Scheme:
    """A way of storing attention layers: `matches` recognises it by tensor names, `locate` finds the target."""

    name: str
    keys: str
    matches: Callable[[Shapes], bool]
    locate: Callable[[Header, Request], Located]


def by(shape: Sequence[object]) -> str:
    """A shape in words: 2 x 3, or `a scalar`."""
    return " x ".join(map(str, shape)) or "a scalar"


def pick_layer(request: Request, present: Mapping[int, str], path: Path) -> int:
    """The wanted layer among those in the file, the only one by default; `present`: number -> name to show.

    Raises TargetError if there are several and none was asked for, or if the wanted one is not there.
    """
    if request.layer is None and len(present) == 1:
        return next(iter(present))
    if request.layer is not None and request.layer in present:
        return request.layer
    listed = [f"{number} ({name})" if name else str(number) for number, name in sorted(present.items())]
    raise TargetError(
        f"{path} has several layers" if request.layer is None else f"{path} has no layer {request.layer}",
        expected="--layer " + (", ".join(listed) if len(listed) < 9 else f"{listed[0]}, {listed[1]}, .. {listed[-1]}"),
        got="no --layer" if request.layer is None else f"--layer {request.layer}",
    )
