"""The bytes of weights.safetensors, as exact numbers."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator
from typing import Any, NamedTuple

from .strict import fields, integers, need, read_json

CODES = {"F64": "d", "F32": "f", "F16": "e", "BF16": "H", "I64": "q", "I32": "i", "I16": "h", "I8": "b"}
SIZES = {dtype: struct.calcsize(f"<{code}") for dtype, code in CODES.items()}


class Tensor(NamedTuple):
    dtype: Any
    shape: Any
    begin: int
    end: int
    body: memoryview


def read_safetensors(data: bytes) -> dict[str, Tensor]:
    """Eight bytes of header length, a JSON header, then the tensors' bytes without gap or overlap."""
    start = 8 + int.from_bytes(data[:8], "little")
    need(8 <= start <= len(data), "weights: the header is longer than the file")
    header = read_json(data[8:start], "weights header")
    need(type(header) is dict, "weights header: expected an object")
    body = memoryview(data)[start:]
    tensors = {name: read_entry(name, x, body) for name, x in header.items() if name != "__metadata__"}
    end = 0
    for entry in sorted(tensors.values(), key=lambda entry: (entry.begin, entry.end)):
        need(entry.begin == end, "weights: tensors overlap or leave a gap")
        end = entry.end
    need(end == len(body), "weights: bytes after the last tensor")
    return tensors


def read_entry(name: str, entry: Any, body: memoryview) -> Tensor:
    where = f"weights tensor {name!a:.60}"
    table = fields(entry, where, ("dtype", "shape", "data_offsets"))
    begin, end = integers(table["data_offsets"], f"{where}.data_offsets", 0, len(body), 2)
    need(begin <= end, f"{where}: data_offsets {begin}..{end} are reversed")
    return Tensor(table["dtype"], table["shape"], begin, end, body)


def tensor(tensors: dict[str, Tensor], name: str, shape: list[int]) -> Tensor:
    need(name in tensors, f"weights: no tensor {name}")
    found, where = tensors[name], f"weights tensor {name}"
    need(type(found.dtype) is str and found.dtype in CODES, f"{where}: dtype is none of {', '.join(CODES)}")
    integers(found.shape, where, 1, math.inf)
    need(found.shape == shape, f"{where}: has not the shape {shape}")
    size = SIZES[found.dtype] * math.prod(shape)
    need(found.end - found.begin == size, f"{where}: data_offsets span not {size} bytes")
    return found


def residues(source: Tensor, number: int, rows: int, columns: int, p: int) -> Iterator[list[int]]:
    """The matrix with this number in the tensor, exactly, modulo p; one row after the other, because the numbers of a
    whole matrix take far more memory than the file."""
    for i in range(number * rows, (number + 1) * rows):
        values = numbers(source, i, 1, columns)
        ratios = {value: value.as_integer_ratio() for value in set(values)}
        scale = {b: pow(b, -1, p) for b in {b for _, b in ratios.values()}}
        table = {value: a * scale[b] % p for value, (a, b) in ratios.items()}
        yield [table[value] for value in values]


def numbers(source: Tensor, number: int, rows: int, columns: int) -> tuple[Any, ...]:
    """The entries of the matrix with this number in the tensor, row by row: finite floats, or integers."""
    count = rows * columns
    size = SIZES[source.dtype] * count
    start = source.begin + number * size
    values = struct.unpack(f"<{count}{CODES[source.dtype]}", source.body[start : start + size])
    if source.dtype == "BF16":  # the upper half of an F32
        values = struct.unpack(f"<{count}f", struct.pack(f"<{count}I", *(bits << 16 for bits in values)))
    need(all(map(math.isfinite, values)), "weights: an entry is not finite")
    return values
