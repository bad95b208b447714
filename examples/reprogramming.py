"""A transformer is trained, then fixed backbones are programmed to be it: the same logits, without any training.

    python examples/reprogramming.py [--steps N] [--out FOLDER]

A small attention-only transformer learns one-hop induction (all its weights are trained).  symut writes a sparse and a
random backbone of the same H, L, k and of width N for its token width d, and compiles the trained weights to the
program of each.  The table shows test accuracy and the largest difference of the logits, relative to the largest
logit, against the trained model evaluated directly in float64.  Exit code 1 if the sparse backbone differs by more
than 1e-4 in float32 or 1e-12 in float64, or the random one by more than 1e-9 in float64.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

import numpy as np

from symut.api import emit
from symut.backbone.stored import read_tensors
from symut.compiler import program
from symut.compiler.backbone import Emitted
from symut.experiment.configuration import Configuration
from symut.experiment.reprogramming import Trained
from symut.experiment.running import Place, run
from symut.experiment.tasks import IGNORED
from symut.experiment.tasks.splits import Split

MODEL = {"task": "khop", "hops": 1, "n": 30, "H": 2, "L": 2, "k": 8, "m": 24, "init": 0.3, "lr": 0.01}
BOUNDS = {("sparse", "float32"): 1e-4, ("sparse", "float64"): 1e-12, ("random", "float64"): 1e-9}
SEQUENCES = 500


def trained(folder: Path, steps: int) -> Trained:
    """The model after training, from the file that `symut train` keeps."""
    about = Configuration(backbone="trained", arch="attention", steps=steps, **MODEL)
    record = run(about, Place(folder), lambda event: None, keep_weights=True)
    print(f"trained: {record.stopped} at step {record.step}, test accuracy {record.test['test']['accuracy']:.4f}")
    for name, accuracy in record.baselines["test"].items():
        print(f"  baseline {name}: {accuracy:.4f}")
    return Trained.read(folder / f"{about.name}.safetensors")


def programmed(kind: str, model: Trained, folder: Path, tokens: np.ndarray) -> dict[str, np.ndarray]:
    """Logits (B, n, classes) of the programmed backbone, by dtype."""
    L, H, d, k = model.target.query.shape
    backbone = Path(emit(kind, H=H, L=L, d=d, k=k, out=folder).path)
    file = folder / f"{kind}-E.safetensors"
    program(backbone, model.path, file, scale=model.target.scale, causal=model.causal, dtype="float64")
    E = read_tensors(file, ["E"])["E"]
    module = Emitted.describe(backbone).load()
    X = model.embedded(tokens)
    answers = {}
    for dtype in ("float32", "float64"):
        outputs = module.run(X, E.astype(dtype), mask=None, causal=model.causal, scale=model.target.scale)
        answers[dtype] = outputs @ model.U.astype(dtype)
    return answers


def accuracy(logits: np.ndarray, answers: np.ndarray) -> float:
    """Over the scored positions."""
    scored = answers != IGNORED
    return float((logits.argmax(axis=-1) == answers)[scored].mean())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=1500)
    parser.add_argument("--out", type=Path)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        return compare(chosen.out or Path(temporary), chosen.steps)


def compare(folder: Path, steps: int) -> int:
    """Train, program both backbones, print the table; 1 if a bound is missed."""
    model = trained(folder, steps)
    block = model.about.build_task().block(Split.TEST, 0, 0, SEQUENCES)
    expected = model.logits(block.tokens)
    print(f"trained, evaluated directly in float64: accuracy {accuracy(expected, block.answers):.4f}")
    print("backbone  dtype    accuracy  largest difference of logits, relative")
    missed = 0
    for kind in ("sparse", "random"):
        for dtype, logits in programmed(kind, model, folder, block.tokens).items():
            error = np.abs(logits - expected).max() / np.abs(expected).max()
            missed += error > BOUNDS.get((kind, dtype), np.inf)
            print(f"{kind:9} {dtype:8} {accuracy(logits, block.answers):8.4f}  {error:.1e}")
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
