"""Tracr's names for RASP: an existing Tracr program runs, compiles and emits after changing its import lines.

    from symut.rasp import tracr as rasp

    same = rasp.Select(rasp.tokens, rasp.tokens, rasp.Comparison.EQ)
    hist = rasp.SelectorWidth(same).named("hist")
    hist(["a", "b", "a"])                                        # [2, 1, 2], by the reference interpreter
    model = rasp.compile(hist, vocab={"a", "b"}, max_seq_len=8, bos="BOS")
    model(["BOS", "a", "b", "a"])                                # ["BOS", 2, 1, 2], by the encoder's weights

Main definitions: the expressions (`Map`, `Select`, `Aggregate`, ...), `compile`, `compile_rasp_to_model`, `evaluate`.
Values are exact: averages are rationals where Tracr has floats. None stays None through maps and is a default of its
own; negative numbers, boolean combinations of selectors, constant sequences and programs without attention compile.
Source: Lindner et al. 2023, "Tracr: Compiled Transformers as a Laboratory for Interpretability".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symut.rasp.tracr.base import RASPExpr, annotate
from symut.rasp.tracr.encodings import Encoding, categorical, get_encoding, is_categorical, is_numerical, numerical
from symut.rasp.tracr.model import COMPILER_BOS, COMPILER_PAD, CompiledModel, compile, compile_rasp_to_model
from symut.rasp.tracr.selectors import (
    Comparison,
    ConstantSelector,
    Select,
    Selector,
    SelectorAnd,
    SelectorNot,
    SelectorOr,
    selector_and,
    selector_not,
    selector_or,
)
from symut.rasp.tracr.sequences import (
    Aggregate,
    ConstantSOp,
    Full,
    LinearSequenceMap,
    Map,
    SelectorWidth,
    SequenceMap,
    SOp,
    indices,
    length,
    sop_not,
    tokens,
)

Value = Any
"""None, a number, a string or a boolean."""


def evaluate(expr: RASPExpr, xs: Sequence[Value]) -> list:
    """The values of a sequence, or the matrix of a selector, on an input."""
    return expr(xs)


__all__ = [
    "COMPILER_BOS",
    "COMPILER_PAD",
    "Aggregate",
    "Comparison",
    "CompiledModel",
    "ConstantSOp",
    "ConstantSelector",
    "Encoding",
    "Full",
    "LinearSequenceMap",
    "Map",
    "RASPExpr",
    "SOp",
    "Select",
    "Selector",
    "SelectorAnd",
    "SelectorNot",
    "SelectorOr",
    "SelectorWidth",
    "SequenceMap",
    "Value",
    "annotate",
    "categorical",
    "compile",
    "compile_rasp_to_model",
    "evaluate",
    "get_encoding",
    "indices",
    "is_categorical",
    "is_numerical",
    "length",
    "numerical",
    "selector_and",
    "selector_not",
    "selector_or",
    "sop_not",
    "tokens",
]
