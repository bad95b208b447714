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

from symut.backbone.forms import Form
from symut.compiler.fitting import require_equal_layers
from symut.emitter.kinds import KINDS
from symut.errors import TargetError

if TYPE_CHECKING:
    import numpy as np

    from symut.compiler.target import Target


@dataclass(frozen=True)
class Loaded:
    """The backbone of `folder`: `module` is the emitted torch module, `sha256` that of its weights file."""

    folder: Path
    kind: str
    sha256: str
    module: Any

    @property
    def form(self) -> Form:
        """What the backbone simulates."""
        return KINDS[self.kind].form

    def compile_program(self, target: Target) -> np.ndarray:
        """E (r x m) in float64 for a target that fits; r = d + 1 for an affine backbone or, elsewhere, with biases.

        An affine backbone gets biases and read-out as they are, every other the matrices of `Target.lifted`.

        Raises TargetError if the block matrix of the backbone is singular, or a target's scores do not factor as a
        backbone needs it.
        """
        import numpy as np
        import torch

        if self.form.outputs_everywhere:
            require_equal_layers(self.folder, target.has_equal_layers)
        if self.form.affine:
            parts = (*target.affine(), target.readout, target.readout_bias)
        else:
            lifted, layers = target.lifted(), slice(1) if self.form.outputs_everywhere else slice(None)
            parts = (lifted.WQ[layers], lifted.WK[layers], lifted.WV[layers])
        stacked = [None if part is None else torch.from_numpy(np.array(part)) for part in parts]
        with _refusals(self.folder), torch.no_grad():
            return self.module.compile_program(*stacked).numpy()

    def run(self, X: np.ndarray, E: np.ndarray, *, mask: np.ndarray | None, causal: bool, scale: float) -> np.ndarray:
        """UT(X, E) in E's precision on X (..., n, r) with the padding mask (..., n); (..., n, d_out).

        Rows that may attend to no key answer something of no meaning: a module that refuses them lets them attend to
        every key.
        """
        import torch

        keys = None if mask is None else torch.from_numpy(mask)[..., None, None, :]
        if keys is not None and self.form.affine and not self.form.residual:
            order = torch.ones(X.shape[-2], X.shape[-2], dtype=torch.bool)
            allowed = keys & (order.tril() if causal else order)
            keys, causal = allowed | ~allowed.any(dim=-1, keepdim=True), False
        program = torch.from_numpy(E)
        with _refusals(self.folder), torch.no_grad():
            module, tokens = self.module.to(dtype=program.dtype), torch.from_numpy(X).to(program.dtype)
            return module(tokens, program, causal=causal, scale=scale, mask=keys).numpy()

    def condition_number(self) -> float | None:
        """The 2-norm condition number of M(R) with unit columns; None for 0/1 tables, where M is the identity."""
        if not KINDS[self.kind].random:
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
