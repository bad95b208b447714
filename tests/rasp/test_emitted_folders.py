"""Where emitted modules go: no expression takes the folder of another one, and what is replaced is named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from symut.cli import main
from symut.rasp import tracr as rasp
from symut.rasp.emission.emit import module_name
from tests.rasp.compiled import imported


def _emit(out: Path, capsys: pytest.CaptureFixture[str], file: str, *words: str) -> tuple[Path, str]:
    assert main(["rasp", "emit", file, "--n", "3", "--out", str(out), *words]) == 0
    printed = capsys.readouterr()
    return Path(printed.out.strip()), printed.err


def test_different_expressions_have_different_folders() -> None:
    names = ["indices+1", "indices-1", "indices - 1", "indices-1 ", "indices_1", "x" * 61, "x" * 62, "+", "§", "§§"]
    folders = [module_name(name, 3) for name in names]
    assert len(set(folders)) == len(names)
    assert module_name("indices_1", 3) == "rasp-indices_1-n3"
    assert all(len(folder) < 90 for folder in folders)
    assert all(set(folder) <= set("abcdefghijklmnopqrstuvwxyz0123456789_-") for folder in folders)


def test_the_module_of_another_program_is_replaced_by_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = tmp_path / "one.rasp"
    one.write_text("y = indices + 1;\n")
    folder, error = _emit(tmp_path / "out", capsys, str(one), "--alphabet", "ab")
    assert "replaced" not in error
    assert "replaced" not in _emit(tmp_path / "out", capsys, str(one), "--alphabet", "ab")[1]
    other, error = _emit(tmp_path / "out", capsys, str(one), "--alphabet", "abc")
    assert other == folder
    assert "replaced          the module of python -m symut rasp emit one.rasp --name y --n 3 --alphabet ab\n" in error
    one.write_text("y = indices + 2;\n")
    assert "replaced          the module of" in _emit(tmp_path / "out", capsys, str(one), "--alphabet", "abc")[1]
    assert imported(folder / "model.py").load()("ab") == [2, 3]
    words = ["rasp", "emit", str(one), "--n", "3", "--alphabet", "é", "--out", str(tmp_path / "out"), "--json"]
    assert main(words) == 0
    assert json.loads(capsys.readouterr().out)["replaced"].endswith("--alphabet abc")


def test_what_is_no_module_of_symut_is_not_read_as_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "rasp-length-n3"
    for text in ("", "COMMAND = 1 +\n    program           SHA-256 " + "0" * 64 + "\n", "COMMAND = open('x')\n"):
        folder.mkdir(exist_ok=True)
        (folder / "model.py").write_text(text)
        assert "replaced" not in _emit(tmp_path, capsys, "library", "--name", "length", "--alphabet", "ab")[1]


def test_causal_programs_have_folders_of_their_own(tmp_path: Path) -> None:
    everywhere = rasp.Select(rasp.indices, rasp.indices, rasp.Comparison.TRUE)
    models = [rasp.compile(rasp.SelectorWidth(everywhere), "ab", 3, causal=causal) for causal in (False, True)]
    folders = [model.emit(tmp_path) for model in models]
    assert [folder.name for folder in folders] == ["rasp-selectorwidth-n3", "rasp-selectorwidth-n3-causal"]
    assert [imported(folder / "model.py").load()("ab") for folder in folders] == [[2, 2], [1, 2]]


def test_a_program_without_values_is_warned_of_and_its_self_check_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "d.rasp"
    path.write_text("d = 1 / indices;\n")
    folder, error = _emit(tmp_path, capsys, str(path), "--alphabet", "ab")
    assert "warning: the program has a value on none of the inputs tried" in error
    assert "Self-check" not in error
    assert imported(folder / "model.py").main() == 1
    assert "nothing to compare" in capsys.readouterr().out
