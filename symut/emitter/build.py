"""From a backbone's weights to the two files of an emitted module, as bytes; the caller publishes them.

Main definitions: `emit`, `predicted_bytes`, `KINDS`.
Main result: equal arguments give equal bytes on every machine (no clock, no path, no counter).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence

from symut.backbone import Shape
from symut.emitter.module import ModuleSource, render
from symut.emitter.weights import expected_shapes, file_header
from symut.errors import UsageError
from symut.limits import require_memory

KINDS = ("sparse", "random")
ITEM_BYTES = {"float32": 4, "float64": 8}
DEFAULT_MAX_MEMORY = 4 * 2**30
COORDINATE_BYTES = 64
"""A coordinate of a Routing: Python integers in lists, with room for a copy."""


def emit(
    kind: str,
    shape: Shape,
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

    `weights` is called only after the memory predicted for `dtype` was found to fit `max_memory` bytes, which is also
    what the module's `dense_weights` may take; its metadata (seed, distribution, ...) becomes the header's parameters.
    Raises UsageError for an unknown kind or dtype, m < N, too much memory, or weights of other sizes.
    """
    _check_request(kind, shape, m, dtype)
    require_memory(predicted_bytes(kind, shape, m, dtype), max_memory, f"emitting a {kind} backbone of width {m}")
    content = weights()
    tensors, metadata = file_header(content)
    _check_shapes(kind, shape, m, {name: size for name, (_, size) in tensors.items()})
    source = ModuleSource(
        kind=kind,
        shape=shape,
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


def predicted_bytes(kind: str, shape: Shape, m: int, dtype: str = "float32") -> int:
    """Peak memory of `emit`: the tensors three times (arrays, packed, file) or, if larger, the draw of RV in float64.

    Measured: 0.5 to 0.97 of this.

    Sparse: LHm + 2LHk + d int32 numbers and the routing; random: 2LHmk + LHm^2 + md numbers of `dtype`.
    """
    heads = shape.L * shape.H
    if kind == "sparse":
        return 3 * 4 * (heads * m + 2 * heads * shape.k + shape.d) + COORDINATE_BYTES * m
    values = heads * m * m
    stored = ITEM_BYTES[dtype] * (2 * heads * m * shape.k + values + m * shape.d)
    return max(25 * stored // 8, stored + 2 * 8 * values)


def _check_request(kind: str, shape: Shape, m: int, dtype: str) -> None:
    if kind not in KINDS:
        raise UsageError("unknown kind of backbone", expected=" or ".join(KINDS), got=kind)
    if dtype not in ITEM_BYTES:
        raise UsageError("unknown dtype", expected=", ".join(ITEM_BYTES), got=dtype)
    if m < shape.N:
        raise UsageError("--m is too small for this shape", expected=f"at least N = {shape.N}", got=str(m))


def _check_shapes(kind: str, shape: Shape, m: int, got: dict[str, tuple[int, ...]]) -> None:
    expected = expected_shapes(kind, shape, m)
    if got != expected:
        raise UsageError("weights of another backbone", expected=str(expected), got=str(got))
