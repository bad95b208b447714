"""The key scheme of BERT checkpoints: one self-attention layer out of encoder.layer.0, encoder.layer.1, ...

Main definitions: `BERT`.
Tensors {prefix}encoder.layer.{i}.attention.self.{query,key,value}.weight: (H k) x d and .bias: H k, and
...attention.output.dense.weight: d x (H k) and .bias: d; any prefix, found in the file; biases may be absent.
The target is the heads with their output projection, before residual and layer norm.  The number of heads is --heads or
`num_attention_heads` of config.json beside the file.  The scale is 1/sqrt(k) unless one is given.
Refused: relative position embeddings (their scores are no function of X WQ and X WK).
Source: transformers, models/bert/modeling_bert.py (BertSelfAttention, BertSelfOutput).
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace
from pathlib import Path

from symut.backbone import Shape
from symut.compiler.joined import head_width, joined_heads
from symut.compiler.reader import Header, Located, Request, Scheme, Shapes, pick_layer
from symut.errors import TargetError

_QUERY = re.compile(r"(|.*\.)layer\.(\d+)\.attention\.self\.query\.weight")
_PARTS = {"q": "self.query", "k": "self.key", "v": "self.value", "o": "output.dense"}
_CONFIG_LIMIT = 2**20


def _matches(shapes: Shapes) -> bool:
    return any(_QUERY.fullmatch(name) for name in shapes)


def _locate(header: Header, request: Request) -> Located:
    """Raises TargetError if a tensor is missing or has a wrong shape, or the layer or number of heads is not known."""
    stem, layer = _stem(header, request)
    if stem + "self.distance_embedding.weight" in header.shapes:
        raise TargetError(
            f"{header.path} has relative position embeddings",
            expected="scores that depend on X WQ and X WK only",
            got=stem + "self.distance_embedding.weight",
        )
    columns, d = header.matrix(stem + "self.query.weight")
    wanted = {role: (d, columns) if role == "o" else (columns, d) for role in _PARTS}
    wanted |= {"b" + role: wanted[role][:1] for role in _PARTS}
    names = {role: stem + part + ".weight" for role, part in _PARTS.items()}
    names |= {
        "b" + role: stem + part + ".bias" for role, part in _PARTS.items() if stem + part + ".bias" in header.shapes
    }
    for role, name in names.items():
        header.require(name, wanted[role])
    H, k = head_width(_with_heads(request, header.path), columns, header.path)
    return Located(
        path=header.path,
        scheme=BERT.name,
        shape=Shape(H, 1, d, k),
        scale=1 / math.sqrt(k) if request.scale is None else request.scale,
        names=names,
        build=joined_heads,
        biased=len(names) > len(_PARTS),
        layer=layer,
    )


def _stem(header: Header, request: Request) -> tuple[str, int]:
    """The prefix of the wanted layer's attention tensors, and the layer's number."""
    found = [(match[1], int(match[2])) for name in header.shapes if (match := _QUERY.fullmatch(name))]
    prefixes = sorted({prefix for prefix, _ in found})
    if len(prefixes) != 1:
        raise TargetError(
            f"{header.path} does not hold one encoder",
            expected="tensors {prefix}layer.{i}.attention.self.query.weight with one prefix",
            got=", ".join(repr(prefix) for prefix in prefixes[:4]) or "none",
            remedy="save one encoder alone" if prefixes else "check the scheme",
        )
    layer = pick_layer(request, {number: "" for _, number in found}, header.path)
    return f"{prefixes[0]}layer.{layer}.attention.", layer


def _with_heads(request: Request, path: Path) -> Request:
    """The request with the number of heads of config.json beside the checkpoint, unless it has one."""
    config = path.with_name("config.json")
    if request.heads is not None or not config.is_file():
        return request
    try:
        text = config.read_bytes()[:_CONFIG_LIMIT]
        heads = json.loads(text).get("num_attention_heads")
    except (OSError, ValueError, AttributeError, RecursionError):
        heads = None
    if isinstance(heads, bool) or not isinstance(heads, int) or heads < 1:
        raise TargetError(
            f"cannot read num_attention_heads from {config}",
            expected="an integer >= 1",
            got="nothing usable" if heads is None else repr(heads),
            remedy="pass --heads",
        )
    return replace(request, heads=heads)


BERT = Scheme("bert", "encoder.layer.0.attention.self.query.weight, ...", _matches, _locate)
