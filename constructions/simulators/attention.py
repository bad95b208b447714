"""Simulators of attention: one encoder for all weights and inputs of a size.

Main definitions: `ATTENTION`, `MULTIHEAD`, `HIERARCHY`.
Main result: three attention layers for a head, whatever n, d and k; one or two more for the output projection of
several heads, and two or three more for a feed-forward layer.
Source: On the Existence of Universal Simulators of Attention.
"""

from __future__ import annotations

from constructions.simulators.programs import sequence
from symut.machine import Block, Machine, Sizes
from symut.theorem import FLAG, Parameter, Values

SOURCE = "On the Existence of Universal Simulators of Attention"
N = Parameter("n", "rows of X", default=4)
D = Parameter("d", "width of X", default=3)
K = Parameter("k", "head width", default=2)


def _work(s: Sizes) -> int:
    return max(s.get("n", s.get("N", 1)), s["d"], s["k"])


def _parts(size: int, work: int) -> int:
    """How many tokens share a sum of `size` products, of which a layer adds up to `work`."""
    return -(-size // work)


def _layout(blocks: tuple[Block, ...]) -> int:
    return sum(block.rows * block.columns for block in blocks)


def _head(s: Sizes, n: int, v: int, number: str = "") -> tuple[Block, ...]:
    d, k = s["d"], s["k"]
    return (Block(f"WQ{number}", d, k), Block(f"WK{number}", d, k), Block(f"WV{number}", d, v))


def _attention_inputs(s: Sizes) -> tuple[Block, ...]:
    n, d, f = s["n"], s["d"], s["f"]
    hidden = (Block("W1", d, f), Block("b1", 1, f, axes=1), Block("W2", f, d), Block("b2", 1, d, axes=1)) if f else ()
    return (*_head(s, n, d), Block("b", 1, 1, axes=0), Block("X", n, d), *hidden)


def _attention_tokens(s: Sizes) -> int:
    n, d, k, f = s["n"], s["d"], s["k"], s["f"]
    stages = [n * (2 * k + d), n * n, n * f, n * d * _parts(f, _work(s)) if f else 0]
    return max(_layout(_attention_inputs(s)), *stages)


def _attention_program(s: Sizes):
    n, d, k, f = s["n"], s["d"], s["k"], s["f"]
    if f:
        return sequence("simulators", "attention_ffn", n, d, k, f, _work(s))
    return sequence("simulators", "attention", n, d, k)


ATTENTION = Machine(
    id="attention_simulator",
    statement="one encoder performs every attention layer of a size, whose weights come in the sequence",
    source=SOURCE,
    task="attention",
    parameters=(N, D, K, Parameter("ffn", "hidden units of a feed-forward layer after it; none if missing")),
    sizes=lambda values: {"n": values["n"], "d": values["d"], "k": values["k"], "f": values["ffn"] or 0},
    program=_attention_program,
    tokens=_attention_tokens,
    inputs=_attention_inputs,
    output=lambda s: Block("Y", s["n"], s["d"]),
    work=_work,
    modules=({},),
    instances=(
        {"n": 4, "d": 3, "k": 2},
        {"n": 1, "d": 1, "k": 1},
        {"n": 2, "d": 3, "k": 4},
        {"n": 8, "d": 4, "k": 4},
        {"n": 3, "d": 2, "k": 2, "ffn": 4},
    ),
)


def _several_sizes(values: Values) -> dict[str, int]:
    sizes = {name: values[name] for name in ("n", "d", "k")}
    return sizes if values["sequential"] else {**sizes, "H": values["H"]}


def _several_inputs(s: Sizes) -> tuple[Block, ...]:
    n, d, k = s["n"], s["d"], s["k"]
    if "H" not in s:
        return (*_head(s, n, k), Block("WO", k, d), Block("b", 1, 1, axes=0), Block("X", n, d), Block("Y", n, d))
    heads = [block for h in range(1, s["H"] + 1) for block in _head(s, n, k, str(h))]
    return (*heads, Block("WO", s["H"] * k, d), Block("b", 1, 1, axes=0), Block("X", n, d))


def _several_tokens(s: Sizes) -> int:
    n, d, k, H = s["n"], s["d"], s["k"], s.get("H", 1)
    parts = _parts(H * k, _work(s))
    return max(_layout(_several_inputs(s)), 3 * n * k * H, H * n * n, n * d * (parts if parts > 1 else 1))


def _several_program(s: Sizes):
    n, d, k = s["n"], s["d"], s["k"]
    if "H" not in s:
        return sequence("simulators", "head_step", n, d, k, _work(s))
    return sequence("simulators", "multihead", n, d, k, s["H"], _work(s))


def _task(sizes: Sizes) -> str:
    return "multihead" if "H" in sizes else "head_step"


MULTIHEAD = Machine(
    id="multihead_simulator",
    statement="one encoder performs all layers of H attention heads with an output projection, at once or head by head",
    source=SOURCE,
    task=_task,
    parameters=(
        N,
        D,
        K,
        Parameter("H", "heads", default=2),
        Parameter("sequential", "one head at a time, H times the same encoder", FLAG),
    ),
    sizes=_several_sizes,
    program=_several_program,
    tokens=_several_tokens,
    inputs=_several_inputs,
    output=lambda s: Block("Y", s["n"], s["d"]),
    work=_work,
    modules=({},),
    instances=(
        {"n": 4, "d": 3, "k": 2, "H": 2},
        {"n": 2, "d": 3, "k": 1, "H": 4},
        {"n": 4, "d": 3, "k": 2, "sequential": True},
    ),
)


def _hierarchy_inputs(s: Sizes) -> tuple[Block, ...]:
    return (*_head(s, s["N"], s["d"]), Block("b", 1, 1, axes=0), Block("n", 1, 1, axes=0), Block("X", s["N"], s["d"]))


HIERARCHY = Machine(
    id="hierarchy",
    statement="the encoder for N rows performs every attention layer on n rows, for all n <= N",
    source=SOURCE,
    task="hierarchy",
    parameters=(Parameter("N", "the largest number of rows", default=4), D, K),
    sizes=lambda values: {"N": values["N"], "d": values["d"], "k": values["k"]},
    program=lambda s: sequence("simulators", "hierarchy", s["N"], s["d"], s["k"]),
    tokens=lambda s: max(_layout(_hierarchy_inputs(s)), s["N"] * (2 * s["k"] + s["d"]), s["N"] ** 2),
    inputs=_hierarchy_inputs,
    output=lambda s: Block("Y", s["N"], s["d"]),
    work=_work,
    modules=({},),
    instances=({"N": 4, "d": 3, "k": 2}, {"N": 1, "d": 2, "k": 1}, {"N": 3, "d": 2, "k": 2}),
)
