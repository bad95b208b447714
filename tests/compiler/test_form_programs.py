"""Programs on the backbones of every form: biases of several layers, residual targets, and what is refused instead."""

import functools
import json
from pathlib import Path

import numpy as np
import pytest

from symut.api import emit
from symut.backbone.stored import read_metadata, read_tensors
from symut.compiler.compilation import program
from symut.compiler.schemes import locate_target
from symut.errors import TargetError


@pytest.fixture(scope="session")
def form(tmp_path_factory):
    """A function (construction, L, **options) -> folder of an emitted backbone with H = 2, d = 4, k = 3."""
    root = tmp_path_factory.mktemp("forms")

    @functools.cache
    def make(construction, L, **options):
        return Path(emit(construction, H=2, L=L, d=4, k=3, out=root / str(len(options)), **options).path)

    return make


@pytest.fixture
def compiled(save, tmp_path):
    """A function (folder, tensors, **options) -> the report of `program`; E.safetensors lies in tmp_path."""
    return lambda folder, tensors, **options: program(
        folder, save("target", tensors), tmp_path / "E.safetensors", **options
    )


def softmax(scores, causal):
    if causal:
        scores = np.where(np.tri(len(scores), dtype=bool), scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)


def by_hand(tensors, X, causal, residual=False):
    """X_l = [X_{l-1} +] sum_h softmax((X WQ + bQ)(X WK + bK)^T) (X WV + bV), a loop over layers and heads."""
    for layer in range(len(tensors["WQ"])):
        total = X.copy() if residual else np.zeros_like(X)
        for head in range(2):
            Q, K, V = (
                X @ tensors["W" + role][layer, head]
                + (tensors[f"b{role}"][layer, head] if f"b{role}" in tensors else 0)
                for role in "QKV"
            )
            total += softmax(Q @ K.T, causal) @ V
        X = total
    return X


@pytest.mark.parametrize("L", [1, 2, 3])
@pytest.mark.parametrize("residual", [False, True])
@pytest.mark.parametrize("causal", [False, True])
def test_biases_of_several_layers_run_on_affine_backbones(form, compiled, save, native, numbers, L, residual, causal):
    tensors, X = native(2, L, 4, 3, biases=True), numbers(6, 4)
    expected = by_hand(tensors, X, causal, residual)
    given = tensors | ({"residual": np.array([1])} if residual else {})
    inputs = save("inputs", {"X": X, "Y": expected})
    report = compiled(form("affine", L, residual=residual), given, inputs=inputs, causal=causal)
    assert (report.rows, report.lifted) == (5, True)
    assert report.errors["float64"].max_rel_error < 1e-13
    assert report.reference["float64"].max_rel_error < 1e-13
    assert report.condition is None
    said = " ".join(report.hypotheses)
    assert ("row-stochastic" in said) is not residual


def test_affine_backbones_take_targets_without_biases(form, compiled, native):
    report = compiled(form("affine", 2, residual=False), native(2, 2, 4, 3))
    assert (report.rows, report.lifted) == (5, False)
    assert report.errors["float64"].max_rel_error < 1e-13


@pytest.mark.parametrize(
    ("construction", "options"),
    [
        ("looped", {}),
        ("random", {"shared": True}),
        ("scores", {"keys": "shared"}),
        ("scores", {"keys": "outputs"}),
        ("residual", {"shared": False}),
    ],
    ids=str,
)
def test_targets_without_biases_run_on_every_form(form, compiled, native, numbers, save, construction, options):
    tensors, X, residual = native(2, 2, 4, 3), numbers(6, 4), construction == "residual"
    inputs = save("inputs", {"X": X, "Y": by_hand(tensors, X, True, residual)})
    given = tensors | ({"residual": np.array(True)} if residual else {})
    report = compiled(form(construction, 2, **options), given, inputs=inputs, causal=True)
    assert report.reference["float64"].max_rel_error < 1e-10
    assert (report.condition is not None) is (construction == "random")


def test_shared_residual_backbones_take_targets_with_equal_layers(form, compiled, native):
    one = native(2, 1, 4, 3)
    tensors = {name: np.repeat(value, 2, axis=0) for name, value in one.items()} | {"residual": np.array([1.0])}
    assert compiled(form("residual", 2, shared=True), tensors).errors["float64"].max_rel_error < 1e-13
    tensors["WV"][1, 0, 0, 0] += 1
    with pytest.raises(TargetError, match="emit residual without --shared"):
        compiled(form("residual", 2, shared=True), tensors)


@pytest.mark.parametrize("mask", ["right", "left"])
def test_padding_is_left_out_where_it_attends_to_nothing(form, compiled, save, native, numbers, mask):
    """A causal row whose keys are all padding has no meaning and is not compared; the others are exact."""
    keep = np.array([[1, 1, 1, 1, 0, 0], [1, 1, 1, 1, 1, 1]])
    inputs = save("inputs", {"X": numbers(2, 6, 4), "mask": keep[:, ::-1].copy() if mask == "left" else keep})
    report = compiled(form("affine", 2, residual=False), native(2, 2, 4, 3, True), inputs=inputs, causal=True)
    assert report.rows_left_out == (2 if mask == "left" else 0)
    assert report.errors["float64"].max_rel_error < 1e-13


def test_file_says_which_kind_of_backbone_it_belongs_to(form, compiled, native, tmp_path):
    compiled(form("affine", 2, residual=True), native(2, 2, 4, 3, True) | {"residual": np.array([1])}, dtype="float64")
    found = read_metadata(tmp_path / "E.safetensors")
    assert (found["construction"], found["kind"], found["lifted"]) == ("affine", "affine_residual", True)
    assert read_tensors(tmp_path / "E.safetensors", ["E"])["E"].shape == (5, found["m"])


def test_the_program_runs_in_the_module(form, compiled, native, numbers, tmp_path):
    """On tokens without a column of ones: the module appends it."""
    import torch

    from tests.emitter.emission import import_folder

    folder, tensors, X = form("affine", 2, residual=False), native(2, 2, 4, 3, True), numbers(6, 4)
    compiled(folder, tensors, dtype="float64")
    E = torch.from_numpy(read_tensors(tmp_path / "E.safetensors", ["E"])["E"])
    Y = import_folder(folder).load(dtype=torch.float64)(torch.from_numpy(X), E)
    assert np.abs(Y.numpy() - by_hand(tensors, X, False)).max() < 1e-13


REFUSED = [
    ("sparse", {}, True, None, "emit affine --H 2 --L 2 --d 4 --k 3"),
    ("random", {}, True, None, "emit affine --H 2 --L 2 --d 4 --k 3"),
    ("looped", {}, True, None, "emit affine --H 2 --L 2 --d 4 --k 3"),
    ("scores", {}, True, None, "emit affine --H 2 --L 2 --d 4 --k 3"),
    ("residual", {}, True, 1, "emit affine --H 2 --L 2 --d 4 --k 3 --residual"),
    ("sparse", {}, False, 1, "emit residual --H 2 --L 2 --d 4 --k 3"),
    ("sparse", {}, True, 1, "emit affine --H 2 --L 2 --d 4 --k 3 --residual"),
    ("affine", {}, True, 1, "emit affine --H 2 --L 2 --d 4 --k 3 --residual"),
    ("affine", {"residual": True}, True, None, "emit affine --H 2 --L 2 --d 4 --k 3"),
    ("affine", {"residual": True}, False, 0, "emit sparse --H 2 --L 2 --d 4 --k 3"),
    ("residual", {}, False, None, "emit sparse --H 2 --L 2 --d 4 --k 3"),
    ("affine", {"d_out": 5}, True, None, "without --d-out: python -m symut emit affine --H 2 --L 2 --d 4 --k 3"),
]


@pytest.mark.parametrize(("construction", "options", "biases", "residual", "remedy"), REFUSED, ids=str)
def test_targets_that_do_not_fit_name_the_backbone_that_does(
    form, compiled, native, tmp_path, construction, options, biases, residual, remedy
):
    tensors = native(2, 2, 4, 3, biases) | ({} if residual is None else {"residual": np.array([residual])})
    with pytest.raises(TargetError) as error:
        compiled(form(construction, 2, **options), tensors)
    assert str(error.value).endswith(remedy)
    assert "\n" not in str(error.value)
    assert not (tmp_path / "E.safetensors").exists()


@pytest.mark.parametrize("number", [np.array([2]), np.array([0.5]), np.array([1, 1])], ids=str)
def test_residual_is_the_number_0_or_1(save, native, number):
    with pytest.raises(TargetError, match="store"):
        locate_target(save("target", native(2, 2, 4, 3) | {"residual": number}))


@pytest.mark.parametrize("k", [1, 5])
@pytest.mark.parametrize("keys", ["shared", "outputs"])
def test_where_only_scores_count_the_head_width_of_the_target_is_free(form, compiled, native, numbers, save, k, keys):
    tensors, X = native(2, 2, 4, k), numbers(6, 4)
    inputs = save("inputs", {"X": X, "Y": by_hand(tensors, X, True, False)})
    report = compiled(form("scores", 2, keys=keys), tensors, inputs=inputs, causal=True)
    assert report.reference["float64"].max_rel_error < 1e-10


def test_scores_that_do_not_factor_are_refused(form, compiled, native):
    tensors = native(2, 2, 4, 3)
    tensors["WV"][1, 0] = 0
    with pytest.raises(TargetError, match="target of layer 1, head 1"):
        compiled(form("scores", 2, keys="outputs"), tensors)


@pytest.mark.parametrize("change", [{"kind": "residual"}, {"kind": "evil"}, {"d_out": "4"}, {"d_out": 0}], ids=str)
def test_metadata_of_no_kind_are_refused(form, compiled, native, tmp_path, change):
    weights = (form("affine", 2) / "weights.safetensors").read_bytes()
    size = int.from_bytes(weights[:8], "little")
    header = json.loads(weights[8 : 8 + size])
    header["__metadata__"]["symut"] = json.dumps(json.loads(header["__metadata__"]["symut"]) | change)
    text = json.dumps(header).encode()
    folder = tmp_path / "changed"
    folder.mkdir()
    (folder / "weights.safetensors").write_bytes(len(text).to_bytes(8, "little") + text + weights[8 + size :])
    with pytest.raises(TargetError, match="no emitted module"):
        compiled(folder, native(2, 2, 4, 3))
