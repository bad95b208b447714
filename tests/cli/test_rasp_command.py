"""`symut rasp run`: what it prints, in JSON and as a trace, and how it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from symut.cli import main

PROGRAM = """\
set example "hey"
_flip = select(indices, length - 1 - indices, ==);
reverse = aggregate(_flip, tokens);
share = average(indicator(tokens == "e"));
share("hello");
"""


@pytest.fixture
def program(tmp_path: Path) -> str:
    path = tmp_path / "program.rasp"
    path.write_text(PROGRAM)
    return str(path)


def test_run_prints_one_sequence(program: str, capsys) -> None:
    assert main(["rasp", "run", program, "--name", "reverse", "--input", "hello"]) == 0
    assert capsys.readouterr().out == 'reverse = ["o", "l", "l", "e", "h"]\n'


def test_run_without_a_name_shows_the_public_sequences_and_the_files_own_runs(program: str, capsys) -> None:
    assert main(["rasp", "run", program]) == 0
    assert capsys.readouterr().out.splitlines() == [
        'reverse = ["y", "e", "h"]',
        "share = [1/3, 1/3, 1/3]",
        'share("hello") = [1/5, 1/5, 1/5, 1/5, 1/5]',
    ]


def test_json_has_the_outputs(program: str, capsys) -> None:
    assert main(["rasp", "run", program, "--json", "--name", "share", "--name", "_flip", "--input", "ee"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "outputs": {"share": [1, 1], "_flip": [[False, True], [True, False]]}
    }


def test_rationals_are_pairs_in_json_and_numbers_with_floats(program: str, capsys) -> None:
    assert main(["rasp", "run", program, "--json", "--name", "share"]) == 0
    assert json.loads(capsys.readouterr().out) == {"outputs": {"share": [{"q": [1, 3]}] * 3}}
    assert main(["rasp", "run", program, "--json", "--floats", "--name", "share"]) == 0
    assert json.loads(capsys.readouterr().out) == {"outputs": {"share": [1 / 3] * 3}}


@pytest.mark.parametrize(
    ("options", "line"),
    [
        (
            ["--name", "sort(tokens_int, tokens_int)", "--input-int", "3,-1,2"],
            "sort(tokens_int, tokens_int) = [-1, 2, 3]",
        ),
        (["--name", "tokens_float * 2", "--input-float", "0.1, -2e1"], "tokens_float * 2 = [1/5, -40]"),
        (["--name", "tokens_asis", "--input-json", '["ab", 1, 0.5]'], None),
        (["--name", "tokens", "--input-json", '["ab", 1, 0.5]'], 'tokens = ["ab", "1", "0.5"]'),
        (["--name", "hist", "--input", "aab"], "hist = [2, 2, 1]"),
    ],
)
def test_every_kind_of_input(options: list[str], line: str | None, capsys) -> None:
    code = main(["rasp", "run", "library", *options])
    printed = capsys.readouterr()
    if line is None:
        assert code == 2
        assert "different kinds" in printed.err
        return
    assert (code, printed.out) == (0, line + "\n")


def test_trace_shows_what_the_result_is_computed_from_and_the_result_once(program: str, capsys) -> None:
    assert main(["rasp", "run", program, "--trace", "--name", "reverse", "--input", "he"]) == 0
    full = "full_s:\n      h e\n  h | 1 1\n  e | 1 1\n"
    flip = "_flip:\n      h e\n  h |   1\n  e | 1\n"
    assert capsys.readouterr().out == f'{full}{flip}\nreverse = ["e", "h"]\n'


def test_trace_shows_selectors_inside_expressions_by_their_place(tmp_path: Path, capsys) -> None:
    path = tmp_path / "p.rasp"
    path.write_text('y = aggregate(not select(tokens, "a", ==), indices) + length;\n')
    assert main(["rasp", "run", str(path), "--trace", "--input", "ab"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if line.endswith(":")] == [
        f"select at {path}:1:19:", f"not at {path}:1:15:", "full_s:"
    ]  # fmt: skip
    assert lines[1:4] == ["      a b", "  a | 1", "  b | 1"]


def test_selectors_of_a_function_that_is_called_twice_are_told_apart(tmp_path: Path, capsys) -> None:
    path = tmp_path / "p.rasp"
    path.write_text("def f(x) {\n  return aggregate(select(x, 0, ==), x);\n}\ny = f(indices) + f(indices - 1);\n")
    assert main(["rasp", "run", str(path), "--trace", "--input", "ab"]) == 0
    heads = [line for line in capsys.readouterr().out.splitlines() if line.endswith(":")]
    assert heads == [f"select at {path}:2:20:", f"select at {path}:2:20 (2):"]


def test_expressions_that_are_statements_are_shown_like_names(tmp_path: Path, capsys) -> None:
    (tmp_path / "inner.rasp").write_text("indices + 7;\n")
    path = tmp_path / "p.rasp"
    path.write_text('load "inner";\ny = indices;\ntokens == "a";\ny;\nselect(y, 0, ==);\n1 + 2;\n')
    assert main(["rasp", "run", str(path), "--input", "ab"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "y = [0, 1]", 'tokens == "a" = [True, False]', "select(y, 0, ==):", "      a b", "  a | 1", "  b | 1"
    ]  # fmt: skip
    assert main(["rasp", "run", str(path), "--name", "y", "--input", "ab"]) == 0
    assert capsys.readouterr().out == "y = [0, 1]\n"


def test_causal_runs_select_no_later_keys(program: str, capsys) -> None:
    assert main(["rasp", "run", program, "--causal", "--name", "length", "--name", "_flip", "--input", "abc"]) == 0
    assert capsys.readouterr().out == "length = [1, 2, 3]\n_flip:\n      a b c\n  a | 1\n  b | 1\n  c | 1\n"


def test_rationals_of_json_are_read_back(capsys) -> None:
    words = ["rasp", "run", "library", "--json", "--name", "tokens_float / 2", "--input-json"]
    assert main([*words, '[{"q": [1, 5]}, {"q": [4, 2]}]']) == 0
    assert json.loads(capsys.readouterr().out) == {"outputs": {"tokens_float / 2": [{"q": [1, 10]}, 1]}}
    for text in (
        '[{"q": [1, 0]}]',
        '[{"q": [1]}]',
        '[{"q": [1, 2], "r": 1}]',
        '[{"q": [1.5, 2]}]',
        '[{"q": [true, 1]}]',
    ):
        assert main([*words, text]) == 2
        assert "token of the wrong type" in capsys.readouterr().err


def test_trace_leaves_json_alone(program: str, capsys) -> None:
    assert main(["rasp", "run", program, "--trace", "--json", "--input", "ab"]) == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out)["outputs"]["reverse"] == ["b", "a"]
    assert "_flip:" in printed.err


def test_error_shows_the_line_with_a_caret(tmp_path: Path, capsys) -> None:
    path = tmp_path / "bad.rasp"
    path.write_text("flip = select(indices, lenght, ==);\n")
    assert main(["rasp", "run", str(path), "--json"]) == 2
    printed = capsys.readouterr()
    assert printed.err.splitlines() == [
        "    1 | flip = select(indices, lenght, ==);",
        "      |                        ^",
        f"symut: {path}:1:24: unknown name lenght; did you mean length?",
    ]
    error = json.loads(printed.out)["error"]
    assert (error["kind"], error["line"], error["column"]) == ("rasp", 1, 24)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--input", ""], "the input is empty"),
        (["--input", "a", "--input-int", "1"], "several inputs"),
        (["--input-int", "1,x"], "--input-int holds something else"),
        (["--input-int", "1.5"], "--input-int holds something else"),
        (["--input-float", "nan"], "--input-float holds something else"),
        (["--input-json", "[NaN]"], "not finite"),
        (["--input-json", "[1"], "no JSON"),
        (["--input-json", "{}"], "no list of tokens"),
        (["--input-json", "[[1]]"], "token of the wrong type"),
        (["--input-json", "[" * 100_000], "no JSON"),
        (["--name", "nothing"], "unknown name nothing"),
        (["--name", "sort"], "sort is nothing to run"),
        (["--name", "1 +"], "--name:1:4: the program ends too early"),
    ],
)
def test_bad_options_are_refused_in_one_line(options: list[str], words: str, capsys) -> None:
    assert main(["rasp", "run", "library", *options]) == 2
    assert words in capsys.readouterr().err.splitlines()[-1]


def test_missing_file_and_empty_program_are_refused(tmp_path: Path, capsys) -> None:
    assert main(["rasp", "run", str(tmp_path / "none.rasp")]) == 2
    assert "expected a RASP file" in capsys.readouterr().err
    (tmp_path / "empty.rasp").write_text("# nothing\n")
    assert main(["rasp", "run", str(tmp_path / "empty.rasp")]) == 2
    assert "names no sequence" in capsys.readouterr().err
