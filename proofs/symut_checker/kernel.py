"""Rule N: a kernel vector of the block matrix of a stored backbone, exactly (FORMAT.md, section 10).

M(R) kernel is computed from the last layer to the first, one vector for each path, with integers: every entry of the
file is a multiple of 2^-b for one b.
"""

from __future__ import annotations

import math
from operator import mul
from typing import Any

from .matrices import Matrix
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
    b, size = common_exponent(tensors, [L * H, L * H, L * H, 1], m, columns)
    need(work(H, L, m, size, max(map(abs, kernel)).bit_length()) <= MAX_WORK, "kernel: too large to check")
    starts = block_starts(H, L, d, k)

    def stored(name: int, number: int) -> Matrix:
        return scaled(numbers(tensors[name], number, m, columns[name]), columns[name], b)

    U = stored(3, 0)
    images = [times(U, kernel[s : s + d]) for s in starts[L]]
    for layer in range(L - 1, -1, -1):
        shift = b * (L - layer)  # of the images of the layer after this one
        after, images = images, [[0] * m for _ in starts[layer]]
        for h in range(H):
            RQ, RK, RV = (stored(name, layer * H + h) for name in range(3))
            for i, s in enumerate(starts[layer]):
                q, key = s + h * k, s + (H + h) * k
                reads = zip(times(RQ, kernel[q : q + k]), times(RK, kernel[key : key + k]), strict=True)
                moved = times(RV, after[i * H + h])
                images[i] = [x + (a + c << shift) + y for x, (a, c), y in zip(images[i], reads, moved, strict=True)]
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
        for number in range(matrices[name]):
            ratios = [x.as_integer_ratio() for x in set(numbers(source, number, m, columns[name]))]
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


def scaled(values: tuple[Any, ...], columns: int, b: int) -> Matrix:
    table = {x: scaled_number(x, b) for x in set(values)}
    flat = [table[x] for x in values]
    return [flat[i : i + columns] for i in range(0, len(flat), columns)]


def scaled_number(x: Any, b: int) -> int:
    a, denominator = x.as_integer_ratio()
    return (a << b) // denominator


def times(A: Matrix, x: Vector) -> Vector:
    return [sum(map(mul, row, x)) for row in A]
