"""Emitting into a folder and importing from it, for the tests of emitted modules."""

import importlib.util
import sys
from pathlib import Path

from constructions.generic import weights_file
from constructions.layouts import merging, shifting
from symut.backbone.forms import FormShape
from symut.emitter import emit, emit_form
from symut.emitter.kinds import KINDS

TABLES = tuple(kind for kind, about in KINDS.items() if not about.random)
FORMS = tuple(kind for kind in TABLES if kind != "sparse")


def shape_of(kind, H, L, d, k, d_out=None):
    """The sizes with the form of the kind."""
    return FormShape(KINDS[kind].form, H, L, d, k, d_out)


def routing_of(shape, width=None):
    """The layout that `emit` gets for a form."""
    return shifting(shape, width) if shape.form.shared else merging(shape, width)


def emitted_files(
    kind, H=2, L=2, d=3, k=3, m=None, d_out=None, distribution="gaussian", dtype="float32", padding=0, **options
):
    """What `emit` gives for these sizes; m defaults to N + padding."""
    shape = shape_of(kind, H, L, d, k, d_out)
    m = shape.N + padding if m is None else m
    options = {"command": f"python -m symut emit {kind} --H {H} --L {L} --d {d} --k {k} --m {m}"} | options
    if kind in TABLES:
        return emit_form(shape, m, routing=lambda: routing_of(shape), kind=kind, **options)

    def weights():
        return weights_file(shape, m, 0, distribution, dtype, shared=shape.form.shared)[1]

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
