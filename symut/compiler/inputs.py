"""The tokens on which a program is checked: the user's own, or seeded standard normal ones.

Main definitions: `Inputs`, `InputFile`, `seeded_inputs`.
File: X (n x d or batch x n x d); optional mask (n or batch x n): 1 for a real token, 0 for padding, which no token
attends to; optional Y, shaped like X but with d_out columns: the target's output computed elsewhere, compared at the
real tokens.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from symut.backbone.stored import read_tensors, tensor_shapes
from symut.compiler.reader import by
from symut.compiler.target import allowed_pairs
from symut.errors import TargetError

SEED, TOKENS = 0, 16


@dataclass(frozen=True)
class Inputs:
    """X (..., n, d) in float64; mask (..., n) bool or None; Y (..., n, d_out) or None; `origin`: their source."""

    X: np.ndarray
    mask: np.ndarray | None
    Y: np.ndarray | None
    origin: str

    def rows_with_keys(self, causal: bool) -> np.ndarray:
        """Bool (..., n): the query rows that may attend to at least one key; only these are compared."""
        allowed = allowed_pairs(self.mask, causal, self.X.shape[-2])
        if allowed is None:
            return np.ones(self.X.shape[:-1], dtype=bool)
        some = np.asarray(allowed.any(axis=-1))
        return np.broadcast_to(some if some.ndim == 1 else some[..., 0, :], self.X.shape[:-1])

    def real_rows(self) -> np.ndarray:
        """Bool (..., n): the rows that are no padding."""
        return np.ones(self.X.shape[:-1], dtype=bool) if self.mask is None else self.mask


def seeded_inputs(d: int) -> Inputs:
    """16 tokens of independent standard normal numbers (numpy's PCG64, seed 0): X is 16 x d."""
    X = np.random.Generator(np.random.PCG64(SEED)).standard_normal((TOKENS, d))
    return Inputs(X, None, None, f"{TOKENS} tokens of standard normal numbers (seed {SEED})")


@dataclass(frozen=True)
class InputFile:
    """An --inputs file whose names and shapes were checked; `tokens` is X's shape."""

    path: Path
    tokens: tuple[int, ...]
    names: tuple[str, ...]

    @classmethod
    def locate(cls, path: Path, d: int, d_out: int | None = None) -> InputFile:
        """Reads the header only; `d_out` is the width of Y, d if it is None.

        Raises TargetError if the file cannot be read, X is missing, or a shape does not fit the widths.
        """
        shapes = tensor_shapes(path)
        X = shapes.get("X", ())
        if len(X) not in (2, 3) or 0 in X or X[-1] != d:
            raise _wrong(
                "X",
                path,
                f"n x {d} or batch x n x {d}",
                by(X) if "X" in shapes else "no X",
                "pass the target's own inputs",
            )
        remedies = {
            "mask": "give one 1 (token) or 0 (padding) per row of X",
            "Y": "give a row of the target's outputs per row of X",
        }
        for name, expected in (("mask", X[:-1]), ("Y", (*X[:-1], d if d_out is None else d_out))):
            if shapes.get(name, expected) != expected:
                raise _wrong(name, path, by(expected), by(shapes[name]), remedies[name])
        return cls(path, X, tuple(name for name in ("X", "mask", "Y") if name in shapes))

    def read(self) -> Inputs:
        """Raises TargetError for a dtype that is no exact number, NaN, infinity, or a mask without 1 or not of 0, 1."""
        tensors = read_tensors(self.path, self.names, boolean=("mask",))
        mask = self._mask(tensors["mask"]) if "mask" in tensors else None
        Y = tensors["Y"].astype(np.float64) if "Y" in tensors else None
        return Inputs(tensors["X"].astype(np.float64), mask, Y, str(self.path))

    def _mask(self, mask: np.ndarray) -> np.ndarray:
        other = mask[(mask != 0) & (mask != 1)]
        if other.size:
            raise _wrong(
                "mask", self.path, "1 (token) or 0 (padding)", str(other[0]), "pass an attention mask of 0 and 1"
            )
        empty = np.argwhere(~mask.astype(bool).any(axis=-1))
        if len(empty):
            where = f"sequence {empty[0][0]} has none" if mask.ndim == 2 else "none"
            raise _wrong("mask", self.path, "a real token in every sequence", where, "drop the empty sequence")
        return mask.astype(bool)


def _wrong(name: str, path: Path, expected: str, got: str, remedy: str) -> TargetError:
    return TargetError(f"{name} of {path} does not fit", expected=expected, got=got, remedy=remedy)
