"""The text of an emitted module: everything is computed here, the templates only place it.

Main definitions: `ModuleSource` (what a module says), `render` (its source text).
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from symut.backbone import Shape
from symut.emitter.weights import WEIGHTS_FORMAT
from symut.version import __version__

LINE = 110
TEMPLATES = Path(__file__).parent / "templates"

STATEMENTS = {
    "sparse": (
        "All entries of the fixed weights RQ, RK (m x k), RV (m x m) and U (m x d) are 0 or 1. For every target "
        "(WQ, WK: d x k and WV: d x d for each layer and head) there is a program E (d x m) with UT(X, E) = T(X) for "
        "all n, all X (n x d) and all attention functions."
    ),
    "random": (
        "The fixed weights RQ, RK (m x k), RV (m x m) and U (m x d) are random numbers. For every target "
        "(WQ, WK: d x k and WV: d x d for each layer and head) there is a program E (d x m) with UT(X, E) = T(X) for "
        "all n, all X (n x d) and all attention functions, if the block matrix M(R) of these weights has rank N; for "
        "m >= N that has probability 1 when the entries are drawn from a density."
    ),
}
RECURSION = (
    "T runs X_l = sum_h alpha_{l,h}(X_{l-1} WQ, X_{l-1} WK) X_{l-1} WV from X_0 = X and answers X_L; UT runs the same "
    "recursion with RQ, RK, RV from Z_0 = X E and answers Z_L U."
)
TORCH_DTYPES = {"F32": "torch.float32", "F64": "torch.float64", "I32": "torch.int32"}
_SHARED = (
    "import itertools",
    "import json",
    "import math",
    "import sys",
    "from collections.abc import Callable",
    "from functools import partial",
)
_TORCH = ("", "import torch", "from safetensors import SafetensorError, safe_open", "from torch import Tensor, nn")
IMPORTS = {
    "sparse": (*_SHARED, "from pathlib import Path", *_TORCH),
    "random": (
        "import hashlib",
        *_SHARED,
        "from pathlib import Path",
        "from typing import Any, NamedTuple, TypeVar",
        *_TORCH,
    ),
}


@dataclass(frozen=True)
class ModuleSource:
    """One emitted module: `kind` is "sparse" or "random", `stored` the dtype of each tensor, e.g. "F32"."""

    kind: str
    shape: Shape
    m: int
    metadata: Mapping[str, Any]
    stored: Mapping[str, str]
    weights_sha256: str
    max_memory: int
    command: str
    theorems: Sequence[str]
    statement_hash: str

    @property
    def state_widths(self) -> list[int]:
        """m_1 .. m_{L+1}: the widths of the merging form's states."""
        return [self.shape.state_width(layer) for layer in range(1, self.shape.L + 2)]


def render(source: ModuleSource) -> str:
    """The text of model.py; equal sources give equal text."""
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        undefined=jinja2.StrictUndefined,
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,
    )
    return environment.get_template(f"{source.kind}.py.j2").render(_context(source))


def _context(source: ModuleSource) -> dict[str, Any]:
    shape, kind = source.shape, source.kind
    sizes = f"H = {shape.H}, L = {shape.L}, d = {shape.d}, k = {shape.k}, m = {source.m}"
    return {
        "title": f"A fixed universal transformer: the {kind} backbone for {sizes}.",
        "version": __version__,
        "format": WEIGHTS_FORMAT,
        "facts": _facts(source),
        "statement": textwrap.fill(f"{RECURSION} {STATEMENTS[kind]}", LINE - 4),
        "imports": IMPORTS[kind],
        "H": shape.H, "L": shape.L, "d": shape.d, "k": shape.k, "m": source.m, "N": shape.N,
        "max_memory": source.max_memory,
        "command_constant": _text_constant("COMMAND", source.command),
        "metadata": [(name, json.dumps(value)) for name, value in sorted(source.metadata.items())],
        "widths_constant": _tuple_constant("WIDTHS", source.state_widths, "state widths m_1 .. m_{L+1}"),
        "weights_sha256": source.weights_sha256,
        "stored": {name: TORCH_DTYPES[stored] for name, stored in source.stored.items()},
    }  # fmt: skip


def _facts(source: ModuleSource) -> list[str]:
    """The header's facts as wrapped lines `    label       text`."""
    chosen = {name: value for name, value in source.metadata.items() if name not in ("construction", "format")}
    facts = {
        "command": source.command,
        "parameters": ", ".join(f"{name} = {chosen[name]}" for name in sorted(chosen)),
        "derived": _derived(source),
        "theorems": ", ".join(source.theorems) or "none",
        "statement": f"SHA-256 {source.statement_hash}" if source.statement_hash else "none",
        "weights": f"SHA-256 {source.weights_sha256}",
    }
    return [line for label, text in facts.items() for line in _fact(label, _plain(text))]


def _derived(source: ModuleSource) -> str:
    N, spare = source.shape.N, source.m - source.shape.N
    if source.kind == "random":
        return f"N = {N} slots, {spare} columns more than slots, dense matrices"
    widths = ", ".join(map(str, source.state_widths))
    return f"N = {N} slots, {spare} padding columns of zeros, merging layout with states of width {widths}"


def _plain(text: str) -> str:
    """`text` on one line and harmless inside a docstring."""
    return " ".join(text.replace("\\", "/").replace('"', "'").split())


def _fact(label: str, text: str) -> list[str]:
    return textwrap.wrap(
        text, LINE - 4, initial_indent=f"    {label:12}", subsequent_indent=" " * 16, break_on_hyphens=False
    )


def _text_constant(name: str, text: str) -> str:
    line = f"{name} = {json.dumps(text)}"
    if len(line) <= LINE:
        return line
    pieces = textwrap.wrap(text, LINE - 20, drop_whitespace=False, break_on_hyphens=False)
    return "\n".join([f"{name} = (", *(f"    {json.dumps(piece)}" for piece in pieces), ")"])


def _tuple_constant(name: str, values: Sequence[int], comment: str) -> str:
    line = f"{name} = ({', '.join(map(str, values))})"
    if len(line) + len(comment) + 4 <= LINE:
        return f"{line}  # {comment}"
    return "\n".join([f"{name} = (  # {comment}", *(f"    {value}," for value in values), ")"])
