"""Read-outs C and c of targets: programs of affine modules with other numbers of outputs, and what is refused."""

import functools
from pathlib import Path

import numpy as np
import pytest

from symut.api import emit
from symut.backbone.stored import read_metadata, read_tensors
from symut.compiler.compilation import program
from symut.compiler.reader import Request
from symut.compiler.schemes import locate_target
from symut.errors import TargetError

H, d, k = 2, 4, 3


@pytest.fixture(scope="session")
def module(tmp_path_factory):
    """A function (construction, L, **options) -> folder of an emitted backbone with H = 2, d = 4, k = 3."""
    root = tmp_path_factory.mktemp("readouts")

    @functools.cache
    def make(construction, L=2, **options):
        return Path(emit(construction, H=H, L=L, d=d, k=k, out=root, **options).path)

    return make


@pytest.fixture
def compiled(save, tmp_path):
    """A function (folder, tensors, **options) -> the report of `program`; E.safetensors lies in tmp_path."""
    return lambda folder, tensors, **options: program(
        folder, save("target", tensors), tmp_path / "E.safetensors", **options
    )


def by_hand(tensors, X, causal=False, residual=False):
    """One token, head and layer at a time, then C and c."""
    for layer in range(len(tensors["WQ"])):
        following = X.copy() if residual else np.zeros_like(X)
        for head in range(H):
            Q, K, V = (
                X @ tensors[f"W{role}"][layer, head]
                + (tensors[f"b{role}"][layer, head] if f"b{role}" in tensors else 0)
                for role in "QKV"
            )
            for i in range(len(X)):
                seen = i + 1 if causal else len(X)
                weights = np.exp(K[:seen] @ Q[i])
                following[i] += weights @ V[:seen] / weights.sum()
        X = following
    return X @ tensors.get("C", np.eye(d)) + tensors.get("c", 0)


@pytest.mark.parametrize(("d_out", "given"), [(1, "Cc"), (7, "Cc"), (4, "Cc"), (2, "C"), (4, "C"), (4, "c")], ids=str)
@pytest.mark.parametrize("residual", [False, True])
@pytest.mark.parametrize("biases", [False, True])
def test_programs_answer_what_the_read_out_reads(
    module, compiled, save, native, numbers, d_out, given, residual, biases
):
    readout = {"C": numbers(d, d_out), "c": numbers(d_out)}
    tensors, X = native(H, 2, d, k, biases) | {name: readout[name] for name in given}, numbers(6, d)
    inputs = save("inputs", {"X": X, "Y": by_hand(tensors, X, True, residual)})
    tensors |= {"residual": np.array([1])} if residual else {}
    report = compiled(module("affine", d_out=d_out, residual=residual), tensors, inputs=inputs, causal=True)
    assert (report.rows, report.lifted, report.shape["d_out"]) == (d + 1, biases or "c" in given, d_out)
    for error in (report.errors["float64"], report.reference["float64"], report.direct_reference):
        assert error.max_rel_error < 1e-13
    assert report.max_rel_error < 1e-5


def test_read_outs_run_on_batches_with_padding(module, compiled, save, native, numbers):
    tensors, X = native(H, 2, d, k, True) | {"C": numbers(d, 2), "c": numbers(2)}, numbers(2, 6, d)
    mask = np.array([[1, 1, 1, 1, 0, 0], [1] * 6])
    Y = np.full((2, 6, 2), 9.0)
    Y[0, :4], Y[1] = by_hand(tensors, X[0, :4]), by_hand(tensors, X[1])
    report = compiled(module("affine", d_out=2), tensors, inputs=save("inputs", {"X": X, "mask": mask, "Y": Y}))
    assert report.reference["float64"].max_rel_error < 1e-13


def test_the_read_out_follows_the_last_layer(save, native, numbers, module, compiled):
    tensors = native(H, 3, d, k) | {"C": numbers(d, 2)}
    path = save("target", tensors)
    target = locate_target(path, None, Request(layer=2)).read()
    assert target.shape.L == 1
    assert np.array_equal(target.readout, tensors["C"])
    with pytest.raises(TargetError, match=r"follows its last layer: expected --layer 2, or no --layer, got --layer 1"):
        locate_target(path, None, Request(layer=1))
    assert compiled(module("affine", L=1, d_out=2), tensors, layer=2).errors["float64"].max_rel_error < 1e-13


@pytest.mark.parametrize("name", ["C", "c"])
def test_a_reference_with_another_read_out_is_measured(module, compiled, save, native, numbers, name):
    tensors, X = native(H, 2, d, k) | {"C": numbers(d, 2), "c": numbers(2)}, numbers(6, d)
    inputs = save("inputs", {"X": X, "Y": by_hand(tensors, X)})
    report = compiled(module("affine", d_out=2), tensors | {name: tensors[name] + 1}, inputs=inputs)
    assert report.errors["float64"].max_rel_error < 1e-13
    assert report.reference["float64"].max_rel_error > 1e-3


def test_the_file_names_the_outputs_and_the_program_runs_in_the_module(module, compiled, native, numbers, tmp_path):
    import torch

    from tests.emitter.emission import import_folder

    folder, X = module("affine", d_out=2), numbers(5, d)
    tensors = native(H, 2, d, k, True) | {"C": numbers(d, 2), "c": numbers(2)}
    compiled(folder, tensors, dtype="float64")
    assert read_metadata(tmp_path / "E.safetensors")["d_out"] == 2
    E = torch.from_numpy(read_tensors(tmp_path / "E.safetensors", ["E"])["E"])
    Y = import_folder(folder).load(dtype=torch.float64)(torch.from_numpy(X), E)
    assert np.abs(Y.numpy() - by_hand(tensors, X)).max() < 1e-13


SHAPES = [
    ({"C": (3, 2)}, "tensor C", "expected 4 x 2, got 3 x 2"),
    ({"C": (4,)}, "tensor C", "expected 4 x d_out, got 4"),
    ({"C": (2, 4, 2)}, "tensor C", "expected 4 x d_out, got 2 x 4 x 2"),
    ({"C": (4, 0)}, "tensor C", "expected 4 x d_out, got 4 x 0"),
    ({"C": (4, 2), "c": (3,)}, "tensor c", "expected 2, got 3"),
    ({"C": (4, 2), "c": (1, 2)}, "tensor c", "expected 2, got 1 x 2"),
    ({"c": (2,)}, "tensor c", "expected 4, got 2"),
]


@pytest.mark.parametrize(("shapes", "what", "said"), SHAPES, ids=str)
def test_read_outs_of_another_shape_are_refused(module, compiled, native, tmp_path, shapes, what, said):
    tensors = native(H, 2, d, k) | {name: np.ones(shape) for name, shape in shapes.items()}
    with pytest.raises(TargetError) as error:
        compiled(module("affine", d_out=2), tensors)
    assert what in str(error.value)
    assert said in str(error.value)
    assert "\n" not in str(error.value)
    assert not (tmp_path / "E.safetensors").exists()


@pytest.mark.parametrize(
    ("name", "wrong", "said"),
    [
        ("C", np.full((d, 2), np.nan), "NaN"),
        ("c", np.array([1, np.inf]), "infinity"),
        ("C", np.ones((d, 2), bool), "dtype"),
        ("c", np.ones(2, np.complex64), "dtype"),
    ],
    ids=str,
)
def test_read_outs_that_are_no_numbers_are_refused(module, compiled, native, name, wrong, said):
    tensors = native(H, 2, d, k) | {"C": np.ones((d, 2)), "c": np.ones(2)} | {name: wrong}
    with pytest.raises(TargetError, match=said) as error:
        compiled(module("affine", d_out=2), tensors)
    assert f"tensor {name} " in str(error.value)


SIZES = "--H 2 --L 2 --d 4 --k 3"
ONE = "--H 2 --L 1 --d 4 --k 3"
FITTING = [
    ("sparse", {}, 2, 2, 0, f"emit affine {SIZES} --d-out 2"),
    ("sparse", {}, 2, 4, 0, f"emit affine {SIZES}"),
    ("random", {}, 2, 2, 0, f"emit affine {SIZES} --d-out 2"),
    ("looped", {}, 2, 2, 0, f"emit affine {SIZES} --d-out 2"),
    ("residual", {}, 2, 2, 1, f"emit affine {SIZES} --d-out 2 --residual"),
    ("sparse", {}, 2, 2, 1, f"emit affine {SIZES} --d-out 2 --residual"),
    ("affine", {"d_out": 2}, 2, 2, 1, f"emit affine {SIZES} --d-out 2 --residual"),
    ("affine", {"d_out": 2}, 2, 3, 0, f"emit one: python -m symut emit affine {SIZES} --d-out 3"),
    ("affine", {}, 2, 3, 0, f"emit one: python -m symut emit affine {SIZES} --d-out 3"),
    ("affine", {"d_out": 2}, 2, 4, 0, f"emit one without --d-out: python -m symut emit affine {SIZES}"),
    ("sparse", {}, 1, 2, 0, f"emit affine {ONE} --d-out 2"),
    ("affine", {"d_out": 2}, 1, 2, 0, f"emit affine {ONE} --d-out 2"),
]


@pytest.mark.parametrize(("construction", "options", "L", "d_out", "residual", "remedy"), FITTING, ids=str)
def test_backbones_that_do_not_fit_name_the_affine_one_that_does(
    module, compiled, native, tmp_path, construction, options, L, d_out, residual, remedy
):
    tensors = native(H, L, d, k) | {"C": np.ones((d, d_out)), "residual": np.array([residual])}
    with pytest.raises(TargetError) as error:
        compiled(module(construction, **options), tensors)
    assert str(error.value).endswith(remedy)
    assert "\n" not in str(error.value)
    assert not (tmp_path / "E.safetensors").exists()


def test_one_layer_backbones_without_read_out_slots_refuse_a_read_out(module, compiled, native):
    """Also c alone, which is no bias of the layer."""
    with pytest.raises(TargetError, match="expected an affine backbone, or neither C nor c, got a sparse backbone"):
        compiled(module("sparse", L=1), native(H, 1, d, k) | {"c": np.ones(d)})


def test_a_reference_has_as_many_columns_as_the_read_out(module, compiled, save, native, numbers):
    tensors, X = native(H, 2, d, k) | {"C": numbers(d, 2)}, numbers(6, d)
    with pytest.raises(TargetError, match=r"Y of .* does not fit: expected 6 x 2, got 6 x 4"):
        compiled(module("affine", d_out=2), tensors, inputs=save("inputs", {"X": X, "Y": X}))
