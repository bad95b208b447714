"""How long simulators take to compile, and what simulating attention in the sequence costs beside attention itself.

The ratio to torch's own attention is reported without a bound: the simulator runs the same layer on its weights as
data, in a sequence of 384 tokens.
"""

import statistics
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import torch
from torch.nn.functional import scaled_dot_product_attention

from symut.api import emit
from tests.benchmarks.forward import least
from tests.benchmarks.row import Row, at_most, report, wall_seconds
from tests.emitter.emission import import_folder

ROUNDS, BATCH = 5, 16
SIZES = {"n": 16, "d": 8, "k": 8}
SMALL = {"attention_simulator": {"n": 4, "d": 3, "k": 2}, "inverse": {"order": 4}, "maxmin": {"groups": 4, "size": 8}}


def compiling(folder: str) -> Iterator[Row]:
    """From sizes to the files on disk."""
    for name, sizes in SMALL.items():
        seconds = wall_seconds(partial(emit, name, out=folder, **sizes))
        yield report(f"emit {name} {tuple(sizes.values())}", seconds, "s")
    seconds = wall_seconds(partial(emit, "attention_simulator", out=folder, **SIZES))
    yield at_most("emit attention_simulator (16, 8, 8)", seconds, "s", 10)


def running(folder: str) -> Iterator[Row]:
    """Both on the same weights and inputs, float32, times taken back to back."""
    emission = import_folder(Path(emit("attention_simulator", out=folder, **SIZES).path))
    module = emission.load(dtype=torch.float32)
    drawn = {name: tensor.float() for name, tensor in emission.drawn(0).items()}
    WQ, WK, WV, b, X = (drawn[name] for name in emission.GIVEN)
    tokens = module.encode(WQ, WK, WV, b, X)

    def plain() -> torch.Tensor:
        return scaled_dot_product_attention(X @ WQ, X @ WK, X @ WV)

    error = ((module.decode(module(tokens)) - plain()).abs().max() / plain().abs().max()).item()
    where = f"attention simulator (16, 8, 8), batch {BATCH}"
    yield at_most(f"{where}: relative error in float32 to torch's attention", error, "", 1e-5)
    rounds = [(least(lambda: module(tokens)), least(plain)) for _ in range(ROUNDS)]
    yield report(f"{where}: forward", statistics.median(slow for slow, _ in rounds), "s")
    yield report(f"{where}: forward over torch's attention", statistics.median(a / b for a, b in rounds), "x")


def measure() -> Iterator[Row]:
    """On one thread, as the rows of RASP modules."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        with tempfile.TemporaryDirectory() as folder:
            yield from compiling(folder)
            yield from running(folder)
    finally:
        torch.set_num_threads(threads)
