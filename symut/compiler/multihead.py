"""The key scheme of torch.nn.MultiheadAttention: one self-attention layer, alone or inside a larger state dict.

Main definitions: `MULTIHEAD`.
Tensors in_proj_weight: 3d x d (query, key, value above each other), in_proj_bias: 3d, out_proj.weight: d x d,
out_proj.bias: d, all under one prefix; the biases may be absent.  The file does not say the number of heads.
The scale is 1/sqrt(d / H) unless one is given.  Refused: separate q/k/v projections (tokens of other widths), bias_k
and bias_v (an extra key that belongs to no token), cross-attention.  `add_zero_attn` leaves no trace in a file; do not
use it.
Source: torch.nn.MultiheadAttention and torch.nn.functional.multi_head_attention_forward.
"""

from __future__ import annotations

import math
import re

import numpy as np

from symut.backbone import Shape
from symut.compiler.joined import head_width, joined_heads
from symut.compiler.reader import (
    Header,
    Located,
    Request,
    Scheme,
    Shapes,
    Tensors,
    pick_layer,
)
from symut.compiler.target import Target
from symut.errors import TargetError

_STEM = re.compile(r"(|.*\.)(?:in_proj_weight|q_proj_weight|bias_k)")
_CROSS = "multihead_attn."
"""Where torch.nn.TransformerDecoderLayer keeps its cross-attention."""


def _matches(shapes: Shapes) -> bool:
    return any(_STEM.fullmatch(name) for name in shapes)


def _prefixes(shapes: Shapes) -> list[str]:
    """The prefixes of all self-attention layers, numbers in numeric order."""
    found = {match[1] for name in shapes if (match := _STEM.fullmatch(name))}
    own = (prefix for prefix in found if not prefix.endswith(_CROSS))
    return sorted(
        own, key=lambda prefix: [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", prefix)]
    )


def _locate(header: Header, request: Request) -> Located:
    """Raises TargetError if a tensor is missing or has a wrong shape, or for a form that is no plain self-attention."""
    prefixes = _prefixes(header.shapes)
    if not prefixes:
        raise TargetError(
            f"{header.path} holds no self-attention",
            expected="in_proj_weight outside of multihead_attn",
            got="cross-attention only" if _matches(header.shapes) else "no in_proj_weight",
        )
    layer = pick_layer(request, dict(enumerate(prefixes)), header.path)
    stem = prefixes[layer]
    _refuse_other_forms(header, stem)
    d = header.matrix(stem + "in_proj_weight")[1]
    wanted = {"in_proj_weight": (3 * d, d), "out_proj.weight": (d, d), "in_proj_bias": (3 * d,), "out_proj.bias": (d,)}
    names = {role: stem + role for role in wanted if "bias" not in role or stem + role in header.shapes}
    for role, name in names.items():
        header.require(name, wanted[role])
    H, k = head_width(request, d, header.path)
    return Located(
        path=header.path,
        scheme=MULTIHEAD.name,
        shape=Shape(H, 1, d, k),
        scale=1 / math.sqrt(k) if request.scale is None else request.scale,
        names=names,
        build=_build,
        biased=len(names) > 2,
        layer=layer,
    )


def _refuse_other_forms(header: Header, stem: str) -> None:
    reasons = {
        "q_proj_weight": "keys and values come from tokens of another width, so this is no self-attention",
        "bias_k": "bias_k adds a key that belongs to no token, so attention is no function of X WQ and X WK",
        "bias_v": "bias_v adds a value that belongs to no token, so attention is no function of X WQ and X WK",
    }
    for name, reason in reasons.items():
        if stem + name in header.shapes:
            raise TargetError(
                f"{header.path} is outside the model class: {reason}",
                expected=stem + "in_proj_weight alone",
                got=stem + name,
                remedy="build the layer without it",
            )


def _build(tensors: Tensors, shape: Shape, scale: float) -> Target:
    parts = dict(zip("qkv", np.split(tensors["in_proj_weight"], 3), strict=True)) | {"o": tensors["out_proj.weight"]}
    if "in_proj_bias" in tensors:
        parts |= dict(zip(("bq", "bk", "bv"), np.split(tensors["in_proj_bias"], 3), strict=True))
    if "out_proj.bias" in tensors:
        parts["bo"] = tensors["out_proj.bias"]
    return joined_heads(parts, shape, scale)


MULTIHEAD = Scheme("mha", "in_proj_weight, out_proj.weight", _matches, _locate)
