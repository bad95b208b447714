"""Exact rank by the library against sympy, on the block matrix of a random integer backbone."""

from collections.abc import Iterator

import numpy as np
import sympy
from sympy.polys.matrices import DomainMatrix

from constructions.generic import random_backbone
from symut.backbone import Backbone, Network, Shape, block_matrix
from symut.exact import Matrix
from tests.benchmarks.row import Row, report, wall_seconds


def integer_block_matrix(shape: Shape) -> list[list[int]]:
    """M(R) (N x N) of a backbone with entries uniform on -1000..1000 as rows of Python integers."""
    generator = np.random.default_rng(0)
    sizes = {name: tensor.shape for name, tensor in random_backbone(shape, shape.N).items()}
    tensors = {name: generator.integers(-1000, 1001, size).astype(object) for name, size in sizes.items()}
    inner = Network(*([list(layer) for layer in tensors[name]] for name in ("RQ", "RK", "RV")))
    return np.asarray(block_matrix(Backbone(inner, tensors["U"]))).tolist()


def measure() -> Iterator[Row]:
    rows = integer_block_matrix(Shape(2, 2, 1, 1))
    ours, theirs = Matrix.from_rows(rows), sympy.Matrix(rows)
    ratio = wall_seconds(theirs.rank, 1) / wall_seconds(ours.rank, 20)
    yield report(f"exact rank at N = {len(rows)}: sympy.Matrix.rank over the library", ratio, "x")
    rows = integer_block_matrix(Shape(2, 3, 1, 1))
    ours, theirs = Matrix.from_rows(rows), DomainMatrix.from_Matrix(sympy.Matrix(rows)).to_field()
    ratio = wall_seconds(theirs.rank, 1) / wall_seconds(ours.rank, 20)
    yield report(f"exact rank at N = {len(rows)}: sympy DomainMatrix.rank over the library", ratio, "x")
