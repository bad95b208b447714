"""Which targets an emitted backbone takes, and which command emits one for a target that it does not take.

Main definitions: `require_fit`, `emit_command`.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from symut.backbone import Shape
from symut.backbone.forms import FormShape
from symut.emitter.kinds import KINDS
from symut.errors import TargetError

if TYPE_CHECKING:
    from symut.compiler.backbone import Emitted
    from symut.compiler.reader import Located


def emit_command(kind: str, shape: Shape | FormShape, extra: str = "") -> str:
    """The command that makes a backbone of this kind and shape."""
    about, sizes = KINDS[kind], f"--H {shape.H} --L {shape.L} --d {shape.d} --k {shape.k}"
    return f"python -m symut emit {about.construction} {sizes}{extra}{about.options}"


def require_fit(emitted: Emitted, located: Located) -> None:
    """Raise TargetError, with the command that emits a fitting backbone, unless the backbone takes such a target.

    The target needs the backbone's H, L, d, k (k is free where only scores count) and its recursion, with or without
    residual connections; biases need an affine backbone, or with one layer a sparse or random one; a read-out needs an
    affine backbone with its d_out.
    """
    _require_shape(emitted, located)
    _require_recursion(emitted, located)
    _require_readout(emitted, located)
    _require_biases(emitted, located)


def _command(kind: str, located: Located) -> str:
    """The command that emits a backbone of this kind for the target; of an affine kind if the target has a read-out."""
    if located.d_out is not None and not KINDS[kind].form.affine:
        kind = "affine_residual" if located.residual else "affine"
    other = located.output_width != located.shape.d
    return emit_command(kind, located.shape, f" --d-out {located.output_width}" if other else "")


def require_equal_layers(folder: Path, equal: bool) -> None:
    """Raise TargetError unless the target of a backbone for shared residual targets uses equal layers."""
    if not equal:
        raise TargetError(
            f"{folder} is a backbone for targets with the same matrices in every layer",
            expected="equal layers",
            got="layers that differ",
            remedy="emit residual without --shared",
        )


def _require_shape(emitted: Emitted, located: Located) -> None:
    """Where only scores count, the target's head width is free."""
    names = "HLd" if emitted.shape.form.scores_only else "HLdk"
    if any(getattr(located.shape, name) != getattr(emitted.shape, name) for name in names):
        raise TargetError(
            f"{emitted.folder} is a backbone for targets of another shape",
            expected=_sizes(located.shape),
            got=_sizes(emitted.shape),
            remedy=f"emit the right one: {_command(emitted.kind, located)}",
        )


def _require_recursion(emitted: Emitted, located: Located) -> None:
    if located.residual != emitted.shape.form.residual:
        kind = {(0, 0): "sparse", (0, 1): "affine", (1, 0): "residual", (1, 1): "affine_residual"}
        right = kind[located.residual, located.biased]
        raise TargetError(
            f"{emitted.folder} runs another recursion than the target",
            expected=_residual(located.residual),
            got=_residual(emitted.shape.form.residual),
            remedy=f"emit one that fits: {_command(right, located)}",
        )


def _require_readout(emitted: Emitted, located: Located) -> None:
    """The read-out of an affine module is part of its programs; every other has d fixed outputs."""
    if located.d_out is not None and not emitted.shape.form.affine:
        raise TargetError(
            f"the read-out of {located.path} needs another backbone than {emitted.folder}",
            expected="an affine backbone, or neither C nor c",
            got=f"a {KINDS[emitted.kind].label} backbone",
            remedy=f"emit one: {_command(emitted.kind, located)}",
        )
    if emitted.shape.output_width != located.output_width:
        same = located.output_width == located.shape.d
        raise TargetError(
            f"{emitted.folder} has another number of outputs",
            expected=f"d_out = {located.output_width}",
            got=str(emitted.shape.output_width),
            remedy=f"emit one{' without --d-out' if same else ''}: {_command(emitted.kind, located)}",
        )


def _require_biases(emitted: Emitted, located: Located) -> None:
    one_layer = located.shape.L == 1 and emitted.kind in ("sparse", "random", "shared_random")
    if located.biased and not (emitted.shape.form.affine or one_layer):
        right = "affine_residual" if located.residual else "affine"
        layers = "several layers" if located.shape.L > 1 else "one layer"
        raise TargetError(
            f"biases of a target with {layers} need another backbone than {emitted.folder}",
            expected="an affine backbone, or no biases",
            got=f"a {KINDS[emitted.kind].label} backbone",
            remedy=f"emit one: {_command(right, located)}",
        )


def _residual(residual: bool) -> str:
    return "residual connections" if residual else "no residual connections"


def _sizes(shape: Shape | FormShape) -> str:
    return f"H = {shape.H}, L = {shape.L}, d = {shape.d}, k = {shape.k}"
