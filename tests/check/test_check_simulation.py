"""A valid certificate of a form runs a random target of that form: the program of FORMAT.md, section 9, in float64.

The backbone is the certificate's, the program has the slots' words as columns, and both networks use attention
functions as general as the claim allows: any function of queries and keys, of their product only, or with rows that sum
to 1.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.check import build, claims_forms
from tests.check.build_forms import form_artifact
from tests.check.claims_forms import NAMES

Array = np.ndarray
Attention = Callable[[int, int, Array, Array], Array]  # layer, head, queries, keys
LETTERS = {"Q": "WQ", "K": "WK"}


def any_attention(layer: int, head: int, Q: Array, K: Array) -> Array:
    return np.tanh(Q @ K.T + (layer + 1) * Q.sum(1)[:, None] - (head + 2) * K[:, 0][None, :])


def row_stochastic(layer: int, head: int, Q: Array, K: Array) -> Array:
    weights = np.exp(any_attention(layer, head, Q, K))
    return weights / weights.sum(1)[:, None]


def of_the_scores(layer: int, head: int, Q: Array, K: Array) -> Array:
    return np.sin((Q @ K.T) * (1 + layer) - head) + 0.3 * (Q @ K.T)


def attention_of(name: str) -> Attention:
    return {"affine": row_stochastic, "shared_key": of_the_scores, "readoff_key": of_the_scores}.get(
        name, any_attention
    )


def run(name: str, Z: Array, L: int, N: dict[str, Any]) -> Array:
    """One network; N holds lists by layer (one if shared) and head, and biases if it is affine."""
    skip = name in ("residual", "shared_residual", "affine_residual")

    for i in range(L):
        at = {key: x[i % len(x)] for key, x in N.items()}
        heads = range(len(at["WV"]))
        parts = []
        for h in heads:
            Q, K, V = (Z @ at[key][h] + at.get("b" + key[1], [0.0] * len(heads))[h] for key in ("WQ", "WK", "WV"))
            parts.append(attention_of(name)(i, h, Q, K) @ V)
        Z = skip * Z + sum(parts)
    return Z


def random_target(name: str, p: dict[str, Any], seed: int) -> dict[str, Any]:
    """Matrices by layer and head, small enough that nothing overflows; values near the identity are invertible."""
    rng, d, k = np.random.default_rng(seed), p["d"], p["k"]
    # a target of the looped form is any target; shared_residual's own use the same matrices in every layer
    L = 1 if name == "shared_residual" else p["L"]

    def normal(*shape: int) -> Array:
        return rng.normal(size=(L, p["H"], *shape)) / 2

    target = {"WQ": normal(d, k), "WK": normal(d, k), "WV": np.eye(d) / 2 + normal(d, d) / 3}
    biases = {"bQ": normal(1, k), "bK": normal(1, k), "bV": normal(1, d)} if name in claims_forms.AFFINE else {}
    return target | biases


def lifted(target: dict[str, Any], carry: list[list[int]]) -> dict[str, Any]:
    """The letters WQ', WK', WV' on rows [x, 1]."""
    z = np.array(carry, dtype=float)[:, :, None, None]
    d = target["WV"].shape[-1]
    left = np.concatenate([target["WV"], target["bV"]], axis=2)
    right = np.concatenate([np.zeros((*z.shape[:2], d, 1)), z], axis=2)
    reads = {key: np.concatenate([target[key], target["b" + key[1]]], axis=2) for key in ("WQ", "WK")}
    return reads | {"WV": np.concatenate([left, right], axis=3)}


def program(name: str, p: dict[str, Any], slots: list[int], W: dict[str, Any], C: Array) -> Array:
    """E: coordinate c has the word of the slot that it holds."""
    L, table = p["L"], claims_forms.slots(name, p["H"], p["L"], *claims_forms.units(name, p))

    def value(layer: int, h: int) -> Array:
        return W["WV"][layer % len(W["WV"])][h - 1] if h else np.eye(len(C))

    def product(path: tuple[int, ...], first: int = 0) -> Array:
        result = np.eye(len(C))
        for i, letter in enumerate(path, first):
            result = result @ value(i, letter)
        return result

    def word(kind: str, path: tuple[int, ...], h: int) -> Array:
        layer = len(path) % len(W["WQ"])
        if kind == "U" or (name == "shared_key" and kind == "K"):
            return product(path) @ C
        if name not in claims_forms.SCORES:
            return product(path) @ W[LETTERS[kind]][layer][h - 1]
        scores = W["WQ"][layer][h - 1] @ W["WK"][layer][h - 1].T
        keys = product((1,) * (L - layer), layer) if name == "readoff_key" else np.eye(len(C))
        return product(path) @ scores @ np.linalg.inv(keys).T

    return np.stack([word(*table[s][:3])[:, table[s][3]] for s in slots], axis=1)


def backbone(name: str, p: dict[str, Any], routing: dict[str, Any]) -> tuple[dict[str, Any], Array]:
    dense = {key: np.array(x, dtype=float) for key, x in build.zero_one_backbone(p, routing).items()}
    R: dict[str, Any] = {"WQ": dense["RQ"], "WK": dense["RK"], "WV": dense["RV"]}
    if name == "shared_key":
        R["WK"] = [[layer[0]] * p["H"] for layer in dense["RK"]]
    if name == "readoff_key":
        keys = [dense["U"]]
        for layer in reversed(dense["RV"]):
            keys.insert(0, layer[0] @ keys[0])
        R["WK"] = [[keys[i]] * p["H"] for i in range(p["L"])]
    return R, dense["U"]


SHAPES = [(1, 1, 2, 2, 1), (2, 2, 2, 1, 3), (3, 2, 1, 2, 2), (1, 3, 3, 2, 2)]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", NAMES)
def test_valid_certificate_runs_a_random_target(name: str, shape: tuple[int, int, int, int, int]) -> None:
    H, L, d, k, d_out = shape
    carry: dict[str, Any] = {"carry": [[2, *[0] * (H - 2), -1][:H]] * L} if name == "affine" and H > 1 else {}
    files = form_artifact(name, H, L, d, k, d_out, seed=3, **carry)
    assert build.verdict(files).verdict == "VALID"
    certificate, p = json.loads(files["certificate.json"]), claims_forms.parameters(name, H, L, d, k, d_out)
    target, rng = random_target(name, p, 7), np.random.default_rng(8)
    C = rng.normal(size=(d, d_out)) if name in claims_forms.AFFINE else np.eye(d)
    c = rng.normal(size=(1, d_out)) if name in claims_forms.AFFINE else np.zeros((1, d))
    affine = name in claims_forms.AFFINE
    W, C1 = (lifted(target, certificate["carry"]), np.vstack([C, c])) if affine else (target, C)
    E = program(name, p, certificate["routing"]["slots"], W, C1)
    R, U = backbone(name, p, certificate["routing"])
    for n in (1, 4):
        X = rng.normal(size=(n, d))
        expected = run(name, X, L, target) @ C + c
        given = np.hstack([X, np.ones((n, 1))]) if affine else X
        np.testing.assert_allclose(run(name, given @ E, L, R) @ U, expected, rtol=1e-9, atol=1e-9)
    # the same comparison must notice a wrong program
    assert np.abs(run(name, given @ np.roll(E, 1, axis=1), L, R) @ U - expected).max() > 1e-3


@pytest.mark.parametrize("name", claims_forms.AFFINE)
def test_program_of_an_affine_target_absorbs_its_embeddings(name: str) -> None:
    """E' = [[A, 1], [P, 0]] E for one-hot tokens and positions."""
    H, L, d, k, d_out, v, t = 2, 2, 2, 1, 3, 5, 4
    p = claims_forms.parameters(name, H, L, d, k, d_out)
    certificate = json.loads(form_artifact(name, H, L, d, k, d_out, seed=5)["certificate.json"])
    target, rng = random_target(name, p, 9), np.random.default_rng(10)
    C, c, A, P = (rng.normal(size=shape) for shape in ((d, d_out), (1, d_out), (v, d), (t, d)))
    E = program(name, p, certificate["routing"]["slots"], lifted(target, certificate["carry"]), np.vstack([C, c]))
    embedding = np.block([[A, np.ones((v, 1))], [P, np.zeros((t, 1))]])
    tokens = np.array([3, 0, 3, 1])
    one_hot = np.hstack([np.eye(v)[tokens], np.eye(t)])
    R, U = backbone(name, p, certificate["routing"])
    expected = run(name, A[tokens] + P, L, target) @ C + c
    np.testing.assert_allclose(run(name, one_hot @ (embedding @ E), L, R) @ U, expected, rtol=1e-9, atol=1e-9)


def test_ones_are_lost_if_the_carry_is_wrong() -> None:
    """Rule C is needed: with heads that carry the ones twice, the affine target is not computed."""
    p = claims_forms.parameters("affine", 2, 2, 2, 1, 1)
    certificate = json.loads(form_artifact("affine", 2, 2, 2, 1, 1)["certificate.json"])
    target, rng = random_target("affine", p, 11), np.random.default_rng(12)
    X, C1 = rng.normal(size=(3, 2)), rng.normal(size=(3, 1))
    R, U = backbone("affine", p, certificate["routing"])
    expected = run("affine", X, 2, target) @ C1[:2] + C1[2:]
    for carry, equal in (([[1, 0], [3, -2]], True), ([[1, 1], [0, 1]], False), ([[0, 0], [0, 1]], False)):
        E = program("affine", p, certificate["routing"]["slots"], lifted(target, carry), C1)
        found = run("affine", np.hstack([X, np.ones((3, 1))]) @ E, 2, R) @ U
        assert bool(np.abs(found - expected).max() < 1e-9) == equal
