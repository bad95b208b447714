"""LaTeX tables for a paper; they need the package booktabs only.

Main definitions: `latex`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from symut.bounds.best import Band
from symut.bounds.columns import COLUMNS, Column, band_numbers, band_of, number, sources
from symut.bounds.formulas import SHORTHAND, short_latex
from symut.bounds.standing import PROVED
from symut.bounds.table import Entry, Table


def _math(text: str) -> str:
    """A number as `number` writes it, in math mode."""
    digits, exponential, power = text.partition("e")
    return rf"${digits} \cdot 10^{{{power}}}$" if exponential else f"${digits}$"


def _band(band: Band) -> str:
    return (r"$\leq$ " if band.lower is None else "") + "--".join(map(_math, band_numbers(band)))


def _code(name: str) -> str:
    identifier, space, rest = name.partition(" ")
    escaped = identifier.replace("_", r"\_")
    return rf"\texttt{{{escaped}}}{space}{rest}"


def _float(columns: str, header: Sequence[str], groups: Sequence[Sequence[str]], caption: str) -> str:
    """A table float; between two groups of rows stands a rule."""
    body = "\\midrule\n".join("".join(f"{row} \\\\\n" for row in group) for group in groups)
    return (
        "% needs \\usepackage{booktabs}\n"
        "\\begin{table}\n\\centering\n\\small\n\\setlength{\\tabcolsep}{4pt}\n"
        f"\\caption{{{caption}}}\n\\label{{tab:bounds}}\n"
        f"\\begin{{tabular}}{{{columns}}}\n\\toprule\n{' & '.join(header)} \\\\\n\\midrule\n{body}"
        "\\bottomrule\n\\end{tabular}\n\\end{table}\n"
    )


def _row(entry: Entry) -> str:
    """A dagger marks what no artifact at hand certifies at this size."""
    row, mark = entry.row, "" if entry.standing.status == PROVED else r"$^\dagger$"
    formula = f"${short_latex(row)}$"
    return " & ".join(
        (_code(row.id) + mark, formula, _math(number(entry.value)), row.problem.attention, row.problem.targets)
    )


def _one(table: Table) -> str:
    groups = [[_row(entry) for entry in entries] for entries in (table.lower, table.constructions)]
    sizes = ", ".join(f"${name} = {getattr(table.shape, name)}$" for name in "HLdk")
    caption = (
        f"Widths of universal backbones at {sizes}: lower bounds above the middle rule, constructions below it. "
        f"{SHORTHAND}."
    )
    if any(entry.standing.status != PROVED for entries in (table.lower, table.constructions) for entry in entries):
        caption += r" $^\dagger$: not certified at this size by the proofs at hand."
    return _float("llrll", ("Statement", "Formula", "Value", "Attention", "Targets"), groups, caption)


def _many(tables: Sequence[Table]) -> str:
    rows = [
        " & ".join(
            (
                *(f"${getattr(table.shape, name)}$" for name in "HLdk"),
                *(_band(band_of(table, column.problem)) for column in COLUMNS),
            )
        )
        for table in tables
    ]
    groups = [[rows[i] for i in group] for _, group in groupby(range(len(rows)), lambda i: tables[i].shape.H)]
    header = [*(f"${name}$" for name in "HLdk"), *(column.name for column in COLUMNS)]
    legend = " ".join(_meaning(column, tables) for column in COLUMNS)
    caption = f"The least width of a backbone, or the range in which it lies. {legend}"
    return _float("r" * len(header), header, groups, caption)


def _meaning(column: Column, tables: Sequence[Table]) -> str:
    lower, widths = (", ".join(_code(name) for name in names) for names in sources(tables, column))
    behind = "; ".join(filter(None, (lower and f"bounds: {lower}", f"widths: {widths}")))
    return f"\\emph{{{column.name}}}: {column.meaning} ({behind})."


def latex(tables: Sequence[Table]) -> str:
    """One shape: every row with its formula and value; several: the bands of `symut.bounds.columns`."""
    return _one(tables[0]) if len(tables) == 1 else _many(tables)
