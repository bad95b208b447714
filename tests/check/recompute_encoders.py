"""Inputs of the tasks of section 13, their answers, and where an encoder gives others."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from tests.check.build import Artifact
from tests.check.numeric_encoder import answers, root
from tests.check.numeric_tasks import attention, cut, flat, numbers_answer, shapes

TOLERANCE = Fraction(1, 10**9)
Case = tuple[list[Any], dict[int, Any]]  # tokens, and the answers by token: a number, or the ends of an interval

SMALL = [Fraction(p, q) for p in range(-2, 3) for q in (1, 2, 3)]


def inputs(task: str, s: dict[str, int], tokens: int) -> Iterator[Case]:
    """All inputs of letters; for numbers random ones, some of them equal or 0."""
    rng = random.Random(f"{task} {sorted(s.items())}")
    if task in ("parity", "match2"):
        yield from letters(task, s)
    elif task == "lipschitz":
        yield from functions(s, tokens, rng)
    elif task == "hierarchy":
        for n in range(1, s["N"] + 1):
            for _ in range(4):
                parts = cut(drawn(rng, sum(r * c for r, c in hierarchy(s))), *hierarchy(s))
                Q, K, V, b, X = parts
                held = [x for A in parts[:4] for row in A for x in row] + [n] + [x for row in X for x in row]
                yield padded(held, tokens), flat(attention(b[0][0], X[:n], Q, K, V))
    else:
        form = shapes(task, s)
        for _ in range(8):
            numbers = drawn(rng, sum(r * c for r, c in form))
            yield padded(numbers, tokens), numbers_answer(task, s, cut(numbers, *form))


def hierarchy(s: dict[str, int]) -> list[tuple[int, int]]:
    return [(s["d"], s["k"]), (s["d"], s["k"]), (s["d"], s["d"]), (1, 1), (s["N"], s["d"])]


def drawn(rng: random.Random, size: int) -> list[Fraction]:
    few = rng.choice([SMALL, SMALL, [Fraction(0), Fraction(1), Fraction(-1)], [Fraction(0), Fraction(5, 2)]])
    return [rng.choice(few) for _ in range(size)]


def padded(numbers: list[Any], tokens: int) -> list[Any]:
    return [*numbers, *[Fraction(0)] * (tokens - len(numbers))]


def letters(task: str, s: dict[str, int]) -> Iterator[Case]:
    p = s.get("p", 4)
    for word in product(range(p), repeat=s["n"]):
        if task == "match2":
            pairs = range(s["n"])
            yield (
                list(word),
                {i: int(any((word[i] + word[j]) % p == 0 and (i != j or s["self"]) for j in pairs)) for i in pairs},
            )
        elif sum(x // 2 for x in word) == s["k"]:
            yield list(word), dict.fromkeys(range(s["n"]), sum(x == 3 for x in word) % 2)


def functions(s: dict[str, int], tokens: int, rng: random.Random) -> Iterator[Case]:
    """f(x) = v + K |x - c|^A, or minus that, at points inside and on the grid."""
    K, A, steps = Fraction(s["top"], s["bottom"]), Fraction(s["up"], s["down"]), s["steps"]
    error = 2 * K * root(Fraction(s["dim"], 2 * steps), A)
    axis = [Fraction(2 * a + 1, 2 * steps) for a in range(steps)]
    for _ in range(40):
        center = [Fraction(rng.randrange(9), 8) for _ in range(s["dim"])]
        height, way = Fraction(rng.randrange(-3, 4)), rng.choice([-1, 0, 1])

        def f(x: Any, center: Any = center, height: Fraction = height, way: int = way) -> Fraction:
            distance = sum((abs(a - c) for a, c in zip(x, center, strict=True)), Fraction(0))
            return height + way * K * root(distance, A)

        x = [rng.choice([Fraction(rng.randrange(17), 16), *axis]) for _ in range(s["dim"])]
        held = [*x, *(f(p) for p in product(axis, repeat=s["dim"]))]
        yield padded(held, tokens), {0: (f(x), f(x) + error)}


def mistakes(files: Artifact) -> list[str]:
    """Where the encoder of an artifact differs from the task of its statement, on the inputs tried."""
    p, encoder = json.loads(files["statement.json"])["parameters"], json.loads(files["certificate.json"])["encoder"]
    found = []
    for tokens, expected in inputs(p["task"], p["sizes"], encoder["tokens"]):
        got = answers(encoder, tokens)
        for i, right in expected.items():
            low, high = right if isinstance(right, tuple) else (right, right)
            if not low - TOLERANCE <= got[i] <= high + TOLERANCE:
                found.append(f"token {i} of {tokens}: {got[i]} and not {right}")
    return found
