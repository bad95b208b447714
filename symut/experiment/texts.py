"""The table of results in Markdown and LaTeX.

Main definitions: `markdown`, `latex`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from symut.experiment.table import COLUMNS, RIGHT, Row, baseline_lines, cells, spread

_GROUPS = ("seen", "unseen")
_ESCAPED = re.compile(r"[_{}%#&$]")


def _line(words: Sequence[str]) -> str:
    return f"| {' | '.join(words)} |\n"


def markdown(found: Sequence[Row]) -> str:
    """The table, then seen and unseen test strings where a task has them, then the baselines."""
    aligned = ["---:" if column in RIGHT else "---" for column in COLUMNS]
    text = _line(COLUMNS) + _line(aligned) + "".join(_line(cells(row)) for row in found)
    split = [row for row in found if "unseen" in row.accuracies]
    if split:
        names = ("task", "architecture", "backbone", *_GROUPS)
        text += "\n" + _line(names) + _line(["---"] * len(names)) + "".join(map(_split_line, split))
    listed = "".join(f"- {line}\n" for line in baseline_lines(found))
    return f"{text}\nBaselines without a network (accuracy):\n\n{listed}"


def _split_line(row: Row) -> str:
    return _line([*cells(row)[:3], *(spread(row.accuracies.get(name)) for name in _GROUPS)])


def _escaped(text: str) -> str:
    """x_i and x_{i-1} in math mode, other special characters escaped."""
    if text.endswith(("x_i", "x_{i-1}")):
        before, name = text.rsplit(" ", 1) if " " in text else ("", text)
        return f"{before} ${name}$".strip()
    return _ESCAPED.sub(lambda match: "\\" + match[0], text)


def latex(found: Sequence[Row]) -> str:
    """A table float that needs booktabs; a rule between tasks."""
    body, before = "", None
    for row in found:
        body += "\\midrule\n" if before not in (None, row.task) else ""
        body += " & ".join(map(_escaped, cells(row))) + " \\\\\n"
        before = row.task
    seeds = max((len(row.seeds) for row in found), default=0)
    columns = "".join("r" if column in RIGHT else "l" for column in COLUMNS)
    caption = f"Test accuracy, median over up to {seeds} seeds (least to largest); only embeddings and read-out are "
    return (
        "% needs \\usepackage{booktabs}\n\\begin{table}\n\\centering\n\\footnotesize\n\\setlength{\\tabcolsep}{3pt}\n"
        f"\\caption{{{caption}trained, except in rows named trained.}}\n\\label{{tab:training}}\n"
        f"\\begin{{tabular}}{{{columns}}}\n\\toprule\n{' & '.join(COLUMNS)} \\\\\n\\midrule\n{body}"
        "\\bottomrule\n\\end{tabular}\n\\end{table}\n"
    )
