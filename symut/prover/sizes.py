"""What a proof needs, predicted and refused before anything is built.

Main definitions: `require_proof_memory`, `require_rank_memory`, `require_checkable`.
"""

from __future__ import annotations

from symut.backbone.forms import FormShape, form_count
from symut.backbone.shape import Shape
from symut.errors import UsageError
from symut.limits import require_memory
from symut.prover.argument import Context
from symut.prover.checker import largest_routing
from symut.statement import FormStatement, Universality

BYTES_PER_UNIT, BYTES_PER_MOVE, BYTES_PER_LETTER = 900, 200, 40
"""Measured peak of a proof per slot or block, per coordinate that some head moves, and per letter of a block's path."""


def require_proof_memory(statement: Universality | FormStatement, moved: int, context: Context) -> None:
    """Refuse a statement before its slots are listed: by memory, or because check.py would refuse the routing.

    `moved` is the number of coordinates that all heads of the routing move.
    """
    slots, blocks = statement.units.N, form_count(statement.units.form, statement.H, statement.L).at(1, 1)
    predicted = slots * BYTES_PER_UNIT + moved * BYTES_PER_MOVE + blocks * statement.L * BYTES_PER_LETTER
    require_memory(predicted, context.max_memory, f"a proof with {slots:.3g} slots")
    require_checkable(moved)


def require_rank_memory(shape: Shape | FormShape, m: int, context: Context) -> None:
    """Refuse a stored backbone whose weights and modular matrices would exceed the memory limit."""
    layers = shape.stored_layers if isinstance(shape, FormShape) else shape.L
    require_memory(24 * layers * shape.H * m * m + 120 * m * m, context.max_memory, f"a backbone of width {m}")


def require_checkable(moved: int) -> None:
    """Raise UsageError if check.py would refuse a routing that moves so many coordinates."""
    if moved > largest_routing():
        raise UsageError(
            "too large for check.py",
            expected=f"moves of at most {largest_routing()} coordinates",
            got=str(moved),
            remedy="take a smaller size",
        )
