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
from symut.rasp.arithmetic import Value
from symut.rasp.emission.picture import picture
from symut.rasp.emission.tensors import tensors
from symut.rasp.emission.text import FORMAT, ModuleSource, render
from symut.rasp.encoder.cost import Cost, cost
from symut.rasp.encoder.floats import floats
from symut.rasp.encoder.model import Encoder
from symut.rasp.errors import RaspError
from symut.rasp.interpret import evaluate

DTYPES = ("float32", "float64")
_EXAMPLES = 8


@dataclass(frozen=True)
class Emission:
    """The files of a module by name, its cost, and the dtypes in which it is exact (with what is not in the others)."""

    files: dict[str, bytes]
    cost: Cost
    exact: tuple[str, ...]
    inexact: dict[str, tuple[str, ...]]
    encoder: Encoder

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
) -> Emission:
    """model.py and weights.safetensors of an encoder; `root` gives the expected answers of the module's self-check.

    `given` are inputs for it, besides some over the alphabet; `program` is the text whose SHA-256 the header states.
    """
    metadata = {"format": FORMAT, "n": encoder.n, "name": name}
    weights = serialize(tensors(encoder), metadata)
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
        examples=_examples(encoder, root, strict, given),
    )
    files = {"model.py": render(source).encode(), "weights.safetensors": weights}
    inexact = {part.dtype: part.problems for part in found if part.problems}
    exact = tuple(part.dtype for part in found if not part.problems)
    return Emission(files, cost(encoder), exact, inexact, encoder)


def module_name(sequence: str, n: int, causal: bool = False) -> str:
    """For example rasp-reverse-n32: characters that no folder should have are written as hyphens."""
    plain = re.sub(r"[^A-Za-z0-9_]+", "-", sequence).strip("-") or "sequence"
    return f"rasp-{plain[:60]}-n{n}" + ("-causal" if causal else "")


def _examples(
    encoder: Encoder, root: core.Sequence, strict: bool, given: Sequence[Sequence[Value]]
) -> list[tuple[list[Value], list[Value]]]:
    """Inputs on which the program is defined, with the interpreter's values."""
    found = []
    for tokens in [*given, *_inputs(encoder)]:
        if 0 < len(tokens) <= encoder.n and len(found) < _EXAMPLES and _fits(encoder, tokens):
            try:
                found.append((list(tokens), evaluate(root, list(tokens), strict=strict)))
            except RaspError:
                continue
    return found


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
