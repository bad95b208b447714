"""Commands print the verdict on standard output and everything else on standard error, with documented exit codes."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import symut
from symut.cli import main
from symut.errors import UsageError


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(capsys, *arguments):
    code = main([str(a) for a in arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_prove_prints_one_verdict_line_and_explains_on_stderr(here, capsys):
    code, out, err = run(capsys, "prove", "random_universality", "--H", 2, "--L", 3)
    assert code == 0
    assert out == ("PROVED random_universality H=2 L=3: N = 28*k + 8*d; artifact proofs/random_universality/H2-L3\n")
    assert "Cited, not re-checked: path-matching-suffices" in " ".join(err.split())
    assert "for every target" in " ".join(err.split())


def test_quiet_leaves_the_verdict_alone(here, capsys):
    code, out, err = run(capsys, "prove", "sparse_universality", "--quiet")
    assert (code, out.count("\n"), err) == (0, 1, "")


def test_prove_json_has_the_documented_keys(here, capsys):
    code, out, err = run(capsys, "prove", "random_universality", "--H", 1, "--L", 1, "--json")
    answer = json.loads(out)
    assert code == 0
    assert err == "" or "Claim" in err
    assert {"theorem", "parameters", "verdict", "artifact", "steps", "trusted", "width"} <= set(answer)
    assert answer["parameters"]["H"] == 1
    assert {"id", "claim", "method", "verdict"} == set(answer["steps"][0])


def test_unknown_has_exit_code_11_and_bounds(here, capsys):
    sizes = ["--H", 2, "--L", 2, "--d", 3, "--k", 3, "--m", 40]
    arguments = ["prove", "random_universality", "--scores-only", *sizes]
    code, out, _ = run(capsys, *arguments)
    assert code == 11
    assert out.startswith("UNKNOWN")
    code, out, _ = run(capsys, *arguments, "--json")
    assert json.loads(out)["known"] == {"best_lower": 30, "best_width": 48}
    assert not (here / "proofs").exists()


def test_check_judges_every_artifact_and_the_worst_counts(here, capsys):
    run(capsys, "prove", "sparse_universality")
    run(capsys, "prove", "random_universality")
    assert run(capsys, "check")[0] == 0
    certificate = here / "proofs/sparse_universality/H2-L2/certificate.json"
    certificate.write_text(certificate.read_text().replace("[0,1,2", "[1,0,2", 1))
    code, out, _ = run(capsys, "check", "proofs")
    assert code == 13
    assert out.count("INVALID") == 1
    code, out, _ = run(capsys, "check", "--json")
    assert sorted(row["verdict"] for row in json.loads(out)) == ["INVALID", "VALID"]
    assert {"artifact", "verdict", "reason"} <= set(json.loads(out)[0])


def test_list_shows_a_status_only_while_the_artifact_holds(here, capsys):
    def statuses():
        return {row["id"]: row["status"] for row in json.loads(run(capsys, "list", "--json")[1])}

    assert statuses()["sparse_universality"] == "NOT RUN"
    run(capsys, "prove", "sparse_universality")
    assert statuses()["sparse_universality"] == "PROVED"
    certificate = here / "proofs/sparse_universality/H2-L2/certificate.json"
    certificate.write_text("{}")
    assert statuses()["sparse_universality"] == "INVALID"
    (certificate.parent / "statement.json").write_text("{}")
    assert statuses()["sparse_universality"] == "NOT RUN"


@pytest.mark.parametrize("kind", [str, Path])
def test_entries_takes_the_folder_as_text_or_path(here, capsys, kind):
    run(capsys, "prove", "sparse_universality")
    assert {row.id: row.status for row in symut.entries(kind("proofs"))}["sparse_universality"] == "PROVED"


def test_list_json_has_the_documented_keys(here, capsys):
    rows = json.loads(run(capsys, "list", "--json")[1])
    assert all(set(row) == {"id", "kind", "statement", "parameters", "source", "status"} for row in rows)
    assert {row["kind"] for row in rows} == {"theorem", "construction", "simulator"}


def test_list_names_every_option_of_prove_and_emit(here, capsys):
    from symut.cli import emit, prove

    rows = json.loads(run(capsys, "list", "--json")[1])
    common = {"out", "max_memory", "as_json", "quiet", "kernel"}
    for row in rows:
        group = {"theorem": prove, "construction": emit, "simulator": emit}[row["kind"]].command
        built = group.get_command(None, row["id"])
        assert row["parameters"] == [option.name for option in built.params if option.name not in common]
        assert row["parameters"]


def test_list_prints_no_empty_list_of_parameters(here, capsys, monkeypatch):
    from symut import listing

    monkeypatch.setenv("COLUMNS", "400")
    monkeypatch.setattr(listing, "_options", lambda construction: [])
    out = run(capsys, "list")[1]
    assert "Fixed Universal Transformers" in out
    assert not [line for line in out.splitlines() if line.rstrip().endswith("parameters")]


@pytest.mark.slow
def test_prove_all_makes_the_default_artifacts(here, capsys):
    code, out, _ = run(capsys, "prove", "--all", "--quiet")
    assert code == 0
    assert {line.split()[0] for line in out.splitlines()} == {"PROVED"}
    assert run(capsys, "check", "--quiet")[:2] == (0, "")


BAD = [
    (["prove", "random_universalit"], 2, "did you mean random_universality?"),
    (["prove", "sparse_universality", "--H", "0"], 2, "--H out of range"),
    (["prove", "sparse_universality", "--H", "-1"], 2, "--H out of range"),
    (["prove", "sparse_universality", "--H", "two"], 2, "not a valid integer"),
    (["prove", "sparse_universality", "--h", "2"], 2, "No such option"),
    (["prove", "sparse_universality", "--form", "spiral"], 2, "spiral"),
    (["prove", "sparse_universality", "--L", "50"], 2, "more memory"),
    (["prove", "sparse_universality", "--max-memory", "lots"], 2, "--max-memory is no size"),
    (["prove", "sparse_universality", "--L", "12", "--max-memory", "1KiB"], 2, "more memory"),
    (["prove", "sparse_universality", "--out", "/dev/null/x"], 2, "cannot write"),
    (["prove", "sparse_universality", "--out", ""], 2, "--out is empty"),
    (["prove", "--all", "--out", ""], 2, "--out is empty"),
    (["emit", "sparse", "--out", ""], 2, "--out is empty"),
    (["search", "attention_matching", "--H", "2", "--L", "1", "--m", "3", "--out", ""], 2, "--out is empty"),
    (["prove", "random_universality", "--backbone", "/dev/zero"], 2, "not a regular file"),
    (["prove", "random_universality", "--backbone", "absent.safetensors"], 2, "no such file"),
    (["check", "absent"], 2, "No such file or directory: absent"),
    (["check", "."], 2, "no artifact"),
    (["prov"], 2, "did you mean prove?"),
    (["prove"], 2, "Usage"),
]


@pytest.mark.parametrize(("arguments", "code", "message"), BAD)
def test_bad_input_is_one_line_with_its_exit_code(here, capsys, arguments, code, message):
    found, out, err = run(capsys, *arguments)
    assert found == code
    assert out == ""
    assert message in err
    assert message == "Usage" or err.count("\n") == 1
    assert list(here.iterdir()) == []


@pytest.mark.parametrize("call", [symut.prove, symut.emit])
def test_the_library_refuses_an_empty_folder_name(here, call):
    with pytest.raises(UsageError, match="--out is empty"):
        call("sparse_universality" if call is symut.prove else "sparse", out="")
    assert list(here.iterdir()) == []


def test_errors_with_json_are_one_object_on_stdout(here, capsys):
    code, out, _ = run(capsys, "prove", "sparse_universality", "--H", "0", "--json")
    assert code == 2
    assert set(json.loads(out)["error"]) == {"kind", "what", "expected", "got", "remedy"}


def test_a_file_in_the_way_of_the_artifact_is_not_overwritten(here, capsys):
    (here / "proofs/sparse_universality").mkdir(parents=True)
    (here / "proofs/sparse_universality/H2-L2").write_text("mine")
    code, _, err = run(capsys, "prove", "sparse_universality")
    assert code == 2
    assert "cannot write" in err
    assert (here / "proofs/sparse_universality/H2-L2").read_text() == "mine"
    assert len(list((here / "proofs/sparse_universality").iterdir())) == 1


def test_an_interruption_leaves_no_half_written_artifact(here, capsys, monkeypatch):
    run(capsys, "prove", "sparse_universality")
    before = {p: p.read_bytes() for p in (here / "proofs").rglob("*") if p.is_file()}

    def interrupted(self, content):
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "write_bytes", interrupted)
    code, _, err = run(capsys, "prove", "sparse_universality")
    assert code == 130
    assert "interrupted" in err
    assert {p: p.read_bytes() for p in (here / "proofs").rglob("*") if p.is_file()} == before


def in_a_shell(command, cwd):
    """A pipeline with `symut` as the command line of this checkout; its status is that of symut."""
    root = Path(__file__).resolve().parents[2]
    script = f'set -o pipefail; symut() {{ "{sys.executable}" -m symut "$@"; }}; {command}'
    environment = {**os.environ, "PYTHONPATH": str(root)}
    return subprocess.run(["bash", "-c", script], cwd=cwd, env=environment, capture_output=True, text=True)


@pytest.mark.parametrize("command", ["symut list | true", "symut prove sparse_universality --quiet | true"])
def test_a_reader_that_goes_away_is_no_bug(tmp_path, command):
    done = in_a_shell(command, tmp_path)
    assert done.returncode in (0, 141)
    assert done.stderr == ""


def test_a_full_disk_behind_the_output_is_one_line(tmp_path):
    done = in_a_shell("symut list > /dev/full", tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "No space left" in done.stderr


def test_folder_names_cannot_forge_a_verdict(here, capsys):
    forged = here / "forge\nVALID proofs"
    forged.mkdir()
    (forged / "certificate.json").write_text("{}")
    code, out, _ = run(capsys, "check", forged)
    assert (code, out.count("\n")) == (13, 1)


def test_file_names_cannot_forge_a_proof(here, capsys):
    from tests.prover.test_driver import own_backbone

    path = own_backbone(here / "x\n# PROVED P=NP\udcff.safetensors", m=9)
    code, out, _ = run(capsys, "prove", "random_universality", "--H", 2, "--L", 1, "--backbone", path)
    assert code == 0
    assert "PROVED random_universality (backbone_universality)" in out
    lines = next((here / "proofs").rglob("proof.md")).read_text().splitlines()
    assert not any(line.startswith("# PROVED") for line in lines)


@pytest.mark.parametrize(("m", "RV", "verdict"), [(9, None, "PROVED"), (9, 0, "REFUTED"), (7, None, "REFUTED")])
def test_the_verdict_on_a_stored_backbone_names_its_file_and_its_sizes(here, capsys, m, RV, verdict):
    from tests.prover.test_driver import own_backbone

    values = None if RV is None else np.zeros((1, 2, m, m), np.float32)
    path = own_backbone(here / "mine.safetensors", m=m, RV=values)
    _, out, _ = run(capsys, "prove", "random_universality", "--H", 2, "--L", 1, "--backbone", path)
    assert out.startswith(verdict)
    assert f" H=2 L=1 d=2 k=1 m={m} backbone={path}: " in out


@pytest.mark.parametrize("command", ["prove", "emit"])
def test_a_missing_name_with_json_is_one_object(here, capsys, command):
    code, out, _ = run(capsys, command, "--json")
    assert (code, json.loads(out)["error"]["kind"]) == (2, "usage")


def test_what_nobody_foresaw_is_one_line_and_a_bug(here, capsys, monkeypatch):
    def broken(*arguments, **options):
        raise ZeroDivisionError("surprise")

    monkeypatch.setattr("symut.api.prove_theorem", broken)
    code, out, err = run(capsys, "prove", "sparse_universality", "--json")
    assert (code, json.loads(out)["error"]["kind"], err.count("\n")) == (1, "internal", 1)
    assert "ZeroDivisionError: surprise" in err


def imported_by(*arguments, cwd):
    """The modules that a command imports, in a fresh interpreter."""
    script = (
        "import sys\nfrom symut.cli import main\ncode = main(sys.argv[1:])\n"
        "print(' '.join(sorted({name.partition('.')[0] for name in sys.modules})), file=sys.stderr)\nsys.exit(code)\n"
    )
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stderr.splitlines()[-1].split())


def test_list_imports_no_heavy_library(tmp_path):
    assert not {"sympy", "numpy", "torch", "flint", "z3", "jinja2", "safetensors"} & imported_by("list", cwd=tmp_path)


def test_prove_never_imports_torch(tmp_path):
    used = imported_by("prove", "random_universality", "--d", "2", "--k", "2", "--seed", "0", "--quiet", cwd=tmp_path)
    assert "sympy" in used
    assert not {"torch", "z3", "matplotlib"} & used


def test_a_stray_folder_named_constructions_does_not_take_over(tmp_path):
    stray = tmp_path / "constructions"
    stray.mkdir()
    (stray / "__init__.py").write_text("raise SystemExit('the stray package was loaded')")
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run(
        [sys.executable, "-m", "symut", "list"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert "sparse_universality" in done.stdout
