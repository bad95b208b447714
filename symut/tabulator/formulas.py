"""The bounds as formulas in H, L, d and k.

Main definitions: `formula`, `formula_text`, `formula_latex`, `short_latex`.
Sums are left as sums, so that the formulas hold for H = 1, too.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from symut.backbone.shape import size_symbols
from symut.tabulator.constructions import CONSTRUCTIONS
from symut.tabulator.lower import LOWER
from symut.tabulator.rows import Row

if TYPE_CHECKING:
    import sympy

ROWS = tuple({row.id: row for row in (*LOWER, *CONSTRUCTIONS)}.values())
"""Every row once; a row that is lower bound and construction has one formula."""
SHORTHAND = {
    "S": r"$S = \sum_{l=1}^{L} H^l$",
    "R": r"$R = (H+1)^L$",
    "T": r"$T = c(L) + (H-1) \sum_{j=0}^{L-1} H^{L-1-j} c(j)$ with $c(j) = \lceil jHk(2d-k)/d \rceil$",
}
"""What `short_latex` abbreviates, by symbol."""


def _abbreviation(name: str) -> Any:
    import sympy

    return sympy.Symbol(name, positive=True)


def _rounded(j: sympy.Expr) -> Any:
    import sympy

    H, _, d, k = size_symbols()
    return sympy.ceiling(j * H * k * (2 * d - k) / d)


def _matching() -> Any:
    """The recursion of `symut.tabulator.counts.score_matching` with o = 0, summed: G_L = (H-1) sum_j H^(L-1-j) s_j."""
    import sympy

    H, L, _, _ = size_symbols()
    j = sympy.Symbol("j", integer=True)
    peeled = sympy.Sum(H ** (L - 1 - j) * _rounded(j), (j, 0, L - 1))
    return _rounded(L) + (H - 1) * peeled


def _heads() -> Any:
    import sympy

    H, L, _, _ = size_symbols()
    layer = sympy.Symbol("l", positive=True, integer=True)
    return sympy.Sum(H**layer, (layer, 1, L))


def _sums(short: bool) -> list[Any]:
    """The expressions that S, R and T stand for, or these symbols."""
    H, L, _, _ = size_symbols()
    return [_abbreviation(name) for name in "SRT"] if short else [_heads(), (H + 1) ** L, _matching()]


@cache
def _formulas(short: bool) -> dict[str, sympy.Expr]:
    """By row id; `short` writes S, R and T as SHORTHAND says."""
    import sympy

    H, L, d, k = size_symbols()
    (heads, skipping, matching), paths = _sums(short), H**L
    layered, residual = 2 * k * heads + d * paths, 2 * k * (skipping - 1) + d * skipping
    return {
        **dict.fromkeys(("sharp_width", "sparse", "random", "looped", "affine"), layered),
        **dict.fromkeys(("residual", "affine_residual"), residual),
        "shared_residual": 2 * k * heads + d * (1 + heads),
        "shared_key": d * (heads + heads / H) + d * paths,
        "readoff_key": d * heads + d * paths,
        "fewer_conditions": (k + d) * heads + d * paths,
        "attention_slots": 2 * k * heads,
        "attention_alone": sympy.Max(heads, 2),
        "attention_output": heads + paths,
        "general_scores": paths + H * L + sympy.Min(1, (H - 1) * (L - 1)),
        "general_scores_all": sympy.Integer(3),
        "rank_one_scores": sympy.Max(heads + paths, 3),
        **dict.fromkeys(("output_bound", "softmax_output_bound"), d * paths),
        "score_matching": d * paths + matching,
        "score_matching_alone": matching,
        "paper_theorem_4_1": sympy.ceiling(paths / 2),
    }


def formula(row: Row) -> sympy.Expr:
    """The row's value as an expression in `symut.backbone.shape.size_symbols()`."""
    return _formulas(False)[row.id]


def formula_text(row: Row) -> str:
    """The formula on one line."""
    return str(formula(row)).replace("**", "^")


def _latex(expression: sympy.Expr) -> str:
    """sympy sorts factors by name: under the names a, b, ... they come in the order d, k, S, R, T, H, L."""
    import sympy

    H, L, d, k = size_symbols()
    found = {d: "a", k: "b", **dict(zip(map(_abbreviation, "SRT"), "cef", strict=True)), H: "h", L: "i"}
    renamed = {old: sympy.Symbol(name, positive=True, integer=True) for old, name in found.items()}
    names = {new: str(old) for old, new in renamed.items()}
    return sympy.latex(expression.subs(list(renamed.items())), symbol_names=names)


def formula_latex(row: Row) -> str:
    """The formula in LaTeX, without the dollar signs."""
    return _latex(formula(row))


def short_latex(row: Row) -> str:
    """The formula in LaTeX with the abbreviations of SHORTHAND, which fits a table."""
    return _latex(_formulas(True)[row.id])
