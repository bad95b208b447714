"""`python -m tests.constructions.simulators.growth`: how the attention simulator grows, docs/simulators-growth.svg.

Seconds are of this machine: the program compiled to an encoder, and the independent check of its certificate.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import NamedTuple

from constructions.simulators.attention import ATTENTION
from symut.prover.argument import Context
from symut.prover.checker import check_bytes
from symut.prover.simulators import argue_machine

PICTURE = Path(__file__).resolve().parents[3] / "docs" / "simulators-growth.svg"
SIZES = {
    "n": [{"n": n, "d": 3, "k": 2, "f": 0} for n in (1, 2, 4, 6, 8, 10, 12, 14, 16)],
    "d": [{"n": 4, "d": d, "k": 2, "f": 0} for d in range(1, 11)],
}


class Point(NamedTuple):
    compiled: float
    checked: float
    tokens: int
    width: int


def point(sizes: dict[str, int]) -> Point:
    """Seconds of CPU, and the encoder's size, at one choice of sizes."""
    start = time.process_time()
    argument = argue_machine(ATTENTION, sizes, Context(2**30))
    middle = time.process_time()
    assert argument.certificate is not None
    result = check_bytes(argument.statement.as_bytes(), argument.certificate.as_bytes(), None)
    assert result.verdict == "VALID", result.reason
    end = time.process_time()
    return Point(middle - start, end - middle, ATTENTION.tokens(sizes), int(argument.statement.width))


def main() -> None:
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "symut"
    import matplotlib.pyplot as plt

    point(SIZES["n"][0])  # imports
    figure, axes = plt.subplots(2, 2, figsize=(8, 5), sharex="col", constrained_layout=True)
    for column, (name, grid) in enumerate(SIZES.items()):
        points = [point(sizes) for sizes in grid]
        x = [sizes[name] for sizes in grid]
        times, counts = axes[0][column], axes[1][column]
        times.semilogy(x, [p.compiled for p in points], "o-", label="compile")
        times.semilogy(x, [p.checked for p in points], "s-", label="check")
        counts.plot(x, [p.tokens for p in points], "o-", label="tokens")
        counts.plot(x, [p.width for p in points], "s-", label="stream width")
        fixed = ", ".join(f"{key} = {grid[0][key]}" for key in "ndk" if key != name)
        times.set_title(f"attention simulator, {fixed}", fontsize=10)
        counts.set_xlabel(name)
        for sizes, p in zip(grid, points, strict=True):
            print(sizes, f"compile {p.compiled:.2f} s, check {p.checked:.2f} s, {p.tokens} tokens, width {p.width}")
    axes[0][0].set_ylabel("seconds of CPU")
    axes[0][0].legend()
    axes[1][0].legend()
    figure.savefig(PICTURE, metadata={"Date": None})
    print(PICTURE)


if __name__ == "__main__":
    main()
