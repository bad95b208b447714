"""The figure of one shape: a strip per problem, with what is impossible, what is open and what is built.

Main definitions: `draw_strips`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from symut.tabulator.axis import plain_log_axis
from symut.tabulator.best import Band, bounds_problem, serves_problem
from symut.tabulator.columns import COLUMNS, Column, band_of, band_text, number
from symut.tabulator.legend import starred
from symut.tabulator.rows import Row
from symut.tabulator.table import Entry, Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

IMPOSSIBLE, OPEN, BUILT, INK = "#D55E00", "#FFFFFF", "#56B4E9", "#222222"
_HEIGHT = 0.36
_LABELS = {
    "any": "any attention,\nall targets",
    "all": "scores only,\nall targets",
    "generic": "scores only,\ngeneric targets",
    "free": "the same, backbone\nof any head width",
    "alone": "attention alone,\ngeneric targets",
}


@dataclass(frozen=True)
class _Mark:
    """The rows of one value in a strip: a lower bound (marker to the right) or a construction (to the left).

    The marker is hollow if none of the rows is certified.
    """

    value: int
    names: str
    lower: bool
    is_certified: bool


def _marks(entries: tuple[Entry, ...], lower: bool) -> list[_Mark]:
    rows: dict[int, list[Row]] = {}
    for entry in sorted(entries, key=lambda entry: entry.value):
        rows.setdefault(entry.value, []).append(entry.row)
    return [
        _Mark(value, ", ".join(map(starred, found)), lower, any(row.is_certified for row in found))
        for value, found in rows.items()
    ]


def _strip_marks(table: Table, column: Column) -> list[_Mark]:
    bounds = tuple(e for e in table.lower if bounds_problem(e.row, column.problem, table.shape))
    widths = tuple(e for e in table.constructions if serves_problem(e.row, column.problem, table.shape))
    return [*_marks(bounds, True), *_marks(widths, False)]


def _draw_band(axes: Axes, row: float, band: Band, left: float, right: float) -> None:
    lower, width = left if band.lower is None else float(band.lower), float(band.width)
    axes.barh(row, lower - left, _HEIGHT, left, color=IMPOSSIBLE, alpha=0.75, linewidth=0)
    axes.barh(row, width - lower, _HEIGHT, lower, facecolor=OPEN, edgecolor="#888888", hatch="////", linewidth=0.6)
    axes.barh(row, right - width, _HEIGHT, width, color=BUILT, linewidth=0)


def _draw_marks(axes: Axes, row: float, marks: list[_Mark]) -> None:
    for mark in marks:
        axes.plot(
            float(mark.value),
            row,
            marker=">" if mark.lower else "<",
            color=INK,
            markerfacecolor=INK if mark.is_certified else "none",
            markersize=6,
            linestyle="none",
            zorder=5,
        )


def _caption(axes: Axes, row: float, marks: list[_Mark]) -> None:
    """Under each strip the rows with their values: the bounds on one line, the constructions on the next."""
    for offset, title, lower in ((0.29, "at least", True), (0.46, "at most", False)):
        named = [f"{number(mark.value)} {mark.names}" for mark in marks if mark.lower == lower]
        text = f"{title}  {';  '.join(reversed(named) if lower else named) or '(no bound known)'}"
        where = (0.004, row + offset)
        axes.annotate(text, where, xycoords=("axes fraction", "data"), fontsize=7.5, color="#444444", va="center")


def _legend(figure: Figure) -> None:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    mark: dict[str, Any] = {"color": INK, "linestyle": "none", "markersize": 6}
    handles = [
        Patch(facecolor=IMPOSSIBLE, alpha=0.75, label="no backbone"),
        Patch(facecolor=OPEN, edgecolor="#888888", hatch="////", label="open"),
        Patch(facecolor=BUILT, label="backbone built"),
        Line2D([], [], marker=">", label="lower bound", **mark),
        Line2D([], [], marker="<", label="construction", **mark),
        Line2D([], [], marker="<", markerfacecolor="none", label="* not certified", **mark),
    ]
    figure.legend(handles=handles, loc="lower center", ncols=6, frameon=False, fontsize=9)


def draw_strips(table: Table) -> Figure:
    """Widths on a logarithmic axis; the band's text stands at the right."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9.5, 5.8), layout="constrained")
    figure.get_layout_engine().set(rect=(0, 0.06, 1, 0.94))  # type: ignore[union-attr]
    axes = figure.add_subplot()
    every = [mark.value for column in COLUMNS for mark in _strip_marks(table, column)]
    left, right = max(min(every) / 2, 0.7), max(every) * 1.6
    for row, column in enumerate(COLUMNS):
        band, marks = band_of(table, column.problem), _strip_marks(table, column)
        _draw_band(axes, row, band, left, right)
        _draw_marks(axes, row, marks)
        _caption(axes, row, marks)
        text = band_text(band, " to ", "at most ") + (" (exact)" if band.exact else "")
        axes.annotate(text, (1.01, row), xycoords=("axes fraction", "data"), fontsize=10, weight="bold", va="center")
    _finish(axes, table, left, right)
    _legend(figure)
    return figure


def _finish(axes: Axes, table: Table, left: float, right: float) -> None:
    axes.set_xscale("log")
    axes.set_xlim(left, right)
    axes.set_ylim(len(COLUMNS) - 0.35, -0.4)
    axes.set_yticks(range(len(COLUMNS)), [_LABELS[column.name] for column in COLUMNS])
    axes.tick_params(axis="y", length=0)
    plain_log_axis(axes.xaxis, left, right)
    axes.set_xlabel("width m of the backbone")
    shape = table.shape
    axes.set_title(f"Widths at H = {shape.H}, L = {shape.L}, d = {shape.d}, k = {shape.k}", loc="left", fontsize=11)
