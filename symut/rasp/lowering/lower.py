"""Lowering: a RASP sequence to an encoder with explicit weights, exact for every input of up to n tokens.

Main definitions: `prepare`, `lower`, `encode`.

Layers follow the dependency depth of aggregates, heads their distinct selectors; equal subexpressions are one.
Sources: Weiss, Goldberg, Yahav 2021 (RASP); Lindner et al. 2023 (Tracr), whose inexactness this avoids.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from symut.errors import UsageError, shown
from symut.rasp import core
from symut.rasp.arithmetic import Value, normal
from symut.rasp.encoder.model import Check, Encoder, Form, Number
from symut.rasp.errors import RaspError
from symut.rasp.inputs import tokens_of
from symut.rasp.lowering.analysis import analyse
from symut.rasp.lowering.attending import aggregate, width
from symut.rasp.lowering.causal import causal as masked
from symut.rasp.lowering.facts import Analysis
from symut.rasp.lowering.issues import refusal
from symut.rasp.lowering.kinds import NUMBER
from symut.rasp.lowering.operating import operation
from symut.rasp.lowering.ranges import UNDEFINED, Range, below, in_numbers, in_order
from symut.rasp.lowering.schedule import balanced
from symut.rasp.lowering.values import Values
from symut.rasp.sharing import shared

MAX_N = 1024


def encode(
    root: core.Node, *, n: int, alphabet: Sequence[Value] | str | None, causal: bool = False, strict: bool = True
) -> Encoder:
    """The encoder of a sequence for inputs of 1 to n tokens from the alphabet (None: tokens are any numbers).

    Raises RaspError, at its place, for a program with constructs that have no encoder.
    """
    return lower(prepare(root, n=n, alphabet=alphabet, causal=causal, strict=strict))


def prepare(
    root: core.Node, *, n: int, alphabet: Sequence[Value] | str | None, causal: bool = False, strict: bool = True
) -> Analysis:
    """The analysis of a program, with its issues; `encode` is this and `lower`."""
    if not isinstance(root, core.Sequence):
        raise RaspError("only sequences have encoders", at=root.at, expected="a sequence", got="a selector")
    if not 1 <= n <= MAX_N:
        raise UsageError("a length that no encoder has", expected=f"--n of 1 to {MAX_N}", got=shown(n))
    (merged,) = shared([masked(root) if causal else root])
    assert isinstance(merged, core.Sequence)
    return analyse(merged, n, None if alphabet is None else _letters(alphabet), strict=strict)


def _letters(alphabet: Sequence[Value] | str) -> list[Value]:
    if not alphabet:
        raise UsageError("the alphabet is empty", expected="at least one token", remedy="--alphabet ab")
    letters = tokens_of(alphabet if isinstance(alphabet, str) else list(alphabet))
    kinds = [(isinstance(letter, bool), letter) for letter in letters]
    twice = next((letter for i, letter in enumerate(letters) if kinds[i] in kinds[:i]), None)
    if twice is not None:
        raise UsageError("a letter stands twice in the alphabet", got=shown(twice), remedy="name every token once")
    return letters


def lower(found: Analysis) -> Encoder:
    """The encoder of an analysed program; raises RaspError if it has issues."""
    if found.issues:
        raise refusal(found.issues)
    values = Values(found, lambda node: _lowered(values, node))
    readout = values.scalar(found.root)
    checks = _checks(values)
    stream = values.stream
    codes = None
    if isinstance(found.ranges[found.root], Range):
        codes = {values.code(found.root, value): value for value in _answers(values, found.root)}
    return Encoder(
        n=found.n,
        alphabet=found.alphabet,
        readers=frozenset(node.kind for node in core.order([found.root]) if isinstance(node, core.Tokens)),
        refused_letters=_refused_letters(found),
        coordinates=tuple(stream.coordinates),
        groups=tuple(stream.groups),
        number=values.number,
        token_columns=stream.token_columns,
        token_classes=stream.token_classes,
        position_columns=stream.position_columns,
        position_classes=stream.position_classes,
        layers=balanced(stream.layers(), [readout, *(check.form for check in checks)]),
        checks=checks,
        readout=readout,
        codes=codes,
        below=None if codes is not None else below(found.ranges[found.root]),
        finite=_finite(values),
    )


def _lowered(values: Values, node: core.Sequence) -> Form:
    if isinstance(node, core.Aggregate):
        return aggregate(values, node)
    if isinstance(node, core.SelectorWidth):
        return width(values, node)
    assert isinstance(node, core.Map)
    return operation(values, node)


def _answers(values: Values, root: core.Sequence) -> tuple[Value, ...]:
    """The values of the answer; a boolean is its number where the answer may also be a number."""
    part = values.found.ranges[root]
    assert isinstance(part, Range)
    return in_numbers(part).values if NUMBER in values.found.kinds[root] else part.values


def _checks(values: Values) -> tuple[Check, ...]:
    """What must hold at run time; sequences that can fail are computed even if the answer does not read them."""
    found = values.found
    checks = []
    for node in core.order([found.root]):
        if not isinstance(node, core.Sequence):
            continue
        if found.can_fail(node) and node not in found.tokenwise:
            values.scalar(node)
        part = found.ranges[node]
        if not found.strict or not isinstance(part, Range) or values.numeric(node):
            continue
        strings = frozenset(values.code(node, value) for value in part.values if isinstance(value, str))
        others = frozenset(values.code(node, value) for value in part.values if not isinstance(value, str))
        if strings and others:
            checks.append(Check(values.scalar(node), strings, others, node.at))
    return tuple(checks)


def _refused_letters(found: Analysis) -> dict[int, RaspError]:
    """The letters without a value in some sequence, and the first error of each."""
    letters: dict[int, RaspError] = {}
    for node, error in found.refused.items():
        for letter, value in enumerate(found.tokenwise[node]):
            if value is UNDEFINED:
                letters.setdefault(letter, error.placed(found.place_of(node)))
    return letters


def _finite(values: Values) -> dict[int, tuple[Number, ...]]:
    """The values of every coordinate that alone holds a sequence with a finite range, and of reciprocals."""
    finite = {coordinate: tuple(sorted(map(normal, held))) for coordinate, held in values.finite.items()}
    for node, form in values.scalars.items():
        part = values.found.ranges[node]
        if len(form) == 1 and isinstance(part, Range):
            ((coordinate, weight),) = form.items()
            codes = {values.code(node, value) for value in part.values}
            scaled = codes if weight == 1 else {normal(code / Fraction(weight)) for code in codes}
            finite[coordinate] = tuple(sorted(scaled, key=in_order))
    return finite
