"""The memory of compiling is bounded before the work: above what is taken, and refused in one line."""

from __future__ import annotations

import tracemalloc

import pytest

from symut.cli import main
from symut.rasp import load_program
from symut.rasp.lowering import lower
from symut.rasp.lowering.lower import encode
from symut.rasp.lowering.predicted import predicted_bytes
from tests.rasp.compiled import alphabet_for

library = load_program("library")


@pytest.mark.parametrize("name", ["reverse", "hist2", "sorted", "most_freq", "dyck1", "dyck3"])
def test_prediction_is_above_what_compiling_takes(name: str) -> None:
    letters = alphabet_for(name)
    encode(library.node(name), n=4, alphabet=letters)  # imports are no part of it
    tracemalloc.start()
    try:
        encode(library.node(name), n=64, alphabet=letters)
        taken = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    predicted = predicted_bytes(library.node(name), 64, len(letters))
    assert taken <= predicted + 2**20 <= 64 * taken + 2**26


def test_prediction_grows_with_the_length_and_with_the_alphabet() -> None:
    node = library.node("sorted")
    sizes = [predicted_bytes(node, n, 8) for n in (8, 16, 32, 64, 128, 1024)]
    assert sizes == sorted(set(sizes))
    assert predicted_bytes(node, 64, 500) > predicted_bytes(node, 64, 8)
    assert predicted_bytes(node, 64, None) > 0


def test_refused_before_anything_is_analysed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path
) -> None:
    monkeypatch.setattr(lower, "prepare", None)
    words = ["rasp", "emit", "library", "--name", "dyck3", "--n", "1024", "--alphabet", "()", "--out", str(tmp_path)]
    assert main(words) == 2
    out, error = capsys.readouterr()
    assert out == ""
    (line,) = error.splitlines()
    assert "compiling dyck3 for n = 1024 would need more memory than allowed" in line
    assert "raise --max-memory" in line
    assert not list(tmp_path.iterdir())
