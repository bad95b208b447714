"""Lower bounds: how narrow no universal backbone can be, and the exact widths that matching the scores needs.

Main definitions: `THEOREMS`, with `sharp_width`, `output_lower_bound`, `attention_matching_lower_bound` and
`head_width_obstruction`.
Main result: universality needs rank M(R) = N, so N is sharp; outputs alone need d H^L; at d = k = 1 matching scores and
outputs needs exactly sum_l H^l + H^L.
Source: Fixed Universal Transformers, Theorem 4.1 (m >= H^L / 2), sharpened by symut.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from constructions import scores
from constructions.sparse import merging, moved
from symut.backbone import Shape, slot_count
from symut.errors import UsageError, shown
from symut.statement import (
    ALONE,
    RANDOM,
    WITH_OUTPUTS,
    AttentionWidth,
    HeadWidthObstruction,
    OutputBound,
    ScoreMatchingBound,
    SharpWidth,
    SoftmaxOutputBound,
    Statement,
    Universality,
)
from symut.theorem import FLAG, GRID, SIZES, Parameter, Theorem, Values, fixed_shape

if TYPE_CHECKING:
    from symut.prover import Argument, Context, Undecided

SOURCE = "Fixed Universal Transformers, Theorem 4.1, sharpened by symut"
HEADS, LAYERS, D, K, M = SIZES


def _sharp(values: Values) -> SharpWidth:
    fixed_shape(values)
    return SharpWidth(values["H"], values["L"], values["d"], values["k"], values["m"])


def _argue_sharp(values: Values, context: Context) -> Argument | Undecided:
    from symut.prover.bounds import sharp_width

    shape, m = fixed_shape(values), values["m"]
    return _wide_enough(shape, m, context) if shape and m and m >= shape.N else sharp_width(_sharp(values), context)


def _wide_enough(shape: Shape, m: int, context: Context) -> Argument:
    """At m >= N the contrary holds: almost every backbone of this width is universal."""
    from symut.prover import almost_every_backbone, require_proof_memory

    H, L, d, k = shape.H, shape.L, shape.d, shape.k
    statement = Universality(RANDOM, H, L, d, k, m)
    require_proof_memory(statement, moved("merging", H, L, d, k), context)
    counterexample = (
        f"m = {m} is not below N = {shape.N}: almost every backbone of this width is universal (random_universality)"
    )
    return replace(almost_every_backbone(statement, merging(H, L, d, k), context), counterexample=counterexample)


SHARP_WIDTH = Theorem(
    id="sharp_width",
    statement="no backbone narrower than N is universal, and one is universal exactly if rank M(R) = N",
    source="symut; the converse of Fixed Universal Transformers, Theorem 3.2",
    parameters=(HEADS, LAYERS, D, K, replace(M, help="one width instead of all below N; needs --d and --k")),
    state=_sharp,
    argue=_argue_sharp,
    instances=(
        *GRID,
        {"H": 3, "L": 6},
        {"H": 2, "L": 2, "d": 3, "k": 3},
        {"H": 2, "L": 2, "d": 3, "k": 3, "m": 47},
    ),
)


def _outputs(values: Values) -> OutputBound:
    return OutputBound(values["H"], values["L"], values["d"], values["m"])


def _softmax_outputs(values: Values) -> SoftmaxOutputBound:
    return SoftmaxOutputBound(values["H"], values["L"], values["n"] or 2)


def _require_softmax_sizes(values: Values) -> None:
    for name in ("d", "m"):
        if values[name] is not None:
            raise UsageError(f"--softmax covers all d and m; --{name} says nothing", remedy=f"drop --{name}")
    if values["n"] == 1:
        raise UsageError("--n out of range", expected="at least 2 tokens", got="1", remedy="change --n")


def _require_output_sizes(values: Values) -> None:
    d, m = values["d"], values["m"]
    if values["n"] is not None:
        raise UsageError("--n needs --softmax", expected="a number of tokens for softmax", remedy="drop --n")
    if m is not None and d is None:
        raise UsageError("--m needs --d", expected="d H^L to compare with", got="no d")
    bound = slot_count(values["H"], values["L"]).per_d * (d or 1)
    if m is not None and m >= bound:
        expected = f"m < d H^L = {shown(bound)}; from there on outputs can be matched"
        raise UsageError("--m is not below the bound", expected=expected, got=str(m), remedy="lower --m")


def _argue_output(values: Values, context: Context) -> Argument | Undecided:
    from symut.prover.bounds import output_bound, softmax_output_bound

    if values["softmax"]:
        _require_softmax_sizes(values)
        return softmax_output_bound(_softmax_outputs(values), context)
    _require_output_sizes(values)
    return output_bound(_outputs(values), context)


OUTPUT_LOWER_BOUND = Theorem(
    id="output_lower_bound",
    statement="outputs alone need m >= d H^L, for constant attention functions and for one fixed softmax",
    source=SOURCE,
    parameters=(
        HEADS,
        LAYERS,
        replace(D, help="token width; without it the bound is for all d"),
        replace(M, help="one width instead of all below d H^L; needs --d"),
        Parameter("softmax", "one fixed attention function, softmax, with equal attention matrices", FLAG, False),
        Parameter("n", "tokens, with --softmax  [default: 2]"),
    ),
    state=lambda values: _softmax_outputs(values) if values["softmax"] else _outputs(values),
    argue=_argue_output,
    instances=(
        *GRID,
        {"H": 3, "L": 6},
        {"H": 2, "L": 2, "d": 3, "m": 11},
        *({"H": H, "L": L, "softmax": True} for H, L in ((2, 1), (2, 2), (3, 1), (3, 2), (2, 3))),
    ),
)


def _widths(values: Values) -> tuple[int, int]:
    """(d, k), by default (1, 1).

    Raises UsageError if only one of them is given, if k is above d, or if the scores alone are asked for beyond d = 1.
    """
    fixed_shape({**values, "m": None})
    d, k = (1, 1) if values["d"] is None else (values["d"], values["k"])
    if k > d:
        raise UsageError("--k is above --d", expected=f"a score rank of at most {d}", got=str(k), remedy="lower --k")
    if values["alone"] and d > 1:
        remedy = "drop --alone, both bounds are claimed together"
        raise UsageError("--alone is for d = k = 1", got=f"d = {d}", remedy=remedy)
    return d, k


def _exact(values: Values) -> AttentionWidth:
    return AttentionWidth(ALONE if values["alone"] else WITH_OUTPUTS, values["H"], values["L"])


def _matching(values: Values) -> Statement:
    d, k = _widths(values)
    return _exact(values) if d == 1 else ScoreMatchingBound(values["H"], values["L"], d, k)


def _argue_matching(values: Values, context: Context) -> Argument | Undecided:
    from symut.prover import bounds

    d, k = _widths(values)
    if d > 1:
        return bounds.score_matching_bound(ScoreMatchingBound(values["H"], values["L"], d, k), context)
    statement = _exact(values)
    if values["alone"]:
        return bounds.attention_width(statement, context)
    bounds.require_readoff_memory(statement, context)
    return bounds.attention_output_width(statement, scores.routing(statement.H, statement.L, 1, "outputs"), context)


ATTENTION_MATCHING = Theorem(
    id="attention_matching_lower_bound",
    statement="matching all scores and outputs at d = k = 1 needs exactly m = sum_l H^l + H^L; bounds for d > 1",
    source=SOURCE,
    parameters=(
        HEADS,
        LAYERS,
        replace(D, help="token width; goes together with --k  [default: 1]"),
        replace(K, help="score rank of the targets and head width of the backbone, at most d  [default: 1]"),
        Parameter("alone", "the scores alone, without the outputs (d = k = 1)", FLAG, False),
    ),
    state=_matching,
    argue=_argue_matching,
    instances=(
        *GRID,
        *({**shape, "alone": True} for shape in GRID),
        *({**shape, "d": width, "k": width} for shape in GRID for width in (2, 4)),
        {"H": 2, "L": 2, "d": 3, "k": 2},
        {"H": 2, "L": 2, "d": 3, "k": 3},
    ),
)


def _obstruction(values: Values) -> HeadWidthObstruction:
    return HeadWidthObstruction(values["m"])


def _argue_obstruction(values: Values, context: Context) -> Argument | Undecided:
    from symut.prover.bounds import head_width_obstruction

    return head_width_obstruction(_obstruction(values))


HEAD_WIDTH_OBSTRUCTION = Theorem(
    id="head_width_obstruction",
    statement="with head width k = m an open set of backbones misses all targets with negative scores",
    source="symut; why matching scores needs a hypothesis on the head width",
    parameters=(Parameter("m", "width and head width of the backbone", default=2),),
    state=_obstruction,
    argue=_argue_obstruction,
    instances=({"m": 2}, {"m": 1}, {"m": 3}, {"m": 4}),
)

THEOREMS = (SHARP_WIDTH, OUTPUT_LOWER_BOUND, ATTENTION_MATCHING, HEAD_WIDTH_OBSTRUCTION)
