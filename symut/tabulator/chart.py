"""Figures: the widths of one shape as bands, or their growth over a grid; the same bytes every time.

Main definitions: `chart`.
Colours are those of Okabe and Ito, which colour-blind readers tell apart; lines differ in marker and dash, too.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from symut.errors import UsageError
from symut.tabulator.columns import number
from symut.tabulator.growth import draw_growth
from symut.tabulator.strips import draw_strips
from symut.tabulator.table import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_STYLE: dict[Any, Any] = {
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "hatch.linewidth": 0.6,
    "svg.hashsalt": "symut",
}
LARGEST_WIDTH = 10**300
_METADATA: dict[str, dict[str, Any]] = {
    ".svg": {"Date": None, "Creator": "symut"},
    ".png": {"Software": "symut"},
    ".pdf": {"CreationDate": None, "Creator": "symut", "Producer": "symut"},
}


def require_known_suffix(path: str) -> str:
    """The suffix .svg, .png or .pdf; raises UsageError for any other."""
    suffix = PurePath(path).suffix.lower()
    if suffix not in _METADATA:
        expected = ".svg, .png or .pdf"
        raise UsageError("--plot has an unknown suffix", expected=expected, got=path, remedy="rename the file")
    return suffix


def chart(tables: Sequence[Table], suffix: str) -> bytes:
    """One shape: its bands and rows; several: curves over L, H, d or k, one panel for each choice of the other sizes.

    Raises UsageError if that makes too many panels, or if a width is too large for an axis.
    """
    import matplotlib

    widest = max(entry.value for table in tables for entry in (*table.lower, *table.constructions))
    if widest > LARGEST_WIDTH:
        raise UsageError("too large for --plot", expected="widths up to 1e300", got=number(widest), remedy="lower --L")

    with matplotlib.rc_context(_STYLE):
        figure: Figure = draw_strips(tables[0]) if len(tables) == 1 else draw_growth(tables)
        buffer = io.BytesIO()
        figure.savefig(buffer, format=suffix[1:], dpi=150, metadata=_METADATA[suffix])
    return buffer.getvalue()
