"""Tokens of the user: batches, padding, causal order, references, and files that do not fit."""

import numpy as np
import pytest

from symut.compiler.compilation import program
from symut.compiler.inputs import InputFile, seeded_inputs
from symut.errors import TargetError


@pytest.fixture
def run(backbone, save, native, tmp_path):
    path = save("target", native(2, 1, 4, 3, biases=True))

    def call(given, **options):
        folder = backbone("sparse", 2, 1, 4, 3)
        return program(folder, path, tmp_path / "E.safetensors", inputs=save("inputs", given), **options)

    return call


def test_one_sequence_and_a_batch(run, numbers):
    assert run({"X": numbers(7, 4)}).rows_compared == 7
    assert run({"X": numbers(3, 7, 4)}).rows_compared == 21


def test_padding_is_ignored_by_every_row(run, numbers):
    X, mask = numbers(2, 5, 4), np.array([[1, 1, 1, 0, 0], [1, 1, 1, 1, 1]])
    report = run({"X": X, "mask": mask}, dtype="float64")
    assert (report.rows_compared, report.rows_left_out) == (10, 0)
    assert report.max_rel_error < 1e-14


def test_padding_does_not_change_the_real_rows(run, numbers):
    """The same sentence alone: its output is a valid reference for the padded batch."""
    X = numbers(2, 5, 4)
    padded = X.copy()
    padded[0, 3:] = 7
    mask, Y = np.array([[1, 1, 1, 0, 0], [1, 1, 1, 1, 1]]), np.zeros((2, 5, 4))
    first = run({"X": X, "mask": mask, "Y": Y}, dtype="float64")
    second = run({"X": padded, "mask": mask, "Y": Y}, dtype="float64")
    assert first.reference["float64"].max_abs_error == pytest.approx(
        second.reference["float64"].max_abs_error, abs=1e-14
    )


def test_reference_counts_at_real_tokens_only(run, numbers):
    X, mask = numbers(2, 5, 4), np.array([[1, 1, 1, 0, 0], [1, 1, 1, 1, 1]])
    Y = np.full((2, 5, 4), 3.0)
    spoiled = Y.copy()
    spoiled[0, 3:] = 1e9
    clean, report = (run({"X": X, "mask": mask, "Y": given}) for given in (Y, spoiled))
    assert report.reference == clean.reference
    assert report.direct_reference == clean.direct_reference


def test_rows_that_attend_to_nothing_are_left_out_and_said(run, numbers):
    mask = np.array([[0, 0, 1, 1, 1], [1, 1, 1, 1, 1]])
    report = run({"X": numbers(2, 5, 4), "mask": mask}, causal=True, dtype="float64")
    assert (report.rows_compared, report.rows_left_out) == (8, 2)
    assert "2 rows attend to no key" in report.hypotheses[1]
    assert report.max_rel_error < 1e-14


def test_wrong_reference_is_measured(run, numbers):
    X = numbers(5, 4)
    report = run({"X": X, "Y": np.full((5, 4), 100.0)})
    assert report.reference["float32"].max_abs_error > 50
    assert report.direct_reference.max_abs_error > 50
    assert report.max_rel_error < 1e-5


def test_integer_tokens_are_taken(run):
    assert run({"X": np.arange(12, dtype=np.int64).reshape(3, 4)}).rows_compared == 3


def test_seeded_tokens_are_the_same_every_time():
    assert np.array_equal(seeded_inputs(3).X, seeded_inputs(3).X)
    assert seeded_inputs(3).X.shape == (16, 3)


X = np.ones((2, 5, 4))
BAD = {
    "no-tokens": ({"tokens": X}, "no X"),
    "other-width": ({"X": np.ones((5, 3))}, "n x 4"),
    "one-axis": ({"X": np.ones(4)}, "n x 4"),
    "four-axes": ({"X": np.ones((1, 2, 5, 4))}, "n x 4"),
    "no-rows": ({"X": np.ones((0, 4))}, "n x 4"),
    "mask-of-another-length": ({"X": X, "mask": np.ones((2, 4))}, "2 x 5"),
    "mask-without-batch": ({"X": X, "mask": np.ones(5)}, "2 x 5"),
    "additive-mask": ({"X": X, "mask": np.full((2, 5), -10000.0)}, "1 (token) or 0 (padding)"),
    "empty-sequence": ({"X": X, "mask": np.array([[1] * 5, [0] * 5])}, "sequence 1 has none"),
    "empty-only-sequence": ({"X": X[0], "mask": np.zeros(5)}, "a real token"),
    "reference-of-another-shape": ({"X": X, "Y": np.ones((2, 5, 3))}, "2 x 5 x 4"),
    "tokens-not-finite": ({"X": X * np.nan}, "not finite"),
    "reference-not-finite": ({"X": X, "Y": X * np.inf}, "not finite"),
    "flags": ({"X": X > 0}, "dtype"),
}


@pytest.mark.parametrize("case", BAD)
def test_inputs_that_do_not_fit(run, tmp_path, case):
    given, said = BAD[case]
    with pytest.raises(TargetError) as caught:
        run(given)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "E.safetensors").exists()


def test_missing_inputs(tmp_path):
    with pytest.raises(TargetError, match="no such file"):
        InputFile.locate(tmp_path / "absent.safetensors", 4)


def test_a_boolean_mask_is_the_mask_of_ones(run, numbers):
    X, mask = numbers(2, 5, 4), np.array([[1, 1, 1, 0, 0], [1, 1, 1, 1, 1]])
    one, two = run({"X": X, "mask": mask}), run({"X": X, "mask": mask.astype(bool)})
    assert one.errors == two.errors
    assert one.rows_compared == two.rows_compared


def test_a_mask_of_another_shape_says_what_it_is(run, numbers):
    with pytest.raises(TargetError, match=r"one 1 \(token\) or 0 \(padding\) per row of X"):
        run({"X": numbers(2, 5, 4), "mask": np.ones((2, 1, 1, 5))})
