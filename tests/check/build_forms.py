"""Artifacts about the forms of section 9 of FORMAT.md: routings, and dense block matrices to compare them with."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.check import build
from tests.check.claims_forms import (
    AFFINE,
    GOALS,
    SHARED,
    SKIP,
    Parameters,
    Slot,
    claims,
    key_heads,
    parameters,
    slots,
    units,
    width,
)

# ---- routings in the plain form of build.py, coordinate = slot


def shift(name: str, H: int, L: int, slot: Slot) -> Slot:
    """Where every head moves a slot of a shared form, whose path begins with the head."""
    kind, path, h, j = slot
    fill = (1,) if kind == "U" and name == "looped" else ()
    return kind, path[1:] + fill, h, j


def merge(layer: int, base: int, slot: Slot) -> Slot:
    """base ... base h rest -> base ... base base rest: where head h of this layer moves a slot."""
    kind, path, h, j = slot
    return kind, (base,) * layer + path[layer:], h, j


def routing(name: str, H: int, L: int, q: int, u: int, base: int | None = None) -> dict[str, Any]:
    """Shared forms move a path's slots one letter on; the others merge them, at each layer, onto those with the letter
    `base` (0 if there is a letter 0, else 1 unless it is given), which do not move."""
    table = slots(name, H, L, q, u)
    number = {slot: i for i, slot in enumerate(table)}
    base = (0 if name in SKIP else 1) if base is None else base
    layers = range(1 if name in SHARED else L)

    def start(layer: int) -> tuple[int, ...]:
        return () if name in SHARED else (base,) * layer

    def reads(kind: str, layer: int, heads: range) -> list[list[list[int]]]:
        return [[[number[kind, start(layer), h, j]] for j in range(q)] for h in heads]

    def moves(layer: int, h: int) -> list[tuple[int, int]]:
        if name in SHARED:
            return [(number[s], number[shift(name, H, L, s)]) for s in table if s[1][:1] == (h,)]
        begin = (*start(layer), h)
        return [(number[s], number[merge(layer + 1, base, s)]) for s in table if s[1][: layer + 1] == begin]

    end = {"looped": (1,) * L, "shared_residual": ()}.get(name, (base,) * L)
    keys = {} if name == "readoff_key" else {"keys": [reads("K", layer, key_heads(name, H)) for layer in layers]}
    return {
        "slots": list(range(len(table))),
        "queries": [reads("Q", layer, range(1, H + 1)) for layer in layers],
        **keys,
        "values": [[moves(layer, h) for h in range(1, H + 1)] for layer in layers],
        "readout": [[number["U", end, -1, j]] for j in range(u)],
    }


def to_front(name: str, H: int, L: int, q: int, u: int) -> dict[str, Any]:
    """Every head moves its tail to the coordinates 0, 1, ...: also in a block statement if all units have one size."""
    sizes = [len(slots(name, H, L - layer, q, u)) if layer < L else u for layer in range(L + 1)]
    Q, K = H * q, len(key_heads(name, H)) * q

    def reads(first: int, count: int) -> list[list[list[int]]]:
        return [[[first + i * q + j] for j in range(q)] for i in range(count // q)]

    def moves(layer: int, h: int) -> list[tuple[int, int]]:
        return [(Q + K + h * sizes[layer + 1] + i, i) for i in range(sizes[layer + 1])]

    keys = {} if name == "readoff_key" else {"keys": [reads(Q, K)] * L}
    return {
        "slots": list(range(sizes[0])),
        "queries": [reads(0, Q)] * L,
        **keys,
        "values": [[moves(layer, h) for h in range(H)] for layer in range(L)],
        "readout": [[j] for j in range(u)],
    }


# ---- dense block matrices


def dense_block_matrix(name: str, H: int, L: int, q: int, u: int, R: dict[str, Any]) -> np.ndarray:
    """M(R) column by column: R_p RQ, R_p RK, R_p U, where R_0 = I and shared forms have one layer."""
    arrays = {key: np.array(x, dtype=np.int64) for key, x in R.items()}
    products: dict[tuple[int, ...], np.ndarray] = {(): np.eye(len(R["U"]), dtype=np.int64)}

    def at(length: int) -> int:
        return 0 if name in SHARED else length

    def product(path: tuple[int, ...]) -> np.ndarray:
        if path not in products:
            *rest, letter = path
            last = arrays["RV"][at(len(rest))][letter - 1] if letter else products[()]
            products[path] = product(tuple(rest)) @ last
        return products[path]

    columns = []
    for kind, path, h, j in slots(name, H, L, q, u):
        B = arrays["U"] if kind == "U" else arrays["R" + kind][at(len(path))][max(h, 1) - 1]
        columns.append(product(path) @ B[:, j])
    return np.array(columns).T


def well_formed(name: str, p: Parameters, table: dict[str, Any]) -> bool:
    """The lengths of the lists are those of the form; nothing is said about their entries."""
    H, layers = p["H"], 1 if name in SHARED else p["L"]
    q, u = units(name, p)
    heads = {"queries": H, "keys": len(key_heads(name, H)), "values": H}
    if name == "readoff_key":
        heads.pop("keys")
    grids = {field: table[field] for field in heads if len(table[field]) == layers}
    shape = all(len(layer) == heads[field] for field, grid in grids.items() for layer in grid)
    columns = all(len(head) == q for field in heads if field != "values" for layer in table[field] for head in layer)
    return len(grids) == len(heads) and shape and columns and len(table["readout"]) == u


def accepted_by_definition(goal: str, p: Parameters, table: dict[str, Any]) -> bool:
    """E M(R) = B(W) as words: column s of M meets the coordinates that hold slots only where they hold s."""
    name, N = GOALS[goal], width(GOALS[goal], p)
    held = [(c, slot) for c, slot in enumerate(table["slots"]) if slot >= 0]
    if not well_formed(name, p, table) or len(table["slots"]) != N or sorted(s for _, s in held) != list(range(N)):
        return False
    M = dense_block_matrix(name, p["H"], p["L"], *units(name, p), build.zero_one_backbone(p, table))
    return all((M[c] == np.eye(N, dtype=np.int64)[slot]).all() for c, slot in held)


# ---- artifacts


def carry(name: str, H: int, L: int) -> dict[str, Any]:
    """The last head of each layer carries the ones, or none if the residual stream does."""
    ones = [0] * H if name == "affine_residual" else [0] * (H - 1) + [1]
    return {"carry": [ones] * L} if name in AFFINE else {}


def artifact(goal: str, p: Parameters, certificate: dict[str, Any], weights: bytes | None = None) -> build.Artifact:
    return build.artifact(goal, p, certificate, weights, claims)


def form_artifact(
    name: str,
    *sizes: Any,
    seed: int | None = None,
    front: bool = False,
    base: int | None = None,
    **certificate: Any,
) -> build.Artifact:
    """A routing of the form for the sizes H, L, d, k, d_out, m, with its coordinates permuted if there is a seed."""
    p = parameters(name, *sizes)
    H, L, (q, u) = p["H"], p["L"], units(name, p)
    plain = to_front(name, H, L, q, u) if front else routing(name, H, L, q, u, base)
    plain = plain if seed is None else build.relabelled(plain, seed)
    return artifact(f"{name}_universality", p, {"routing": build.packed(plain), **carry(name, H, L), **certificate})
