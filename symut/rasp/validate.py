"""Validation: all constructs of a program that have no encoder, each with its place and reason, before it is lowered.

Main definition: `validate`.

An encoder is finite: where a table or a one-hot is needed, values must range over a finite set. Ranges are inferred
from the alphabet and the length: indices, widths, averages with bounded denominators, what is computed from them.
Without an alphabet tokens are arbitrary numbers, on which gates compute + - * /, powers, exp, root, max and min only.
"""

from __future__ import annotations

from collections.abc import Sequence

from symut.rasp import core
from symut.rasp.arithmetic import Value
from symut.rasp.lowering.issues import Issue
from symut.rasp.lowering.lower import prepare


def validate(
    root: core.Node, *, n: int, alphabet: Sequence[Value] | str | None, causal: bool = False, strict: bool = True
) -> list[Issue]:
    """Everything in the program that keeps it from being compiled for inputs of 1 to n tokens; [] if nothing does.

    `strict` follows the reference language, else Tracr's (see symut.rasp.interpret). Raises RaspError for a selector,
    UsageError for a length or an alphabet that no encoder has.
    """
    return prepare(root, n=n, alphabet=alphabet, causal=causal, strict=strict).issues
