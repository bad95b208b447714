"""All rows of one shape with their values and standings, and the best band of every problem.

Main definitions: `Entry`, `Table`, `table`.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from symut.backbone.shape import Shape
from symut.tabulator.best import Band, bands
from symut.tabulator.constructions import CONSTRUCTIONS
from symut.tabulator.lower import LOWER
from symut.tabulator.rows import Row
from symut.tabulator.standing import PROVED, Standing, default_standing, standing

OBSTRUCTION = "head_width_obstruction"
OBSTRUCTION_TEXT = (
    "at H = L = d = 1 and head width k = m no width serves almost every backbone: on an open set of backbones the "
    "score of a token with itself has one sign, whatever the program; m >= N excludes this"
)
"""A remark, no bound: why almost every backbone needs m >= N even where narrower backbones exist."""


@dataclass(frozen=True)
class Entry:
    """A row at one shape."""

    row: Row
    value: int
    standing: Standing

    def as_json(self, value_name: str) -> dict[str, Any]:
        """The row with its value under `value_name` ("value" or "width")."""
        row, problem = self.row, self.row.problem
        return {
            "id": row.id,
            value_name: self.value,
            "status": self.standing.status,
            "attention": problem.attention,
            "targets": problem.targets,
            "hypotheses": row.hypotheses,
            "head_width": problem.head_width,
            "matches": problem.matches,
            "theorem": row.theorem,
            "goal": row.goal,
            "command": self.standing.command,
            "artifact": self.standing.artifact,
        }


@dataclass(frozen=True)
class Table:
    """Lower bounds in decreasing and constructions in increasing order, the bands, and a remark with its standing."""

    shape: Shape
    lower: tuple[Entry, ...]
    constructions: tuple[Entry, ...]
    best: tuple[Band, ...]
    remark: Standing

    def as_json(self) -> dict[str, Any]:
        """The object that `symut bounds --json` prints."""
        return {
            "shape": {name: getattr(self.shape, name) for name in "HLdk"},
            "lower": [entry.as_json("value") for entry in self.lower],
            "constructions": [entry.as_json("width") for entry in self.constructions],
            "best": [_band_json(band) for band in self.best],
            "remarks": [
                {"id": OBSTRUCTION, "status": self.remark.status, "text": OBSTRUCTION_TEXT},
            ],
        }


def _band_json(band: Band) -> dict[str, Any]:
    problem = band.problem
    return {
        "attention": problem.attention,
        "targets": problem.targets,
        "head_width": problem.head_width,
        "matches": problem.matches,
        "lower": band.lower,
        "width": band.width,
        "lower_id": band.lower_id or None,
        "width_id": band.width_id,
        "certified_width": band.certified,
        "certified_id": band.certified_id,
    }


def _entries(rows: tuple[Row, ...], shape: Shape, proofs: Path, instances: bool) -> list[Entry]:
    asked = [row for row in rows if row.applies(shape) and (instances or not row.instances_only)]
    found = [Entry(row, row.value(shape), standing(row, shape, proofs)) for row in asked]
    return [entry for entry in found if not entry.row.instances_only or entry.standing.status == PROVED]


def table(shape: Shape, proofs: Path, instances: bool = True) -> Table:
    """Every bound and construction at this shape; artifacts are looked for under the folder `proofs`.

    `instances` says whether to look for rows that hold for some sizes only; they never are the best, and their
    artifacts take longer to re-check.  Raises UsageError if H^L is beyond any machine.
    """
    lower = sorted(_entries(LOWER, shape, proofs, instances), key=lambda entry: -entry.value)
    widths = sorted(_entries(CONSTRUCTIONS, shape, proofs, instances), key=lambda entry: entry.value)
    remark = default_standing(OBSTRUCTION, OBSTRUCTION, proofs)
    return Table(shape, tuple(lower), tuple(widths), tuple(bands(shape)), remark)
