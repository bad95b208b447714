"""Affine backbones: targets with biases, a read-out of d_out columns and embeddings, through a constant column.

Main definitions: `routing`, `carry`, `UNIVERSALITY`.
Main result: a program with d + 1 rows carries all biases and the target's read-out; N has d_out in place of d and does
not grow.  Without residual connections the constant needs attention whose rows sum to 1, with them it needs nothing.
Source: symut's extension of Fixed Universal Transformers, Theorems 3.1 and 3.2, to affine targets.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from constructions import layouts
from constructions.emission import emit_statement
from symut.backbone import Routing
from symut.backbone.forms import AFFINE, AFFINE_RESIDUAL, Form, FormShape
from symut.statement import FormStatement
from symut.theorem import FLAG, SIZES, Construction, Parameter, Theorem, Values, fixed_form

if TYPE_CHECKING:
    from symut.emitter import Fit
    from symut.prover import Argument, Context, Undecided

SOURCE = "symut, extending Fixed Universal Transformers, Theorems 3.1 and 3.2"
OUT = Parameter("d_out", "width of the target's outputs; needs --d and --k, default --d")
RESIDUAL_OPTION = Parameter("residual", "both networks have residual connections", FLAG)


def form_of(values: Values) -> Form:
    """The form that --residual chooses."""
    return AFFINE_RESIDUAL if values["residual"] else AFFINE


def routing(H: int, L: int, d_out: int, k: int, residual: bool = False, width: int | None = None) -> Routing:
    """The merging layout of layered or residual backbones with d_out columns for outputs; d does not matter."""
    return layouts.merging(FormShape(AFFINE_RESIDUAL if residual else AFFINE, H, L, d_out, k, d_out), width)


def carry(H: int, L: int, residual: bool) -> list[list[int]]:
    """z of every layer and head: the first head keeps the constant, or with residual connections no head writes it."""
    return [[int(head == 1 and not residual) for head in range(1, H + 1)] for _ in range(L)]


def _state(values: Values) -> FormStatement:
    form = form_of(values)
    shape = fixed_form(form, values)
    d_out = shape.d_out if shape else None
    return FormStatement(form.goal, values["H"], values["L"], values["d"], values["k"], values["m"], d_out=d_out)


def _argue(values: Values, context: Context) -> Argument | Undecided:
    from symut.prover import form_universality

    def constant(shape: FormShape) -> dict[str, list[list[int]]]:
        return {"carry": carry(shape.H, shape.L, shape.form.residual)}

    return form_universality(_state(values), layouts.merging, layouts.moved, context, parts=constant)


UNIVERSALITY = Theorem(
    id="affine_universality",
    statement="with a constant column one 0/1 backbone, and almost every one, simulates targets with biases",
    source=SOURCE,
    parameters=(*SIZES[:3], OUT, *SIZES[3:], RESIDUAL_OPTION),
    state=_state,
    argue=_argue,
    instances=(
        {"H": 2, "L": 2},
        {"H": 2, "L": 3},
        {"H": 2, "L": 2, "d": 3, "d_out": 4, "k": 3},
        {"H": 2, "L": 2, "residual": True},
        {"H": 2, "L": 3, "residual": True},
        {"H": 2, "L": 2, "d": 3, "d_out": 4, "k": 3, "residual": True},
        {"H": 2, "L": 2, "d": 3, "d_out": 4, "k": 3, "m": 90, "residual": True},
    ),
)


def _emit(chosen: Fit, values: Values, command: str, max_memory: int) -> Mapping[str, bytes]:
    sizes = chosen.shape
    d_out = values["d_out"] or sizes.d
    statement = FormStatement(form_of(values).goal, sizes.H, sizes.L, sizes.d, sizes.k, chosen.m, d_out=d_out)
    return emit_statement(statement, layouts.merging, UNIVERSALITY.id, command, max_memory)


CONSTRUCTION = Construction(
    id="affine",
    statement="0/1 backbone for targets with biases and d_out outputs: a program of d + 1 rows, N as for d_out",
    source=SOURCE,
    parameters=(OUT, RESIDUAL_OPTION),
    emit=_emit,
    theorems=(UNIVERSALITY,),
    modules=({"H": 2, "L": 2, "d": 3, "k": 3}, {"H": 2, "L": 2, "d": 3, "k": 3, "residual": True}),
    form=form_of,
)
