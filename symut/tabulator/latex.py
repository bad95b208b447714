"""LaTeX tables for a paper; they need the package booktabs only.

Main definitions: `latex`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

from symut.tabulator.best import Band
from symut.tabulator.columns import COLUMNS, Column, band_numbers, band_of, number, sources
from symut.tabulator.formulas import SHORTHAND, short_latex
from symut.tabulator.legend import DEMANDS, GENERIC_TARGETS, demand
from symut.tabulator.standing import PROVED
from symut.tabulator.table import Entry, Table

_SYMBOLS = re.compile(r"\b(?:Q K\^T|[HLdkqvQK]\b)(?: = \d+)?")


def _math(text: str) -> str:
    """A number as `number` writes it, in math mode."""
    digits, exponential, power = text.partition("e")
    return rf"${digits} \cdot 10^{{{power}}}$" if exponential else f"${digits}$"


def _band(band: Band) -> str:
    return (r"$\leq$ " if band.lower is None else "") + "--".join(map(_math, band_numbers(band)))


def _code(name: str) -> str:
    escaped = name.replace("_", r"\_")
    return rf"\texttt{{{escaped}}}"


def _prose(text: str) -> str:
    """Plain words with sizes and scores in math mode."""
    return _SYMBOLS.sub(r"$\g<0>$", text)


def _float(columns: str, header: Sequence[str], groups: Sequence[Sequence[str]], caption: str) -> str:
    """A table float; between two groups of rows stands a rule."""
    body = "\\midrule\n".join("".join(f"{row} \\\\\n" for row in group) for group in groups)
    return (
        "% needs \\usepackage{booktabs}\n"
        "\\begin{table}\n\\centering\n\\footnotesize\n\\setlength{\\tabcolsep}{3pt}\n"
        f"\\caption{{{caption}}}\n\\label{{tab:bounds}}\n"
        f"\\begin{{tabular}}{{{columns}}}\n\\toprule\n{' & '.join(header)} \\\\\n\\midrule\n{body}"
        "\\bottomrule\n\\end{tabular}\n\\end{table}\n"
    )


def _row(entry: Entry) -> str:
    """A dagger marks what no artifact at hand certifies at this size."""
    row, mark = entry.row, "" if entry.standing.status == PROVED else r"$^\dagger$"
    formula = f"${short_latex(row)}$"
    return " & ".join(
        (_code(row.id) + mark, formula, _math(number(entry.value)), demand(row.problem), row.problem.targets)
    )


def _abbreviations(entries: Sequence[Entry]) -> str:
    """The abbreviations that the formulas of these rows use."""
    formulas = " ".join(short_latex(entry.row) for entry in entries)
    return ", ".join(text for name, text in SHORTHAND.items() if re.search(rf"\b{name}\b", formulas))


def _words(entries: Sequence[Entry]) -> str:
    """What the words in the columns for attention and targets mean."""
    asked = {demand(entry.row.problem) for entry in entries}
    meanings = {**{word: meaning for word, meaning in DEMANDS.items() if word in asked}, "generic": GENERIC_TARGETS}
    return " ".join(rf"\emph{{{word}}}: {_prose(meaning)}." for word, meaning in meanings.items())


def _one(table: Table) -> str:
    groups = [[_row(entry) for entry in entries] for entries in (table.lower, table.constructions)]
    every = (*table.lower, *table.constructions)
    sizes = ", ".join(f"${name} = {getattr(table.shape, name)}$" for name in "HLdk")
    caption = (
        f"Widths of universal backbones at {sizes}: lower bounds above the middle rule, constructions below it. "
        f"{_abbreviations(every)}. {_words(every)}"
    )
    if any(entry.standing.status != PROVED for entry in every):
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
    generic = rf"\emph{{Generic}} targets: {_prose(GENERIC_TARGETS)}."
    caption = f"The least width of a backbone, or the range in which it lies. {legend} {generic}"
    return _float("r" * len(header), header, groups, caption)


def _meaning(column: Column, tables: Sequence[Table]) -> str:
    lower, widths = (", ".join(_code(name) for name in names) for names in sources(tables, column))
    behind = "; ".join(filter(None, (lower and f"bounds: {lower}", f"widths: {widths}")))
    return f"\\emph{{{column.name}}}: {_prose(column.meaning)} ({behind})."


def latex(tables: Sequence[Table]) -> str:
    """One shape: every row with its formula and value; several: the bands of `symut.tabulator.columns`."""
    return _one(tables[0]) if len(tables) == 1 else _many(tables)
