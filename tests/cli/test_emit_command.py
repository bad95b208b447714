"""`emit`: which shape a width holds, names, canonical commands, and refusals."""

import hashlib
import json
from pathlib import Path

import pytest

import symut
from symut.cli import main
from symut.emitter import fit
from symut.errors import UsageError
from symut.registry import constructions

ROOT = Path(__file__).resolve().parents[2]


def run(capsys, *arguments):
    code = main([str(a) for a in arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def files(folder):
    return {path.name: path.read_bytes() for path in Path(folder).iterdir()}


@pytest.mark.parametrize(
    ("given", "shape", "m"),
    [
        ({"m": 48}, (2, 2, 3, 3), 48),
        ({"m": 63}, (2, 2, 3, 3), 63),
        ({"m": 64}, (2, 2, 4, 4), 64),
        ({"m": 30, "d": 3}, (2, 2, 3, 1), 30),
        ({"m": 30, "k": 2}, (2, 2, 1, 2), 30),
        ({"H": 1, "L": 3, "d": 4, "k": 2}, (1, 3, 4, 2), 16),
        ({"m": 3, "H": 1, "L": 1}, (1, 1, 1, 1), 3),
    ],
)
def test_widths_hold_the_largest_shape_that_fits(given, shape, m):
    found = fit(**given)
    assert ((found.shape.H, found.shape.L, found.shape.d, found.shape.k), found.m) == (shape, m)
    assert found.padding == m - found.shape.N >= 0


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "no width and no full shape"),
        ({"H": 2, "L": 2, "d": 3}, "no width and no full shape"),
        ({"m": 15}, "at least 16"),
        ({"m": 23, "d": 3}, "pass --m 24"),
        ({"m": 27, "k": 2}, "pass --m 28"),
        ({"m": 47, "d": 3, "k": 3}, "below N: expected at least 48"),
        ({"m": 0}, "--m out of range"),
        ({"m": 48, "H": -2}, "--H out of range"),
    ],
)
def test_widths_that_hold_nothing_name_the_smallest_that_does(given, message):
    with pytest.raises(UsageError, match=message):
        fit(**given)


def test_every_way_to_ask_for_a_module_writes_the_same_bytes(tmp_path):
    one = symut.emit("sparse", m=48, out=tmp_path / "a")
    two = symut.emit("sparse", H=2, L=2, d=3, k=3, out=tmp_path / "b")
    assert Path(one.path).name == Path(two.path).name == "sparse-H2-L2-d3-k3-m48"
    assert files(one.path) == files(two.path)


def test_a_memory_limit_of_ones_own_is_part_of_the_command(tmp_path):
    one = symut.emit("sparse", m=48, max_memory="1GiB", out=tmp_path / "a")
    text = files(one.path)["model.py"].decode()
    assert "--m 48 --max-memory 1073741824" in text
    assert files(symut.emit("sparse", m=48, max_memory=2**30, out=tmp_path / "b").path) == files(one.path)
    assert symut.emit("sparse", m=48, max_memory="9" * 400, out=tmp_path / "c").width == 48


def test_a_users_file_in_a_modules_folder_is_not_deleted(tmp_path):
    folder = Path(symut.emit("sparse", m=48, out=tmp_path).path)
    (folder / "E.safetensors").write_bytes(b"mine")
    with pytest.raises(UsageError, match=r"files that would be lost.*E\.safetensors"):
        symut.emit("sparse", m=48, out=tmp_path)
    assert (folder / "E.safetensors").read_bytes() == b"mine"


def test_names_tell_seeds_and_choices_apart(tmp_path):
    options = [{}, {"seed": 1}, {"distribution": "uniform"}, {"dtype": "float64"}, {"distribution": "integer"}]
    names = [Path(symut.emit("random", m=48, out=tmp_path, **given).path).name for given in options]
    assert names[0] == "random-H2-L2-d3-k3-m48-s0"
    assert len(set(names)) == len(options)


def test_emit_prints_the_folder_and_says_the_padding(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    code, out, err = run(capsys, "emit", "sparse", "--m", 50)
    assert (code, out) == (0, "generated/sparse-H2-L2-d3-k3-m50\n")
    assert "2 coordinates more than slots" in err
    code, out, _ = run(capsys, "emit", "sparse", "--m", 50, "--json")
    assert set(json.loads(out)) == {"path", "construction", "shape", "width", "used"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["emit", "spars", "--m", 48], "did you mean sparse?"),
        (["emit", "sparse"], "no width and no full shape"),
        (["emit", "sparse", "--seed", 1], "No such option"),
        (["emit", "random", "--m", 48, "--seed", -1], "--seed out of range"),
        (["emit", "random", "--d", 2000, "--k", 2000], "more memory"),
        (["emit", "sparse", "--d", 10**6, "--k", 10**6, "--H", 2, "--L", 9], "more memory"),
        (["emit", "sparse", "--m", 48, "--out", "/dev/null/x"], "cannot write"),
        (["emit", "--out", "here", "sparse", "--m", 48], "put it after sparse"),
        (["prove", "--out", "here", "sparse_universality"], "put it after sparse_universality"),
        (["prove", "--quiet", "sparse_universality"], "got --quiet"),
        (["emit", "sparse", "--H", 1, "--L", 10**11, "--d", 1, "--k", 1], "--L out of range"),
        (["emit", "sparse", "--m", 48, "--max-memory", "9" * 400 + "X"], "--max-memory is no size"),
    ],
)
def test_bad_requests_are_one_line_and_write_nothing(tmp_path, monkeypatch, capsys, arguments, message):
    monkeypatch.chdir(tmp_path)
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_committed_modules_are_what_emit_writes(tmp_path):
    written = [Path(emission.path) for emission in symut.emit_all(out=tmp_path)]
    assert {path.name for path in written} == {path.name for path in (ROOT / "generated").iterdir() if path.is_dir()}
    assert all(files(path) == files(ROOT / "generated" / path.name) for path in written)


@pytest.mark.slow
def test_committed_proofs_are_what_prove_writes(tmp_path):
    written = [Path(outcome.artifact) for outcome in symut.prove_all(out=tmp_path)]
    committed = {path.parent for path in (ROOT / "proofs").glob("*/*/statement.json")}
    committed -= set((ROOT / "proofs" / "attention_matching_search").iterdir())  # tests/searcher has those
    assert {ROOT / "proofs" / path.relative_to(tmp_path) for path in written} == committed
    assert all(files(path) == files(ROOT / "proofs" / path.relative_to(tmp_path)) for path in written)


def test_prove_seed_certifies_the_very_file_that_emit_writes(tmp_path):
    emission = symut.emit("random", m=48, seed=3, out=tmp_path / "generated")
    outcome = symut.prove("random_universality", H=2, L=2, d=3, k=3, m=48, seed=3, out=tmp_path / "proofs")
    assert files(emission.path)["weights.safetensors"] == files(outcome.artifact)["weights.safetensors"]
    stated = files(outcome.artifact)["statement.json"]
    assert hashlib.sha256(stated).hexdigest().encode() in files(emission.path)["model.py"]


def test_every_construction_has_a_default_module():
    assert all(construction.modules for construction in constructions().values())
