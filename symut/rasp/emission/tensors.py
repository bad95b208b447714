"""The weights of an encoder as tensors: matrices by their entries, masks, comparisons and tables.

Main definition: `tensors`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

from symut.rasp.encoder.model import GUARD, Encoder, Form, Gate, Head, Number, Table
from symut.rasp.lowering.ranges import in_order

if TYPE_CHECKING:
    import numpy as np

MAX_INTEGER = 2**62


def tensors(encoder: Encoder) -> dict[str, np.ndarray]:
    """Every array of weights.safetensors by its name; `X.at` and `X.of` are the places and values of a matrix."""
    found: dict[str, np.ndarray] = {}
    found |= _columns("position", encoder.position_columns, encoder.n, encoder.position_classes)
    found |= _columns("token", encoder.token_columns, len(encoder.alphabet or ()), encoder.token_classes)
    found |= matrix("readout", [encoder.readout])
    for depth, layer in enumerate(encoder.layers):
        copying, others = side_by_side_heads(layer.heads)
        if copying:
            found |= _copies(f"layer{depth}.copies", copying)
        for number, head in enumerate(others):
            found |= _head(f"layer{depth}.head{number}", head)
        for level, gates in enumerate(layer.levels):
            for number, (_, members) in enumerate(side_by_side(gates)):
                found |= _gates(f"layer{depth}.level{level}.gates{number}", members)
            for number, table in enumerate(gate for gate in gates if isinstance(gate, Table)):
                found |= _table(f"layer{depth}.level{level}.table{number}", table)
    for number, check in enumerate(encoder.checks):
        found |= matrix(f"check{number}", [check.form])
        codes = sorted(check.strings | check.others, key=in_order)
        found[f"check{number}.edges"] = edges(codes)
        found[f"check{number}.strings"] = _array([code in check.strings for code in codes], "uint8")
    return found | _answers(encoder)


def side_by_side_heads(heads: Sequence[Head]) -> tuple[list[Head], list[Head]]:
    """The heads of a layer that copy one key or none by position, which run together, and all others."""
    return [head for head in heads if head.sources is not None], [head for head in heads if head.sources is None]


def side_by_side(gates: Sequence[Gate | Table]) -> list[tuple[tuple[str, int], list[Gate]]]:
    """The gates of a level by kind and number of inputs; exponentials of other bases than e are powers."""
    kinds: dict[tuple[str, int], list[Gate]] = {}
    for gate in gates:
        if isinstance(gate, Gate):
            kind = "power" if gate.kind == "exp" and gate.weights else gate.kind
            kinds.setdefault((kind, len(gate.inputs)), []).append(gate)
    return list(kinds.items())


def matrix(name: str, columns: Sequence[Form]) -> dict[str, np.ndarray]:
    """A matrix with a column per form, by its entries."""
    entries = sorted((row, column, value) for column, form in enumerate(columns) for row, value in form.items())
    at = _array([entry[:2] for entry in entries], "int32").reshape(-1, 2)
    return {f"{name}.at": at, f"{name}.of": _array([float(entry[2]) for entry in entries], "float64")}


def edges(values: Sequence[Number]) -> np.ndarray:
    """The midpoints between consecutive values."""
    ordered = [Fraction(value) for value in values]
    return _array([float((a + b) / 2) for a, b in pairwise(ordered)], "float64")


def _array(values: Sequence, dtype: str) -> np.ndarray:
    import numpy as np

    return np.asarray(values, dtype=dtype)


def _columns(name: str, columns: Mapping, rows: int, classes: Mapping) -> dict[str, np.ndarray]:
    """An embedding: a row per letter or position, a column per coordinate; and classes, a column per group."""
    places = {0: [1] * rows} if name == "position" else {}
    places = {**places, **columns}
    forms = {c: {row: value for row, value in enumerate(column) if value} for c, column in places.items()}
    entries = sorted((row, c, float(value)) for c, form in forms.items() for row, value in form.items())
    found = {
        f"{name}.at": _array([entry[:2] for entry in entries], "int32").reshape(-1, 2),
        f"{name}.of": _array([entry[2] for entry in entries], "float64"),
    }
    if classes:
        found[f"{name}.classes"] = _array(list(classes.values()), "int32").T
    return found


def _copies(name: str, heads: Sequence[Head]) -> dict[str, np.ndarray]:
    """The keys of all queries (n x heads), and the values of all heads side by side."""
    import numpy as np

    values = [form for head in heads for form, _ in head.values]
    found = matrix(f"{name}.value", [{c: v for c, v in form.items() if c != GUARD} for form in values])
    found[f"{name}.guard"] = _array([float(form.get(GUARD, 0)) for form in values], "float64")
    found[f"{name}.sources"] = np.stack([head.sources for head in heads], axis=1).astype("int16")  # type: ignore[arg-type]
    return found


def _head(name: str, head: Head) -> dict[str, np.ndarray]:
    found = matrix(f"{name}.query", [form for term in head.bilinear for form in term.queries])
    found |= matrix(f"{name}.key", [form for term in head.bilinear for form in term.keys])
    found |= matrix(f"{name}.value", [{c: v for c, v in form.items() if c != GUARD} for form, _ in head.values])
    found[f"{name}.guard"] = _array([float(form.get(GUARD, 0)) for form, _ in head.values], "float64")
    if head.mask is not None:
        found[f"{name}.mask"] = head.mask.astype("uint8")
    if head.hidden is not None:
        found[f"{name}.hidden"] = head.hidden.astype("uint8")
    for number, term in enumerate(head.classes):
        found[f"{name}.classes{number}.weights"] = term.weights.astype("int8")
        if term.mask is not None:
            found[f"{name}.classes{number}.mask"] = term.mask.astype("uint8")
        if term.refused is not None:
            found[f"{name}.classes{number}.refused"] = term.refused.astype("uint8")
    return found


def _gates(name: str, gates: Sequence[Gate]) -> dict[str, np.ndarray]:
    found = matrix(f"{name}.input", [form for gate in gates for form in gate.inputs])
    if gates[0].weights:
        found[f"{name}.weights"] = _array([[float(w) for w in gate.weights] for gate in gates], "float64")
    return found


def _table(name: str, table: Table) -> dict[str, np.ndarray]:
    found = matrix(f"{name}.input", table.inputs)
    places = [{value: place for place, value in enumerate(alphabet)} for alphabet in table.alphabets]
    keyed = []
    for number, row in enumerate(table.rows):
        key = 0
        for value, index in zip(row, places, strict=True):
            key = key * len(index) + index[value]
        keyed.append((key, number))
    keyed.sort()
    found |= {f"{name}.edges{i}": edges(alphabet) for i, alphabet in enumerate(table.alphabets)}
    found[f"{name}.keys"] = _array([key for key, _ in keyed], "int64")
    rows = [number for _, number in keyed]
    if table.columns:
        columns = [[float(column[row]) for row in rows] for column in table.columns.values()]
        found[f"{name}.columns"] = _array(columns, "float64").T
    if table.classes:
        found[f"{name}.classes"] = _array(
            [[column[row] for row in rows] for column in table.classes.values()], "int32"
        ).T
    return found


def _answers(encoder: Encoder) -> dict[str, np.ndarray]:
    """The midpoints between the numbers of answers, and long lists of rational answers."""
    if encoder.codes is None:
        return {}
    ordered = sorted(encoder.codes, key=in_order)
    found = {"answers.edges": edges(ordered)}
    if stored_answers(encoder):
        values = [Fraction(encoder.codes[code]) for code in ordered]
        found["answers.top"] = _array([value.numerator for value in values], "int64")
        found["answers.below"] = _array([value.denominator for value in values], "int64")
    return found


def stored_answers(encoder: Encoder) -> bool:
    """Whether answers are many numbers, which go into the weights and not into the text."""
    values = list((encoder.codes or {}).values())
    whole = all(isinstance(value, (int, Fraction)) and not isinstance(value, bool) for value in values)
    return len(values) > 40 and whole and all(abs(Fraction(v).numerator) < MAX_INTEGER for v in values)
