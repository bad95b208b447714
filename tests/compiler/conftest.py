"""Backbones and targets for the tests of `symut program`; everything lies in temporary folders."""

import functools
from pathlib import Path

import numpy as np
import pytest

from symut.api import emit
from symut.backbone import Shape
from symut.backbone.stored import serialize


@pytest.fixture(scope="session")
def backbone(tmp_path_factory):
    """A function (construction, H, L, d, k) -> folder of an emitted backbone, emitted once."""
    root = tmp_path_factory.mktemp("backbones")

    @functools.cache
    def make(construction, H, L, d, k):
        m = Shape(H, L, d, k).N + (2 if construction == "random" else 0)
        return Path(emit(construction, H=H, L=L, d=d, k=k, m=m, out=root).path)

    return make


@pytest.fixture
def save(tmp_path):
    """A function (name, tensors) -> path of a safetensors file."""

    def write(name, tensors):
        path = tmp_path / f"{name}.safetensors"
        path.write_bytes(serialize(tensors, {}))
        return path

    return write


@pytest.fixture
def numbers():
    """A function (*shape) -> seeded standard normal float64 numbers over the root of the shape's last but one size."""
    generator = np.random.default_rng(0)

    def draw(*shape):
        scale = np.sqrt(shape[-2]) if len(shape) > 1 else 1
        return generator.standard_normal(shape) / scale

    return draw


@pytest.fixture
def native(numbers):
    """A function (H, L, d, k, biases) -> tensors in symut's own scheme."""

    def make(H, L, d, k, biases=False):
        tensors = {"WQ": numbers(L, H, d, k), "WK": numbers(L, H, d, k), "WV": numbers(L, H, d, d)}
        if biases:
            tensors |= {"bQ": numbers(L, H, k), "bK": numbers(L, H, k), "bV": numbers(L, H, d)}
        return tensors

    return make
