"""What goes into weights.safetensors: index tables of a 0/1 backbone, or the matrices of a random one.

Main definitions: `routing_tables`, `routing_file`, `form_file`, `file_header`, `expected_shapes`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from symut.backbone import Move, Routing, Shape
from symut.backbone.forms import LAYERED, OUTPUTS, FormShape
from symut.backbone.stored import METADATA_KEY, serialize
from symut.emitter.kinds import KINDS
from symut.errors import UsageError

if TYPE_CHECKING:
    import numpy as np

WEIGHTS_FORMAT = "symut-weights-1"


def routing_file(shape: Shape | FormShape, routing: Routing) -> bytes:
    """The weights.safetensors of a sparse backbone; see `form_file`."""
    sizes = FormShape(LAYERED, shape.H, shape.L, shape.d, shape.k)
    return form_file("sparse", sizes, routing.width, routing)


def form_file(kind: str, shape: FormShape, m: int, routing: Routing) -> bytes:
    """The weights.safetensors of a 0/1 backbone of width m, with its construction, kind and sizes as metadata.

    `routing` has width N or m and holds slot s at coordinate s.  Raises UsageError if it does not, or if a column
    reads several coordinates.
    """
    if routing.width not in (shape.N, m) or list(routing.slots[: shape.N]) != list(range(shape.N)):
        raise UsageError(
            f"this routing cannot be emitted as a {kind} backbone",
            expected=f"slots 0..{shape.N - 1} in canonical order at coordinates 0..{shape.N - 1}",
            got=f"width {routing.width}, or another order",
        )
    tables = routing_tables(routing, m)
    if shape.form.keys == OUTPUTS:
        del tables["read_k"]
    return serialize(tables, metadata(kind, shape, m))


def metadata(kind: str, shape: FormShape, m: int) -> dict[str, str | int]:
    """What the weights of a backbone say about it: `kind` only where it is not the construction's own name."""
    construction = KINDS[kind].construction
    sizes = {"H": shape.H, "L": shape.L, "d": shape.d, "k": shape.k, "m": m}
    named = {} if kind == construction else {"kind": kind}
    outputs = {"d_out": shape.output_width} if shape.form.affine else {}
    return {"construction": construction, "format": WEIGHTS_FORMAT, **named, **sizes, **outputs}


def routing_tables(routing: Routing, m: int) -> dict[str, np.ndarray]:
    """int32 tables of a routing: `route` (L, H, m), `read_q`, `read_k` (L, H, k), `read_u` (d).

    RV_{l,h}[s, route[l, h, s]] = 1 (-1: row s is zero); column j of RQ_{l,h} is 1 at coordinate read_q[l, h, j], and so
    on.  Forms with one set of matrices have 1 in place of L, with one key per layer 1 in place of H.
    Raises UsageError if a column reads several coordinates, as in the projector form.
    """
    import numpy as np

    route = [[_targets(moves, m) for moves in layer] for layer in routing.values]
    queries, keys = ([[_single(head) for head in layer] for layer in part] for part in (routing.queries, routing.keys))
    tables = {"route": route, "read_q": queries, "read_k": keys, "read_u": _single(routing.readout)}
    return {name: np.asarray(table, dtype=np.int32) for name, table in tables.items()}


def _targets(moves: Sequence[Move], width: int) -> np.ndarray:
    import numpy as np

    route = np.full(width, -1, dtype=np.int32)
    for source, target, length in moves:
        route[source : source + length] = np.arange(target, target + length)
    return route


def _single(columns: Sequence[Sequence[int]]) -> list[int]:
    for coordinates in columns:
        if len(coordinates) != 1:
            raise UsageError(
                "a column of this routing cannot be emitted",
                expected="one coordinate",
                got=str(len(coordinates)),
                remedy="emit the merging form",
            )
    return [coordinate for (coordinate,) in columns]


def file_header(content: bytes) -> tuple[dict[str, tuple[str, tuple[int, ...]]], dict[str, Any]]:
    """({tensor: (dtype, shape)}, metadata) of a safetensors file that `serialize` wrote; dtypes as "F32", "I16", ..."""
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + length])
    metadata = json.loads(header.pop("__metadata__")[METADATA_KEY])
    return {name: (entry["dtype"], tuple(entry["shape"])) for name, entry in sorted(header.items())}, metadata


def expected_shapes(kind: str, shape: FormShape, m: int) -> dict[str, tuple[int, ...]]:
    """The shapes of the tensors in the weights file of a backbone of this kind and width m."""
    H, L, form, width = shape.H, 1 if shape.form.shared else shape.L, shape.form, shape.read_width
    if KINDS[kind].random:
        return {"RQ": (L, H, m, width), "RK": (L, H, m, width), "RV": (L, H, m, m), "U": (m, shape.output_width)}
    keys = {"read_k": (L, len(form.key_heads(H)), width)} if form.keys != OUTPUTS else {}
    return {"route": (L, H, m), "read_q": (L, H, width), **keys, "read_u": (shape.output_width,)}
