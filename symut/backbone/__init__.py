"""Backbones: shapes and counts, paths and slots, the recursion, M(R), B(W), and 0/1 routings."""

from symut.backbone.blocks import block_matrix, solve_program, solve_program_exactly, target_blocks
from symut.backbone.network import Attention, Backbone, Network, run, simulate
from symut.backbone.paths import Path, Slot, paths, slots
from symut.backbone.routing import Move, Routing, dense
from symut.backbone.shape import (
    Linear,
    Shape,
    block_count,
    degree,
    degree_formula,
    size_symbols,
    slot_count,
    width_formula,
)

__all__ = [
    "Attention",
    "Backbone",
    "Linear",
    "Move",
    "Network",
    "Path",
    "Routing",
    "Shape",
    "Slot",
    "block_count",
    "block_matrix",
    "degree",
    "degree_formula",
    "dense",
    "paths",
    "run",
    "simulate",
    "size_symbols",
    "slot_count",
    "slots",
    "solve_program",
    "solve_program_exactly",
    "target_blocks",
    "width_formula",
]
