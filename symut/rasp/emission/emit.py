"""From a compiled sequence to the two files of an emitted module, as bytes; the caller publishes them.

Main definitions: `Emission`, `emit`, `module_name`.
Main result: equal arguments give equal bytes on every machine (no clock, no path, no counter).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass

from symut.backbone.stored import serialize
from symut.rasp import core
from symut.rasp.arithmetic import Value, too_large
from symut.rasp.emission.picture import picture
from symut.rasp.emission.tensors import tensors
from symut.rasp.emission.text import FORMAT, ModuleSource, dtypes_of, render
from symut.rasp.encoder.cost import Cost, cost
from symut.rasp.encoder.floats import floats
from symut.rasp.encoder.model import Encoder, Gate
from symut.rasp.errors import RaspError
from symut.rasp.interpret import evaluate

DTYPES = ("float32", "float64")
_EXAMPLES = 8


@dataclass(frozen=True)
class Emission:
    """The files of a module by name, its cost, and its dtypes: `exact` where every answer is, `rounded` where answers
    carry rounding errors only, and `inexact`, with the reasons, where they may be wrong. `examples` counts the inputs
    of its self-check.
    """

    files: dict[str, bytes]
    cost: Cost
    exact: tuple[str, ...]
    rounded: tuple[str, ...]
    inexact: dict[str, tuple[str, ...]]
    encoder: Encoder
    examples: int

    def picture(self) -> bytes:
        """The encoder as an SVG."""
        return picture(self.encoder)


def emit(
    encoder: Encoder,
    root: core.Sequence,
    *,
    name: str,
    title: str,
    command: str,
    program: str = "",
    strict: bool = True,
    given: Sequence[Sequence[Value]] = (),
    whole: bool = False,
) -> Emission:
    """model.py and weights.safetensors of an encoder; `root` gives the expected answers of the module's self-check.

    `given` are inputs for it, besides some over the alphabet; `program` is the text whose SHA-256 the header states.
    With `whole` inputs must have exactly n tokens, since constants of the program do.
    """
    metadata = {"format": FORMAT, "n": encoder.n, "name": name}
    try:
        weights = serialize(tensors(encoder), metadata)
    except OverflowError:
        raise too_large("give smaller tokens or constants, or run it exactly: symut rasp run") from None
    found = [floats(encoder, dtype) for dtype in DTYPES]
    source = ModuleSource(
        name=name,
        title=title,
        encoder=encoder,
        floats=found,
        command=command,
        program_sha256=hashlib.sha256(program.encode()).hexdigest(),
        weights_sha256=hashlib.sha256(weights).hexdigest(),
        metadata=metadata,
        examples=_examples(encoder, root, strict, given, encoder.n if whole else 1),
        shortest=encoder.n if whole else 1,
    )
    files = {"model.py": render(source).encode(), "weights.safetensors": weights}
    inexact = {part.dtype: part.problems for part in found if part.problems}
    exact, rounded = (dtypes_of(found, rounded=kind) for kind in (False, True))
    return Emission(files, cost(encoder), exact, rounded, inexact, encoder, len(source.examples))


def module_name(sequence: str, n: int, causal: bool = False) -> str:
    """For example rasp-reverse-n32; an expression, written with hyphens, has eight digits of its SHA-256 behind it."""
    plain = re.sub(r"[^A-Za-z0-9_]+", "-", sequence).strip("-")[:60] or "sequence"
    if re.fullmatch(r"[A-Za-z0-9_]{1,60}", sequence) is None:
        plain += "-" + hashlib.sha256(sequence.encode()).hexdigest()[:8]
    return f"rasp-{plain}-n{n}" + ("-causal" if causal else "")


def _examples(
    encoder: Encoder, root: core.Sequence, strict: bool, given: Sequence[Sequence[Value]], shortest: int
) -> list[tuple[list[Value], list[Value]]]:
    """Inputs on which the program is defined, with the interpreter's values."""
    found = []
    for tokens in [*given, *_inputs(encoder)]:
        if shortest <= len(tokens) <= encoder.n and len(found) < _EXAMPLES and _fits(encoder, tokens):
            try:
                found.append((list(tokens), _expected(encoder, root, list(tokens), strict)))
            except RaspError:
                continue
    return found


def _expected(encoder: Encoder, root: core.Sequence, tokens: list[Value], strict: bool) -> list[Value]:
    """The interpreter's exact values or, with exponentials or roots, floats to digits that all machines agree on."""
    try:
        return evaluate(root, tokens, strict=strict)
    except RaspError:
        gates = (gate for layer in encoder.layers for level in layer.levels for gate in level)
        kinds = {gate.kind for gate in gates if isinstance(gate, Gate)}
        if encoder.codes is not None or not kinds & {"exp", "root"}:
            raise
        return [float(f"{value:.6g}") for value in evaluate(root, tokens, floats=True, strict=strict)]


def _fits(encoder: Encoder, tokens: Sequence[Value]) -> bool:
    return encoder.alphabet is None or all(token in encoder.alphabet for token in tokens)


def _inputs(encoder: Encoder) -> list[list[Value]]:
    """Inputs of several lengths: the alphabet in turn, backwards, in runs, and by a fixed linear rule."""
    letters: Sequence[Value] = encoder.alphabet or (3, -1, 4, 1, -5, 9, 2, 6)
    size = len(letters)
    inputs = []
    for m in dict.fromkeys((min(encoder.n, 7), encoder.n, (encoder.n + 1) // 2, 1)):
        inputs.append([letters[i % size] for i in range(m)])
        inputs.append([letters[(i * i + 3 * i // 2) % size] for i in range(m)])
        inputs.append([letters[-1 - i * size // m % size] for i in range(m)])
    return inputs
