"""symut's own key scheme: the target's matrices as the papers write them, all layers and heads in one tensor.

Main definitions: `NATIVE`.
Tensors WQ, WK: L x H x d x k; WV: L x H x d x d (value and output maps composed); optional bQ, bK: L x H x k;
bV: L x H x d; optional read-out C: d x d_out (else the identity) and c: d_out after the last layer; optional residual:
the number 1 if every layer adds to what it reads, else 0.  Rows act from the right: queries are X WQ + bQ, the answer
is X_L C + c.  The scale is 1 unless one is given.
"""

from __future__ import annotations

import math

from symut.backbone import Shape
from symut.backbone.stored import read_tensors
from symut.compiler.reader import Header, Located, Request, Scheme, Shapes, Tensors, by
from symut.compiler.target import Target
from symut.errors import TargetError

_BIASES, _READOUT = ("bQ", "bK", "bV"), ("C", "c")
_REMEDIES = {
    "C": "store C with a row for each of the d columns of X_L",
    "c": "store one number for each column of C, or d numbers without C",
}


def _matches(shapes: Shapes) -> bool:
    return {"WQ", "WK", "WV"} <= shapes.keys()


def _locate(header: Header, request: Request) -> Located:
    """Raises TargetError if a tensor is missing or has a wrong shape, or --layer or --heads disagree with the file.

    A read-out belongs to the last layer, so that no other layer can be chosen alone.
    """
    L, H, d, k = _sizes(header)
    d_out = _output_width(header, d)
    names = _present(header, (L, H, d, k), d if d_out is None else d_out)
    _agree(header, request, L, H)
    if d_out is not None:
        _require_last_layer(header, request, L)
    residual = _residual(header)
    layers = L if request.layer is None else 1
    return Located(
        path=header.path,
        scheme=NATIVE.name,
        shape=Shape(H, layers, d, k),
        scale=1.0 if request.scale is None else request.scale,
        names={name: name for name in names},
        build=lambda tensors, shape, scale: _build(tensors, scale, request.layer, residual),
        biased=any(name in names for name in (*_BIASES, "c")),
        layer=request.layer,
        residual=residual,
        d_out=d_out,
    )


def _present(header: Header, sizes: tuple[int, ...], d_out: int) -> list[str]:
    """The names of the target's tensors, whose shapes are right."""
    L, H, d, k = sizes
    wanted = {"WQ": (L, H, d, k), "WK": (L, H, d, k), "WV": (L, H, d, d)}
    wanted |= {"bQ": (L, H, k), "bK": (L, H, k), "bV": (L, H, d), "C": (d, d_out), "c": (d_out,)}
    names = [name for name in wanted if name not in (*_BIASES, *_READOUT) or name in header.shapes]
    for name in names:
        header.require(name, wanted[name], _REMEDIES.get(name, "stack the matrices by layer and head"))
    return names


def _output_width(header: Header, d: int) -> int | None:
    """d_out, the columns of C; d if there is only c; None without a read-out."""
    if "C" in header.shapes:
        shape = header.shapes["C"]
        if len(shape) != 2 or 0 in shape:
            header.require("C", (d, "d_out"), _REMEDIES["C"])
        return shape[1]
    return d if "c" in header.shapes else None


def _require_last_layer(header: Header, request: Request, L: int) -> None:
    if request.layer not in (None, L - 1):
        raise TargetError(
            f"the read-out of {header.path} follows its last layer",
            expected=f"--layer {L - 1}, or no --layer",
            got=f"--layer {request.layer}",
            remedy="save the file without C and c to take another layer",
        )


def _residual(header: Header) -> bool:
    """The number `residual`, False if there is none."""
    if "residual" not in header.shapes:
        return False
    if math.prod(header.shapes["residual"]) != 1:
        header.require("residual", (1,), "store the number 0 or 1")
    number = read_tensors(header.path, ["residual"], boolean=["residual"])["residual"].item()
    if number not in (0, 1):
        raise TargetError(
            f"residual of {header.path} is neither 0 nor 1", expected="0 or 1", got=str(number), remedy="store 0 or 1"
        )
    return bool(number)


def _sizes(header: Header) -> tuple[int, ...]:
    found = header.shapes.get("WQ", ())
    if len(found) != 4 or 0 in found:
        header.require("WQ", ("L", "H", "d", "k"), "stack the matrices by layer and head")
    return found


def _agree(header: Header, request: Request, L: int, H: int) -> None:
    if request.heads not in (None, H):
        raise TargetError(
            f"--heads differs from {header.path}",
            expected=f"{H} (WQ is {by(header.shapes['WQ'])})",
            got=str(request.heads),
            remedy="drop it",
        )
    if request.layer is not None and request.layer >= L:
        raise TargetError(
            f"{header.path} has no layer {request.layer}",
            expected=f"0..{L - 1}",
            got=str(request.layer),
            remedy="change --layer, or drop it to take all layers",
        )


def _build(tensors: Tensors, scale: float, layer: int | None, residual: bool) -> Target:
    chosen = slice(None) if layer is None else slice(layer, layer + 1)
    part = {name: tensor if name in _READOUT else tensor[chosen] for name, tensor in tensors.items()}
    return Target(
        query=part["WQ"],
        key=part["WK"],
        value=part["WV"],
        query_bias=part.get("bQ"),
        key_bias=part.get("bK"),
        value_bias=part.get("bV"),
        readout=part.get("C"),
        readout_bias=part.get("c"),
        scale=scale,
        residual=residual,
    )


NATIVE = Scheme("symut", "WQ, WK, WV", _matches, _locate)
