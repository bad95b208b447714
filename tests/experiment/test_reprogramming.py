"""A trained attention-only network is a target: backbones programmed with its weights have its logits."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from symut.api import emit
from symut.backbone.stored import read_tensors
from symut.compiler import program
from symut.compiler.backbone import Emitted
from symut.errors import TargetError
from symut.experiment.building import build
from symut.experiment.configuration import Configuration
from symut.experiment.evaluation import tensors
from symut.experiment.reprogramming import Trained
from symut.experiment.running import Place, run
from symut.experiment.tasks.splits import Split

ROOT = Path(__file__).resolve().parents[2]
ABOUT = Configuration(
    task="khop", backbone="trained", arch="attention", n=10, H=2, L=2, k=3, m=5, steps=20, batch=16, every=10, test=40
)


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder = tmp_path_factory.mktemp("trained")
    run(ABOUT, Place(folder), lambda event: None, keep_weights=True)
    return Trained.read(folder / f"{ABOUT.name}.safetensors")


def test_the_target_has_the_logits_of_the_network(model):
    network = build(ABOUT).double()
    stored = read_tensors(model.path, list(network.state_dict()))
    for name, parameter in network.named_parameters():
        parameter.data.copy_(parameter.new_tensor(stored[name]))
    block = ABOUT.build_task().block(Split.TEST, 0, 0, 20)
    expected = network(tensors(block, network.E.device)[0]).detach().numpy()
    np.testing.assert_allclose(model.logits(block.tokens), expected, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize(("kind", "bound"), [("sparse", 1e-12), ("random", 1e-9)])
def test_programmed_backbones_have_the_logits_of_the_trained_network(model, kind, bound, tmp_path):
    backbone = emit(kind, H=2, L=2, d=5, k=3, out=tmp_path).path
    options = {"scale": model.target.scale, "causal": True, "dtype": "float64"}
    program(backbone, model.path, tmp_path / "E.safetensors", **options)
    E = read_tensors(tmp_path / "E.safetensors", ["E"])["E"]
    tokens = ABOUT.build_task().block(Split.TEST, 0, 0, 50).tokens
    module = Emitted.describe(Path(backbone)).load()
    outputs = module.run(model.embedded(tokens), E, mask=None, causal=True, scale=model.target.scale)
    expected = model.logits(tokens)
    assert np.abs(outputs @ model.U - expected).max() < bound * np.abs(expected).max()


def test_a_run_that_is_no_target_is_refused(tmp_path):
    about = ABOUT.with_(backbone="random")
    run(about, Place(tmp_path), lambda event: None, keep_weights=True)
    with pytest.raises(TargetError):
        Trained.read(tmp_path / f"{about.name}.safetensors")


def test_the_example_programs_both_backbones_within_its_bounds(tmp_path):
    command = [sys.executable, "examples/reprogramming.py", "--steps", "60", "--out", str(tmp_path)]
    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    lines = [line.split() for line in done.stdout.splitlines() if line.startswith(("sparse", "random"))]
    assert [line[:2] for line in lines] == [
        [kind, f"float{bits}"] for kind in ("sparse", "random") for bits in (32, 64)
    ]
    directly = next(line.split()[-1] for line in done.stdout.splitlines() if "evaluated directly" in line)
    assert {line[2] for line in lines if line[1] == "float64"} == {directly}
