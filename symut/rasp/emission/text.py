"""The text of an emitted encoder's module: constants are computed here, the templates only place them.

Main definitions: `ModuleSource`, `context_of`, `render`.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from symut.rasp.arithmetic import Value
from symut.rasp.emission.tensors import side_by_side, side_by_side_heads, stored_answers
from symut.rasp.encoder.cost import cost
from symut.rasp.encoder.floats import Floats
from symut.rasp.encoder.model import Encoder, Gate, Head, Layer, Table
from symut.rasp.errors import RaspError
from symut.rasp.lowering.ranges import in_order
from symut.version import __version__

LINE = 110
FORMAT = "symut-rasp-1"
TEMPLATES = Path(__file__).parent.parent / "templates"
STATEMENT = (
    "A transformer encoder with average-hard attention: a query averages the values of all keys with the largest "
    "score. A guard is a key before the first position; it holds the default of an aggregate and counts for a "
    "selector width. To a head that ranks keys, keys may be hidden, and the guard is one only where no other is left. "
    "Padding is never a key. Scores are exact in the dtypes of EXACT and ROUNDED, so ties are kept where they matter. "
)
ANSWERED = {
    "exact": "Rationals such as averages are rounded once, and answers are the nearest of finitely many values.",
    "rounded": "Answers are numbers without a finite list of values: they carry the rounding errors of floats.",
}
"""How the statement ends, by whether some dtype is exact."""


@dataclass(frozen=True)
class ModuleSource:
    """One emitted encoder: `title` says what it does, `floats` where it is exact; examples are (input, values)."""

    name: str
    title: str
    encoder: Encoder
    floats: Sequence[Floats]
    command: str
    program_sha256: str
    weights_sha256: str
    metadata: Mapping[str, Any]
    examples: Sequence[tuple[list[Value], list[Value]]]
    shortest: int = 1


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
    return environment.get_template("module.py.j2").render(context_of(source))


def context_of(source: ModuleSource) -> dict[str, Any]:
    """What the templates place, by name."""
    encoder = source.encoder
    exact, rounded = (dtypes_of(source.floats, rounded=kind) for kind in (False, True))
    inexact = {found.dtype: "; ".join(found.problems[:2]) for found in source.floats if found.problems}
    return {
        "title": textwrap.fill(_plain(source.title), LINE - 4),
        "version": __version__,
        "format": FORMAT,
        "facts": _facts(source),
        "statement": textwrap.fill(STATEMENT + ANSWERED["rounded" if rounded else "exact"], LINE - 4),
        "usage": _usage(source),
        "n": encoder.n,
        "command_constant": named("COMMAND", source.command),
        "metadata": json.dumps(dict(sorted(source.metadata.items()))),
        "weights_sha256": source.weights_sha256,
        "alphabet_constant": named("ALPHABET", encoder.alphabet),
        "refused_constant": named("REFUSED", {place: _said(e) for place, e in encoder.refused_letters.items()}),
        "readers": literal(tuple(sorted(encoder.readers))),
        "exact": literal(exact),
        "rounded": literal(rounded),
        "shortest": source.shortest,
        "inexact_constant": named("INEXACT", inexact),
        "answers_constant": _answers(encoder),
        "examples": many((given, values) for given, values in source.examples),
        "stream": list(map(literal, encoder.coordinates)),
        "groups": [literal((group.name, group.classes, group.positions)) for group in encoder.groups],
        "token_groups": literal(tuple(encoder.token_classes)),
        "position_groups": literal(tuple(encoder.position_classes)),
        "number": literal(encoder.number),
        "snaps": [(found.dtype, literal(dict(sorted(found.snaps.items())))) for found in source.floats],
        "layers": [_layer(layer) for layer in encoder.layers],
        "checks": literal(tuple(f"the sequence at {check.at or 'a step'}" for check in encoder.checks)),
    }


def dtypes_of(found: Sequence[Floats], *, rounded: bool) -> tuple[str, ...]:
    """The dtypes in which answers are exact, or the ones in which they carry rounding errors only."""
    return tuple(part.dtype for part in found if not part.problems and part.rounded == rounded)


def _said(error: RaspError) -> str:
    """What is wrong, and where the program says so."""
    return f"{error.what} at {error.at}" if error.at else error.what


def _usage(source: ModuleSource) -> list[str]:
    given = list(source.examples[0][0]) if source.examples else []
    shown = literal(given) if len(literal(given)) < 30 else "tokens"
    call = f"values = module({shown})"
    numeric = source.encoder.alphabet is None
    return [
        f"{call:46} # a list with a value per token",
        f"{'lists = module.batch(inputs)':46} # inputs of different lengths, each a list or a string",
        *([f"{'y = module.values(x)':46} # numbers, batch x m tensors on any device, with gradients"] * numeric),
    ]


def _facts(source: ModuleSource) -> list[str]:
    """The header's facts as wrapped lines `    label       text`."""
    facts = {"command": source.command, "program": f"SHA-256 {source.program_sha256}"}
    exact, rounded = (dtypes_of(source.floats, rounded=kind) for kind in (False, True))
    facts |= {"rounded in": ", ".join(rounded)} if rounded else {"exact in": ", ".join(exact) or "no dtype"}
    facts |= dict(cost(source.encoder).lines())
    facts["stored"] = f"SHA-256 {source.weights_sha256}"
    lines = []
    for label, text in facts.items():
        lines += textwrap.wrap(
            _plain(text), LINE - 4, initial_indent=f"    {label:18}", subsequent_indent=" " * 22, break_on_hyphens=False
        )
    return lines


def _plain(text: str) -> str:
    """`text` on one line and harmless inside a docstring."""
    return " ".join(text.replace("\\", "/").replace('"', "'").split())


def literal(value: Any) -> str:
    """A Python expression for values, with Fraction for rationals."""
    if isinstance(value, Fraction):
        return f"Fraction({value.numerator}, {value.denominator})"
    if isinstance(value, str):
        return json.dumps(value)
    if isinstance(value, tuple):
        return f"({', '.join(map(literal, value))}{',' if len(value) == 1 else ''})"
    if isinstance(value, list):
        return f"[{', '.join(map(literal, value))}]"
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{literal(k)}: {literal(v)}' for k, v in value.items())}}}"
    return repr(value)


def named(name: str, value: Any) -> str:
    """An assignment, wrapped if it is long."""
    line = f"{name} = {literal(value)}"
    if len(line) <= LINE:
        return line
    if isinstance(value, str):
        pieces = textwrap.wrap(value, LINE - 20, drop_whitespace=False, break_on_hyphens=False)
        return "\n".join([f"{name} = (", *(f"    {literal(piece)}" for piece in pieces), ")"])
    if isinstance(value, tuple):
        return f"{name} = {many(value)}"
    return line


def many(values: Iterable[Any]) -> str:
    """A tuple over several lines."""
    body, line = [], ""
    for piece in (f"{literal(value)}," for value in values):
        if line and len(line) + len(piece) > LINE - 6:
            body.append(line)
            line = ""
        line = f"{line} {piece}" if line else piece
    body += [line] if line else []
    return "\n".join(["(", *(f"    {part}" for part in body), ")"]) if body else "()"


def _answers(encoder: Encoder) -> str:
    bounded = (
        f"BOUNDED = {encoder.codes is not None}  # whether answers are finitely many that are listed\n"
        f"BELOW = {encoder.below}  # the largest denominator of answers that are not, None: any number"
    )
    if encoder.codes is None or stored_answers(encoder):
        return f"{bounded}\nANSWERS = ()  # {'not listed' if encoder.codes is None else 'in the weights'}"
    ordered = tuple(encoder.codes[code] for code in sorted(encoder.codes, key=in_order))
    return f"{bounded}\n{named('ANSWERS', ordered)}"


def _layer(layer: Layer) -> str:
    copying, others = side_by_side_heads(layer.heads)
    heads = "".join(f"\n            {_head(head)}," for head in others)
    levels = "".join(f"\n            {_level(level)}," for level in layer.levels)
    parts = [f"({heads}\n        )" if heads else "()", f"({levels}\n        )" if levels else "()"]
    return f"Layer(\n        copies={_copies(copying)},\n        heads={parts[0]},\n        levels={parts[1]},\n    )"


def _copies(heads: Sequence[Head]) -> str:
    out = tuple(coordinate for head in heads for _, coordinate in head.values)
    return f"Copies({literal(out)}, {literal(tuple(i for i, head in enumerate(heads) for _ in head.values))})"


def _head(head: Head) -> str:
    out = tuple(coordinate for _, coordinate in head.values)
    products = sum(len(term.keys) for term in head.bilinear)
    groups = tuple((term.query, term.key) for term in head.classes)
    name = f"{head.name.split()[0]} at {head.at}" if head.at else head.name
    edges = tuple((out.index(moved), float(border.edge)) for moved, border in head.moves.items())
    fields = (out, float(head.guard), head.mask is not None, products, groups, edges, head.hidden is not None, name)
    return f"Head({', '.join(map(literal, fields))})"


def _level(level: Sequence[Gate | Table]) -> str:
    gates = [
        f"Gates({literal(kind)}, {literal(tuple(gate.output for gate in members))}, {size})"
        for (kind, size), members in side_by_side(level)
    ]
    tables = [
        f"Table({literal(tuple(table.columns))}, {literal(tuple(table.classes))}, {len(table.inputs)}, "
        f"{literal(f'{table.refused} at {table.at}' if table.at else table.refused)})"
        for table in level
        if isinstance(table, Table)
    ]
    sides = (f"({', '.join(part)}{',' if len(part) == 1 else ''})" for part in (gates, tables))
    return f"({', '.join(sides)})"
