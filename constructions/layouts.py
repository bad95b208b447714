"""The two ways to lay out the slots of a form: heads merge their tails, or paths are shifted by one letter.

Main definitions: `merging`, `shifting`, `moved`.
Main result: M(S) is the identity in the form's canonical slot order, so the program is B(W) itself.
Sources: Fixed Universal Transformers, Theorem 3.1, for the merging layout; the shift register is symut's own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from symut.backbone import Move, Routing
from symut.backbone.forms import FormShape
from symut.backbone.paths import Path


def columns(first: int, count: int) -> list[list[int]]:
    """`count` columns that read one coordinate each, from `first` on."""
    return [[first + i] for i in range(count)]


def _widths(shape: FormShape) -> Iterator[int]:
    """m_{L+1}, m_L, ..., m_1: how many slots remain before each layer, from the read-out backwards."""
    width, letters = shape.output_width, len(shape.form.alphabet(shape.H))
    yield width
    for _ in range(shape.L):
        width = _own(shape) + letters * width
        yield width


def state_widths(shape: FormShape) -> list[int]:
    """m_1, ..., m_{L+1}."""
    return list(_widths(shape))[::-1]


def _own(shape: FormShape) -> int:
    """The slots of one path that is not full: queries, keys and, if the form has them, outputs."""
    return shape.own_width + (shape.output_width if shape.form.outputs_everywhere else 0)


def _padded(count: int, width: int | None) -> list[int]:
    return list(range(count)) + [-1] * (0 if width is None else width - count)


def _reads(shape: FormShape, start: int) -> tuple[list[list[list[int]]], list[list[list[int]]]]:
    """The columns of RQ and RK, for every head that has its own, of slots that begin at coordinate `start`."""
    step, H = shape.read_width, shape.H
    blocks = [columns(start + i * step, step) for i in range(shape.own_width // step)]
    return blocks[:H], blocks[H:]


def merging(shape: FormShape, width: int | None = None) -> Routing:
    """Layer l moves the slots of h::p onto the slots of g::p, g the first letter, so that one tail is left.

    For forms whose layers have their own matrices.  The state before layer l is the range of length m_l from o_l, laid
    out as queries, keys, one tail of length m_{l+1} per letter; head h moves its tail onto the first, which starts at
    o_{l+1}.  A skip moves nothing: its tail is the first.  A block never changes its size on the way, so the same
    tables serve blocks and scalars.  Coordinates beyond N are zero padding.
    """
    own, first, widths = shape.own_width, shape.form.alphabet(shape.H)[0], state_widths(shape)
    reads = [_reads(shape, own * layer) for layer in range(shape.L)]
    return Routing(
        slots=_padded(widths[0], width),
        queries=[queries for queries, _ in reads],
        keys=[keys for _, keys in reads if keys],
        values=[
            [[Move(own * layer + (head - first) * tail, own * layer, tail)] for head in range(1, shape.H + 1)]
            for layer, tail in enumerate(widths[1:], 1)
        ],
        readout=columns(own * shape.L, shape.output_width),
    )


def _starts(shape: FormShape) -> dict[Path, int]:
    """The first coordinate of the slots of every path, in preorder."""
    own, widths = _own(shape), state_widths(shape)
    found: dict[Path, int] = {}
    stack: list[tuple[Path, int]] = [((), 0)]
    while stack:
        path, start = stack.pop()
        found[path] = start
        if len(path) < shape.L:
            tail = widths[len(path) + 1]
            stack += [((*path, head), start + own + (head - 1) * tail) for head in range(shape.H, 0, -1)]
    return found


def joined(moves: Iterable[Move]) -> list[Move]:
    """The same moves, with neighbours that continue each other made one."""
    runs: list[Move] = []
    for source, target, length in moves:
        if runs and (runs[-1].source + runs[-1].length, runs[-1].target + runs[-1].length) == (source, target):
            runs[-1] = runs[-1]._replace(length=runs[-1].length + length)
        else:
            runs.append(Move(source, target, length))
    return runs


def _shifts(shape: FormShape, starts: dict[Path, int], head: int) -> Iterator[Move]:
    for path, source in starts.items():
        if path[:1] != (head,):
            continue
        rest = path[1:]
        if len(path) < shape.L:
            yield Move(source, starts[rest], _own(shape))
        elif shape.form.outputs_everywhere:
            yield Move(source, starts[rest] + shape.own_width, shape.output_width)
        else:
            yield Move(source, starts[(*rest, 1)], shape.output_width)


def shifting(shape: FormShape, width: int | None = None) -> Routing:
    """Head h of every layer moves the slots of h::p onto the slots of p: one set of matrices for all layers.

    For shared forms.  Without read-out slots on shorter paths the full ones are a shift register: those of
    (h, p_2, ..., p_L) move to (p_2, ..., p_L, 1), so that after L layers those of the walked path are at (1, ..., 1).
    Coordinates beyond N are zero padding.
    """
    starts = _starts(shape)
    queries, keys = _reads(shape, 0)
    readout = shape.own_width if shape.form.outputs_everywhere else starts[(1,) * shape.L]
    return Routing(
        slots=_padded(state_widths(shape)[0], width),
        queries=[queries],
        keys=[keys],
        values=[[joined(_shifts(shape, starts, head)) for head in range(1, shape.H + 1)]],
        readout=columns(readout, shape.output_width),
    )


def moved(shape: FormShape) -> int:
    """How many coordinates all heads of the layout move, each set of matrices counted once."""
    if shape.form.shared:
        return shape.N - _own(shape)
    return shape.H * sum(islice(_widths(shape), shape.L))
