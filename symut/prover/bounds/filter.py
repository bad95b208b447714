"""Lower bounds on score matching by filtered rank, and the exact widths at d = k = 1.

Main definitions: `attention_output_width`, `attention_width`, `score_matching_bound`, `filter_part`.
Main result: matching all scores peels the layers off one by one; the dimensions add up to the recursion
G_{j+1} = H G_j + (H - 1) s_j, W = s_L + G_L (lemma filtered-rank; proofs/FORMAT.md, rule G).
Source: Fixed Universal Transformers, Theorem 4.1, which has m >= H^L / 2.
"""

from __future__ import annotations

from math import comb
from typing import Any

from symut.backbone.forms import READOFF_KEY, FormShape
from symut.backbone.routing import Routing
from symut.certificate import Certificate
from symut.errors import UsageError
from symut.limits import require_memory
from symut.prover.argument import Argument, Context
from symut.prover.bounds.quadratic import forms_step, quadratic_forms, require_forms_memory
from symut.prover.bounds.spanning import ones_and_identity, require_basis
from symut.prover.identity import match_paths
from symut.prover.sizes import BYTES_PER_MOVE, BYTES_PER_UNIT, require_checkable
from symut.statement import ALONE, CITED, WITH_OUTPUTS, AttentionWidth, ScoreMatchingBound, Step

FILTERED = "filtered-rank"
SCORE_PROBES = "score-probes-force-matching"
FACTOR_LIMIT, WORK_LIMIT = 1000, 3 * 10**7
"""Limits of n = L H (2kd - k^2) and of L n^2: beyond, the inequalities of rule G have too many digits."""


def grows_faster(degree: int, n: int) -> bool:
    """C(n0 + n, n) > C(2 n0 + n - 1, n - 1) for n0 = degree."""
    return comb(degree + n, n) > comb(2 * degree + n - 1, n - 1)


def filter_degree(sizes: list[int]) -> int:
    """The least power of two that is at least 2^(n - 1) for the largest n and grows faster for every n."""
    degree = 1 << (max(sizes) - 1)
    while not all(grows_faster(degree, n) for n in sorted(sizes, reverse=True)):
        degree *= 2
    return degree


def fits_filter(H: int, L: int, freedom: int) -> bool:
    """Whether the inequalities have few enough digits for check.py."""
    n = L * H * freedom
    return n <= FACTOR_LIMIT and L * n * n <= WORK_LIMIT


def require_filter(H: int, L: int, freedom: int, context: Context) -> None:
    """Refuse sizes whose inequalities would have too many digits; `freedom` is 2kd - k^2."""
    require_basis(H, 1, context)
    if not fits_filter(H, L, freedom):
        n = L * H * freedom
        expected = f"n = L H (2kd - k^2) with n <= {FACTOR_LIMIT} and L n^2 <= {WORK_LIMIT}"
        raise UsageError("too large for check.py", expected=expected, got=f"n = {n}", remedy="take a smaller size")


def filter_part(H: int, L: int, freedom: int, context: Context) -> dict[str, Any]:
    """The certificate's field `filter`; `freedom` is 2kd - k^2, the dimension of the score matrices of rank k."""
    require_filter(H, L, freedom, context)
    basis = ones_and_identity(H)
    degree = filter_degree([j * H * freedom for j in range(1, L + 1)])
    return {"basis": basis.basis, "inverse": basis.inverse, "scale": basis.scale, "degree": degree}


def filter_steps(H: int, L: int, freedom: int, bound: str) -> list[Step]:
    """The inequality that the certificate shows, and the lemma that turns it into the bound."""
    return [
        Step(
            "counting",
            f"monomials of degree at most n0 outnumber those of degree at most 2 n0 in one variable less, for "
            f"n = {H * freedom} j, j = 1..{L}: C(n0 + n, n) > C(2 n0 + n - 1, n - 1)",
            "binomial coefficients",
        ),
        Step(
            "filtration",
            f"peeling one layer at a time with the dual basis of ones + identity gives m >= {bound}",
            f"lemma {FILTERED}",
            CITED,
        ),
    ]


def _comparison(statement: AttentionWidth) -> Step:
    """What the paper has, and the other exact minimum, which has its own artifact."""
    H, L = statement.H, statement.L
    other = AttentionWidth(ALONE if statement.goal == WITH_OUTPUTS else WITH_OUTPUTS, H, L)
    option = " --alone" if other.goal == ALONE else ""
    alone = f"sum_l H^l = {AttentionWidth(ALONE, H, L).width} for the attention alone"
    if (H, L) == (1, 1):
        alone = "2 for the attention alone (not sum_l H^l = 1, because a square has one sign)"
    return Step(
        "comparison",
        f"the paper's Theorem 4.1 has m >= H^L / 2 = {_half(H**L)}, which is weaker; the exact minima are {alone} and "
        f"sum_l H^l + H^L = {AttentionWidth(WITH_OUTPUTS, H, L).width} with outputs",
        f"attention_matching_lower_bound{option} --H {H} --L {L} proves the other one",
        CITED,
    )


def _half(number: int) -> str:
    return str(number // 2) if number % 2 == 0 else f"{number}/2"


def attention_output_width(statement: AttentionWidth, routing: Routing, context: Context) -> Argument:
    """The exact width with outputs (goal attention_output_width); `routing` is a read-off backbone with d = 1."""
    H, L = statement.H, statement.L
    found = filter_part(H, L, 1, context)
    matched = match_paths(routing, FormShape(READOFF_KEY, H, L, 1, 1))
    upper = Step(
        "backbone",
        "the 0/1 backbone with RK_l = RV_{l,1} ... RV_{L,1} U and the program of words v_p q_{l,h} / (v_{l,1} ... "
        f"v_{{L,1}}) and v_p has width {statement.width} and matches all {matched} slots",
        "words, path by path",
    )
    steps = (*filter_steps(H, L, 1, statement.width), upper, _comparison(statement))
    tables = {name: getattr(routing, name) for name in ("slots", "queries", "values", "readout")}
    parts = {"filter": found, "routing": tables}
    return Argument(statement, Certificate(statement.sha256, parts=parts), steps, (FILTERED,))


def require_readoff_memory(statement: AttentionWidth, context: Context) -> None:
    """Refuse a width whose routing would not fit, before it is built."""
    require_filter(statement.H, statement.L, 1, context)
    predicted = statement.minimum * (BYTES_PER_UNIT + BYTES_PER_MOVE * statement.H)
    require_memory(predicted, context.max_memory, f"a proof with {statement.minimum:.3g} slots")
    shape = FormShape(READOFF_KEY, statement.H, statement.L, 1, 1)
    moved = statement.H * sum(shape.state_width(layer + 1) for layer in range(1, shape.L + 1))
    require_checkable(shape, moved, shape.N)


def attention_width(statement: AttentionWidth, context: Context) -> Argument:
    """The exact width for the attention alone (goal attention_width)."""
    H, L = statement.H, statement.L
    require_forms_memory(statement, context)
    if (H, L) == (1, 1):
        lower, steps, cited = {"signs": [1, -1]}, [_signs_step()], ()
    else:
        lower = {"filter": filter_part(H, L, 1, context)}
        steps, cited = filter_steps(H, L, 1, statement.width), (FILTERED,)
    parts = {**lower, "forms": quadratic_forms(H, L)}
    steps = (*steps, forms_step(statement), _comparison(statement))
    return Argument(statement, Certificate(statement.sha256, parts=parts), steps, cited)


def _signs_step() -> Step:
    claim = "with width 1 the product (e RQ)(e RK) = e^2 RQ RK is not both 1 and -1"
    return Step("signs", claim, "one square")


def score_matching_bound(statement: ScoreMatchingBound, context: Context) -> Argument:
    """Lower bounds for score rank k <= d (goal score_matching_lower_bound)."""
    H, L, d, k = statement.H, statement.L, statement.d, statement.k
    freedom = 2 * k * d - k * k
    found = filter_part(H, L, freedom, context)
    bounds = f"{statement.width} with outputs, {statement.bound(False)} without"
    exact = "" if k < d else ", and d (sum_l H^l + H^L) is attained by the read-off form"
    steps = (
        *filter_steps(H, L, freedom, bounds),
        Step(
            "probes",
            "universality for all attention functions of the scores forces scores and outputs to match path by path",
            f"lemma {SCORE_PROBES}",
            CITED,
        ),
        Step(
            "comparison",
            f"the paper's Theorem 4.1 has m >= H^L / 2 = {_half(H**L)}, which is weaker{exact}",
            "comparing numbers",
        ),
    )
    return Argument(statement, Certificate(statement.sha256, parts={"filter": found}), steps, (FILTERED, SCORE_PROBES))
