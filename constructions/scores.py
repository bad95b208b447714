"""Score-matching backbones: only Q K^T is matched, so queries carry the scores and keys are shared or read off.

Main definitions: `routing`, `UNIVERSALITY`.
Main result: for attention functions of the scores, width d (sum_l (H^l + H^(l-1)) + H^L) serves all targets with one
key matrix per layer, and d (sum_l H^l + H^L) those whose scores factor through the outputs of the first heads.
Source: symut's extension of Fixed Universal Transformers, Theorems 3.1 and 3.2, to attention functions of the scores.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from constructions import layouts
from constructions.emission import emit_statement
from symut.backbone import Routing, slot_count
from symut.backbone.forms import READOFF_KEY, SHARED_KEY, Form, FormShape, form_count
from symut.statement import FormStatement, Step
from symut.theorem import CHOICE, GRID, SIZES, Construction, Parameter, Theorem, Values, fixed_form

if TYPE_CHECKING:
    from symut.emitter import Fit
    from symut.prover import Argument, Context, Undecided

SOURCE = "symut, extending Fixed Universal Transformers, Theorems 3.1 and 3.2"
FORMS = {"shared": SHARED_KEY, "outputs": READOFF_KEY}
KEYS = Parameter(
    "keys",
    "one key matrix per layer that all heads share (all targets), or keys read off the outputs (targets with "
    "WQ WK^T = F (WV_{l,1} ... WV_{L,1})^T)",
    CHOICE,
    "shared",
    tuple(FORMS),
)


def form_of(values: Values) -> Form:
    """The form that --keys chooses."""
    return FORMS[values["keys"]]


def routing(H: int, L: int, d: int, keys: str = "shared", width: int | None = None) -> Routing:
    """The merging layout with queries of d columns; `keys` is "shared" or "outputs" (then the routing has no keys)."""
    return layouts.merging(FormShape(FORMS[keys], H, L, d, d), width)


def _state(values: Values) -> FormStatement:
    form = form_of(values)
    fixed_form(form, values)
    return FormStatement(form.goal, values["H"], values["L"], values["d"], values["k"], values["m"])


def _comparison(values: Values) -> Step:
    """When matching scores takes less width than matching queries and keys."""
    H, L, d, k = (values[name] for name in "HLdk")
    form = form_of(values)
    condition = "2k > d (1 + 1/H)" if form == SHARED_KEY else "2k > d"
    narrow, wide = form_count(form, H, L), slot_count(H, L)
    if d is None:
        claim = f"{narrow} is below {wide}, the N for all attention functions, exactly if {condition}"
        return Step("comparison", claim, "difference of both counts")
    here, there = narrow.at(d, k), wide.at(d, k)
    relation = "below" if here < there else "above" if here > there else "equal to"
    claim = f"{here} is {relation} {there}, the N for all attention functions; it is below exactly if {condition}"
    return Step("comparison", claim, "difference of both counts")


def _argue(values: Values, context: Context) -> Argument | Undecided:
    from symut.prover import form_universality

    return form_universality(_state(values), layouts.merging, layouts.moved, context, notes=(_comparison(values),))


UNIVERSALITY = Theorem(
    id="score_matching_universality",
    statement="for attention functions of the scores Q K^T a narrower 0/1 backbone, and almost every one, is universal",
    source=SOURCE,
    parameters=(*SIZES, KEYS),
    state=_state,
    argue=_argue,
    instances=(
        *GRID,
        {"H": 2, "L": 2, "d": 3, "k": 3},
        *({**shape, "keys": "outputs"} for shape in GRID),
        {"H": 2, "L": 2, "d": 3, "k": 3, "keys": "outputs"},
        {"H": 2, "L": 2, "d": 3, "k": 3, "m": 32, "keys": "outputs"},
    ),
)


def _emit(chosen: Fit, values: Values, command: str, max_memory: int) -> Mapping[str, bytes]:
    sizes = chosen.shape
    statement = FormStatement(form_of(values).goal, sizes.H, sizes.L, sizes.d, sizes.k, chosen.m)
    return emit_statement(statement, layouts.merging, UNIVERSALITY.id, command, max_memory)


CONSTRUCTION = Construction(
    id="scores",
    statement="0/1 backbone of head width d that matches scores: one key per layer, or keys read off the outputs",
    source=SOURCE,
    parameters=(KEYS,),
    emit=_emit,
    theorems=(UNIVERSALITY,),
    modules=({"H": 2, "L": 2, "d": 3, "k": 3}, {"H": 2, "L": 2, "d": 3, "k": 3, "keys": "outputs"}),
    form=form_of,
)
