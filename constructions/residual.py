"""Residual backbones: both networks add each layer to what it read, and a path may skip a layer.

Main definitions: `routing`, `UNIVERSALITY`.
Main result: with its own matrices in every layer a residual backbone is universal for all residual targets; with one
set for all layers it is universal for residual targets that do the same, and for no more than those if L >= 2.
Source: symut's extension of Fixed Universal Transformers, Theorems 3.1 and 3.2, to residual connections.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from constructions import layouts
from constructions.emission import emit_statement
from symut.backbone import Routing
from symut.backbone.forms import RESIDUAL, SHARED_RESIDUAL, Form, FormShape, form_count
from symut.errors import UsageError
from symut.statement import FormStatement, Step
from symut.theorem import CHOICE, FLAG, SIZES, Construction, Parameter, Theorem, Values, fixed_form

if TYPE_CHECKING:
    from symut.emitter import Fit
    from symut.prover import Argument, Context, Undecided

SOURCE = "symut, extending Fixed Universal Transformers, Theorems 3.1 and 3.2"
ALL, SHARED = "all", "shared"
SHARE = Parameter("shared", "use the same matrices in every layer", FLAG)


def form_of(values: Values) -> Form:
    """The form that --shared chooses."""
    return SHARED_RESIDUAL if values["shared"] else RESIDUAL


def layout(shape: FormShape, width: int | None = None) -> Routing:
    """The shifting layout (h::p to p) for shared matrices, else the merging one ((0...0, h)::p to (0...0)::p)."""
    return layouts.shifting(shape, width) if shape.form.shared else layouts.merging(shape, width)


def routing(H: int, L: int, d: int, k: int, width: int | None = None, shared: bool = False) -> Routing:
    """The 0/1 backbone of width N (or `width`) for residual targets."""
    return layout(FormShape(SHARED_RESIDUAL if shared else RESIDUAL, H, L, d, k), width)


def _state(values: Values) -> FormStatement:
    form = form_of(values)
    fixed_form(form, values)
    return FormStatement(form.goal, values["H"], values["L"], values["d"], values["k"], values["m"])


def _require_targets(values: Values) -> None:
    """Shared matrices cannot reach targets whose layers differ, unless there is one layer."""
    if values["shared"] and values["targets"] == ALL and values["L"] > 1:
        raise UsageError(
            "--shared cannot reach --targets all",
            expected="--targets shared",
            got="R_(0,h) = R_(h,0) in the backbone, while targets have W_(0,h) != W_(h,0)",
            remedy="drop --shared, or take --targets shared",
        )


def _notes(values: Values) -> list[Step]:
    """Both counts, and which targets are meant; --targets changes nothing here, it only guards --shared."""
    own, shared = (form_count(form, values["H"], values["L"]) for form in (RESIDUAL, SHARED_RESIDUAL))
    counts = (
        f"N = {own} with own matrices per layer, for all targets; N = {shared} with shared ones, for shared targets"
    )
    claim = "with one layer every target uses the same matrices in every layer"
    if values["L"] > 1:
        claim = "all residual targets include those that use the same matrices in every layer"
    targets = [Step("targets", claim, "definition")] if values["L"] == 1 or not values["shared"] else []
    return [Step("counts", counts, "counting slots"), *targets]


def _argue(values: Values, context: Context) -> Argument | Undecided:
    from symut.prover import form_universality

    _require_targets(values)
    return form_universality(_state(values), layout, layouts.moved, context, notes=_notes(values))


UNIVERSALITY = Theorem(
    id="residual_universality",
    statement="one 0/1 backbone with residual connections, and almost every one, simulates every residual target",
    source=SOURCE,
    parameters=(
        *SIZES,
        SHARE,
        Parameter(
            "targets",
            "all residual targets (the default without --shared), or those with the same matrices in every layer",
            CHOICE,
            choices=(ALL, SHARED),
            stated=False,
        ),
    ),
    state=_state,
    argue=_argue,
    instances=(
        {"H": 2, "L": 2},
        {"H": 2, "L": 3},
        {"H": 1, "L": 3},
        {"H": 2, "L": 2, "d": 3, "k": 3},
        {"H": 2, "L": 2, "shared": True},
        {"H": 2, "L": 3, "shared": True},
        {"H": 2, "L": 2, "d": 3, "k": 3, "shared": True},
        {"H": 2, "L": 2, "d": 3, "k": 3, "m": 60, "shared": True},
    ),
)


def _emit(chosen: Fit, values: Values, command: str, max_memory: int) -> Mapping[str, bytes]:
    sizes = chosen.shape
    statement = FormStatement(form_of(values).goal, sizes.H, sizes.L, sizes.d, sizes.k, chosen.m)
    return emit_statement(statement, layout, UNIVERSALITY.id, command, max_memory)


CONSTRUCTION = Construction(
    id="residual",
    statement="0/1 backbone with residual connections: a skip leaves every slot in its place",
    source=SOURCE,
    parameters=(SHARE,),
    emit=_emit,
    theorems=(UNIVERSALITY,),
    modules=({"H": 2, "L": 2, "d": 3, "k": 3}, {"H": 2, "L": 2, "d": 3, "k": 3, "shared": True}),
    form=form_of,
)
