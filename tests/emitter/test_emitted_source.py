"""The text of an emitted module: standalone, reproducible, and honest about where it comes from."""

import ast
import shutil
import subprocess
import sys

import pytest

from constructions.generic import weights_file
from constructions.sparse import merging, projector
from symut.backbone import Shape
from symut.emitter import emit, predicted_bytes
from symut.emitter.weights import file_header, routing_file
from symut.errors import UsageError
from tests.emitter.emission import emitted_files

KINDS = ("sparse", "random")


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
    header = ast.get_docstring(ast.parse(files["model.py"]))
    assert all(text in header for text in ("python -m symut emit it", "one, two", "ab" * 32, "N = 48 slots"))


def test_every_public_function_and_class_has_a_docstring():
    for kind in KINDS:
        for node in ast.walk(ast.parse(emitted_files(kind)["model.py"])):
            named = isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name not in ("__init__", "keep")
            assert not named or ast.get_docstring(node), node.name


@pytest.mark.skipif(shutil.which("ruff") is None, reason="ruff is not installed")
@pytest.mark.parametrize("sizes", [(2, 2, 3, 3), (1, 40, 2, 1), (2, 7, 1, 1)])
def test_source_passes_ruff_and_is_formatted(sizes, tmp_path):
    command = "python -m symut emit sparse" + " --long option" * 12
    for kind in KINDS if sizes[1] < 7 else ("sparse",):
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


@pytest.mark.parametrize("kind", KINDS)
def test_predicted_bytes_cover_the_file_three_times_over(kind):
    size = len(emitted_files(kind, m=400)["weights.safetensors"]) - 2000
    assert predicted_bytes(kind, Shape(2, 2, 3, 3), 400) >= 3 * size
