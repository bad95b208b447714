"""From a backbone's weights to the two files of an emitted module, as bytes; the caller publishes them.

Main definitions: `emit`, `emit_form`, `predicted_bytes`.
Main result: equal arguments give equal bytes on every machine (no clock, no path, no counter).
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Sequence

from symut.backbone import Routing, Shape
from symut.backbone.forms import FormShape
from symut.emitter.kinds import KINDS
from symut.emitter.module import ModuleSource, render
from symut.emitter.weights import expected_shapes, file_header, form_file
from symut.errors import UsageError
from symut.limits import require_memory

ITEM_BYTES = {"float32": 4, "float64": 8}
DEFAULT_MAX_MEMORY = 4 * 2**30
COORDINATE_BYTES, MOVED_BYTES = 64, 160
"""A coordinate of a Routing, and at most one move for each in shared forms: Python integers, with room for a copy."""


def emit(
    kind: str,
    shape: Shape | FormShape,
    m: int,
    *,
    weights: Callable[[], bytes],
    command: str,
    theorems: Sequence[str] = (),
    statement_hash: str = "",
    dtype: str = "float32",
    max_memory: int = DEFAULT_MAX_MEMORY,
) -> dict[str, bytes]:
    """{"model.py": ..., "weights.safetensors": ...} of the backbone whose weights file `weights()` makes.

    `kind` is one of `symut.emitter.kinds.KINDS`.  `weights` is called only after the memory predicted for `dtype` was
    found to fit `max_memory` bytes, which is also what the module's `dense_weights` may take; its metadata (seed,
    distribution, ...) becomes the header's parameters.
    Raises UsageError for an unknown kind or dtype, m < N, too much memory, or weights of other sizes.
    """
    _check_names(kind, dtype)
    sized = _sized(kind, shape)
    if m < sized.N:
        raise UsageError("--m is too small for this shape", expected=f"at least N = {sized.N}", got=str(m))
    require_memory(predicted_bytes(kind, sized, m, dtype), max_memory, f"emitting a {kind} backbone of width {m}")
    content = weights()
    tensors, metadata = file_header(content)
    _check_shapes(kind, sized, m, {name: size for name, (_, size) in tensors.items()})
    source = ModuleSource(
        kind=kind,
        shape=sized,
        m=m,
        metadata=metadata,
        stored={name: stored for name, (stored, _) in tensors.items()},
        weights_sha256=hashlib.sha256(content).hexdigest(),
        max_memory=max_memory,
        command=command,
        theorems=tuple(theorems),
        statement_hash=statement_hash,
    )
    return {"model.py": render(source).encode(), "weights.safetensors": content}


def emit_form(
    shape: FormShape,
    m: int,
    *,
    routing: Callable[[], Routing],
    kind: str,
    command: str,
    theorems: Sequence[str] = (),
    statement_hash: str = "",
    max_memory: int = DEFAULT_MAX_MEMORY,
) -> dict[str, bytes]:
    """The files of a 0/1 backbone of width m >= N of the given kind, whose form must be the shape's.

    `routing()`, of width N or m, holds slot s at coordinate s and is called only if the memory suffices.  Raises
    UsageError as `emit` does, and for such a routing in another order or with columns that read several coordinates.
    """
    return emit(
        kind,
        shape,
        m,
        weights=lambda: form_file(kind, shape, m, routing()),
        command=command,
        theorems=theorems,
        statement_hash=statement_hash,
        max_memory=max_memory,
    )


def predicted_bytes(kind: str, shape: Shape | FormShape, m: int, dtype: str = "float32") -> int:
    """Peak memory of `emit`: the tensors three times (arrays, packed, file) or, if larger, the draw of RV in float64.

    Measured: 0.36 to 0.97 of this.

    Tables: LHm + 2LHk + d int32 numbers and the routing; random: 2LHmk + LHm^2 + md numbers of `dtype`; L counts as 1
    for one set of matrices.
    """
    sized = _sized(kind, shape)
    numbers = sum(math.prod(size) for size in expected_shapes(kind, sized, m).values())
    if not KINDS[kind].random:
        return 3 * 4 * numbers + (COORDINATE_BYTES + MOVED_BYTES * sized.form.shared) * m
    stored = ITEM_BYTES[dtype] * numbers
    values = (1 if sized.form.shared else sized.L) * sized.H * m * m
    return max(25 * stored // 8, stored + 2 * 8 * values)


def _sized(kind: str, shape: Shape | FormShape) -> FormShape:
    """The shape with the form of the kind; raises UsageError if it has another one."""
    form = KINDS[kind].form
    if isinstance(shape, Shape):
        return FormShape(form, shape.H, shape.L, shape.d, shape.k)
    if shape.form != form:
        raise UsageError(f"a {kind} backbone has another form", expected=form.goal, got=shape.form.goal)
    return shape


def _check_names(kind: str, dtype: str) -> None:
    if kind not in KINDS:
        raise UsageError("unknown kind of backbone", expected=" or ".join(KINDS), got=kind)
    if dtype not in ITEM_BYTES:
        raise UsageError("unknown dtype", expected=", ".join(ITEM_BYTES), got=dtype)


def _check_shapes(kind: str, shape: FormShape, m: int, got: dict[str, tuple[int, ...]]) -> None:
    expected = expected_shapes(kind, shape, m)
    if got != expected:
        raise UsageError("weights of another backbone", expected=str(expected), got=str(got))
