"""What goes into weights.safetensors: index tables of a 0/1 backbone, or the matrices of a random one.

Main definitions: `routing_tables`, `routing_file`, `file_header`, `expected_shapes`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from symut.backbone import Move, Routing, Shape
from symut.backbone.stored import METADATA_KEY, serialize
from symut.errors import UsageError

if TYPE_CHECKING:
    import numpy as np

WEIGHTS_FORMAT = "symut-weights-1"


def routing_file(shape: Shape, routing: Routing) -> bytes:
    """The weights.safetensors of a sparse backbone: its tables, and metadata that names the construction and sizes.

    Raises UsageError if the routing does not fit the tables.
    """
    sizes = {"H": shape.H, "L": shape.L, "d": shape.d, "k": shape.k, "m": routing.width}
    return serialize(routing_tables(routing), {"construction": "sparse", "format": WEIGHTS_FORMAT, **sizes})


def routing_tables(routing: Routing) -> dict[str, np.ndarray]:
    """int32 tables of a routing: `route` (L, H, m), `read_q`, `read_k` (L, H, k), `read_u` (d).

    RV_{l,h}[s, route[l, h, s]] = 1 (-1: row s is zero); column j of RQ_{l,h} is 1 at coordinate read_q[l, h, j], and so
    on.  Raises UsageError if a column reads several coordinates, as in the projector form.
    """
    import numpy as np

    route = [[_targets(moves, routing.width) for moves in layer] for layer in routing.values]
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


def expected_shapes(kind: str, shape: Shape, m: int) -> dict[str, tuple[int, ...]]:
    """The shapes of the tensors in the weights file of a "sparse" or "random" backbone of width m."""
    H, L, d, k = shape.H, shape.L, shape.d, shape.k
    if kind == "sparse":
        return {"route": (L, H, m), "read_q": (L, H, k), "read_k": (L, H, k), "read_u": (d,)}
    return {"RQ": (L, H, m, k), "RK": (L, H, m, k), "RV": (L, H, m, m), "U": (m, d)}
