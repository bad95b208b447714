"""Emitted modules for the tests: written once per set of parameters, imported from their own folder."""

from functools import cache

import pytest

from tests.emitter.emission import emitted_files, import_folder, write


@pytest.fixture(scope="session")
def emitted(tmp_path_factory):
    """emitted(kind, H, L, d, k, m, ...) -> the imported source module; its `load()` gives the torch module."""

    @cache
    def build(kind, *sizes, **options):
        name = "-".join(map(str, (kind, *sizes, *options.values())))
        return import_folder(write(tmp_path_factory.mktemp("generated") / name, emitted_files(kind, *sizes, **options)))

    return build


@pytest.fixture
def folder(tmp_path):
    """folder(kind, ...) -> a fresh folder with both files, to be damaged."""
    return lambda kind, **options: write(tmp_path / kind, emitted_files(kind, **options))
