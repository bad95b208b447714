"""Emitted simulators for the tests; everything lies in a temporary folder."""

import functools
from pathlib import Path

import pytest

from symut.api import emit
from tests.emitter.emission import import_folder


@pytest.fixture(scope="session")
def emitted(tmp_path_factory):
    """A function (simulator, **parameters) -> its model.py as a module, emitted once."""
    root = tmp_path_factory.mktemp("simulators")

    @functools.cache
    def make(simulator, **parameters):
        return import_folder(Path(emit(simulator, out=root, **parameters).path))

    return make
