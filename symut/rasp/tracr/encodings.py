"""Tracr's annotations of how a sequence is stored; symut chooses by what is read, so that they change nothing.

Main definitions: `Encoding`, `numerical`, `categorical`.
"""

from __future__ import annotations

import enum

from symut.rasp.tracr.base import annotate
from symut.rasp.tracr.sequences import SOp


class Encoding(enum.Enum):
    """How Tracr stores a sequence."""

    CATEGORICAL = "categorical"
    NUMERICAL = "numerical"


def numerical(sop: SOp) -> SOp:
    """The same sequence, annotated."""
    return annotate(sop, encoding=Encoding.NUMERICAL)


def categorical(sop: SOp) -> SOp:
    """The same sequence, annotated."""
    return annotate(sop, encoding=Encoding.CATEGORICAL)


def get_encoding(sop: SOp) -> Encoding:
    """The annotated encoding, categorical if there is none."""
    return sop.annotations.get("encoding", Encoding.CATEGORICAL)


def is_numerical(sop: SOp) -> bool:
    """Whether the sequence is annotated as numerical."""
    return get_encoding(sop) == Encoding.NUMERICAL


def is_categorical(sop: SOp) -> bool:
    """Whether the sequence is not annotated as numerical."""
    return get_encoding(sop) == Encoding.CATEGORICAL
