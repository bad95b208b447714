"""A logarithmic axis with plain numbers.

Main definitions: `plain_log_axis`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axis import Axis


def _multiples(ratio: float) -> tuple[int, ...]:
    """The labelled multiples of powers of ten on an axis whose ends have this ratio."""
    if ratio < 15:
        return (1, 2, 3, 4, 6, 8)
    return (1, 2, 5) if ratio < 300 else (1,)


def plain_log_axis(axis: Axis, low: float, high: float) -> None:
    """Label powers of ten, and their multiples on a short axis, as plain numbers; beyond 10^6 leave it alone."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

    if high > 10**6:
        return
    axis.set_minor_locator(NullLocator())
    axis.set_major_locator(LogLocator(subs=_multiples(high / low)))
    axis.set_major_formatter(FuncFormatter(lambda value, position: f"{value:g}"))
