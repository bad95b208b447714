"""Rule I: rows . M(R) = identity modulo an odd number (FORMAT.md, section 6)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .matrices import Matrix, beside, field_bytes, modular_product
from .safetensors import Tensor, read_safetensors, residues, tensor
from .sizes import Sizes, state_sizes
from .strict import fields, integers, listing, need

MAX_WORK = 6 * 10**10  # a limit of this program, not of the format: about as many nanoseconds


def rule_inverse(st: Sizes, N: int, value: Any, data: bytes) -> None:
    """rows . M(R) = identity modulo p, M(R) being that of the stored weights, a/2^b read as a (2^b)^-1."""
    m = st.m or 0
    need(min(m, 512) >= N, f"inverse: N = {N} exceeds m or 512")
    table = fields(value, "inverse", ("modulus", "rows"))
    (p,) = integers([table["modulus"]], "inverse.modulus", 3, 2**31 - 1)
    need(p % 2 == 1, "inverse.modulus: must be odd")
    listed = enumerate(listing(table["rows"], "inverse.rows", N))
    rows = [integers(row, f"inverse.rows[{i}]", 0, p - 1, m) for i, row in listed]
    need(work(st, N, m, p) <= MAX_WORK, "inverse: too large to check")
    product = modular_product(rows, stored_block_matrix(st, m, data, p), p)
    for i, row in enumerate(product):
        unit = [int(i == j) for j in range(N)]
        need(row == unit, f"inverse: row {i} of rows . M(R) is not row {i} of the identity modulo {p}")


def work(st: Sizes, N: int, m: int, p: int) -> int:
    """About the nanoseconds of reading the file and of all products: H matrices m x m times m x |S(l+1)| in layer l,
    and rows . M(R)."""
    digits, width = 1 + (p >> 30), field_bytes(m, p)  # Python's integers have digits of 30 bits
    layers = 1 if st.form.shared else st.L
    stored = layers * st.H * m * (m + 2 * st.q) + m * st.u
    entries = st.H * m * (sum(state_sizes(st)) - N) + N**2  # of all products, divided by m
    return 1000 * stored + digits * m * (100 * (st.L * st.H * m + N) + width * entries * 7 // 10)


def stored_block_matrix(st: Sizes, m: int, data: bytes, p: int) -> Matrix:
    """M(R) modulo p; a shared form stores one layer, which is used in all."""
    tensors, layers = read_safetensors(data), 1 if st.form.shared else st.L
    RQ, RK = (tensor(tensors, name, [layers, st.H, m, st.q]) for name in ("RQ", "RK"))
    RV, U = tensor(tensors, "RV", [layers, st.H, m, m]), tensor(tensors, "U", [m, st.u])

    def matrices(source: Tensor, layer: int, columns: int) -> Iterator[Iterator[list[int]]]:
        heads = range(layer * st.H, (layer + 1) * st.H)
        return (residues(source, i, m, columns, p) for i in heads)

    again: list[Matrix] = [list(V) for V in matrices(RV, 0, m)] if st.form.shared else []
    C = list(residues(U, 0, m, st.u, p))
    for layer in range(st.L - 1, -1, -1):
        reads = [V for source in (RQ, RK) for V in matrices(source, layer % layers, st.q)]
        values = again or matrices(RV, layer, m)
        C = beside([*reads, *(modular_product(V, C, p) for V in values)])
    return C
