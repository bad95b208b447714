"""`symut rasp emit`: what it writes, prints and refuses."""

from __future__ import annotations

import json
import xml.etree.ElementTree
from pathlib import Path

import pytest

from symut.cli import main
from tests.rasp.compiled import imported


def _run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(["rasp", "emit", *words])
    out, error = capsys.readouterr()
    return code, out, error


def test_writes_a_module_that_answers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("library", "--name", "reverse", "--n", "6", "--alphabet", "abc", "--out", str(tmp_path))
    code, out, error = _run(capsys, *words)
    folder = tmp_path / "rasp-reverse-n6"
    assert (code, out.strip()) == (0, str(folder))
    assert "attention layers  2" in error
    assert "exact in" in error
    assert imported(folder / "model.py").load()("abca") == ["a", "c", "b", "a"]
    before = (folder / "model.py").read_bytes()
    assert _run(capsys, *words)[0] == 0
    assert (folder / "model.py").read_bytes() == before
    assert str(tmp_path).encode() not in before


def test_json_and_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "p.rasp"
    path.write_text("counted = selector_width(select(tokens, tokens, ==));\n")
    code, out, _ = _run(
        capsys, str(path), "--n", "5", "--alphabet-json", '["x", "yy"]', "--picture", "--json", "--out", str(tmp_path)
    )
    answer = json.loads(out)
    assert (code, answer["name"], answer["cost"]["heads"], answer["exact"]) == (
        0,
        "counted",
        [1],
        ["float32", "float64"],
    )
    assert xml.etree.ElementTree.parse(Path(answer["path"]) / "encoder.svg").getroot().tag.endswith("svg")
    assert imported(Path(answer["path"]) / "model.py").load()(["yy", "x", "yy"]) == [2, 1, 2]


def test_causal_programs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        _run(capsys, "library", "--name", "length", "--n", "3", "--alphabet", "a", "--causal", "--out", str(tmp_path))[
            0
        ]
        == 0
    )
    assert imported(tmp_path / "rasp-length-n3-causal" / "model.py").load()("aaa") == [1, 2, 3]


def test_all_issues_are_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bad.rasp"
    path.write_text("y = round(tokens_float) + selector_width(select(tokens_int, 1, ==));\n")
    code, out, error = _run(capsys, str(path), "--n", "4", "--out", str(tmp_path / "out"))
    assert (code, out) == (2, "")
    assert "bad.rasp:1:5: round" in error
    assert "bad.rasp:1:42: select" in error
    assert "^" in error
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("words", "match"),
    [
        (("library", "--n", "4", "--alphabet", "ab"), "expected --name SEQ"),
        (("library", "--name", "hist", "--n", "0", "--alphabet", "ab"), "--n of 1 to"),
        (("library", "--name", "hist", "--n", "4", "--alphabet", ""), "alphabet is empty"),
        (("library", "--name", "hist", "--n", "4", "--alphabet", "ab", "--numeric"), "several kinds"),
        (("library", "--name", "full_s", "--n", "4", "--alphabet", "ab"), "only sequences"),
        (("library", "--name", "hist", "--n", "4", "--alphabet-json", "[NaN]"), "not finite"),
        (("missing.rasp", "--n", "4"), "missing.rasp"),
        (("library", "--name", "hist", "--n", "4", "--alphabet", "ab", "--max-memory", "lots"), "is no size"),
        (
            ("library", "--name", "dyck1", "--n", "64", "--alphabet", "()", "--max-memory", "1MiB"),
            "compiling dyck1 for n = 64 would need more memory than allowed: expected at most 1.0 MiB, got",
        ),
    ],
)
def test_bad_input_is_one_line(
    words: tuple[str, ...], match: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, error = _run(capsys, *words, "--out", str(tmp_path / "out"))
    assert (code, out) == (2, "")
    assert match in error.splitlines()[-1]
    assert not (tmp_path / "out").exists()
