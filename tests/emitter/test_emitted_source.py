"""The text of an emitted module: standalone, reproducible, and honest about where it comes from."""

import ast
import shutil
import subprocess
import sys
from dataclasses import replace

import pytest

from constructions.generic import weights_file
from constructions.sparse import merging, projector
from symut.backbone import Shape
from symut.emitter import emit, emit_form, predicted_bytes
from symut.emitter.kinds import KINDS
from symut.emitter.weights import file_header, routing_file
from symut.errors import UsageError
from tests.emitter.emission import FORMS, emitted_files, routing_of, shape_of


@pytest.mark.parametrize("kind", KINDS)
def test_source_imports_only_torch_safetensors_and_the_standard_library(kind):
    tree = ast.parse(emitted_files(kind)["model.py"])
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    roots = {name.partition(".")[0] for name in names}
    assert roots - {"torch", "safetensors"} <= sys.stdlib_module_names


@pytest.mark.parametrize("kind", KINDS)
def test_emitting_twice_gives_equal_bytes(kind):
    assert emitted_files(kind) == emitted_files(kind)


@pytest.mark.parametrize("kind", KINDS)
def test_header_names_command_theorems_and_statement(kind):
    files = emitted_files(kind, command="python -m symut emit it", theorems=["one", "two"], statement_hash="ab" * 32)
    header, N = ast.get_docstring(ast.parse(files["model.py"])), shape_of(kind, 2, 2, 3, 3).N
    assert all(text in header for text in ("python -m symut emit it", "one, two", "ab" * 32, f"N = {N} slots"))


def test_every_public_function_and_class_has_a_docstring():
    for kind in KINDS:
        for node in ast.walk(ast.parse(emitted_files(kind)["model.py"])):
            named = isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name not in ("__init__", "keep")
            assert not named or ast.get_docstring(node), node.name


@pytest.mark.skipif(shutil.which("ruff") is None, reason="ruff is not installed")
@pytest.mark.parametrize("sizes", [(2, 2, 3, 3), (1, 40, 2, 1), (2, 7, 1, 1)])
def test_source_passes_ruff_and_is_formatted(sizes, tmp_path):
    command = "python -m symut emit sparse" + " --long option" * 12
    for kind in KINDS if sizes[1] < 7 else ("sparse", "looped", "affine"):
        path = tmp_path / f"{kind}.py"
        path.write_bytes(emitted_files(kind, *sizes, command=command)["model.py"])
        common = ["--isolated", "--no-cache", "--line-length", "110", str(path)]
        for run in (["check", "--select", "E,F,I,B,UP", "--target-version", "py311"], ["format", "--check"]):
            done = subprocess.run(["ruff", *run, *common], capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stdout + done.stderr


def test_a_command_with_quotes_stays_text():
    source = emitted_files("sparse", command='emit """ + \\ "x"')["model.py"]
    names = {node.targets[0].id: node.value for node in ast.parse(source).body if isinstance(node, ast.Assign)
             and isinstance(node.targets[0], ast.Name)}  # fmt: skip
    assert ast.literal_eval(names["COMMAND"]) == 'emit """ + \\ "x"'


def test_random_weights_are_the_file_that_the_theorem_names():
    shape = Shape(2, 2, 3, 3)
    assert emitted_files("random")["weights.safetensors"] == weights_file(shape, 48, 0, "gaussian", "float32")[1]


def test_sparse_tables_have_one_number_per_coordinate():
    tensors, metadata = file_header(routing_file(Shape(2, 3, 2, 1), merging(2, 3, 2, 1, 50)))
    assert tensors["route"] == ("I32", (3, 2, 50))
    assert metadata == {"construction": "sparse", "format": "symut-weights-1", "H": 2, "L": 3, "d": 2, "k": 1, "m": 50}


def test_routing_with_columns_of_several_coordinates_is_refused():
    with pytest.raises(UsageError, match="one coordinate"):
        routing_file(Shape(2, 2, 1, 1), projector(2, 2, 1, 1))


def test_width_below_the_threshold_is_refused():
    with pytest.raises(UsageError, match="48"):
        emitted_files("sparse", m=47)


def test_memory_is_refused_before_weights_are_made():
    def weights():
        raise AssertionError("allocated")

    with pytest.raises(UsageError, match="memory"):
        emit("random", Shape(2, 4, 60, 60), 10**5, weights=weights, command="")


def test_weights_of_another_shape_are_refused():
    other = routing_file(Shape(2, 2, 1, 1), merging(2, 2, 1, 1))
    with pytest.raises(UsageError, match="another backbone"):
        emit("sparse", Shape(2, 2, 3, 3), 48, weights=lambda: other, command="")


@pytest.mark.skipif(shutil.which("pyright") is None, reason="pyright is not installed")
def test_source_of_every_form_passes_pyright(tmp_path):
    paths = [tmp_path / f"{kind}.py" for kind in FORMS]
    for kind, path in zip(FORMS, paths, strict=True):
        path.write_bytes(emitted_files(kind)["model.py"])
    command = ["pyright", "--pythonpath", sys.executable, *map(str, paths)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("kind", FORMS)
def test_weights_name_construction_and_kind(kind):
    about = KINDS[kind]
    metadata = file_header(emitted_files(kind)["weights.safetensors"])[1]
    assert metadata["construction"] == about.construction
    assert metadata.get("kind", metadata["construction"]) == kind
    assert ("d_out" in metadata) is about.form.affine


@pytest.mark.parametrize("kind", FORMS)
def test_routings_in_another_order_or_of_another_form_are_refused(kind):
    shape = shape_of(kind, 2, 2, 3, 3)
    routing = routing_of(shape)
    other = replace(routing, slots=[1, 0, *range(2, shape.N)])
    with pytest.raises(UsageError, match="canonical order"):
        emit_form(shape, shape.N, routing=lambda: other, kind=kind, command="")
    with pytest.raises(UsageError, match="has another form"):
        emit_form(shape_of("sparse", 2, 2, 3, 3), 200, routing=lambda: routing, kind=kind, command="")
    with pytest.raises(UsageError, match=f"at least N = {shape.N}"):
        emit_form(shape, shape.N - 1, routing=lambda: routing, kind=kind, command="")


@pytest.mark.parametrize("kind", KINDS)
def test_predicted_bytes_cover_the_file_three_times_over(kind):
    size = len(emitted_files(kind, m=400)["weights.safetensors"]) - 2000
    assert predicted_bytes(kind, shape_of(kind, 2, 2, 3, 3), 400) >= 3 * size
