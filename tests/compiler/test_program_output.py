"""The file E.safetensors and the report: bytes, metadata, places, and what is said."""

import hashlib
import json
import subprocess
import sys

import numpy as np
import pytest

from symut.backbone.stored import read_metadata, read_tensors
from symut.compiler.compilation import program
from symut.compiler.measure import discrepancy
from symut.errors import UsageError


@pytest.mark.parametrize("construction", ["sparse", "random"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_same_inputs_give_the_same_bytes(backbone, save, native, tmp_path, construction, dtype):
    folder, path = backbone(construction, 2, 1, 4, 3), save("target", native(2, 1, 4, 3, biases=True))
    for name in ("a", "b"):
        program(folder, path, tmp_path / name / "E.safetensors", dtype=dtype)
    assert (tmp_path / "a/E.safetensors").read_bytes() == (tmp_path / "b/E.safetensors").read_bytes()
    assert [file.name for file in (tmp_path / "a").iterdir()] == ["E.safetensors"]


def test_file_says_what_it_belongs_to(backbone, save, native, tmp_path):
    folder, path, out = (
        backbone("sparse", 2, 1, 4, 3),
        save("target", native(2, 1, 4, 3, True)),
        tmp_path / "E.safetensors",
    )
    report = program(folder, path, out, scale=0.25)
    E = read_tensors(out, ["E"])["E"]
    assert (E.shape, E.dtype) == ((5, 20), np.float32)
    assert (report.rows, report.width) == E.shape
    assert read_metadata(out) == {
        "format": "symut-program-1",
        "backbone": hashlib.sha256((folder / "weights.safetensors").read_bytes()).hexdigest(),
        "construction": "sparse",
        "target": hashlib.sha256(path.read_bytes()).hexdigest(),
        "scheme": "symut",
        "layer": None,
        "scale": 0.25,
        "lifted": True,
        **{"H": 2, "L": 1, "d": 4, "k": 3, "m": 20},
    }


def test_program_of_the_sparse_backbone_is_the_target(backbone, save, native, tmp_path):
    """With one layer E = [WQ_1 WQ_2 WK_1 WK_2 WV_1 WV_2] (in float64, exactly)."""
    tensors, out = native(2, 1, 4, 3), tmp_path / "E.safetensors"
    program(backbone("sparse", 2, 1, 4, 3), save("target", tensors), out, dtype="float64")
    blocks = [tensors[name][0, head] for name in ("WQ", "WK", "WV") for head in range(2)]
    assert np.array_equal(read_tensors(out, ["E"])["E"], np.concatenate(blocks, axis=1))


def test_previous_file_survives_an_error(backbone, save, native, tmp_path):
    out = tmp_path / "E.safetensors"
    out.write_bytes(b"before")
    tensors = native(2, 1, 4, 3)
    tensors["WK"][0, 0, 0, 0] = np.nan
    with pytest.raises(Exception, match="not finite"):
        program(backbone("sparse", 2, 1, 4, 3), save("target", tensors), out)
    assert out.read_bytes() == b"before"


@pytest.mark.parametrize("place", ["target", "inputs", "weights", "model"])
def test_output_never_replaces_an_input(backbone, save, native, numbers, tmp_path, place):
    folder, path = backbone("sparse", 2, 1, 4, 3), save("target", native(2, 1, 4, 3))
    inputs = save("inputs", {"X": numbers(3, 4)})
    out = {"target": path, "inputs": inputs, "weights": folder / "weights.safetensors", "model": folder / "model.py"}[
        place
    ]
    before = out.read_bytes()
    with pytest.raises(UsageError, match="overwrite an input"):
        program(folder, path, out, inputs=inputs)
    assert out.read_bytes() == before


def test_output_never_replaces_an_input_through_a_link(backbone, save, native, tmp_path):
    path = save("target", native(2, 1, 4, 3))
    (tmp_path / "other").symlink_to(tmp_path, target_is_directory=True)
    with pytest.raises(UsageError, match="overwrite an input"):
        program(backbone("sparse", 2, 1, 4, 3), path, tmp_path / "other" / path.name)


def test_output_that_cannot_be_written(backbone, save, native, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="cannot write"):
        program(backbone("sparse", 2, 1, 4, 3), save("target", native(2, 1, 4, 3)), tmp_path / "file" / "E.safetensors")


def test_report_is_plain_json(backbone, save, native, tmp_path):
    path = save("target", native(2, 2, 4, 3))
    report = program(backbone("random", 2, 2, 4, 3), path, tmp_path / "E.safetensors", causal=True)
    answer = json.loads(json.dumps(report.as_json(), allow_nan=False))
    assert answer["embedding"] == str(tmp_path / "E.safetensors")
    assert {"backbone", "max_abs_error", "max_rel_error", "where"} <= answer.keys()
    assert answer["condition"] > 1
    assert "causal softmax of 1 Q K^T" in answer["hypotheses"][0]
    assert "seed 0" in answer["inputs"]


def test_row_stochastic_attention_is_a_stated_hypothesis_of_biases(backbone, save, native, tmp_path):
    folder = backbone("sparse", 2, 1, 4, 3)
    said = {
        biases: program(folder, save(f"t{biases}", native(2, 1, 4, 3, biases)), tmp_path / "E.safetensors").hypotheses
        for biases in (False, True)
    }
    assert not any("row-stochastic" in line for line in said[False])
    assert any("row-stochastic" in line for line in said[True])


def test_place_of_the_largest_error():
    expected, got = np.ones((2, 3, 4)), np.ones((2, 3, 4))
    got[1, 2, 3] += 0.5
    got[0, 0, 0] += 9
    rows = np.ones((2, 3), dtype=bool)
    rows[0, 0] = False
    found = discrepancy(got, expected, rows)
    assert (found.max_abs_error, found.max_rel_error, found.where) == (0.5, 0.5, (1, 2, 3))


def test_relative_error_of_a_zero_target_is_absolute():
    found = discrepancy(np.full((1, 2), 0.25), np.zeros((1, 2)), np.ones(1, dtype=bool))
    assert found.max_rel_error == 0.25


def test_numbers_left_out_may_be_infinite():
    got = np.array([[np.nan, 1.0], [2.0, 2.0]])
    assert discrepancy(got, np.zeros((2, 2)), np.array([False, True])).max_abs_error == 2
    assert discrepancy(got, np.zeros((2, 2)), np.array([True, True])) is None


def test_package_imports_neither_torch_nor_numpy():
    code = "import sys, symut.compiler; print(*{'torch', 'numpy', 'safetensors'} & sys.modules.keys())"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == ""


def test_reading_targets_does_not_import_torch():
    code = "import sys, symut.compiler.compilation; print('torch' in sys.modules)"
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
        == "False"
    )
