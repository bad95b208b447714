"""How long RASP programs take to compile, how that grows, and how fast the emitted modules run.

For context, Tracr (Lindner et al. 2023, at its defaults) on one machine: at n = 64 reverse compiles in 61 s and dyck1
in over 130 s, 0.13% of reverse's weights are not 0, and a jitted forward pass at n = 32, batch 64, takes 102 ms
(reverse) and 335 ms (dyck1). Those are published times of another machine, so the rows with them have no bound; what
is bounded compares two things timed in this process: the module and the reference interpreter, a plain Python loop over
tokens, on the same inputs.
"""

import random
import statistics
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import torch

from symut.rasp import evaluate, load_program
from symut.rasp.emission.emit import Emission, emit
from symut.rasp.lowering.lower import lower, prepare
from tests.benchmarks.forward import least
from tests.benchmarks.row import Row, at_least, at_most, report, wall_seconds
from tests.emitter.emission import import_folder
from tests.rasp.test_library import balanced

ALPHABETS = {"reverse": "abcdefgh", "hist": "abcdefgh", "sorted": "abcdefgh", "dyck1": "()", "length": "abcdefgh"}
LENGTHS = (8, 16, 32, 64)
COMPILE_SECONDS = {"reverse": 61, "dyck1": 130}
FORWARD_SECONDS = {"reverse": 0.102, "dyck1": 0.335}
BATCH, N, ROUNDS = 64, 32, 5
library = load_program("library")


def compiled(name: str, n: int) -> Emission:
    """From the program's graph to the bytes of both files."""
    found = prepare(library.node(name), n=n, alphabet=ALPHABETS[name])
    return emit(lower(found), found.root, name=name, title=f"{name}.", command="benchmark")


def inputs(name: str) -> list[str]:
    """Random strings; balanced ones for dyck1."""
    pick = random.Random(0)
    if name == "dyck1":
        return [balanced(N, ALPHABETS[name], seed) for seed in range(BATCH)]
    return ["".join(pick.choices(ALPHABETS[name], k=N)) for _ in range(BATCH)]


def compiling() -> Iterator[Row]:
    for name in ALPHABETS:
        compiled(name, LENGTHS[0])
        times = [wall_seconds(partial(compiled, name, n)) for n in LENGTHS]
        yield at_most(f"compile {name}, n = 64", times[-1], "s", 1.0)
        for shorter, longer, n in zip(times, times[1:], LENGTHS[1:], strict=False):
            yield report(f"compile {name}, n = {n} over n = {n // 2}", longer / shorter, "x")
        if name in COMPILE_SECONDS:
            published = COMPILE_SECONDS[name]
            yield report(f"compile {name}, n = 64: Tracr's published {published} s over it", published / times[-1], "x")
    cost = compiled("reverse", LENGTHS[-1]).cost
    yield report("reverse, n = 64: weights that are not 0 (Tracr: one-hot streams, 0.13%)", cost.nonzero, "")


def running(name: str) -> Iterator[Row]:
    made, words = compiled(name, N), inputs(name)
    with tempfile.TemporaryDirectory() as folder:
        for file, content in made.files.items():
            (Path(folder) / file).write_bytes(content)
        module = import_folder(Path(folder)).load()
        ids = torch.tensor([[ALPHABETS[name].index(letter) for letter in word] for word in words])
        node = library.node(name)
        expected = [evaluate(node, word) for word in words]
        if module.batch(words) != expected:
            raise ValueError(f"the module of {name} is wrong")
        module.codes(ids)
        rounds = [
            (wall_seconds(lambda: [evaluate(node, word) for word in words], 1), least(lambda: module.codes(ids)))
            for _ in range(ROUNDS)
        ]
    where = f"{name} forward, n = {N}, batch {BATCH}"
    yield at_least(f"{where}: interpreter over module", statistics.median(slow / fast for slow, fast in rounds), "x", 5)
    seconds = statistics.median(fast for _, fast in rounds)
    published = FORWARD_SECONDS[name]
    yield report(f"{where}: Tracr's published {1000 * published:g} ms over it", published / seconds, "x")


def measure() -> Iterator[Row]:
    """Compile times, then forward times in float32 on one thread: on two, small products wait for busy cores."""
    yield from compiling()
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        for name in FORWARD_SECONDS:
            yield from running(name)
    finally:
        torch.set_num_threads(threads)
