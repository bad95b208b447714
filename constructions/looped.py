"""Looped backbones: one set of matrices, used in every layer, and a 0/1 one of width N that shifts paths.

Main definitions: `routing`, `UNIVERSALITY`.
Main result: a looped backbone is universal for all targets, looped or not, with the N of layered ones.
Source: symut's extension of Fixed Universal Transformers, Theorems 3.1 and 3.2, to one set of weights.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import TYPE_CHECKING

from constructions import layouts
from constructions.emission import emit_statement
from constructions.generic import LAW, STORED, require_seeded, weights_file
from symut.backbone import Routing
from symut.backbone.forms import LOOPED, FormShape
from symut.errors import UsageError
from symut.statement import FormStatement
from symut.theorem import SEED, SIZES, Construction, Parameter, Theorem, Values, fixed_form

if TYPE_CHECKING:
    from symut.emitter import Fit
    from symut.prover import Argument, Context, Undecided

SOURCE = "symut, extending Fixed Universal Transformers, Theorems 3.1 and 3.2"


def routing(H: int, L: int, d: int, k: int, width: int | None = None) -> Routing:
    """The shifting layout: query and key slots h::p move to p, the output slots are a shift register."""
    return layouts.shifting(FormShape(LOOPED, H, L, d, k), width)


def _state(values: Values, weights: bytes | None = None) -> FormStatement:
    fixed_form(LOOPED, values)
    digest = None if weights is None else hashlib.sha256(weights).hexdigest()
    return FormStatement(LOOPED.goal, values["H"], values["L"], values["d"], values["k"], values["m"], digest)


def _argue(values: Values, context: Context) -> Argument | Undecided:
    from symut.prover import form_universality

    require_seeded(values)
    shape = fixed_form(LOOPED, values)
    if values["seed"] is None or (shape and values["m"] is not None and values["m"] < shape.N):
        return form_universality(_state(values), layouts.shifting, layouts.moved, context)
    if shape is None:
        raise UsageError("--seed needs --d and --k", expected="the shape of one backbone", got="no d, k")
    return _argue_for_seed({**values, "m": values["m"] or shape.N}, shape, context)


def _argue_for_seed(values: Values, shape: FormShape, context: Context) -> Argument | Undecided:
    from symut.prover import Argument, add_stored_backbone, form_universality, require_rank_memory

    m = values["m"]
    require_rank_memory(shape, m, context)
    tensors, content = weights_file(shape, m, values["seed"], values["distribution"], values["dtype"], shared=True)
    general = form_universality(_state(values, content), layouts.shifting, layouts.moved, context)
    if not isinstance(general, Argument):
        return general
    return add_stored_backbone(general, shape, tensors, content, context)


UNIVERSALITY = Theorem(
    id="looped_universality",
    statement="one 0/1 backbone of width N with the same matrices in every layer, and almost every one, is universal",
    source=SOURCE,
    parameters=(
        *SIZES,
        Parameter("seed", "also certify the very backbone that `emit random --shared --seed` writes", SEED),
        LAW,
        STORED,
    ),
    state=_state,
    argue=_argue,
    instances=(
        {"H": 2, "L": 2},
        {"H": 2, "L": 3},
        {"H": 1, "L": 3},
        {"H": 3, "L": 2},
        {"H": 2, "L": 2, "d": 3, "k": 3},
        {"H": 2, "L": 2, "d": 3, "k": 3, "m": 50},
        {"H": 2, "L": 2, "d": 3, "k": 3, "m": 48, "seed": 0},
    ),
)


def _emit(chosen: Fit, values: Values, command: str, max_memory: int) -> Mapping[str, bytes]:
    sizes = chosen.shape
    statement = FormStatement(LOOPED.goal, sizes.H, sizes.L, sizes.d, sizes.k, chosen.m)
    return emit_statement(statement, layouts.shifting, UNIVERSALITY.id, command, max_memory)


CONSTRUCTION = Construction(
    id="looped",
    statement="0/1 backbone with the same matrices in every layer: heads shift paths by one letter",
    source=SOURCE,
    parameters=(),
    emit=_emit,
    theorems=(UNIVERSALITY,),
    modules=({"m": 48},),
    form=lambda values: LOOPED,
)
