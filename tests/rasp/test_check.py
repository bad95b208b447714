"""`symut rasp check`: verdicts, exit codes, output for people and machines, and bad input in one line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from symut.cli import main


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("one.rasp").write_text("y = sort(tokens_float, tokens_float);\n")
    Path("two.rasp").write_text("_flip = -tokens_float;\ny = sort(reversed(tokens_float), reversed(tokens_float));\n")
    Path("rare.rasp").write_text("y = sort(tokens_float, tokens_float) + indicator(tokens_float == 0.125);\n")
    Path("hard.rasp").write_text("y = tokens_float % 3;\nz = (tokens_float + 3) % 3;\n")
    return tmp_path


def test_equal_programs_are_proved_and_the_artifact_is_valid(programs: Path, capsys: pytest.CaptureFixture) -> None:
    assert main(["rasp", "check", "one.rasp", "--equals", "two.rasp", "--n", "1..3", "--numeric"]) == 0
    output, errors = capsys.readouterr()
    assert output == (
        "PROVED y of one.rasp and y of two.rasp are equal on all inputs: rational numbers, lengths 1 to 3\n"
    )
    assert "n = 3: cases, 13 cases" in errors
    (folder,) = Path("proofs/rasp_equality").iterdir()
    assert f"artifact: {folder}" in errors
    assert (folder / "program.rasp").read_text() == Path("one.rasp").read_text()
    assert (folder / "other.rasp").read_text() == Path("two.rasp").read_text()
    assert main(["check", "proofs"]) == 0


def test_exponentials_are_trusted_and_leave_no_artifact(programs: Path, capsys: pytest.CaptureFixture) -> None:
    Path("exp.rasp").write_text("y = exp(tokens_float + 1);\nz = exp(tokens_float) * exp(1);\n")
    arguments = ["rasp", "check", "exp.rasp", "--name", "y", "--equals", "exp.rasp", "--other-name", "z", "--n", "2"]
    assert main([*arguments, "--numeric"]) == 12
    output, errors = capsys.readouterr()
    assert output.startswith("TRUSTED y of exp.rasp and z of exp.rasp are equal on all inputs")
    assert "trusted: symut's symbolic engine" in errors
    assert not Path("proofs").exists()


def test_an_input_that_separates_is_printed(programs: Path, capsys: pytest.CaptureFixture) -> None:
    assert main(["rasp", "check", "one.rasp", "--equals", "rare.rasp", "--n", "1", "--numeric", "--quiet"]) == 10
    output, errors = capsys.readouterr()
    assert output.splitlines() == [
        "REFUTED y of one.rasp and y of rare.rasp differ: rational numbers, length 1",
        '  input: [{"q": [1, 8]}]',
        '  y of one.rasp: [{"q": [1, 8]}]',
        '  y of rare.rasp: [{"q": [9, 8]}]',
    ]
    assert errors == ""


def test_json_has_the_documented_keys(programs: Path, capsys: pytest.CaptureFixture) -> None:
    arguments = ["rasp", "check", "one.rasp", "--equals", "rare.rasp", "--n", "1..2", "--numeric", "--json"]
    assert main(arguments) == 10
    report = json.loads(capsys.readouterr().out)
    assert list(report) == [
        "verdict",
        "first",
        "second",
        "tokens",
        "where_defined",
        "lengths",
        "counterexample",
        "artifact",
        "trusted",
        "tried",
    ]
    eighth, nine_eighths = [{"q": [1, 8]}], [{"q": [9, 8]}]
    assert report["counterexample"] == {"n": 1, "input": eighth, "first": eighth, "second": nine_eighths}
    assert len(report["first"]["sha256"]) == 64


def test_what_is_not_covered_is_unknown(programs: Path, capsys: pytest.CaptureFixture) -> None:
    arguments = ["rasp", "check", "hard.rasp", "--name", "y", "--equals", "hard.rasp", "--other-name", "z", "--n", "1"]
    assert main([*arguments, "--numeric"]) == 11
    output, errors = capsys.readouterr()
    assert output.startswith("UNKNOWN y of hard.rasp and z of hard.rasp are not known to be equal")
    assert "hard.rasp:1:18: mod of a symbolic value" in errors


def test_an_alphabet_is_run_through(programs: Path, capsys: pytest.CaptureFixture) -> None:
    arguments = ["rasp", "check", "library", "--name", "dyck1", "--equals", "library", "--other-name", 'dyck(["()"])']
    assert main([*arguments, "--n", "6", "--alphabet", "()"]) == 0
    assert "n = 6: exhaustive, 64 inputs" in capsys.readouterr().err


def test_an_alphabet_of_any_tokens(programs: Path, capsys: pytest.CaptureFixture) -> None:
    arguments = ["rasp", "check", "one.rasp", "--equals", "rare.rasp", "--n", "2", "--alphabet-json"]
    assert main([*arguments, "[0, 1, 0.25]"]) == 0
    assert main([*arguments, "[0, 1, 0.125]"]) == 10
    assert '{"q": [1, 8]}' in capsys.readouterr().out


def test_a_separating_input_is_an_input_of_run(programs: Path, capsys: pytest.CaptureFixture) -> None:
    assert main(["rasp", "check", "one.rasp", "--equals", "rare.rasp", "--n", "1", "--numeric", "--json"]) == 10
    separating = json.loads(capsys.readouterr().out)["counterexample"]
    for file, side in (("one.rasp", "first"), ("rare.rasp", "second")):
        assert main(["rasp", "run", file, "--json", "--input-json", json.dumps(separating["input"])]) == 0
        assert json.loads(capsys.readouterr().out)["outputs"]["y"] == separating[side]


def test_the_same_command_gives_the_same_bytes(programs: Path, capsys: pytest.CaptureFixture) -> None:
    arguments = ["rasp", "check", "one.rasp", "--equals", "rare.rasp", "--n", "3", "--numeric", "--json"]
    outputs = []
    for _ in range(2):
        main(arguments)
        outputs.append(capsys.readouterr().out)
    assert outputs[0] == outputs[1]


BASE = {"--equals": "two.rasp", "--n": "2", "--numeric": None}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"--n": "0"}, "--n is no length"),
        ({"--n": "-1"}, "--n is no length"),
        ({"--n": "3..1"}, "--n is no length"),
        ({"--n": "x"}, "--n is no length"),
        ({"--n": "1..999999999999"}, "--n is no length"),
        ({"--integers": None}, "what the tokens are is not clear"),
        ({"--numeric": ...}, "what the tokens are is missing"),
        ({"--numeric": ..., "--alphabet": ""}, "the alphabet is empty"),
        ({"--numeric": ..., "--alphabet": "aba"}, "the alphabet has a token twice"),
        ({"--numeric": ..., "--alphabet-json": "[1"}, "--alphabet-json is no JSON"),
        ({"--numeric": ..., "--alphabet-json": "[NaN]"}, "--alphabet-json holds a number that is not finite"),
        ({"--numeric": ..., "--alphabet-json": "[[1]]"}, "a token of the wrong type"),
        ({"--equals": "missing.rasp"}, "cannot read missing.rasp"),
        ({"--name": "nothing"}, "unknown name nothing"),
        ({"--name": "full_s"}, "a sequence and a selector are not comparable"),
        ({"--equals": "hard.rasp", "--name": "3 + 4"}, "nothing to run"),
        ({"--timeout": "0"}, "--timeout out of range"),
        ({"--timeout": "nan"}, "--timeout out of range"),
        ({"--max-cases": "-3"}, "--max-cases out of range"),
        ({"--max-memory": "much"}, "--max-memory is no size"),
        ({"--equals": ...}, "Missing option"),
    ],
)
def test_bad_input_is_one_line(programs: Path, capsys: pytest.CaptureFixture, changes: dict, said: str) -> None:
    options = {name: value for name, value in {**BASE, **changes}.items() if value is not ...}
    words = [word for name, value in options.items() for word in (name, value) if word is not None]
    if options.get("--name") == "full_s":
        words += ["--other-name", "y"]
    assert main(["rasp", "check", "one.rasp", *words]) == 2
    output, errors = capsys.readouterr()
    assert output == ""
    lines = [line for line in errors.splitlines() if line.startswith("symut: ")]
    assert len(lines) == 1
    assert said in lines[0]


def test_which_sequence_is_asked_when_there_are_several(programs: Path, capsys: pytest.CaptureFixture) -> None:
    assert main(["rasp", "check", "hard.rasp", "--equals", "one.rasp", "--n", "1", "--numeric"]) == 2
    assert "which sequence of hard.rasp?" in capsys.readouterr().err
