"""What the proofs of lower bounds show beside their steps, by the class of the statement.

Main definitions: `bound_context`.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import singledispatch
from typing import Any

from symut.backbone.forms import LAYERED
from symut.backbone.paths import slots
from symut.backbone.shape import slot_count
from symut.prover.argument import Argument
from symut.prover.exposition.words import latex_count, times, word
from symut.statement import (
    WITH_OUTPUTS,
    AttentionWidth,
    Bound,
    HeadWidthObstruction,
    OutputBound,
    ScoreMatchingBound,
    SharpWidth,
    SingularBackbone,
    SoftmaxOutputBound,
    score_bound,
    score_ranks,
)

ROWS_SHOWN, DIGITS_SHOWN = 40, 24
"""Rows of a table, and digits of a number, before they are cut."""
_COEFFICIENTS = {1: "+", -1: "-", 2: "+ 2"}


def bound_context(statement: Bound, argument: Argument) -> dict[str, Any]:
    """The names that a template of section 10 uses."""
    names = ("H", "L", "d", "k", "n", "m")
    sizes = [(name, getattr(statement, name, None)) for name in names]
    parts = dict(argument.certificate.parts) if argument.certificate else {}
    return {
        "sections": "sections 1 and 10",
        "sizes": [(name, size) for name, size in sizes if size is not None],
        "counterexample": argument.counterexample,
        **_details(statement, parts),
    }


@singledispatch
def _details(statement: Bound, parts: dict[str, Any]) -> dict[str, Any]:
    return parts


@_details.register
def _(statement: SharpWidth, parts: dict[str, Any]) -> dict[str, Any]:
    return {"N": latex_count(statement.width)}


@_details.register
def _(statement: OutputBound, parts: dict[str, Any]) -> dict[str, Any]:
    return {"paths": slot_count(statement.H, statement.L).per_d, "bound": latex_count(statement.width)}


def _shortened(number: int) -> str:
    text = str(number)
    return text if len(text) <= DIGITS_SHOWN else f"{text[:10]}... ({len(text.lstrip('-'))} digits)"


@_details.register
def _(statement: SingularBackbone, parts: dict[str, Any]) -> dict[str, Any]:
    listed = slots(statement.H, statement.L, statement.d, statement.k)
    used = [(number, x) for number, x in enumerate(parts["kernel"]) if x]
    rows = [
        {
            "number": number,
            "word": word(LAYERED, listed[number]),
            "column": listed[number].column + 1,
            "entry": _shortened(x),
        }
        for number, x in used[:ROWS_SHOWN]
    ]
    return {"N": statement.width, "used": len(used), "kernel_rows": rows}


def _rational(pair: Sequence[int]) -> str:
    return str(Fraction(*pair))


@_details.register
def _(statement: SoftmaxOutputBound, parts: dict[str, Any]) -> dict[str, Any]:
    first = parts["targets"][0]
    points = [{"x": ", ".join(map(_rational, p["x"])), "token": p["token"]} for p in first["points"][:ROWS_SHOWN]]
    return {
        "paths": slot_count(statement.H, statement.L).per_d,
        "bound": latex_count(statement.width),
        "heads": " | ".join(f"head {h}" for h in range(1, statement.H + 1)),
        "rule": " | ".join(["---:"] * statement.H),
        "queries": [" | ".join(map(_rational, layer)) for layer in first["queries"]],
        "first": ", ".join("1" * statement.L),
        "points": points,
    }


def _recursion(statement: AttentionWidth | ScoreMatchingBound, outputs: bool) -> dict[str, Any]:
    """s_j and G_j for j = 0..L, at most the first 40 rows."""
    H, L, d, k = statement.H, statement.L, statement.d, statement.k
    ranks, gathered, rows = score_ranks(H, L, d, k, outputs), 0, []
    for j, rank in enumerate(ranks):
        rows.append({"j": j, "s": rank, "G": gathered})
        gathered = H * gathered + (H - 1) * rank
    freedom = 2 * k * d - k * k
    scores = times(H * freedom, "j")
    needed = scores if d == 1 else rf"\lceil {scores} / {d} \rceil"
    title, own = ("With outputs", f"{d} + ") if outputs else ("For the scores alone", "")
    bound = score_bound(H, L, d, k, outputs)
    return {"title": title, "formula": f"$s_j = {own}{needed}$", "rows": rows[:ROWS_SHOWN], "bound": bound}


def _filter(statement: AttentionWidth | ScoreMatchingBound, parts: dict[str, Any]) -> dict[str, Any]:
    freedom = 2 * statement.k * statement.d - statement.k**2
    degree = parts["filter"]["degree"] if "filter" in parts else 1
    return {
        "degree": f"2^{{{degree.bit_length() - 1}}}",
        "step": times(statement.H * freedom, "j"),
        "gathered": " + ".join(filter(None, (times(statement.H, "G_j"), times(statement.H - 1, "s_j")))),
        "freedom": freedom,
        "half": f"{statement.H}^{{{statement.L}}}/2",
    }


def _reads(entries: Sequence[Any]) -> str:
    """A linear form in LaTeX from coordinates, or from pairs (coordinate, coefficient)."""
    pairs = [entry if isinstance(entry, list) else [entry, 1] for entry in entries]
    terms = [f"{_COEFFICIENTS[factor]} e_{{{coordinate}}}" for coordinate, factor in pairs]
    return " ".join(terms).removeprefix("+ ")


def _moves(moves: Sequence[Any]) -> str:
    ranges = [(s, t) if n == 1 else (f"{s}-{s + n - 1}", f"{t}-{t + n - 1}") for s, t, n in moves[:ROWS_SHOWN]]
    return "; ".join(f"{source} to {target}" for source, target in ranges) or "nothing"


def _routes(tables: dict[str, Any], outputs: bool) -> list[dict[str, str]]:
    """One row per layer and head."""
    rows = []
    for layer, moves in enumerate(tables["values"]):
        for head, found in enumerate(moves):
            query, key = tables["queries"][layer][head], [] if outputs else tables["keys"][layer][head]
            place = {"layer": str(layer + 1), "head": str(head + 1), "moves": _moves(found)}
            rows.append({**place, "query": _reads(query[0] if outputs else query), "key": _reads(key)})
    return rows


@_details.register
def _(statement: AttentionWidth, parts: dict[str, Any]) -> dict[str, Any]:
    outputs = statement.goal == WITH_OUTPUTS
    tables = parts["routing" if outputs else "forms"]
    routes = _routes(tables, outputs)
    powers = " + ".join(f"{statement.H}^{{{layer}}}" for layer in range(1, min(statement.L, 6) + 1))
    powers += r" + \dots" * (statement.L > 6)
    formula = f"{powers} + {statement.H}^{{{statement.L}}}" if outputs else powers
    return {
        **_filter(statement, parts),
        "outputs": outputs,
        "signs": "signs" in parts,
        "tables": [_recursion(statement, outputs)],
        "formula": formula,
        "routes": routes[:ROWS_SHOWN],
        "routes_left": max(0, len(routes) - ROWS_SHOWN),
        "readout": _reads(tables["readout"][0]) if outputs else "",
    }


@_details.register
def _(statement: ScoreMatchingBound, parts: dict[str, Any]) -> dict[str, Any]:
    tables = [_recursion(statement, outputs) for outputs in (True, False)]
    return {**_filter(statement, parts), "tables": tables}


@_details.register
def _(statement: HeadWidthObstruction, parts: dict[str, Any]) -> dict[str, Any]:
    radius, denominator = parts["ball"]["radius"], parts["ball"]["denominator"]
    return {"radius": radius, "denominator": denominator, "approximate": f"{radius / denominator:.6f}"}
