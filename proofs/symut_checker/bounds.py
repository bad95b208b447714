"""The goals that bound the width of a backbone from below, or give it exactly (FORMAT.md, section 10)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

from .balls import rule_balls
from .bound_claims import CLAIMS
from .filter import MAX_SCORES, rule_filter, rule_signs
from .forms import rule_form_routing
from .goal import Goal, Table, Weights, always
from .kernel import rule_kernel
from .obstruction import rule_obstruction
from .quadratic import rule_forms
from .spanning import rule_spanning
from .strict import fields, integers, need
from .universality import MATCHING, named_bytes
from .widths import Case, attention_width, freedom, number_of_slots, output_width


class Rules(NamedTuple):
    """A goal by its parameters, the fields of its certificate, its rules and the lemmas it cites."""

    parameters: tuple[str, ...]
    parts: Callable[[Case], list[str]]
    rules: Callable[[Case, Table, Weights], None]
    cited: Callable[[Case], tuple[str, ...]]
    null: tuple[str, ...] = ()  # the parameters that may be null


def reader(goal: str) -> Callable[[Any], Case]:
    def read(parameters: Any) -> Case:
        where, (names, _, _, _, null) = "statement.parameters", RULES[goal]
        values = fields(parameters, where, names)
        sizes = {name: values[name] for name in names if name != "weights"}
        given = [x for name, x in sizes.items() if x is not None or name not in null]
        integers(given, where, 1, math.inf)
        case = Case(**values)
        consistent(goal, case, where)
        return case

    return read


def consistent(goal: str, st: Case, where: str) -> None:
    """What the parameters of one goal say about each other."""
    if goal == "sharp_width":
        need((st.d is None) == (st.k is None), f"{where}: d and k must be both integers or both null")
    if goal in ("sharp_width", "output_lower_bound"):
        need(st.d is not None or st.m is None, f"{where}: m must be null if d is")
        least = number_of_slots(st) if goal == "sharp_width" else output_width(st)
        need(st.m is None or st.m < least.at(st.d or 1, st.k or 1), f"{where}.m: not below the width that is needed")
    if goal == "singular_backbone":
        hexadecimal = type(st.weights) is str and len(st.weights) == 64 and set(st.weights) <= set("0123456789abcdef")
        need(hexadecimal, f"{where}.weights: expected 64 lower-case hexadecimal digits")
    if goal == "softmax_output_lower_bound":
        need(st.n >= 2, f"{where}.n: must be at least 2")
    if goal == "score_matching_lower_bound":
        need((st.k or 1) <= (st.d or 1), f"{where}: k must not exceed d")
        need(st.L * st.H * freedom(st) <= MAX_SCORES, f"{where}: L H (2kd - k^2) exceeds {MAX_SCORES}, too large")


def spanning(st: Case, table: Table, _: Weights) -> None:
    rule_spanning(st.H, st.L, table["spanning"])


def singular(st: Case, table: Table, weights: Weights) -> None:
    rule_spanning(st.H, st.L, table["spanning"])
    d, k, m = st.d or 1, st.k or 1, st.m or 1
    N = number_of_slots(st).at(d, k)
    rule_kernel(st.H, st.L, d, k, m, N, table["kernel"], named_bytes(st.weights or "", weights))


def softmax(st: Case, table: Table, _: Weights) -> None:
    rule_balls(st.H, st.L, st.n, rule_spanning(st.H, st.L, table["spanning"]), table["targets"])


def scores_and_outputs(st: Case, table: Table, _: Weights) -> None:
    rule_filter(st.H, st.L, 1, table["filter"])
    rule_form_routing("readoff_key_universality", st.H, st.L, 1, 1, None, table["routing"])


def scores_alone(st: Case, table: Table, _: Weights) -> None:
    if "signs" in table:
        rule_signs(table["signs"])
    else:
        rule_filter(st.H, st.L, 1, table["filter"])
    rule_forms(st.H, st.L, attention_width(st, 0), table["forms"])


def matched_scores(st: Case, table: Table, _: Weights) -> None:
    rule_filter(st.H, st.L, freedom(st), table["filter"])


def obstruction(st: Case, table: Table, _: Weights) -> None:
    rule_obstruction(st.m or 1, table["ball"])


def having(*names: str) -> Callable[[Case], list[str]]:
    return lambda _: list(names)


PROBES, KRONECKER = "probes-force-path-matching", "kronecker-product-of-invertible-matrices"
FILTERED = "filtered-rank"
SCORE_PROBES = "score-probes-force-matching"

RULES = {
    "sharp_width": Rules(
        ("H", "L", "d", "k", "m"), having("spanning"), spanning, always(MATCHING, KRONECKER, PROBES), ("d", "k", "m")
    ),
    "singular_backbone": Rules(
        ("H", "L", "d", "k", "m", "weights"), having("spanning", "kernel"), singular, always(KRONECKER, PROBES)
    ),
    "output_lower_bound": Rules(("H", "L", "d", "m"), having("spanning"), spanning, always(KRONECKER), ("d", "m")),
    "softmax_output_lower_bound": Rules(("H", "L", "n"), having("spanning", "targets"), softmax, always(KRONECKER)),
    "attention_output_width": Rules(("H", "L"), having("filter", "routing"), scores_and_outputs, always(FILTERED)),
    "attention_width": Rules(
        ("H", "L"),
        lambda st: ["signs" if (st.H, st.L) == (1, 1) else "filter", "forms"],
        scores_alone,
        lambda st: () if (st.H, st.L) == (1, 1) else (FILTERED,),
    ),
    "score_matching_lower_bound": Rules(
        ("H", "L", "d", "k"), having("filter"), matched_scores, always(FILTERED, SCORE_PROBES)
    ),
    "head_width_obstruction": Rules(("m",), having("ball"), obstruction, always()),
}


def goal(name: str) -> Goal:
    def parts(st: Case) -> tuple[list[str], list[str]]:
        return RULES[name].parts(st), []

    def claims(st: Case, _: Table) -> list[str]:
        return CLAIMS[name](st)

    return Goal(reader(name), parts, claims, RULES[name].rules, RULES[name].cited)


GOALS = {name: goal(name) for name in RULES}
