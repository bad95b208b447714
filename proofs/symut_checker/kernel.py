"""Rule N: a kernel vector of the block matrix of a stored backbone, exactly (FORMAT.md, section 10).

M(R) kernel is computed from the last layer to the first, one vector for each path, with integers: every entry of the
file is a multiple of 2^-b for one b.
"""

from __future__ import annotations

import math
from operator import mul
from typing import Any

from .safetensors import Tensor, numbers, read_safetensors, tensor
from .strict import integers, need

MAX_SLOTS = 512
MAX_WORK = 4 * 10**10  # a limit of this program, not of the format: about as many nanoseconds

Vector = list[int]


def rule_kernel(H: int, L: int, d: int, k: int, m: int, N: int, value: Any, data: bytes) -> None:
    """M(R) kernel = 0 for the stored dyadic numbers, and kernel is not 0."""
    need(N <= MAX_SLOTS, f"kernel: N = {N} exceeds {MAX_SLOTS}")
    kernel = integers(value, "kernel", -math.inf, math.inf, N)
    need(any(kernel), "kernel: all numbers are 0")
    tensors = read_safetensors(data)
    RQ, RK = (tensor(tensors, name, [L, H, m, k]) for name in ("RQ", "RK"))
    RV, U = tensor(tensors, "RV", [L, H, m, m]), tensor(tensors, "U", [m, d])
    image = stored_image(H, L, [k, k, m, d], m, [RQ, RK, RV, U], kernel)
    row = next((i for i, x in enumerate(image) if x), None)
    need(row is None, f"kernel: entry {row} of M(R) kernel is not 0")


def stored_image(H: int, L: int, columns: list[int], m: int, tensors: list[Tensor], kernel: Vector) -> Vector:
    """M(R) kernel, times a power of two."""
    k, d = columns[0], columns[3]
    entries = m * (L * H * (2 * k + m) + d)
    need(entries * 1000 <= MAX_WORK, "kernel: too large to check")
    b, size = common_exponent(tensors, [L * H, L * H, L * H, 1], m, columns)
    time = work(H, L, m, size, max(map(abs, kernel)).bit_length()) + entries * 1000
    need(time <= MAX_WORK, "kernel: too large to check")
    starts = block_starts(H, L, d, k)

    def product(name: int, number: int, vectors: list[Vector]) -> list[Vector]:
        return products(tensors[name], number, columns[name], b, vectors, m)

    def parts(layer: int, offset: int, count: int) -> list[Vector]:
        return [kernel[s + offset : s + offset + count] for s in starts[layer]]

    images = product(3, 0, parts(L, 0, d))
    for layer in range(L - 1, -1, -1):
        shift = b * (L - layer)  # of the images of the layer after this one
        after, images = images, [[0] * m for _ in starts[layer]]
        for h in range(H):
            number = layer * H + h
            queries = product(0, number, parts(layer, h * k, k))
            keys = product(1, number, parts(layer, (H + h) * k, k))
            moved = product(2, number, after[h::H])
            for image, q, key, v in zip(images, queries, keys, moved, strict=True):
                image[:] = [x + (a + c << shift) + y for x, a, c, y in zip(image, q, key, v, strict=True)]
    return images[0]


def block_starts(H: int, L: int, d: int, k: int) -> list[list[int]]:
    """For l = 1..L+1 and every path of length l - 1 the number of its first slot in S(l)."""
    sizes = [d]  # of S(L+1), S(L), ..., S(1)
    for _ in range(L):
        sizes.append(2 * H * k + H * sizes[-1])
    starts = [[0]]
    for size in reversed(sizes[:-1]):
        starts.append([s + 2 * H * k + h * size for s in starts[-1] for h in range(H)])
    return starts


def common_exponent(tensors: list[Tensor], matrices: list[int], m: int, columns: list[int]) -> tuple[int, int]:
    """The least b with which every entry is an integer over 2^b, and the bits of the largest such integer."""
    b = largest = 0
    for name, source in enumerate(tensors):
        for row in range(matrices[name] * m):  # one at a time: the numbers take more memory than the file
            ratios = [x.as_integer_ratio() for x in numbers(source, row, 1, columns[name])]
            b = max(b, *(denominator.bit_length() - 1 for _, denominator in ratios))
            largest = max(largest, *(a.bit_length() - q.bit_length() + 1 for a, q in ratios))
    return b, max(0, b + largest)


def work(H: int, L: int, m: int, size: int, bits: int) -> int:
    """About the nanoseconds of all products: H^l matrices times vectors in layer l, with numbers that grow."""
    time, paths = 0, H**L
    for _ in range(L):
        bits += size + m.bit_length()
        time += paths * m * m * (60 + (size // 30) * (bits // 30))
        paths //= H
    return time


def products(source: Tensor, number: int, columns: int, b: int, vectors: list[Vector], m: int) -> list[Vector]:
    """2^b times the matrix with this number in the tensor, times every vector; it is not read if all are 0."""
    results = [[0] * m for _ in vectors]
    used = [(x, y) for x, y in zip(vectors, results, strict=True) if any(x)]
    for i in range(m if used else 0):
        row = [scaled(x, b) for x in numbers(source, number * m + i, 1, columns)]
        for x, y in used:
            y[i] = sum(map(mul, row, x))
    return results


def scaled(x: Any, b: int) -> int:
    a, denominator = x.as_integer_ratio()
    return a << b - denominator.bit_length() + 1
