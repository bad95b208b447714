"""A backbone of width sum_l H^l that matches every score at d = k = 1: products of real forms in few variables.

Main definitions: `quadratic_forms`.
Main result: with z_1 = x, z_2 = y the first two heads read (x - y)(x + y) and (2x)(y), the parts of (x + iy)^2, and the
j-th reads x z_j.  For real a and nonzero real b some x != 0 and y have x^2 - y^2 = a and 2xy = b, so H variables give
all H scores of a layer (proofs/FORMAT.md, rule P).  With one head the layers take the part of the heads.
"""

from __future__ import annotations

from typing import Any

from symut.errors import InternalError
from symut.limits import require_memory
from symut.prover.argument import Context
from symut.prover.sizes import BYTES_PER_MOVE, BYTES_PER_UNIT
from symut.statement import AttentionWidth, Step

Reads = list[list[int]]
"""[coordinate, coefficient] for every coordinate that one query or key reads."""


def product_of(index: int, first: int) -> tuple[Reads, Reads]:
    """What query and key `index` = 1, 2, ... read, if coordinate first + j - 1 holds z_j."""
    if index == 1:
        return [[first, 1], [first + 1, -1]], [[first, 1], [first + 1, 1]]
    if index == 2:
        return [[first, 2]], [[first + 1, 1]]
    return [[first, 1]], [[first + index - 1, 1]]


def _tail(H: int, layers: int) -> int:
    """H + H^2 + ... + H^layers."""
    return sum(H**j for j in range(1, layers + 1))


def _several_heads(H: int, L: int) -> dict[str, Any]:
    """Layer l reads H coordinates from o_l = H (l - 1) on; head h moves its tail, all later slots, onto o_{l+1}."""
    reads = [[product_of(h, H * layer) for h in range(1, H + 1)] for layer in range(L)]
    tails = [_tail(H, L - 1 - layer) for layer in range(L)]
    moves = [
        [[[H * (layer + 1) + h * tail, H * (layer + 1), tail]] if tail else [] for h in range(H)]
        for layer, tail in enumerate(tails)
    ]
    return _table(_tail(H, L), reads, moves)


def _one_head(L: int) -> dict[str, Any]:
    """All layers read the same coordinates, which nothing moves; at L = 1 one product of two variables."""
    if L == 1:
        return _table(2, [[([[0, 1]], [[1, 1]])]], [[[]]])
    reads = [[product_of(layer, 0)] for layer in range(1, L + 1)]
    return _table(L, reads, [[[[0, 0, L]]] for _ in range(L)])


def _table(width: int, reads: list[list[tuple[Reads, Reads]]], moves: Any) -> dict[str, Any]:
    return {
        "slots": list(range(width)),
        "queries": [[query for query, _ in layer] for layer in reads],
        "keys": [[key for _, key in layer] for layer in reads],
        "values": moves,
    }


def quadratic_forms(H: int, L: int) -> dict[str, Any]:
    """The certificate's field `forms`: slots, queries, keys and values of a backbone of the exact width."""
    found = _one_head(L) if H == 1 else _several_heads(H, L)
    expected = AttentionWidth("attention_width", H, L).minimum
    if len(found["slots"]) != expected:
        raise InternalError("the forms have another width", expected=str(expected), got=str(len(found["slots"])))
    return found


def require_forms_memory(statement: AttentionWidth, context: Context) -> None:
    """Refuse a width whose tables would not fit, before they are built."""
    W, H, L = statement.minimum, statement.H, statement.L
    predicted = W * (BYTES_PER_UNIT + BYTES_PER_MOVE * (H if H > 1 else L))
    require_memory(predicted, context.max_memory, f"a proof with {W:.3g} slots")


def forms_step(statement: AttentionWidth) -> Step:
    """The upper bound."""
    if (statement.H, statement.L) == (1, 1):
        claim = "e = (q, 1) is read by the query and the key"
    elif statement.H == 1:
        claim = "layers 1 and 2 read (x - y)(x + y) and (2x)(y), layer j >= 3 reads x z_j"
    else:
        claim = "slot (p, s) holds v_p z_{l,s}; heads 1 and 2 read (x - y)(x + y) and (2x)(y), head j >= 3 reads x z_j"
    return Step("backbone", f"width {statement.width} suffices: {claim}", "forms with coefficients -1, 1, 2")
