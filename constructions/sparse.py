"""The sparse 0/1 backbones: one coordinate per slot, width exactly N, universal for every target.

Main definitions: `projector`, `merging`, `routing`.
Main result: M(S) is the identity in canonical slot order, so the program is B(W) itself.
Source: Fixed Universal Transformers, Theorem 3.1 (explicit sparse construction).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import TYPE_CHECKING

from constructions import layouts
from symut.backbone import Move, Routing, degree, slot_count, slots
from symut.backbone.forms import LAYERED, FormShape
from symut.statement import SPARSE, Universality
from symut.theorem import CHOICE, GRID, SIZES, Construction, Parameter, Theorem, Values, fixed_shape

if TYPE_CHECKING:
    from symut.emitter import Fit
    from symut.prover import Argument, Context, Undecided


def merging(H: int, L: int, d: int, k: int, width: int | None = None) -> Routing:
    """The merging layout of `constructions.layouts`: layer l moves the slots of h::p onto the slots of 1::p."""
    return layouts.merging(FormShape(LAYERED, H, L, d, k), width)


def projector(H: int, L: int, d: int, k: int, width: int | None = None) -> Routing:
    """RV_{l,h} projects on the slots whose l-th path letter is h; every slot stays where it is."""
    table = slots(H, L, d, k)
    reads: dict[tuple[str, int, int, int], list[int]] = defaultdict(list)
    keeps: dict[tuple[int, int], list[int]] = defaultdict(list)
    for coordinate, (role, path, head, column) in enumerate(table):
        reads[role, len(path) + 1, head, column].append(coordinate)
        for layer, letter in enumerate(path, 1):
            keeps[layer, letter].append(coordinate)
    heads, layers = range(1, H + 1), range(1, L + 1)
    return Routing(
        slots=list(range(len(table))) + [-1] * (0 if width is None else width - len(table)),
        queries=[[[reads["Q", layer, head, c] for c in range(k)] for head in heads] for layer in layers],
        keys=[[[reads["K", layer, head, c] for c in range(k)] for head in heads] for layer in layers],
        values=[[layouts.joined(Move(c, c, 1) for c in keeps[layer, head]) for head in heads] for layer in layers],
        readout=[reads["U", L + 1, 0, c] for c in range(d)],
    )


FORMS = {"merging": merging, "projector": projector}


def moved(form: str, H: int, L: int, d: int, k: int) -> int:
    """How many coordinates all heads move: every state but the first in the merging form, every letter otherwise."""
    if form == "merging":
        return layouts.moved(FormShape(LAYERED, H, L, d, k))
    return degree(H, L).at(d, k) - slot_count(H, L).at(d, k)


def _state(values: Values) -> Universality:
    return Universality(SPARSE, values["H"], values["L"], values["d"], values["k"], values["m"])


def _argue(values: Values, context: Context) -> Argument | Undecided:
    from symut.prover import below_threshold, fixed_backbone, require_proof_memory

    shape = fixed_shape(values)
    statement = _state(values)
    if shape and values["m"] is not None and values["m"] < shape.N:
        return below_threshold(shape, values["m"], context)
    d, k = (shape.d, shape.k) if shape else (1, 1)
    require_proof_memory(statement, moved(values["form"], values["H"], values["L"], d, k), context)
    return fixed_backbone(statement, FORMS[values["form"]](values["H"], values["L"], d, k, values["m"]), context)


UNIVERSALITY = Theorem(
    id="sparse_universality",
    statement="one 0/1 backbone of width N simulates every target when only its embedding E changes",
    source="Fixed Universal Transformers, Theorem 3.1",
    parameters=(
        *SIZES,
        Parameter(
            "form",
            "merging form (heads move their slots together) or projector form (slots stay)",
            CHOICE,
            "merging",
            tuple(FORMS),
        ),
    ),
    state=_state,
    argue=_argue,
    instances=(
        *GRID,
        {"H": 2, "L": 2, "form": "projector"},
        {"H": 2, "L": 2, "d": 3, "k": 3},
        {"H": 2, "L": 2, "d": 3, "k": 3, "m": 50},
    ),
)


def _emit(chosen: Fit, values: Values, command: str, max_memory: int) -> Mapping[str, bytes]:
    from symut.emitter import emit, routing_file

    shape, m = chosen.shape, chosen.m
    statement = Universality(SPARSE, shape.H, shape.L, shape.d, shape.k, m)
    return emit(
        "sparse",
        shape,
        m,
        weights=lambda: routing_file(shape, merging(shape.H, shape.L, shape.d, shape.k, m)),
        command=command,
        theorems=(UNIVERSALITY.id,),
        statement_hash=statement.sha256,
        max_memory=max_memory,
    )


CONSTRUCTION = Construction(
    id="sparse",
    statement="0/1 backbone in merging form: a layer is a split, one attention call, and a sum over heads",
    source="Fixed Universal Transformers, Theorem 3.1",
    parameters=(),
    emit=_emit,
    theorems=(UNIVERSALITY,),
    modules=({"m": 48}, {"H": 1, "L": 3, "d": 4, "k": 2}),
)
