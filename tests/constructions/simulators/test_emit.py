"""`symut emit SIMULATOR`: names, bytes, what the header states, and sizes beyond those of a proof."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import symut
from constructions.simulators import MACHINES
from symut.cli import main
from symut.errors import UsageError
from symut.prover.simulators import described
from symut.registry import find_theorem
from symut.theorem import resolve

ROOT = Path(__file__).resolve().parents[3]


def files(folder) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in Path(folder).iterdir()}


def test_names_tell_sizes_rationals_and_flags_apart(tmp_path):
    asked = [
        ("attention_simulator", {"n": 3, "d": 2, "k": 2, "ffn": 4}),
        ("multihead_simulator", {"n": 2, "d": 2, "k": 1, "H": 2, "sequential": True}),
        ("lipschitz", {"constant": "0.5", "eps": "1/3"}),
        ("match2", {"self": True}),
    ]
    names = [Path(symut.emit(name, out=tmp_path, **given).path).name for name, given in asked]
    assert names == [
        "attention_simulator-n3-d2-k2-ffn4",
        "multihead_simulator-n2-d2-k1-H2-sequential",
        "lipschitz-dim1-constant1_2-eps1_3",
        "match2-p5-n8-self",
    ]


def test_the_command_in_the_header_writes_the_same_bytes(tmp_path, capsys):
    one = symut.emit("match2", p=3, n=4, self=True, out=tmp_path / "a")
    text = files(one.path)["model.py"].decode()
    words = re.search(r'COMMAND = "python -m symut (.*)"', text)[1].split()
    assert words == ["emit", "match2", "--p", "3", "--n", "4", "--self"]
    assert main([*words, "--out", str(tmp_path / "b"), "--quiet"]) == 0
    two = capsys.readouterr().out.strip()
    assert files(two) == files(one.path)
    assert str(Path.cwd()) not in text


@pytest.mark.parametrize("machine", MACHINES, ids=lambda machine: machine.id)
def test_the_header_states_the_theorem_about_this_encoder(emitted, machine):
    header = " ".join(emitted(machine.id).__doc__.split())
    sizes = machine.sizes(resolve(machine, {}))
    statement = machine.stated(sizes, described(machine, sizes))
    (claim,) = statement.claims
    assert " ".join(claim.partition(": ")[2].split())[1:] in header
    assert statement.digest in header
    assert f"`python -m symut prove {machine.id}" in header
    assert "Gates are assumptions" in header or "There are no gates" in header


def test_the_header_of_a_softmax_says_that_hard_attention_gives_no_exponential(emitted):
    header = " ".join(emitted("attention_simulator").__doc__.split())
    assert "there is one encoder, whose weights do not depend on the input, such that for all inputs" in header
    assert "softmax needs an exponential gate" in header
    assert "Hard attention alone averages and compares, which gives no exponential" in header
    assert "exponential" not in emitted("matmul").__doc__


def test_sizes_without_a_proof_are_emitted_and_say_so(emitted):
    for name, given in (("maxmin", {"size": 8, "groups": 2}), ("lipschitz", {"dim": 2, "eps": "1/15"})):
        values = resolve(find_theorem(name), given)
        with pytest.raises(UsageError, match="for a proof"):
            find_theorem(name).state(values)
        assert "at sizes that symut does not prove" in " ".join(emitted(name, **given).__doc__.split())


def test_emit_prints_the_folder_and_json_has_the_documented_keys(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["emit", "transpose", "--r", "2"]) == 0
    out, err = capsys.readouterr()
    assert out == "generated/transpose-r2-c4\n"
    assert "1 attention layers, 8 tokens, stream width 4" in err
    assert main(["emit", "transpose", "--r", "2", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert list(found) == ["path", "simulator", "sizes", "tokens", "width", "layers", "encoder"]
    assert found["sizes"] == {"r": 2, "c": 4}


@pytest.mark.skipif(shutil.which("ruff") is None, reason="ruff is not installed")
@pytest.mark.parametrize("machine", MACHINES, ids=lambda machine: machine.id)
def test_the_source_has_no_unused_or_undefined_names(emitted, machine):
    options = ["--isolated", "--select", "E,F,I,B,UP", "--ignore", "E501", "--target-version", "py311"]
    command = ["ruff", "check", *options, emitted(machine.id).__file__]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


@pytest.mark.skipif(shutil.which("pyright") is None, reason="pyright is not installed")
def test_the_source_passes_pyright(emitted):
    names = ("attention_simulator", "hierarchy", "inverse", "lipschitz", "parity")
    command = ["pyright", "--pythonpath", sys.executable, *(emitted(name).__file__ for name in names)]
    done = subprocess.run(command, cwd=Path(emitted("parity").__file__).parent, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_the_example_in_the_docs_works():
    text = (ROOT / "docs" / "simulators.md").read_text()
    (example,) = re.findall(r"^```python\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)
    done = subprocess.run([sys.executable, "-c", example], cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_default_set_has_the_attention_simulators_and_the_tasks_on_letters():
    assert {machine.id for machine in MACHINES if machine.modules} == {
        "attention_simulator", "multihead_simulator", "hierarchy", "inverse", "parity", "match2",
    }  # fmt: skip
