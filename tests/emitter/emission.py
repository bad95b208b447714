"""Emitting into a folder and importing from it, for the tests of emitted modules."""

import importlib.util
import sys
from pathlib import Path

from constructions.generic import weights_file
from constructions.sparse import merging
from symut.backbone import Shape
from symut.emitter import emit
from symut.emitter.weights import routing_file


def emitted_files(kind, H=2, L=2, d=3, k=3, m=None, distribution="gaussian", dtype="float32", **options):
    """What `emit` gives for these sizes; m defaults to N."""
    shape = Shape(H, L, d, k)
    m = shape.N if m is None else m

    def weights():
        if kind == "sparse":
            return routing_file(shape, merging(H, L, d, k, m))
        return weights_file(shape, m, 0, distribution, dtype)[1]

    options = {"command": f"python -m symut emit {kind} --H {H} --L {L} --d {d} --k {k} --m {m}"} | options
    return emit(kind, shape, m, weights=weights, dtype=dtype, **options)


def import_folder(folder: Path):
    """The module model.py of a folder, under a name of its own."""
    name = f"emitted_{folder.name.replace('-', '_')}_{len(sys.modules)}"
    spec = importlib.util.spec_from_file_location(name, folder / "model.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def write(folder: Path, files) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return folder
