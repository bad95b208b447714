"""Rule I: rows . M(R) = identity modulo an odd number (FORMAT.md, section 6)."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from .matrices import Matrix, beside, modular_product
from .safetensors import read_safetensors, residues, tensor
from .sizes import Sizes
from .strict import fields, integers, listing, need


def rule_inverse(st: Sizes, N: int, value: Any, data: bytes) -> None:
    """rows . M(R) = identity modulo p, M(R) being that of the stored weights, a/2^b read as a (2^b)^-1."""
    m = st.m or 0
    need(min(m, 512) >= N, f"inverse: N = {N} exceeds m or 512")
    table = fields(value, "inverse", ("modulus", "rows"))
    (p,) = integers([table["modulus"]], "inverse.modulus", 3, 2**31 - 1)
    need(p % 2 == 1, "inverse.modulus: must be odd")
    listed = enumerate(listing(table["rows"], "inverse.rows", N))
    rows = [integers(row, f"inverse.rows[{i}]", 0, p - 1, m) for i, row in listed]
    product = modular_product(rows, stored_block_matrix(st, m, data, p), p)
    for i, row in enumerate(product):
        unit = [int(i == j) for j in range(N)]
        need(row == unit, f"inverse: row {i} of rows . M(R) is not row {i} of the identity modulo {p}")


def stored_block_matrix(st: Sizes, m: int, data: bytes, p: int) -> Matrix:
    """M(R) modulo p; a shared form stores one layer, which is used in all."""
    tensors, layers = read_safetensors(data), 1 if st.form.shared else st.L
    RQ, RK = (tensor(tensors, name, [layers, st.H, m, st.q]) for name in ("RQ", "RK"))
    RV, U = tensor(tensors, "RV", [layers, st.H, m, m]), tensor(tensors, "U", [m, st.u])

    @lru_cache(maxsize=1)
    def stored(layer: int) -> tuple[list[Matrix], list[Matrix]]:
        heads = range(layer * st.H, (layer + 1) * st.H)
        reads = [residues(R, i, m, st.q, p) for R in (RQ, RK) for i in heads]
        return reads, [residues(RV, i, m, m, p) for i in heads]

    C = residues(U, 0, m, st.u, p)
    for layer in range(st.L - 1, -1, -1):
        reads, values = stored(layer % layers)
        C = beside([*reads, *(modular_product(V, C, p) for V in values)])
    return C
