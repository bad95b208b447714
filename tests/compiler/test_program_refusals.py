"""Every bad target, backbone and option gets one line, and nothing is written."""

import contextlib
import json
import pickle
import re
import shutil

import numpy as np
import pytest

from constructions.sparse import merging
from symut.backbone import Shape
from symut.backbone.stored import serialize
from symut.compiler.compilation import program
from symut.emitter import emit, routing_file
from symut.errors import SymutError, TargetError, UsageError
from symut.publish import publish_folder


@pytest.fixture
def refused(tmp_path, backbone):
    """A function (target, folder, **options) -> the one-line message; checks that the output folder stays empty."""
    out = tmp_path / "out"
    out.mkdir()

    def attempt(target, folder=None, kind=TargetError, **options):
        with pytest.raises(SymutError) as caught:
            program(folder or backbone("sparse", 2, 1, 4, 3), target, out / "E.safetensors", **options)
        assert type(caught.value) is kind
        assert list(out.iterdir()) == []
        assert "\n" not in str(caught.value)
        return str(caught.value)

    return attempt


def change(tensors, name, value):
    return {**tensors, name: value}


def without(tensors, name):
    return {key: value for key, value in tensors.items() if key != name}


# --- files that are no safetensors files -------------------------------------------------------------------------


def test_missing_target(refused, tmp_path):
    assert "no such file" in refused(tmp_path / "absent.safetensors")


def test_truncated_target(refused, save, native):
    path = save("target", native(2, 1, 4, 3))
    path.write_bytes(path.read_bytes()[:-20])
    assert "expected a safetensors file" in refused(path)


@pytest.mark.parametrize("content", [b"", b"text", b"\xff" * 64, pickle.dumps({"WQ": [1.0]})])
def test_target_of_another_format(refused, tmp_path, content):
    path = tmp_path / "target.safetensors"
    path.write_bytes(content)
    assert "expected a safetensors file" in refused(path)


def test_folder_as_target(refused, tmp_path):
    assert "a folder" in refused(tmp_path)


# --- tensors that are wrong --------------------------------------------------------------------------------------

NATIVE_CHANGES = {
    "not-a-number": ("WK", lambda W: np.where(W.max() == W, np.nan, W), "NaN"),
    "infinity": ("WV", lambda W: np.where(W.max() == W, np.inf, W), "infinity"),
    "flag": ("WQ", lambda W: W > 0, "dtype"),
    "complex": ("WQ", lambda W: W.astype(np.complex64), "dtype"),
    "unsigned": ("bQ", lambda W: W.astype(np.uint8), "dtype"),
    "three-axes": ("WQ", lambda W: W[0], "L x H x d x k"),
    "empty": ("WQ", lambda W: W[:0], "L x H x d x k"),
    "other-heads": ("WK", lambda W: W[:, :1], "1 x 2 x 4 x 3"),
    "rectangular-values": ("WV", lambda W: W[..., :3], "1 x 2 x 4 x 4"),
    "bias-of-another-width": ("bV", lambda W: W[..., :3], "1 x 2 x 4"),
}


@pytest.mark.parametrize("case", NATIVE_CHANGES)
def test_wrong_tensor(refused, save, native, case):
    name, wrong, said = NATIVE_CHANGES[case]
    tensors = native(2, 1, 4, 3, biases=True)
    message = refused(save("target", change(tensors, name, wrong(tensors[name]))))
    assert said in message
    assert name in message


@pytest.mark.parametrize("name", ["WQ", "WK", "WV"])
def test_missing_tensor(refused, save, native, name):
    path = save("target", without(native(2, 1, 4, 3), name))
    assert name in refused(path, scheme="symut")
    assert "no known scheme" in refused(path)


def test_file_of_two_schemes(refused, save, native, numbers):
    tensors = native(2, 1, 4, 3) | {"in_proj_weight": numbers(12, 4)}
    assert "pass --scheme symut|mha" in refused(save("target", tensors))


# --- options -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [
        {"layer": -1},
        {"heads": 0},
        {"scale": float("nan")},
        {"scale": float("inf")},
        {"dtype": "float16"},
        {"scheme": "gpt"},
    ],
)
def test_option_out_of_range(refused, save, native, options):
    refused(save("target", native(2, 1, 4, 3)), kind=UsageError, **options)


def test_layer_that_is_not_there(refused, save, native):
    assert "0..0" in refused(save("target", native(2, 1, 4, 3)), layer=1)


def test_heads_that_differ_from_the_file(refused, save, native):
    assert "expected 2" in refused(save("target", native(2, 1, 4, 3)), heads=3)


def test_too_much_memory(refused, save, native):
    assert "--max-memory" in refused(save("target", native(2, 1, 4, 3)), kind=UsageError, max_memory="10KiB")


# --- torch.nn.MultiheadAttention ---------------------------------------------------------------------------------


def multihead(numbers, d=4):
    return {
        "in_proj_weight": numbers(3 * d, d),
        "in_proj_bias": numbers(3 * d),
        "out_proj.weight": numbers(d, d),
        "out_proj.bias": numbers(d),
    }


def test_heads_unknown(refused, save, numbers):
    assert "pass --heads" in refused(save("target", multihead(numbers)))


def test_heads_that_do_not_divide(refused, save, numbers):
    assert "a divisor of 4" in refused(save("target", multihead(numbers)), heads=3)


@pytest.mark.parametrize("name", ["bias_k", "bias_v", "q_proj_weight"])
def test_forms_outside_the_model_class(refused, save, numbers, name):
    message = refused(save("target", multihead(numbers) | {name: numbers(4, 4)}), heads=2)
    assert "outside the model class" in message


@pytest.mark.parametrize(
    ("name", "shape"),
    [("in_proj_weight", (11, 4)), ("in_proj_weight", (12,)), ("out_proj.weight", (4, 5)), ("in_proj_bias", (4,))],
)
def test_wrong_shape_in_a_state_dict(refused, save, numbers, name, shape):
    message = refused(save("target", change(multihead(numbers), name, numbers(*shape))), heads=2)
    assert name in message
    assert " x ".join(map(str, shape)) in message


def test_several_layers_and_none_chosen(refused, save, numbers):
    tensors = {f"{part}.{name}": value for part in ("a", "b") for name, value in multihead(numbers).items()}
    path = save("target", tensors)
    assert "--layer 0 (a.), 1 (b.)" in refused(path, heads=2)
    assert "no layer 2" in refused(path, heads=2, layer=2)


def test_cross_attention_alone(refused, save, numbers):
    tensors = {f"multihead_attn.{name}": value for name, value in multihead(numbers).items()}
    assert "cross-attention only" in refused(save("target", tensors), heads=2)


# --- BERT --------------------------------------------------------------------------------------------------------


def bert(numbers, prefix="", d=4):
    stem = f"{prefix}encoder.layer.0.attention."
    parts = {"self.query": (d, d), "self.key": (d, d), "self.value": (d, d), "output.dense": (d, d)}
    return {f"{stem}{part}.weight": numbers(*shape) for part, shape in parts.items()}


def test_no_heads_beside_the_checkpoint(refused, save, numbers):
    assert "pass --heads" in refused(save("model", bert(numbers)))


@pytest.mark.parametrize(
    "config", ["{", "[]", "{}", '{"num_attention_heads": "4"}', '{"num_attention_heads": 0}', "[" * 9999]
)
def test_unusable_config(refused, save, numbers, tmp_path, config):
    (tmp_path / "config.json").write_text(config)
    assert "num_attention_heads" in refused(save("model", bert(numbers)))


def test_two_encoders(refused, save, numbers):
    assert "one prefix" in refused(save("model", bert(numbers, "a.") | bert(numbers, "b.")), heads=2)


def test_relative_positions(refused, save, numbers):
    tensors = bert(numbers) | {"encoder.layer.0.attention.self.distance_embedding.weight": numbers(9, 2)}
    assert "relative position" in refused(save("model", tensors), heads=2)


def test_missing_output_projection(refused, save, numbers):
    tensors = without(bert(numbers), "encoder.layer.0.attention.output.dense.weight")
    assert "output.dense.weight" in refused(save("model", tensors), heads=2)


# --- backbones ---------------------------------------------------------------------------------------------------


def test_backbone_of_another_shape_names_the_command(refused, save, native):
    message = refused(save("target", native(3, 1, 6, 2)))
    assert "python -m symut emit sparse --H 3 --L 1 --d 6 --k 2" in message


def test_biases_with_several_layers(refused, backbone, save, native):
    message = refused(save("target", native(2, 2, 4, 3, biases=True)), backbone("sparse", 2, 2, 4, 3))
    assert "several layers" in message


def foreign(tmp_path, case):
    """A path where no emitted module is."""
    path = tmp_path / case
    if case == "a file":
        path.write_text("text")
    elif case != "absent":
        path.mkdir()
    if case in ("damaged", "unlabelled", "another program's"):
        about = {"construction": "forest"} if case == "another program's" else {}
        content = b"damaged" if case == "damaged" else serialize({"U": np.eye(2)}, about)
        (path / "weights.safetensors").write_bytes(content)
    return path


@pytest.mark.parametrize(
    ("case", "got"),
    [
        ("absent", "got no such folder"),
        ("a file", "got a file"),
        ("empty", "got a folder without weights.safetensors"),
        ("damaged", "got weights.safetensors that cannot be read: "),
        ("unlabelled", "got weights.safetensors without symut's metadata"),
        ("another program's", "got weights.safetensors with the metadata {'construction': 'forest'}"),
    ],
)
def test_where_no_emitted_module_is_the_message_says_so_and_how_to_emit_one(refused, save, native, tmp_path, case, got):
    folder = foreign(tmp_path, case)
    message = refused(save("target", native(2, 1, 4, 3)), folder)
    assert message.startswith(f"no emitted module is at {folder}: expected a folder with model.py and weights")
    assert got in message
    assert "; emit one with python -m symut emit sparse" in message
    assert "save it again" not in message


@pytest.fixture
def copy(backbone, tmp_path):
    def make(construction):
        return shutil.copytree(backbone(construction, 2, 1, 4, 3), tmp_path / "copy")

    return make


def test_model_without_metadata(refused, save, native, copy):
    folder = copy("sparse")
    (folder / "weights.safetensors").write_bytes(serialize({"U": np.eye(2)}, {}))
    assert "without symut's metadata" in refused(save("target", native(2, 1, 4, 3)), folder)


def test_missing_module(refused, save, native, copy):
    folder = copy("sparse")
    (folder / "model.py").unlink()
    assert "python -m symut emit sparse --H 2 --L 1 --d 4 --k 3" in refused(save("target", native(2, 1, 4, 3)), folder)


@pytest.mark.parametrize("construction", ["sparse", "random"])
@pytest.mark.parametrize("where", ["start", "end", "inside", "header", "limit"])
def test_changed_module_is_never_run(refused, save, native, copy, tmp_path, construction, where):
    folder, trace = copy(construction), tmp_path / "trace"
    model = folder / "model.py"
    evil, text = f"open({str(trace)!r}, 'w').close()\n", model.read_text()
    model.write_text(
        {
            "start": evil + text,
            "end": text + evil,
            "inside": text.replace("COMMAND = ", f"COMMAND = {evil.strip()} or ", 1),
            "header": text.replace("theorems    ", 'theorems    """\n' + evil + '"""', 1),
            "limit": re.sub(r"MAX_MEMORY = \d+", f"MAX_MEMORY = {evil.strip()!r}", text),
        }[where]
    )
    assert model.read_text() != text
    assert "emit it again" in refused(save("target", native(2, 1, 4, 3)), folder)
    assert not trace.exists()


@pytest.mark.parametrize("quote", ['"""', "'''", '"', "\\", "\n"])
def test_recorded_words_never_become_code(save, native, tmp_path, quote):
    """A module that symut itself renders with a hostile command is consistent, so it is loaded: as harmless text."""
    trace, shape = tmp_path / "trace", Shape(2, 1, 4, 3)
    hostile = f"{quote}\nopen({str(trace)!r}, 'w')\n{quote}"
    weights = routing_file(shape, merging(2, 1, 4, 3))
    files = emit("sparse", shape, shape.N, weights=lambda: weights, command=hostile, theorems=[hostile])
    publish_folder(tmp_path / "hostile", files)
    path = save("target", native(2, 1, 4, 3))
    with contextlib.suppress(TargetError):
        program(tmp_path / "hostile", path, tmp_path / "E.safetensors")
    assert not trace.exists()


@pytest.mark.parametrize("construction", ["sparse", "random"])
def test_changed_weights(refused, save, native, copy, construction):
    folder = copy(construction)
    weights = folder / "weights.safetensors"
    content = bytearray(weights.read_bytes())
    content[-1] ^= 1
    weights.write_bytes(content)
    assert "emit it again" in refused(save("target", native(2, 1, 4, 3)), folder)


@pytest.mark.parametrize(
    "change",
    [{'x": print(1), "y': 1}, {"seed": [1]}, {"H": True}, {"H": 0}, {"m": "51"}, {"construction": "../evil"}],
)
def test_metadata_that_are_no_words_or_numbers(refused, save, native, copy, change):
    folder = copy("sparse")
    path = folder / "weights.safetensors"
    size = int.from_bytes(path.read_bytes()[:8], "little")
    metadata = json.loads(json.loads(path.read_bytes()[8 : 8 + size])["__metadata__"]["symut"])
    path.write_bytes(serialize({"U": np.eye(2)}, metadata | change))
    assert "no emitted module is at" in refused(save("target", native(2, 1, 4, 3)), folder)


def test_weights_of_another_width(refused, save, native, copy, backbone):
    folder = copy("sparse")
    shutil.copy(backbone("random", 2, 1, 4, 3) / "weights.safetensors", folder)
    assert "emit it again" in refused(save("target", native(2, 1, 4, 3)), folder)


# --- numbers that are too large ----------------------------------------------------------------------------------


def test_overflow_in_float32_is_refused_and_reported_in_float64(refused, backbone, save, native, tmp_path):
    tensors = native(2, 1, 4, 3)
    path = save("target", change(tensors, "WV", tensors["WV"] * 1e60))
    assert "pass --dtype float64" in refused(path)
    report = program(backbone("sparse", 2, 1, 4, 3), path, tmp_path / "E.safetensors", dtype="float64")
    assert report.errors["float32"] is None
    assert report.max_rel_error < 1e-14


def test_overflow_in_float64(refused, save, native):
    tensors = native(2, 1, 4, 3)
    path = save("target", {name: value * 1e300 for name, value in tensors.items()})
    assert "scale its weights down" in refused(path, dtype="float64")
