"""The figure of a grid: widths over one size, with a panel for each choice of the others.

Main definitions: `draw_growth`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from symut.errors import UsageError
from symut.tabulator.axis import plain_log_axis
from symut.tabulator.best import Band
from symut.tabulator.columns import band_of
from symut.tabulator.problem import ALL, ANY, FREE, GENERIC, SCORE_ONLY, Problem
from symut.tabulator.table import Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_PANELS = 12
_Panels = dict[tuple[int, ...], list[Table]]


class _Curve(NamedTuple):
    label: str
    problem: Problem
    lower: bool
    color: str
    marker: str

    def value(self, table: Table) -> int | None:
        band = band_of(table, self.problem)
        return band.lower if self.lower else band.width


_CURVES = (
    _Curve("any attention (exact)", Problem(ANY, ALL), False, "#D55E00", "s"),
    _Curve("scores, all targets: width", Problem(SCORE_ONLY, ALL), False, "#0072B2", "^"),
    _Curve("scores, generic targets: width", Problem(SCORE_ONLY, GENERIC), False, "#009E73", "o"),
    _Curve("scores, head width k: lower bound", Problem(SCORE_ONLY, GENERIC), True, "#CC79A7", "v"),
    _Curve("scores, any head width: lower bound", Problem(SCORE_ONLY, GENERIC, FREE), True, "#000000", "x"),
)
_NAMES = {"L": "layers L", "H": "heads H", "d": "token width d", "k": "head width k"}


def _axis(tables: Sequence[Table]) -> str:
    """The size that varies: L if it does, else H, d or k."""
    return next(name for name in "LHdk" if len({getattr(table.shape, name) for table in tables}) > 1)


def _panels(tables: Sequence[Table], axis: str) -> _Panels:
    """The tables of every panel; k follows d if they are equal everywhere.

    Raises UsageError if there are more than MOST_PANELS.
    """
    tied = axis == "d" and all(table.shape.d == table.shape.k for table in tables)
    others = [name for name in "HLdk" if name != axis and not (tied and name == "k")]
    found: _Panels = {}
    for table in tables:
        found.setdefault(tuple(getattr(table.shape, name) for name in others), []).append(table)
    if len(found) > MOST_PANELS:
        remedy = "fix some of --H, --L, --d and --k"
        raise UsageError(
            "too many panels for --plot", expected=f"at most {MOST_PANELS}", got=str(len(found)), remedy=remedy
        )
    return found


def _draw_curve(axes: Axes, curve: _Curve, tables: Sequence[Table], axis: str) -> None:
    points = [
        (getattr(table.shape, axis), float(value)) for table in tables if (value := curve.value(table)) is not None
    ]
    axes.plot(
        [x for x, _ in points],
        [y for _, y in points],
        color=curve.color,
        marker=curve.marker,
        linestyle="--" if curve.lower else "-",
        markersize=5,
        linewidth=1.4,
        label=curve.label,
    )


def _shade(axes: Axes, problem: Problem, tables: Sequence[Table], axis: str) -> None:
    """The open band of a problem: between its lower bound and its width."""
    found: list[tuple[int, Band]] = [(getattr(table.shape, axis), band_of(table, problem)) for table in tables]
    axes.fill_between(
        [x for x, _ in found],
        [float(band.lower or 1) for _, band in found],
        [float(band.width) for _, band in found],
        color="#0072B2",
        alpha=0.13,
        linewidth=0,
        label="open: scores, all targets, head width k",
    )


def _title(tables: Sequence[Table], axis: str) -> str:
    shape = tables[0].shape
    parts = [f"{name} = {getattr(shape, name)}" for name in "HL" if name != axis]
    if axis != "k" and all(table.shape.d == table.shape.k for table in tables):
        return ", ".join([*parts, "k = d" if axis == "d" else f"d = k = {shape.d}"])
    return ", ".join([*parts, *(f"{name} = {getattr(shape, name)}" for name in "dk" if name != axis)])


def draw_growth(tables: Sequence[Table]) -> Figure:
    """Widths on a logarithmic axis over L, H, d or k; solid lines are constructions, dashed ones lower bounds."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    axis = _axis(tables)
    panels = _panels(tables, axis)
    columns = min(3, len(panels))
    rows = -(-len(panels) // columns)
    figure = Figure(figsize=(max(3.3 * columns, 6.4), 2.5 * rows + 1.3), layout="constrained")
    grid = figure.subplots(rows, columns, squeeze=False, sharex=True, sharey=True)
    for axes, found in zip(grid.flat, panels.values(), strict=False):
        _shade(axes, Problem(SCORE_ONLY, ALL), found, axis)
        for curve in _CURVES:
            _draw_curve(axes, curve, found, axis)
        axes.set_yscale("log")
        plain_log_axis(axes.yaxis, *axes.get_ylim())
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set_title(_title(found, axis), fontsize=9.5, loc="left")
        axes.grid(axis="y", color="#DDDDDD", linewidth=0.6)
    for axes in list(grid.flat)[len(panels) :]:
        axes.set_visible(False)
    for axes in list(grid.flat)[max(len(panels) - columns, 0) : len(panels)]:
        axes.set_xlabel(_NAMES[axis])
        axes.xaxis.set_tick_params(labelbottom=True)
    figure.supylabel("width m of the backbone", fontsize=10)
    handles, labels = grid.flat[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=2, frameon=False, fontsize=9)
    return figure
