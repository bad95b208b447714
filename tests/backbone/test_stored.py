"""Users' files are refused in one line: missing, truncated, foreign, not finite, of wrong dtype or shape."""

import json
import os
import struct
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import save_file

from symut.backbone.agreement import agreed_sizes
from symut.backbone.stored import (
    backbone_sizes,
    read_backbone,
    read_metadata,
    read_tensors,
    require_same,
    serialize,
    tensor_shapes,
)
from symut.errors import TargetError


def write(path, **tensors):
    path.write_bytes(serialize(tensors, {"about": 1}))
    return path


def one_line(caught):
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_tensors_come_back_bit_for_bit(tmp_path):
    x = np.array([[0.1, -0.0], [2.0**-149, 3]], dtype=np.float32)
    path = write(tmp_path / "a.safetensors", x=x)
    assert read_tensors(path, ["x"])["x"].tobytes() == x.tobytes()
    assert read_metadata(path) == {"about": 1}
    assert tensor_shapes(path) == {"x": (2, 2)}


def test_bytes_do_not_depend_on_the_order_of_the_tensors():
    x, y = np.zeros(2), np.ones(3)
    assert serialize({"x": x, "y": y}, {"b": 1, "a": 2}) == serialize({"y": y, "x": x}, {"a": 2, "b": 1})


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16, torch.int8])
def test_short_dtypes_are_widened_exactly(tmp_path, dtype):
    x = torch.tensor([[1.5, -3.0], [0.0, 2.0**-9 if dtype != torch.int8 else 7]]).to(dtype)
    save_file({"x": x}, tmp_path / "a.safetensors")
    assert read_tensors(tmp_path / "a.safetensors", ["x"])["x"].astype(float).tolist() == x.double().tolist()


@pytest.mark.parametrize(
    "content", [b"", b"junk", b"\x80\x04\x95pickle", struct.pack("<Q", 10**15) + b"{}", b"\xff" * 64]
)
def test_files_that_are_not_safetensors_are_refused(tmp_path, content):
    path = tmp_path / "a.safetensors"
    path.write_bytes(content)
    with pytest.raises(TargetError, match="cannot read") as caught:
        read_tensors(path, ["x"])
    one_line(caught)


def test_every_truncation_is_refused(tmp_path):
    path = write(tmp_path / "a.safetensors", x=np.arange(6.0))
    whole = path.read_bytes()
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        with pytest.raises(TargetError, match="cannot read"):
            read_tensors(path, ["x"])


def test_missing_files_folders_and_tensors_are_refused(tmp_path):
    with pytest.raises(TargetError, match="no such file"):
        read_tensors(tmp_path / "absent", ["x"])
    with pytest.raises(TargetError, match="a folder"):
        read_tensors(tmp_path, ["x"])
    os.mkfifo(tmp_path / "pipe")
    for special in (tmp_path / "pipe", Path("/dev/zero")):
        with pytest.raises(TargetError, match="not a regular file"):
            read_tensors(special, ["x"])
    path = write(tmp_path / "a.safetensors", y=np.zeros(1))
    with pytest.raises(TargetError, match=r"lacks a tensor: expected x, got y"):
        read_tensors(path, ["x"])


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_numbers_that_are_not_finite_are_refused_with_their_place(tmp_path, bad):
    x = np.zeros((2, 3))
    x[1, 2] = bad
    with pytest.raises(TargetError, match=r"not finite.*\(1, 2\)") as caught:
        read_tensors(write(tmp_path / "a.safetensors", x=x), ["x"])
    one_line(caught)


def test_brain_floats_that_are_not_finite_are_refused(tmp_path):
    save_file({"x": torch.tensor([1.0, float("nan")], dtype=torch.bfloat16)}, tmp_path / "a.safetensors")
    with pytest.raises(TargetError, match=r"not finite.*\(1,\)"):
        read_tensors(tmp_path / "a.safetensors", ["x"])


@pytest.mark.parametrize("dtype", [np.uint8, np.complex64, np.bool_])
def test_dtypes_without_an_exact_signed_value_are_refused(tmp_path, dtype):
    with pytest.raises(TargetError, match="dtype"):
        read_tensors(write(tmp_path / "a.safetensors", x=np.zeros(2, dtype)), ["x"])


def test_metadata_of_other_programs_is_ignored(tmp_path):
    save_file({"x": torch.zeros(1)}, tmp_path / "a.safetensors", metadata={"symut": "not json"})
    assert read_metadata(tmp_path / "a.safetensors") == {}
    save_file({"x": torch.zeros(1)}, tmp_path / "b.safetensors", metadata={"symut": json.dumps([1])})
    assert read_metadata(tmp_path / "b.safetensors") == {}


GOOD = {"RQ": (1, 2, 5, 3), "RK": (1, 2, 5, 3), "RV": (1, 2, 5, 5), "U": (5, 4)}


def test_backbone_sizes_are_read_from_the_shapes(tmp_path):
    path = write(tmp_path / "a.safetensors", **{name: np.ones(shape) for name, shape in GOOD.items()})
    tensors, d, k, m = read_backbone(path, H=2, L=1)
    assert (d, k, m) == backbone_sizes(path, H=2, L=1) == (4, 3, 5)
    assert set(tensors) == set(GOOD)


def refused_backbone(path, shapes, H=2, L=1):
    """The one line about the shapes, without the path."""
    write(path, **{name: np.ones(shape) for name, shape in shapes.items()})
    with pytest.raises(TargetError) as caught:
        read_backbone(path, H=H, L=L)
    one_line(caught)
    return str(caught.value).removeprefix(f"{path}, ")


WRONG = {
    "RQ": [(1, 2, 5), (2, 1, 5, 3), (1, 2, 3, 5), (1, 2, 6, 3), (1, 2, 0, 3), (1, 2, 5, 0), (5, 3)],
    "RK": [(1, 2, 5), (1, 3, 5, 3), (1, 2, 3, 5), (1, 2, 4, 3), (2, 2, 5, 3), (3,)],
    "RV": [(1, 2, 5, 6), (1, 2, 6, 5), (1, 2, 6, 6), (5, 5), (1, 1, 5, 5), (2, 5, 5)],
    "U": [(6, 4), (4, 5), (4,), (5, 0), (0, 4), (1, 5, 4)],
}
EXPECTED = {"RQ": "1 x 2 x 5 x 3", "RK": "1 x 2 x 5 x 3", "RV": "1 x 2 x 5 x 5", "U": "5 x "}


@pytest.mark.parametrize(("name", "shape"), [(name, shape) for name in WRONG for shape in WRONG[name]], ids=str)
def test_the_one_tensor_of_a_backbone_that_disagrees_is_named_with_both_shapes(tmp_path, name, shape):
    message = refused_backbone(tmp_path / "a.safetensors", {**GOOD, name: shape})
    assert message.startswith(f"{name}: expected {EXPECTED[name]}")
    assert f"got {' x '.join(map(str, shape))};" in message


@pytest.mark.parametrize("name", GOOD)
def test_scalars_in_place_of_a_tensor_are_named(name):
    with pytest.raises(TargetError, match=f"^a, {name}: expected .*, got a scalar"):
        agreed_sizes(Path("a"), {**GOOD, name: ()}, H=2, L=1)


def test_a_transposed_read_out_is_said_to_be_one(tmp_path):
    shapes = {"RQ": (2, 2, 48, 3), "RK": (2, 2, 48, 3), "RV": (2, 2, 48, 48), "U": (3, 48)}
    message = refused_backbone(tmp_path / "a.safetensors", shapes, 2, 2)
    assert message == "U: expected 48 x 3, got 3 x 48; transpose it"


def test_queries_and_keys_of_different_head_widths_are_both_named(tmp_path):
    message = refused_backbone(tmp_path / "a.safetensors", {**GOOD, "RK": (1, 2, 5, 4)})
    assert message.startswith("RQ and RK: expected the same shape, got 1 x 2 x 5 x 3 and 1 x 2 x 5 x 4")


@pytest.mark.parametrize(("H", "L"), [(1, 2), (2, 2), (3, 1)])
def test_backbones_of_other_layers_or_heads_say_which_they_have(tmp_path, H, L):
    message = refused_backbone(tmp_path / "a.safetensors", GOOD, H, L)
    assert message.startswith(f"RQ, RK, RV: expected L = {L} and H = {H} first, got 1 x 2; pass --H 2 --L 1")


def test_bytes_that_hold_other_tensors_are_refused(tmp_path):
    path = write(tmp_path / "a.safetensors", x=np.zeros(2))
    content, tensors = path.read_bytes(), read_tensors(path, ["x"])
    require_same(path, content, tensors)
    with pytest.raises(TargetError, match="changed while it was read"):
        require_same(path, content, {"x": np.array([0.0, -0.0])})
