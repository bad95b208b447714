"""The operations that the recursion needs, on every kind of matrix it runs on.

Main definitions: `stack_columns`, `identity_like`.  Products and sums are the operators `@` and `+`,
which sympy, numpy, torch and `symut.exact.Matrix` all have.  No library is imported before a matrix of its kind is met.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def _library(matrix: Any) -> str:
    return type(matrix).__module__.partition(".")[0]


def _numpy_stack(parts: Sequence[Any]) -> Any:
    import numpy

    return numpy.concatenate(parts, axis=-1)


def _torch_stack(parts: Sequence[Any]) -> Any:
    import torch

    return torch.cat(tuple(parts), dim=-1)


def _sympy_stack(parts: Sequence[Any]) -> Any:
    return type(parts[0]).hstack(*parts)


def _exact_stack(parts: Sequence[Any]) -> Any:
    return type(parts[0]).stack_columns(parts)


_STACK = {"numpy": _numpy_stack, "torch": _torch_stack, "sympy": _sympy_stack, "symut": _exact_stack}


def stack_columns(parts: Sequence[Any]) -> Any:
    """Matrices of equal row count (rows x c_1, rows x c_2, ...) side by side: rows x (c_1 + c_2 + ...)."""
    return _STACK[_library(parts[0])](parts)


def _numpy_identity(matrix: Any, size: int) -> Any:
    import numpy

    return numpy.eye(size, dtype=matrix.dtype)


def _torch_identity(matrix: Any, size: int) -> Any:
    import torch

    return torch.eye(size, dtype=matrix.dtype, device=matrix.device)


def _own_identity(matrix: Any, size: int) -> Any:
    return type(matrix).eye(size)


_IDENTITY = {
    "numpy": _numpy_identity,
    "torch": _torch_identity,
    "sympy": _own_identity,
    "symut": _own_identity,
}


def identity_like(matrix: Any, size: int) -> Any:
    """The size x size identity of the same kind (and dtype, device) as `matrix`."""
    return _IDENTITY[_library(matrix)](matrix, size)
