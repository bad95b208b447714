"""What simulators must compute, by numpy: a task's answer for blocks of an input, in float64."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

Blocks = Mapping[str, np.ndarray]
Sizes = Mapping[str, int]


def softmax(logits: np.ndarray) -> np.ndarray:
    powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def head(b: Blocks, X: np.ndarray, number: str = "") -> np.ndarray:
    """softmax(b X WQ WK^T X^T) X WV."""
    Q, K, V = (X @ b[f"{name}{number}"] for name in ("WQ", "WK", "WV"))
    return softmax(b["b"].item() * Q @ K.T) @ V


def attention(b: Blocks, sizes: Sizes) -> np.ndarray:
    Y = head(b, b["X"])
    return np.maximum(Y @ b["W1"] + b["b1"], 0) @ b["W2"] + b["b2"] if sizes["f"] else Y


def multihead(b: Blocks, sizes: Sizes) -> np.ndarray:
    if "H" not in sizes:
        return b["Y"] + head(b, b["X"]) @ b["WO"]
    heads = [head(b, b["X"], str(h)) for h in range(1, sizes["H"] + 1)]
    return np.concatenate(heads, axis=1) @ b["WO"]


def hierarchy(b: Blocks, sizes: Sizes) -> np.ndarray:
    n = int(b["n"].item())
    padded = np.full((sizes["N"], sizes["d"]), np.nan)
    padded[:n] = head(b, b["X"][:n])
    return padded


def lipschitz(b: Blocks, sizes: Sizes) -> np.ndarray:
    s, K = sizes["steps"], sizes["top"] / sizes["bottom"]
    axes = np.meshgrid(*[(2 * np.arange(s) + 1) / (2 * s)] * sizes["dim"], indexing="ij")
    grid = np.stack([axis.ravel() for axis in axes], axis=1)
    reach = np.abs(grid - b["x"]).sum(axis=1) ** (sizes["up"] / sizes["down"])
    return (b["table"].ravel() + K * reach).min().reshape(1, 1)


def match2(b: Blocks, sizes: Sizes) -> np.ndarray:
    x = b["x"].ravel()
    match = (x[:, None] + x[None, :]) % sizes["p"] == 0
    if not sizes["self"]:
        np.fill_diagonal(match, False)
    return match.any(axis=1).astype(float).reshape(1, -1)


REFERENCES: dict[str, Callable[[Blocks, Sizes], np.ndarray]] = {
    "transpose": lambda b, s: b["A"].T,
    "matmul": lambda b, s: b["A"] @ b["B"],
    "determinant": lambda b, s: np.linalg.det(b["A"]).reshape(1, 1),
    "inverse": lambda b, s: np.linalg.inv(b["A"]),
    "relu": lambda b, s: np.maximum(b["x"], 0),
    "maxmin": lambda b, s: -np.sort(-b["A"], axis=1),
    "softmax": lambda b, s: softmax(b["A"]),
    "attention_simulator": attention,
    "multihead_simulator": multihead,
    "hierarchy": hierarchy,
    "parity": lambda b, s: np.full_like(b["x"], (b["x"] == 3).sum() % 2),
    "match2": match2,
    "lipschitz": lipschitz,
}


def random_blocks(machine, sizes: Sizes, seed: int) -> dict[str, np.ndarray]:
    """An input of the layout: standard normal numbers, letters, or what the task wants."""
    random = np.random.Generator(np.random.PCG64(seed))
    blocks = {block.name: random.standard_normal((block.rows, block.columns)) for block in machine.inputs(sizes)}
    if machine.id == "hierarchy":
        blocks["n"] = np.array([[random.integers(1, sizes["N"] + 1)]], dtype=float)
    if machine.id == "lipschitz":
        blocks["x"] = random.random((1, sizes["dim"]))
    if machine.letters(sizes) is not None:
        blocks = {name: random.integers(0, machine.letters(sizes), b.shape).astype(float) for name, b in blocks.items()}
    return blocks
