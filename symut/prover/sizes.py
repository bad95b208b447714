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

COPIES, BYTES_PER_NUMBER, BYTES_PER_ENTRY, BYTES_PER_WITNESS = 4, 4, 48, 80
"""Measured peak of certifying a stored backbone: bytes per stored byte, per stored number (its residue), per entry of
one RV (arithmetic on one matrix at a time), and per entry of M(R) (elimination, and the inverse as text)."""


def require_proof_memory(statement: Universality | FormStatement, moved: int, context: Context) -> None:
    """Refuse a statement before its slots are listed: by memory, or because check.py would refuse the routing.

    `moved` is the number of coordinates that all heads of the routing move.
    """
    slots, blocks = statement.units.N, form_count(statement.units.form, statement.H, statement.L).at(1, 1)
    predicted = slots * BYTES_PER_UNIT + moved * BYTES_PER_MOVE + blocks * statement.L * BYTES_PER_LETTER
    require_memory(predicted, context.max_memory, f"a proof with {slots:.3g} slots")
    require_checkable(statement.units, moved, slots if statement.m is None else max(statement.m, slots))


def require_rank_memory(shape: Shape | FormShape, m: int, context: Context, stored: int | None = None) -> None:
    """Refuse a stored backbone whose weights and modular matrices would exceed the memory limit.

    `stored` is the size of its file in bytes; if it is not known, entries of eight bytes that are still to be drawn.
    """
    layers = shape.stored_layers if isinstance(shape, FormShape) else shape.L
    numbers = layers * shape.H * m * (m + 2 * shape.k) + m * shape.d
    predicted = COPIES * (8 * numbers if stored is None else stored) + BYTES_PER_NUMBER * numbers
    predicted += BYTES_PER_ENTRY * m * m + BYTES_PER_WITNESS * m * min(m, shape.N)
    require_memory(predicted, context.max_memory, f"a backbone of width {m}")


def _columns(shape: FormShape) -> list[int]:
    """How many columns check.py computes at depth 1, 2, ..., L: |S(1)| + ... + |S(depth)| there."""
    own = shape.own_width + (shape.output_width if shape.form.outputs_everywhere else 0)
    width, total, totals = shape.output_width, 0, []
    for _ in range(shape.L):
        width = own + len(shape.form.alphabet(shape.H)) * width
        total += width
        totals.append(total)
    return totals


def require_checkable(shape: FormShape, moved: int, width: int) -> None:
    """Raise UsageError if check.py would refuse a routing of this form and width whose heads move `moved` coordinates.

    What a shared form lists once is used, and counted, in every layer.
    """
    columns, (most, filled) = _columns(shape), largest_routing()
    found = columns[-1] + moved * (shape.L if shape.form.shared else 1)
    if found <= most and width * shape.L <= filled:
        return
    # if moves grow as the columns do
    depth = sum(total * found <= most * columns[-1] for total in columns) if found > most else 0
    raise UsageError(
        "too large for check.py",
        expected=f"at most {most} columns and moved coordinates in all layers, and width times L at most {filled}",
        got=f"{found} and {width * shape.L}",
        remedy=f"--L {depth} fits" if depth else "take a smaller size",
    )
