"""A backbone in memory: its torch module, with numpy arrays going in and out.

Main definitions: `Loaded`, `execute`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.abc import InspectLoader
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from symut.backbone import Network
from symut.errors import TargetError

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True)
class Loaded:
    """The backbone of `folder`: `module` is the emitted torch module, `sha256` that of its weights file."""

    folder: Path
    construction: str
    sha256: str
    module: Any

    def compile_program(self, target: Network) -> np.ndarray:
        """E (r x m) in float64 for a target without biases: WQ, WK (r x k) and WV (r x d) by layer and head.

        Raises TargetError if the block matrix of the backbone is singular, or for r != d with several layers.
        """
        import numpy as np
        import torch

        if target.L > 1 and target.WQ[0][0].shape[0] != self.module.d:
            raise TargetError(
                "biases of a target with several layers cannot be programmed yet",
                expected="one layer, or no biases",
                got=f"{target.L} layers with biases",
                remedy="choose one layer with --layer; a later version brings it",
            )
        stacked = [torch.from_numpy(np.array(part)) for part in (target.WQ, target.WK, target.WV)]
        with _refusals(self.folder), torch.no_grad():
            return self.module.compile_program(*stacked).numpy()

    def run(self, X: np.ndarray, E: np.ndarray, *, mask: np.ndarray | None, causal: bool, scale: float) -> np.ndarray:
        """UT(X, E) in E's precision on X (..., n, r) with the padding mask (..., n); (..., n, d)."""
        import torch

        keys = None if mask is None else torch.from_numpy(mask)[..., None, None, :]
        program = torch.from_numpy(E)
        with _refusals(self.folder), torch.no_grad():
            module, tokens = self.module.to(dtype=program.dtype), torch.from_numpy(X).to(program.dtype)
            return module(tokens, program, causal=causal, scale=scale, mask=keys).numpy()

    def condition_number(self) -> float | None:
        """The 2-norm condition number of M(R) with unit columns; None if sparse, where M is the identity."""
        if self.construction == "sparse":
            return None
        with _refusals(self.folder):
            return float(self.module.condition_number())


class _Rendering(InspectLoader):
    """Imports symut's own rendering from memory: what lies on the disk could change after it was compared."""

    def __init__(self, source: str) -> None:
        self._source = source

    def get_source(self, fullname: str) -> str:
        """The rendering, whatever the name."""
        return self._source


def execute(source: str, path: Path) -> Any:
    """The torch module (float64, CPU) that symut's own source of `path` makes from the weights beside it."""
    import torch

    loader = _Rendering(source)
    module = ModuleType("symut_emitted_backbone")
    module.__file__ = str(path.resolve())
    loader.exec_module(module)
    with _refusals(path.parent):
        return module.load("cpu", torch.float64)


@contextmanager
def _refusals(folder: Path) -> Iterator[None]:
    """Turn the emitted module's own ValueErrors, one line each, into TargetErrors."""
    try:
        yield
    except ValueError as error:
        raise TargetError(f"the backbone {folder} refuses", got=str(error)) from None
