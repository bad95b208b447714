"""Builds artifacts for the tests straight from the definitions in FORMAT.md, without the checker or the prover.

A backbone is kept dense where it is small (`dense_block_matrix`), a routing as lists of ones; slots are enumerated by
(kind, path, head, column) and put into canonical order by a sort key, not by the recursion that the checker uses.
"""

from __future__ import annotations

import hashlib
import importlib.util
import itertools
import json
import random
import struct
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
CHECK = ROOT / "proofs" / "check.py"
CORPUS = ROOT / "tests" / "certificates"
UNIVERSAL = (
    "for every target (WQ, WK: d x k and WV: d x d, real, for each layer and head) there is a program E (d x m) with "
    "UT(X, E) = T(X) for all n >= 1, all real X (n x d) and all attention functions"
)


def load_checker() -> ModuleType:
    spec = importlib.util.spec_from_file_location("proofs_check", CHECK)
    if spec is None or spec.loader is None:
        raise ImportError(CHECK)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


check = load_checker()


def rule(name: str) -> ModuleType:
    """One file of the checker, e.g. `inverse`."""
    return importlib.import_module(f"symut_checker.{name}")


# ---- slots, N, D, claims


def slots(H: int, L: int, q: int, u: int) -> list[tuple[str, tuple[int, ...], int, int]]:
    """(kind, path, head, column) in canonical order; heads from 0; read-out slots have head -1."""
    reads = [
        (kind, path, h, j)
        for l in range(1, L + 1)  # noqa: E741
        for path in itertools.product(range(H), repeat=l - 1)
        for kind in "QK"
        for h in range(H)
        for j in range(q)
    ]
    outputs = [("U", path, -1, j) for path in itertools.product(range(H), repeat=L) for j in range(u)]

    def key(slot: tuple[str, tuple[int, ...], int, int]) -> list[tuple[int, int, int]]:
        kind, path, h, j = slot
        return [(2, letter, 0) for letter in path] + [("QKU".index(kind), h, j)]

    return sorted(reads + outputs, key=key)


def number_of_slots(H: int, L: int, d: int, k: int) -> int:
    return 2 * k * sum(H**l for l in range(1, L + 1)) + d * H**L  # noqa: E741


def degree(H: int, L: int, d: int, k: int) -> int:
    return sum(2 * k * l * H**l for l in range(1, L + 1)) + d * (L + 1) * H**L  # noqa: E741


def claims(goal: str, p: dict[str, Any]) -> list[str]:
    H, L, d, k, m = (p[name] for name in "HLdkm")
    if d is None:
        sizes = "all d, k >= 1"
        N, D = (f"{f(H, L, 0, 1)}*k + {f(H, L, 1, 0)}*d" for f in (number_of_slots, degree))
    else:
        sizes = f"d = {d}, k = {k}"
        N, D = (str(f(H, L, d, k)) for f in (number_of_slots, degree))
    shape = f"H = {H}, L = {L}: for {sizes}"
    if goal == "sparse_universality":
        return [
            f"{shape} there is a backbone of width m = {m or N} with all entries of RQ, RK, RV and U in {{0, 1}} such "
            f"that {UNIVERSAL}."
        ]
    widths = f"m = {m}" if m else f"every m >= {N}"
    third = (
        f"{shape} and m = {m} it holds for the backbone stored in the file with SHA-256 {p['weights']}: {UNIVERSAL}."
    )
    if goal == "backbone_universality":
        return [third]
    law = "that is absolutely continuous with respect to Lebesgue measure, with probability 1"
    entries = "the entries of RQ, RK (m x k), RV (m x m) and U (m x d) over all layers and heads"
    uniform = "if the entries are independent and uniform on s distinct real numbers"
    result = [
        f"{shape} and {widths}, under every joint law of {entries} {law}: {UNIVERSAL}.",
        f"{shape} and {widths}, {uniform}, the following fails with probability at most D/s, D = {D}: {UNIVERSAL}.",
    ]
    return [*result, third] if p["weights"] else result


# ---- routings: a routing in plain form is {slots, queries, keys, readout, values} with values[l][h] a list of (s, t)


def projector(H: int, L: int, q: int, u: int) -> dict[str, Any]:
    """Coordinate = slot; RV keeps the slots whose letter at this layer is the head."""
    table = slots(H, L, q, u)

    def reads(kind: str, layer: int, h: int, j: int) -> list[int]:
        return [c for c, (K, path, g, i) in enumerate(table) if (K, len(path), g, i) == (kind, layer, h, j)]

    def kept(layer: int, h: int) -> list[tuple[int, int]]:
        return [(c, c) for c, slot in enumerate(table) if len(slot[1]) > layer and slot[1][layer] == h]

    grid = [[(layer, h) for h in range(H)] for layer in range(L)]
    return {
        "slots": list(range(len(table))),
        "queries": [[[reads("Q", *at, j) for j in range(q)] for at in row] for row in grid],
        "keys": [[[reads("K", *at, j) for j in range(q)] for at in row] for row in grid],
        "values": [[kept(*at) for at in row] for row in grid],
        "readout": [reads("U", L, -1, j) for j in range(u)],
    }


def merging(H: int, L: int, q: int, u: int, step: int = 1) -> dict[str, Any]:
    """Layer l moves the slots of h::p onto those of 1::p, which have equal sizes (step 1), or, in scalar statements
    only, onto the coordinates 0, 1, ... (step 0)."""
    # the tail of layer l has the slots of a network with the layers l+1..L
    sizes = [len(slots(H, L - layer, q, u)) if layer < L else u for layer in range(L + 1)]
    reads = 2 * H * q
    start = [step * reads * layer for layer in range(L + 1)]

    def read(kind: int, layer: int, h: int) -> list[list[int]]:
        return [[start[layer] + (kind * H + h) * q + j] for j in range(q)]

    def moves(layer: int, h: int) -> list[tuple[int, int]]:
        source = start[layer] + reads + h * sizes[layer + 1]
        return [(source + i, start[layer + 1] + i) for i in range(sizes[layer + 1])]

    return {
        "slots": list(range(sizes[0])),
        "queries": [[read(0, layer, h) for h in range(H)] for layer in range(L)],
        "keys": [[read(1, layer, h) for h in range(H)] for layer in range(L)],
        "values": [[moves(layer, h) for h in range(H)] for layer in range(L)],
        "readout": [[start[L] + j] for j in range(u)],
    }


def to_front(H: int, L: int, q: int, u: int) -> dict[str, Any]:
    return merging(H, L, q, u, step=0)


FORMS = {"projector": projector, "merging": merging, "front": to_front}


def padded(routing: dict[str, Any], extra: int) -> dict[str, Any]:
    """Coordinates that hold zero; they are moved and read, which must not matter."""
    w = len(routing["slots"])
    values = [[[*head, *((w + i, w + i) for i in range(extra))] for head in layer] for layer in routing["values"]]
    readout = [[*column, *range(w, w + extra)] for column in routing["readout"]]
    return routing | {"slots": routing["slots"] + [-1] * extra, "values": values, "readout": readout}


def relabelled(routing: dict[str, Any], seed: int) -> dict[str, Any]:
    """The same routing with its coordinates permuted at random."""
    w = len(routing["slots"])
    new = random.Random(seed).sample(range(w), w)

    def columns(layers: list[Any]) -> list[Any]:
        return [[[sorted(new[c] for c in column) for column in head] for head in layer] for layer in layers]

    return {
        "slots": [slot for _, slot in sorted(zip(new, routing["slots"], strict=True))],
        **{name: columns(routing[name]) for name in ("queries", "keys") if name in routing},
        "values": [[[(new[s], new[t]) for s, t in head] for head in layer] for layer in routing["values"]],
        "readout": [sorted(new[c] for c in column) for column in routing["readout"]],
    }


def runs(pairs: list[tuple[int, int]]) -> list[list[int]]:
    """(source, target) pairs as moves [source, target, length]."""
    moves: list[list[int]] = []
    for s, t in sorted(pairs):
        if moves and (moves[-1][0] + moves[-1][2], moves[-1][1] + moves[-1][2]) == (s, t):
            moves[-1][2] += 1
        else:
            moves.append([s, t, 1])
    return moves


def packed(routing: dict[str, Any]) -> dict[str, Any]:
    return routing | {"values": [[runs(head) for head in layer] for layer in routing["values"]]}


def zero_one_backbone(p: dict[str, Any], packed_routing: dict[str, Any]) -> dict[str, Any]:
    """Dense matrices {RQ, RK, RV, U} of a packed routing, entries 0 and 1."""
    w = len(packed_routing["slots"])

    def ones(columns: list[list[int]]) -> list[list[int]]:
        return [[int(c in column) for column in columns] for c in range(w)]

    def moved(moves: list[list[int]]) -> list[list[int]]:
        V = [[0] * w for _ in range(w)]
        for s, t, length in moves:
            for i in range(length):
                V[s + i][t + i] = 1
        return V

    return {
        "RQ": [[ones(head) for head in layer] for layer in packed_routing["queries"]],
        "RK": [[ones(head) for head in layer] for layer in packed_routing.get("keys", [])],
        "RV": [[moved(head) for head in layer] for layer in packed_routing["values"]],
        "U": ones(packed_routing["readout"]),
    }


# ---- dense linear algebra


def matmul(A: list[list[Any]], B: list[list[Any]]) -> list[list[Any]]:
    columns = list(zip(*B, strict=True))
    return [[sum(x * y for x, y in zip(row, c, strict=True)) for c in columns] for row in A]


def dense_block_matrix(H: int, L: int, q: int, u: int, R: dict[str, Any]) -> list[list[Any]]:
    """M(R) column by column from section 1: R_p RQ, R_p RK, R_p U."""
    m = len(R["U"])
    products: dict[tuple[int, ...], list[list[Any]]] = {(): [[int(i == j) for j in range(m)] for i in range(m)]}
    columns = []
    for kind, path, h, j in slots(H, L, q, u):
        for i in range(1, len(path) + 1):
            if path[:i] not in products:
                products[path[:i]] = matmul(products[path[: i - 1]], R["RV"][i - 1][path[i - 1]])
        B = R["U"] if kind == "U" else R["R" + kind][len(path)][h]
        columns.append([row[0] for row in matmul(products[path], [[b[j]] for b in B])])
    return [list(row) for row in zip(*columns, strict=True)]


def rank(A: list[list[Fraction]]) -> int:
    A, r = [row[:] for row in A], 0
    for j in range(len(A[0])):
        pivot = next((i for i in range(r, len(A)) if A[i][j]), None)
        if pivot is None:
            continue
        A[r], A[pivot] = A[pivot], A[r]
        for i in range(r + 1, len(A)):
            factor = A[i][j] / A[r][j]
            A[i] = [x - factor * y for x, y in zip(A[i], A[r], strict=True)]
        r += 1
    return r


def left_inverse(M: list[list[int]], p: int) -> list[list[int]] | None:
    """rows with rows . M = identity modulo the prime p, by elimination of [M | I]."""
    m, N = len(M), len(M[0])
    A = [[x % p for x in row] + [int(i == j) for j in range(m)] for i, row in enumerate(M)]
    for j in range(N):
        pivot = next((i for i in range(j, m) if A[i][j]), None)
        if pivot is None:
            return None
        A[j], A[pivot] = A[pivot], A[j]
        scale = pow(A[j][j], -1, p)
        A[j] = [x * scale % p for x in A[j]]
        for i in range(m):
            if i != j and A[i][j]:
                f = A[i][j]
                A[i] = [(x - f * y) % p for x, y in zip(A[i], A[j], strict=True)]
    return [row[N:] for row in A[:N]]


def map_backbone(R: dict[str, Any], f: Any) -> dict[str, Any]:
    def deep(x: Any) -> Any:
        return [deep(y) for y in x] if isinstance(x, list) else f(x)

    return {name: deep(x) for name, x in R.items()}


def modulo(x: Any, p: int) -> int:
    a, b = x.as_integer_ratio()
    return a * pow(b, -1, p) % p


def accepted_by_definition(p: dict[str, Any], routing: dict[str, Any]) -> bool:
    """E M(R) = B(W) as words: column s of M must meet the coordinates that hold slots only where slots = s."""
    q, u = units(p)
    M = dense_block_matrix(p["H"], p["L"], q, u, zero_one_backbone(p, routing))
    held = [(slot, row) for slot, row in zip(routing["slots"], M, strict=True) if slot >= 0]
    N = number_of_slots(p["H"], p["L"], u, q)
    return sorted(slot for slot, _ in held) == list(range(N)) and all(
        row[s] == (slot == s) for slot, row in held for s in range(N)
    )


# ---- files


def flat(x: Any) -> list[Any]:
    return [z for y in x for z in flat(y)] if isinstance(x, list) else [x]


def shape_of(x: Any) -> list[int]:
    return [len(x), *shape_of(x[0])] if isinstance(x, list) else []


CODES = {"F64": "d", "F32": "f", "F16": "e", "I64": "q", "I32": "i", "I16": "h", "I8": "b"}


def encode(dtype: str, values: list[Any]) -> bytes:
    if dtype == "BF16":
        return b"".join(struct.pack("<f", v)[2:] for v in values)
    return struct.pack(f"<{len(values)}{CODES[dtype]}", *values)


def safetensors(R: dict[str, Any], dtypes: dict[str, str], **header_changes: Any) -> bytes:
    header: dict[str, Any] = {"__metadata__": {"format": "pt"}}
    body = b""
    for name, value in R.items():
        data = encode(dtypes.get(name, "F32"), flat(value))
        offsets = [len(body), len(body) + len(data)]
        header[name] = {"dtype": dtypes.get(name, "F32"), "shape": shape_of(value), "data_offsets": offsets}
        body += data
    text = json.dumps(header | header_changes).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + body


Artifact = dict[str, bytes]


def parameters(H: int, L: int, d: int | None = None, k: int | None = None, m: int | None = None) -> dict[str, Any]:
    return {"H": H, "L": L, "d": d, "k": k, "m": m, "weights": None}


def artifact(
    goal: str,
    p: dict[str, Any],
    certificate: dict[str, Any],
    weights: bytes | None = None,
    sentences: Callable[[str, dict[str, Any]], list[str]] = claims,
) -> Artifact:
    """The files of an artifact, with the claims and the hashes that belong to it."""
    if weights is not None:
        p = p | {"weights": hashlib.sha256(weights).hexdigest()}
    statement = {"format": "symut-statement-1", "goal": goal, "parameters": p, "claims": sentences(goal, p)}
    return signed(statement, {"format": "symut-certificate-1", **certificate}, weights)


def signed(statement: Any, certificate: Any, weights: bytes | None = None) -> Artifact:
    """Writes both JSON files and puts the hash of the first into the second."""
    text = json.dumps(statement, indent=1).encode()
    if isinstance(certificate, dict):
        certificate = certificate | {"statement": hashlib.sha256(text).hexdigest()}
    files = {"statement.json": text, "certificate.json": json.dumps(certificate).encode()}
    return files if weights is None else files | {"weights.safetensors": weights}


def verdict(files: Artifact) -> Any:
    return check.check_bytes(files["statement.json"], files["certificate.json"], files.get("weights.safetensors"))


def write(folder: Path, files: Artifact) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return folder


def read(folder: Path) -> Artifact:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name != "why.txt"}


# ---- whole artifacts


def units(p: dict[str, Any]) -> tuple[int, int]:
    return p["k"] or 1, p["d"] or 1


def routing_artifact(goal: str, p: dict[str, Any], form: str = "projector", seed: int | None = None) -> Artifact:
    q, u = units(p)
    routing = FORMS[form](p["H"], p["L"], q, u)
    if p["m"] and goal == "sparse_universality":
        routing = padded(routing, p["m"] - len(routing["slots"]))
    if seed is not None:
        routing = relabelled(routing, seed)
    return artifact(goal, p, {"routing": packed(routing)})


def random_backbone(p: dict[str, Any], seed: int, bits: int = 6) -> dict[str, Any]:
    """Small dyadic numbers a / 2^b, exact in F16 and wider."""
    source = random.Random(seed)

    def matrix(columns: int) -> list[list[float]]:
        return [[source.randint(-(2**bits), 2**bits) / 2 ** (bits - 1) for _ in range(columns)] for _ in range(p["m"])]

    def layers(columns: int) -> list[Any]:
        return [[matrix(columns) for _ in range(p["H"])] for _ in range(p["L"])]

    return {"RQ": layers(p["k"]), "RK": layers(p["k"]), "RV": layers(p["m"]), "U": matrix(p["d"])}


def inverse_certificate(p: dict[str, Any], R: dict[str, Any], prime: int) -> dict[str, Any] | None:
    M = dense_block_matrix(p["H"], p["L"], p["k"], p["d"], map_backbone(R, lambda x: modulo(x, prime)))
    rows = left_inverse([[x % prime for x in row] for row in M], prime)
    return None if rows is None else {"modulus": prime, "rows": rows}


def weights_artifact(
    goal: str,
    p: dict[str, Any],
    seed: int = 0,
    prime: int = 2**31 - 1,
    dtypes: dict[str, str] | None = None,
    R: dict[str, Any] | None = None,
) -> Artifact:
    R = random_backbone(p, seed) if R is None else R
    certificate: dict[str, Any] = {"inverse": inverse_certificate(p, R, prime)}
    if goal == "random_universality":
        certificate["routing"] = packed(merging(p["H"], p["L"], p["k"], p["d"]))
    return artifact(goal, p, certificate, safetensors(R, dtypes or {}))


def determinant_certificate(k: int, d: int) -> dict[str, Any]:
    """det [RQ | RK | RV U] for H = L = 1, m = N, by cofactor expansion with numbered variables."""
    N = 2 * k + d
    fresh = itertools.count()
    RQ, RK, RV, U = ([[next(fresh) for _ in range(c)] for _ in range(N)] for c in (k, k, N, d))
    rows = [
        [{(x,): 1} for x in (*RQ[i], *RK[i])]
        + [{tuple(sorted((RV[i][t], U[t][c]))): 1 for t in range(N)} for c in range(d)]
        for i in range(N)
    ]

    def expand(M: list[list[dict[tuple[int, ...], int]]]) -> dict[tuple[int, ...], int]:
        if not M:
            return {(): 1}
        result: dict[tuple[int, ...], int] = {}
        for i, row in enumerate(M):
            minor = expand([r[1:] for j, r in enumerate(M) if j != i])
            for x, a in row[0].items():
                for y, b in minor.items():
                    word = tuple(sorted(x + y))
                    result[word] = result.get(word, 0) + (-1) ** i * a * b
        return {w: c for w, c in result.items() if c}

    terms = [[c, list(w)] for w, c in sorted(expand(rows).items())]
    return {"variables": 2 * N * k + N * N + N * d, "terms": terms}
