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

from symut.backbone.forms import HEADS, LAYERED, OUTPUTS, FormShape
from symut.emitter.kinds import KINDS
from symut.emitter.weights import WEIGHTS_FORMAT
from symut.version import __version__

LINE = 110
TEMPLATES = Path(__file__).parent / "templates"

TORCH_DTYPES = {"F32": "torch.float32", "F64": "torch.float64", "I32": "torch.int32"}
_SHARED = (
    "import hashlib",
    "import itertools",
    "import json",
    "import math",
    "import sys",
    "from collections.abc import Callable",
    "from functools import partial, reduce",
    "from pathlib import Path",
)
_TORCH = ("", "import torch", "from safetensors import SafetensorError, safe_open", "from torch import Tensor, nn")
IMPORTS = {False: (*_SHARED, *_TORCH), True: (*_SHARED, "from typing import Any, NamedTuple, TypeVar", *_TORCH)}
"""By whether the backbone is random."""
_TARGET = "E = module.compile_program(WQ, WK, WV)         # WQ, WK: {} x H x d x k, WV: {} x H x d x d; E: d x m"
_ANSWER = "Y = module(X, E, causal=True)                  # X, Y: n x d; leading batch dimensions broadcast"
_AFFINE_USAGE = (
    "E = module.compile_program(WQ, WK, WV, bQ, bK, bV, C, c)  # E: (d + 1) x m; see its docstring",
    "Y = module(X, E, causal=True)                  # X: n x d, Y: n x d_out; leading dimensions broadcast",
)


@dataclass(frozen=True)
class ModuleSource:
    """One emitted module: `kind` is one of KINDS, `stored` the dtype of each tensor, e.g. "F32"."""

    kind: str
    shape: FormShape
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
        """m_1 .. m_{L+1}: how many slots remain before each layer."""
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
    template = "random.py.j2" if KINDS[source.kind].random else "routed.py.j2"
    return environment.get_template(template).render(_context(source) | _form_context(source))


def _context(source: ModuleSource) -> dict[str, Any]:
    shape, kind = source.shape, KINDS[source.kind]
    outputs = f", d_out = {shape.output_width}" if shape.form.affine else ""
    sizes = f"H = {shape.H}, L = {shape.L}, d = {shape.d}, k = {shape.k}{outputs}, m = {source.m}"
    return {
        "title": textwrap.fill(f"A fixed universal transformer: the {kind.label} backbone for {sizes}.", LINE - 4),
        "label": kind.label,
        "class_name": kind.class_name,
        "version": __version__,
        "format": WEIGHTS_FORMAT,
        "facts": _facts(source),
        "statement": textwrap.fill(kind.statement, LINE - 4),
        "usage": _usage(shape),
        "imports": IMPORTS[kind.random],
        "H": shape.H, "L": shape.L, "d": shape.d, "k": shape.k, "d_out": shape.output_width, "m": source.m,
        "N": shape.N,
        "slots": kind.slots,
        "max_memory": source.max_memory,
        "command_constant": _text_constant("COMMAND", source.command),
        "metadata": [(name, json.dumps(value)) for name, value in sorted(source.metadata.items())],
        "widths_constant": _tuple_constant("WIDTHS", source.state_widths, "state widths m_1 .. m_{L+1}"),
        "weights_sha256": source.weights_sha256,
        "stored": {name: TORCH_DTYPES[stored] for name, stored in source.stored.items()},
    }  # fmt: skip


def _form_context(source: ModuleSource) -> dict[str, Any]:
    """The form as the templates ask for it: which parts a layer has, and letters for the sizes of tensors."""
    form = source.shape.form
    reads = [f'*weights["read_{role}"][layer].long()' for role in ("q", "k") if f"read_{role}" in source.stored]
    middle = "C_{l+1} | " if form.letters else "read_u | " if form.outputs_everywhere else ""
    names = "read_q | read_k" if form.keys != OUTPUTS else "read_q"
    return {
        "affine": form.affine,
        "residual": form.residual,
        "skips": form.letters,
        "repeats": form.outputs_everywhere,
        "shared": form.shared,
        "keys": form.keys,
        "stochastic": form.affine and not form.residual,
        "dense": KINDS[source.kind].random,
        "rows": form == LAYERED or KINDS[source.kind].random,
        "layers": "1" if form.shared else "L",
        "target_layers": "1" if form.outputs_everywhere else "L",
        "width": "d" if form.scores_only else "k",
        "out": "d_out" if form.affine else "d",
        "key_heads": "H" if form.keys == HEADS else "1",
        "table_reads": f"[{', '.join(reads)}]",
        "coordinate_order": f"[{names} | {middle}C_{{l+1}} moved back by head 1 | ... | by H]",
    }


def _usage(shape: FormShape) -> tuple[str, ...]:
    if shape.form.affine:
        return _AFFINE_USAGE
    layers = "1" if shape.form.outputs_everywhere else "L"
    return (_TARGET.format(layers, layers), _ANSWER)


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
    if KINDS[source.kind].random:
        return f"N = {N} slots, {spare} columns more than slots, dense matrices"
    widths = ", ".join(map(str, source.state_widths))
    return f"N = {N} slots, {spare} padding columns of zeros, states of width {widths}"


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
