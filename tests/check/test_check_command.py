"""The program itself: options, exit codes, output, isolation."""

import ast
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.check import build
from tests.check.build import CHECK, CORPUS

VALID, INVALID = CORPUS / "valid" / "sparse-block-projector", CORPUS / "invalid" / "routing-swapped-slots"


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-I", "-S", "-O", str(CHECK), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


def test_valid_artifact_prints_its_claims_and_what_is_cited() -> None:
    answer = run(VALID)
    claims = json.loads((VALID / "statement.json").read_bytes())["claims"]
    cited = "    cited, not checked here: path-matching-suffices"
    summary = "1 checked: 1 VALID, 0 INVALID"
    assert answer.stdout.splitlines() == [f"VALID  {VALID}", *(f"    {claim}" for claim in claims), cited, summary]
    assert (answer.returncode, answer.stderr) == (0, "")


def test_invalid_artifact_exits_13_with_one_line() -> None:
    answer = run(INVALID)
    first, summary = answer.stdout.splitlines()
    assert first.startswith(f"INVALID {INVALID}: routing: slot 0 (Q, path (), head 1, column 1): coordinates hold")
    assert summary == "1 checked: 0 VALID, 1 INVALID"
    assert (answer.returncode, answer.stderr) == (13, "")


def test_tree_is_searched_in_sorted_order_and_the_worst_exit_code_counts() -> None:
    answer = run("--json", CORPUS)
    results = json.loads(answer.stdout)
    paths = [result["artifact"] for result in results]
    assert paths == sorted(paths)
    assert answer.returncode == 13
    assert {Path(result["artifact"]).parent.name for result in results if result["verdict"] == "VALID"} == {"valid"}
    assert all(set(r) == {"artifact", "verdict", "reason", "goal", "claims", "cited"} for r in results)


def test_quiet_prints_only_what_is_not_valid() -> None:
    assert run("--quiet", CORPUS / "valid").stdout == ""
    assert run("--quiet", VALID, INVALID).stdout.count("\n") == 1


def test_default_is_the_folder_of_the_checker(tmp_path: Path) -> None:
    copy = tmp_path / "check.py"
    copy.write_bytes(CHECK.read_bytes())
    shutil.copytree(CHECK.with_name("symut_checker"), tmp_path / "symut_checker")
    build.write(tmp_path / "a", build.read(VALID))
    command = [sys.executable, "-I", "-S", "-O", str(copy)]
    answer = subprocess.run(command, capture_output=True, text=True, check=False, cwd="/", timeout=60)
    assert answer.returncode == 0
    assert answer.stdout.startswith(f"VALID  {tmp_path / 'a'}\n")


@pytest.mark.parametrize("arguments", [["--bad"], ["/nonexistent"], [VALID / "statement.json"], [CHECK], ["a\0b"]])
def test_usage_errors_exit_2(arguments: list[object]) -> None:
    if any("\0" in str(argument) for argument in arguments):
        assert build.check.main([str(argument) for argument in arguments]) == 2
        return
    answer = run(*arguments)
    assert (answer.returncode, answer.stdout) == (2, "")
    assert "Traceback" not in answer.stderr


def test_a_missing_path_beside_a_valid_one_is_an_error() -> None:
    assert run(VALID, "/nonexistent").returncode == 2


def test_folder_without_artifacts_exits_2(tmp_path: Path) -> None:
    answer = run(tmp_path)
    assert answer.returncode == 2
    assert "no artifact" in answer.stderr


@pytest.mark.parametrize("name", ["statement.json", "certificate.json"])
def test_one_of_the_two_files_alone_is_invalid(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes((VALID / name).read_bytes())
    assert run(tmp_path).returncode == 13


@pytest.mark.parametrize("kind", ["folder", "loop", "broken-link", "pipe"])
def test_something_else_in_place_of_a_file_is_invalid(tmp_path: Path, kind: str) -> None:
    build.write(tmp_path, build.read(VALID))
    path = tmp_path / "certificate.json"
    path.unlink()
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to(path if kind == "loop" else tmp_path / "nothing")
    answer = run(tmp_path)
    assert answer.returncode == 13
    assert "certificate.json: missing, or not a regular file" in answer.stdout


@pytest.mark.parametrize(
    ("name", "limit"), [("statement.json", 2**28), ("certificate.json", 2**28), ("weights.safetensors", 2**32)]
)
def test_file_above_the_limit_is_not_read(tmp_path: Path, name: str, limit: int) -> None:
    build.write(tmp_path, build.read(build.CORPUS / "valid" / "random-weights"))
    with (tmp_path / name).open("r+b") as file:
        file.truncate(limit + 1)
    answer = run(tmp_path)
    assert answer.returncode == 13
    assert f"{name}: larger than {limit} bytes" in answer.stdout


def test_loop_of_folder_links_ends(tmp_path: Path) -> None:
    build.write(tmp_path / "a", build.read(VALID))
    (tmp_path / "a" / "again").symlink_to(tmp_path, target_is_directory=True)
    assert run(tmp_path).stdout.count("VALID  ") == 1


def test_folder_name_cannot_forge_a_line(tmp_path: Path) -> None:
    folder = build.write(tmp_path / "x\nVALID  y", build.read(INVALID))
    answer = run(folder)
    assert answer.returncode == 13
    assert not any(line.startswith("VALID") for line in answer.stdout.splitlines())


def test_interrupt_exits_130(tmp_path: Path) -> None:
    files = build.routing_artifact("sparse_universality", build.parameters(2, 11), "merging")
    for i in range(40):
        build.write(tmp_path / str(i), files)
    command = [sys.executable, "-I", "-S", "-O", str(CHECK), str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        if process.stdout is None:
            raise AssertionError("no output")
        process.stdout.readline()
        time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (130, b"")


def test_nothing_is_asserted_evaluated_or_executed() -> None:
    tree = ast.parse(CHECK.read_text(encoding="utf-8"))
    assert not any(isinstance(node, ast.Assert) for node in ast.walk(tree))
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    assert not names & {"eval", "exec", "compile", "__import__", "open"}


@pytest.mark.parametrize(("redirection", "code"), [("| true", 141), ("> /dev/full", 2)])
def test_output_that_cannot_be_written_has_its_exit_code(redirection: str, code: int) -> None:
    command = f'set -o pipefail; "{sys.executable}" -I -S "{CHECK}" "{CORPUS}" {redirection}'
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert done.returncode == code
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr
