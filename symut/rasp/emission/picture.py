"""A picture of an encoder as SVG: layers from the bottom up, heads and gates as boxes, the stream between them.

Main definition: `picture`.
"""

from __future__ import annotations

from xml.sax.saxutils import escape

from symut.rasp.encoder.cost import cost
from symut.rasp.encoder.model import Encoder, Gate, Layer, Table

WIDTH, LINE, BOX, GAP, MARGIN = 860, 18, 30, 10, 20
_COLOURS = {"head": "#dbe9f6", "gate": "#e7f2df", "stream": "#f2f2f2"}


def picture(encoder: Encoder) -> bytes:
    """The SVG; equal encoders give equal bytes."""
    rows = [("stream", [f"stream of {cost(encoder).stream_width} coordinates: embeddings of tokens and positions"])]
    for number, layer in enumerate(encoder.layers):
        rows += _rows(number, layer)
    rows.append(("stream", ["read-out"]))
    parts: list[str] = []
    y = MARGIN
    for kind, boxes in reversed(rows):
        parts += _row(kind, boxes, y)
        y += BOX + GAP
    size = f'width="{WIDTH}" height="{y + MARGIN}" viewBox="0 0 {WIDTH} {y + MARGIN}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="12">'
    spine = f'<line x1="{MARGIN // 2}" y1="{MARGIN}" x2="{MARGIN // 2}" y2="{y}" stroke="#888" stroke-width="3"/>'
    return "\n".join([head, spine, *parts, "</svg>", ""]).encode()


def _rows(number: int, layer: Layer) -> list[tuple[str, list[str]]]:
    rows = []
    if layer.heads:
        rows.append(("head", [f"layer {number}, head {i}: {head.name}" for i, head in enumerate(layer.heads)]))
    for level in layer.levels:
        rows.append(("gate", [_gate(gate) for gate in level]))
    return rows


def _gate(gate: Gate | Table) -> str:
    if isinstance(gate, Table):
        return f"table of {gate.combinations}"
    return f"{len(gate.inputs)} relu" if gate.kind == "relu" else gate.kind


def _row(kind: str, boxes: list[str], y: int) -> list[str]:
    shown = boxes if len(boxes) <= 8 else [*boxes[:7], f"and {len(boxes) - 7} more"]
    width = (WIDTH - 2 * MARGIN - GAP * (len(shown) - 1)) / len(shown)
    parts = []
    for i, text in enumerate(shown):
        x = MARGIN + i * (width + GAP)
        most = max(6, int(width / 7))
        label = escape(text if len(text) <= most else text[: most - 1] + "\u2026")
        colour = _COLOURS[kind]
        parts.append(f'<rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="{BOX}" fill="{colour}" stroke="#555"/>')
        parts.append(f'<text x="{x + width / 2:.1f}" y="{y + BOX // 2 + 4}" text-anchor="middle">{label}</text>')
    return parts
