"""Plots of results, from the records alone: accuracy with seeds as points and baselines as lines; learning curves.

Main definitions: `accuracy_plot`, `curves_plot`.
Colours are those of Okabe and Ito; the bytes are the same every time.
"""

from __future__ import annotations

import io
import statistics
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from symut.experiment.record import Record
from symut.experiment.table import ARCHITECTURE_WORDS, Row, rows

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_STYLE: dict[Any, Any] = {
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "svg.hashsalt": "symut",
}
_COLOURS = {"sparse": "#0072B2", "random": "#D55E00", "trained": "#009E73"}
_MARKERS = {"sparse": "o", "random": "s", "trained": "^"}
_DASHES = ("-", "--", ":", "-.")


def _panels(records: Sequence[Record]) -> dict[str, list[Row]]:
    panels: dict[str, list[Row]] = {}
    for row in rows(records):
        panels.setdefault(row.task, []).append(row)
    return panels


def _figure(count: int) -> tuple[Figure, list[Axes]]:
    from matplotlib.figure import Figure

    columns = min(count, 3)
    lines = -(-count // columns)
    figure = Figure(figsize=(4.2 * columns, 3.4 * lines), layout="constrained")
    axes = figure.subplots(lines, columns, squeeze=False).ravel().tolist()
    for empty in axes[count:]:
        empty.remove()
    return figure, axes[:count]


def _svg(figure: Figure) -> bytes:
    buffer = io.BytesIO()
    figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": "symut"})
    return buffer.getvalue()


def accuracy_plot(records: Sequence[Record]) -> bytes:
    """One panel per task: test accuracy by architecture and backbone, a point per seed, a bar at the median."""
    import matplotlib

    panels = _panels(records)
    with matplotlib.rc_context(_STYLE):
        figure, axes = _figure(len(panels))
        for axis, (task, found) in zip(axes, panels.items(), strict=True):
            _draw_points(axis, found)
            _draw_baselines(axis, found[0])
            axis.set(title=task, ylabel="test accuracy", ylim=(-0.02, 1.03))
        return _svg(figure)


def _draw_points(axis: Axes, found: Sequence[Row]) -> None:
    for place, row in enumerate(found):
        backbone, values = row.about.backbone, row.accuracies.get("test", [])
        axis.plot([place] * len(values), values, _MARKERS[backbone], color=_COLOURS[backbone], mfc="none", ms=6)
        if values:
            axis.hlines(statistics.median(values), place - 0.3, place + 0.3, color=_COLOURS[backbone])
    words = {arch: text.replace(" + ", "\n+ ") for arch, text in ARCHITECTURE_WORDS.items()}
    labels = [f"{row.backbone}\n{words[row.about.arch]}" for row in found]
    axis.set_xticks(range(len(found)), labels, fontsize=7)
    axis.set_xlim(-0.5, len(found) - 0.5)


def _draw_baselines(axis: Axes, row: Row) -> None:
    for (name, accuracy), dash in zip(row.baselines["test"].items(), _DASHES * 2, strict=False):
        axis.axhline(accuracy, color="0.55", linestyle=dash, linewidth=0.8, zorder=0, label=_label(name))
    axis.legend(fontsize=6, loc="lower left", title="baselines", title_fontsize=6)


def _label(name: str) -> str:
    """Names with an index in mathematical type."""
    return f"${name}$" if name.startswith("x_") else name


def curves_plot(records: Sequence[Record]) -> bytes:
    """One panel per task: validation accuracy over steps, a line per seed."""
    import matplotlib

    by_task: dict[str, list[Record]] = {}
    order = {row.about: place for place, row in enumerate(rows(records))}
    for record in sorted(records, key=lambda record: order[record.configuration.with_(seed=0)]):
        by_task.setdefault(record.configuration.build_task().name, []).append(record)
    with matplotlib.rc_context(_STYLE):
        figure, axes = _figure(len(by_task))
        for axis, (task, found) in zip(axes, by_task.items(), strict=True):
            _draw_curves(axis, found)
            axis.set(title=task, xlabel="step", ylabel="validation accuracy", ylim=(-0.02, 1.03))
        return _svg(figure)


def _draw_curves(axis: Axes, found: Sequence[Record]) -> None:
    architectures, named = list(ARCHITECTURE_WORDS), set()
    for record in found:
        about, points = record.configuration, [point for point in record.curve if "validation_accuracy" in point]
        label = f"{about.backbone}, {ARCHITECTURE_WORDS[about.arch]}"
        axis.plot(
            [point["step"] for point in points],
            [point["validation_accuracy"] for point in points],
            color=_COLOURS[about.backbone],
            linestyle=_DASHES[architectures.index(about.arch)],
            linewidth=0.9,
            label=None if label in named else label,
        )
        named.add(label)
    axis.legend(fontsize=6, loc="lower right")
