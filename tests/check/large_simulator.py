"""Artifacts of section 13 with a number of more than 256 bits: written, or computed where nothing is written down."""

from __future__ import annotations

import random
from typing import Any

from tests.check.build import Artifact
from tests.check.build_simulator import stated

Case = tuple[Artifact, str]
WHY = "256 bits is too large to check"


def numbers() -> dict[str, Case]:
    made = {
        "classes-summed": summed_scores(),
        "equations-solved": solved_equations(),
        "letter-of-4000-digits": large_letter(),
        "width-of-1000-digits": large_width(),
    }
    return {name: (files, WHY) for name, files in made.items()}


def plain(**changed: Any) -> dict[str, Any]:
    """An encoder of one token that computes nothing, with other fields."""
    fields: dict[str, Any] = {"tokens": 1, "letters": None, "width": 3, "groups": [], "number": 1, "readout": []}
    fields |= {name: [] for name in ("position", "token", "position_class", "token_class")}
    return fields | {"layers": [{"heads": [], "levels": []}]} | changed


def odd(i: int) -> int:
    """Different denominators of 255 bits."""
    return 2**254 + 2 * i + 1


def summed_scores() -> Artifact:
    """Each weight of a class is small, and their sum is not."""
    rows = [{"query": 0, "key": 0, "weights": [[{"q": [1, odd(i)]}]]} for i in range(3)]
    head = {"mask": None, "hidden": None, "bilinear": [], "classes": rows, "guard": -5, "values": [[[[0, 1]], 1, 0]]}
    layers = [{"heads": [], "levels": []}, {"heads": [head], "levels": []}]
    lettered = {"letters": [0], "number": None, "groups": [1], "token_class": [[0, [0]]]}
    return stated("match2", {"p": 1, "n": 1, "self": 1}, plain(**lettered, layers=layers, readout=[[1, 1]]))


def solved_equations() -> Artifact:
    """Each form is small; what follows from all equations together is not."""
    n, everything = 12, [[0, 1, 1], [1, 1, 1]]
    first, node, rng = [1] + [0] * n, [], random.Random(5)
    for _ in range(n):
        form = [rng.getrandbits(255) for _ in range(n + 1)]
        node = {"form": form, "cases": {"0": node}, "excluded": {"-": everything, "+": everything}}
    again = {"form": first, "cases": {"-": [], "+": node}}
    tree = {"form": first, "cases": {"-": again, "0": [], "+": []}}
    cases = [tree] + [[] for _ in range(n - 1)]
    return stated("maxmin", {"groups": n, "size": 1}, plain(tokens=n, readout=[[1, 1]]), cases=cases)


def large_letter() -> Artifact:
    return stated("match2", {"p": 1, "n": 1, "self": 1}, plain(letters=[0, 10**4000], number=None))


def large_width() -> Artifact:
    return stated("relu", {"n": 1}, plain(width=10**1000))
