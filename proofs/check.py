#!/usr/bin/env python3
"""Independent checker of symut's artifacts: python -I -S -O check.py [--json] [--quiet] [PATH ...]

Claim.  VALID is printed only if the sentences printed below it follow from what this file computed and from
the cited lemmas.  FORMAT.md is the specification and says why each rule suffices.

Definitions.  H heads, L layers, targets of width d and head width k, backbone of width m.  A path is a word
over the heads, R_p the product of the value matrices along it.  The block matrix M(R) has the columns R_p RQ,
R_p RK and R_p U; a slot is one column (in a statement about all d and k: one block).  S(l) numbers the slots
that remain before layer l:

    S(L+1) = read-out,    S(l) = [Q of head 1..H | K of head 1..H | 1 followed by S(l+1) | 2 followed by ...]

so that M(R) = C_1, where C_{L+1} = U and C_l = [RQ_l | RK_l | RV_{l,1} C_{l+1} | ... | RV_{l,H} C_{l+1}]:
rule_routing and rule_inverse run this recursion.  N is the number of slots; an N x N minor of M(R) has degree
at most D.

Rules.  rule_routing: a 0/1 backbone; the rows of M(R) that hold slots form the identity.  rule_determinant:
the terms listed are det M(R) (tiny sizes).  rule_inverse: rows . M(R) = identity modulo an odd number.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import hashlib
import itertools
import json
import math
import os
import struct
import sys
from collections.abc import Callable, Iterable
from operator import mul
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

MATCHING = "path-matching-suffices"
CITED = {
    "sparse_universality": (MATCHING,),
    "random_universality": (MATCHING, "zero-set-of-a-nonzero-polynomial-is-null", "schwartz-zippel"),
    "backbone_universality": (MATCHING,),
}
UNIVERSAL = (
    "for every target (WQ, WK: d x k and WV: d x d, real, for each layer and head) there is a program "
    "E (d x m) with UT(X, E) = T(X) for all n >= 1, all real X (n x d) and all attention functions"
)
STATEMENT, CERTIFICATE, WEIGHTS = "statement.json", "certificate.json", "weights.safetensors"
MAX_BYTES, MAX_MOVES = 2**32, 5 * 10**7  # limits of this program, not of the format
CODES = {"F64": "d", "F32": "f", "F16": "e", "BF16": "H", "I64": "q", "I32": "i", "I16": "h", "I8": "b"}
SIZES = {dtype: struct.calcsize(f"<{code}") for dtype, code in CODES.items()}

Matrix = list[list[int]]  # rows
Columns = list[list[int]]  # the coordinates of the ones of each column of a 0/1 matrix
Word = tuple[int, ...]  # a monomial: its variables in increasing order
Permutation = dict[int, int]  # a partial permutation matrix as {target: source}
Values = list[list[Permutation]]  # layer, head


class Invalid(Exception):  # noqa: N818 - the verdict's name
    """A rule rejected or a file is malformed; the message is the reason."""


class Result(NamedTuple):
    verdict: str
    reason: str | None = None
    goal: str | None = None
    claims: tuple[str, ...] = ()
    cited: tuple[str, ...] = ()


class Statement(NamedTuple):
    goal: str
    claims: Any
    H: int
    L: int
    d: int | None
    k: int | None
    m: int | None
    weights: str | None

    @property
    def q(self) -> int:  # units per query or key slot
        return self.k or 1

    @property
    def u(self) -> int:  # units per read-out slot
        return self.d or 1


def need(condition: bool, reason: str) -> None:
    if not condition:
        raise Invalid(reason)


# ---- strict reading


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) != len(pairs):
        raise ValueError("duplicate key")
    return table


def refuse(text: str) -> NoReturn:
    raise ValueError(f"{text[:20]} is not an integer")


def read_json(data: bytes, where: str) -> Any:
    try:
        text = data.decode("utf-8")
        return json.loads(text, object_pairs_hook=unique, parse_float=refuse, parse_constant=refuse)
    except (ValueError, RecursionError) as error:
        raise Invalid(f"{where}: not strict JSON: {error}") from None


def fields(value: Any, where: str, names: Iterable[str], optional: Iterable[str] = ()) -> dict[str, Any]:
    need(type(value) is dict, f"{where}: expected an object")
    for name in names:
        need(name in value, f"{where}: missing field {name}")
    for name in value:
        need(name in {*names, *optional}, f"{where}: unknown field {name!a:.60}")
    return value


def listing(value: Any, where: str, length: int | None = None) -> list[Any]:
    need(type(value) is list, f"{where}: expected a list")
    need(length in (None, len(value)), f"{where}: has {len(value)} entries, expected {length}")
    return value


def integers(value: Any, where: str, low: int, high: float, length: int | None = None) -> list[int]:
    numbers = listing(value, where, length)
    # types are compared, because a boolean is an instance of int
    need(set(map(type, numbers)) <= {int}, f"{where}: expected integers")
    inside = not numbers or (low <= min(numbers) and max(numbers) <= high)
    need(inside, f"{where}: an entry lies outside {low}..{high}")
    return numbers


# ---- statement


def read_statement(data: bytes) -> Statement:
    table = fields(read_json(data, "statement"), "statement", ("format", "goal", "parameters", "claims"))
    need(table["format"] == "symut-statement-1", "statement: format is not symut-statement-1")
    goal, where = table["goal"], "statement.parameters"
    need(type(goal) is str and goal in CITED, "statement: unknown goal")
    values = fields(table["parameters"], where, ("H", "L", "d", "k", "m", "weights"))
    H, L, d, k, m, weights = (values[name] for name in ("H", "L", "d", "k", "m", "weights"))
    integers([H, L] + [x for x in (d, k, m) if x is not None], where, 1, math.inf)
    need((d is None) == (k is None), f"{where}: d and k must be both integers or both null")
    need(d is not None or m is None, f"{where}: m must be null if d and k are")
    need(weights is None or m is not None, f"{where}: weights needs m")
    hexadecimal = type(weights) is str and len(weights) == 64 and set(weights) <= set("0123456789abcdef")
    need(weights is None or hexadecimal, f"{where}.weights: expected 64 lower-case hexadecimal digits")
    need(weights is None or goal != "sparse_universality", f"{where}.weights: must be null for {goal}")
    need(weights is not None or goal != "backbone_universality", f"{where}.weights: needed for {goal}")
    return Statement(goal, table["claims"], H, L, d, k, m, weights)


def counts(st: Statement, listed: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """N and D as pairs (A, B) meaning A k + B d.  Stops as soon as N exceeds the number of slots that the
    certificate lists: nothing exponential in L is computed for a certificate that is too short."""
    A = degree = 0
    power = 1
    for layer in range(1, st.L + 1):
        power *= st.H
        A += 2 * power
        degree += 2 * layer * power
        need(A * st.q + power * st.u <= listed, f"certificate: lists only {listed} slots, fewer than N")
    return (A, power), (degree, (st.L + 1) * power)


def derived_claims(st: Statement, N: tuple[int, int], D: tuple[int, int]) -> list[str]:
    def count(pair: tuple[int, int]) -> str:
        return f"{pair[0]}*k + {pair[1]}*d" if st.d is None else str(pair[0] * st.q + pair[1] * st.u)

    sizes = "all d, k >= 1" if st.d is None else f"d = {st.d}, k = {st.k}"
    start = f"H = {st.H}, L = {st.L}: for {sizes}"
    if st.goal == "sparse_universality":
        width = count(N) if st.m is None else st.m
        return [
            f"{start} there is a backbone of width m = {width} with all entries of RQ, RK, RV and U in "
            f"{{0, 1}} such that {UNIVERSAL}."
        ]
    start += " and " + (f"every m >= {count(N)}" if st.m is None else f"m = {st.m}")
    generic = [
        f"{start}, under every joint law of the entries of RQ, RK (m x k), RV (m x m) and U (m x d) over "
        "all layers and heads that is absolutely continuous with respect to Lebesgue measure, with "
        f"probability 1: {UNIVERSAL}.",
        f"{start}, if the entries are independent and uniform on s distinct real numbers, the following fails "
        f"with probability at most D/s, D = {count(D)}: {UNIVERSAL}.",
    ]
    stored = f"{start} it holds for the backbone stored in the file with SHA-256 {st.weights}: {UNIVERSAL}."
    return generic * (st.goal == "random_universality") + [stored] * (st.weights is not None)


def slot_name(st: Statement, slot: int, layer: int = 1) -> str:
    """The slot with this number in S(layer)."""
    path: list[str] = []
    kind, rest, head = "U", slot, ""
    for n in range(st.L - layer, -1, -1):
        role, rest = divmod(slot, st.H * st.q)
        if role < 2:
            kind, head = "QK"[role], f", head {rest // st.q + 1}"
            break
        tail = st.u * st.H**n + sum(2 * st.q * st.H**i for i in range(1, n + 1))
        letter, slot = divmod(slot - 2 * st.H * st.q, tail)
        path, rest = [*path, str(letter + 1)], slot
    column = "" if st.d is None else f", column {rest % (st.u if kind == 'U' else st.q) + 1}"
    return f"({kind}, path ({','.join(path)}){head}{column})"


# ---- rule R: routing


class Routing(NamedTuple):
    slots: list[int]  # coordinate -> slot, -1 for zero
    queries: list[list[Columns]]  # layer, head
    keys: list[list[Columns]]
    values: Values
    readout: Columns


def read_routing(st: Statement, N: int, value: Any) -> Routing:
    table = fields(value, "routing", ("slots", "queries", "keys", "values", "readout"))
    w = st.m if st.goal == "sparse_universality" and st.m is not None else N
    slots = integers(table["slots"], "routing.slots", -1, N - 1, w)
    once = sorted(s for s in slots if s >= 0) == list(range(N))
    need(once, f"routing.slots: not every slot 0..{N - 1} occurs exactly once")
    units = unit_sizes(st, slots)
    queries, keys = (
        [[read_columns(*head, st.q, units, "k") for head in layer] for layer in heads(st, table, name)]
        for name in ("queries", "keys")
    )
    values = read_values(st, table, units)
    readout = read_columns(table["readout"], "routing.readout", st.u, units, "d")
    return Routing(slots, queries, keys, values, readout)


def heads(st: Statement, table: dict[str, Any], name: str) -> list[list[tuple[Any, str]]]:
    """The entry of each layer and head, with the words that say where it is."""
    layers = listing(table[name], f"routing.{name}", st.L)
    layers = [listing(layer, f"routing.{name}[{i}]", st.H) for i, layer in enumerate(layers)]
    return [[(x, f"routing.{name}[{i}][{h}]") for h, x in enumerate(layer)] for i, layer in enumerate(layers)]


def unit_sizes(st: Statement, slots: list[int]) -> str:
    """One letter per coordinate: the size k or d of its unit in a block statement, else always 1."""
    letters = "d"
    for _ in range(st.L if st.d is None else 0):
        letters = "k" * (2 * st.H) + letters * st.H
    return "1" * len(slots) if st.d is not None else "".join(map(letters.__getitem__, slots))


def read_columns(value: Any, where: str, length: int, units: str, size: str) -> Columns:
    columns = [integers(c, where, 0, len(units) - 1) for c in listing(value, where, length)]
    for column in columns:
        need(len(set(column)) == len(column), f"{where}: a coordinate occurs twice in one column")
        need({units[c] for c in column} <= {"1", size}, f"{where}: reads a unit whose size is not {size}")
    return columns


def read_values(st: Statement, table: dict[str, Any], units: str) -> Values:
    named = heads(st, table, "values")
    lists = [read_moves(*head, len(units)) for layer in named for head in layer]
    # a short file can name long moves in every layer
    total = sum(length for moves in lists for _, _, length in moves)
    need(total <= MAX_MOVES, f"routing.values: moves more than {MAX_MOVES} coordinates, too large to check")
    return [[read_permutation(*head, units) for head in layer] for layer in named]


def read_moves(value: Any, where: str, w: int) -> Matrix:
    for move in listing(value, where):
        listing(move, where, 3)
    integers(list(itertools.chain(*value)), where, 0, w)
    return value


def read_permutation(moves: Matrix, where: str, units: str) -> Permutation:
    inverse: Permutation = {}
    sources: set[int] = set()
    total, w = 0, len(units)
    for source, target, length in moves:
        # checked before a range is expanded; with the last check this bounds the work by 2 w
        if not 1 <= length <= w - max(source, target):
            raise Invalid(f"{where}: move {[source, target, length]} is empty or leaves 0..{w - 1}")
        if units[source : source + length] != units[target : target + length]:
            raise Invalid(f"{where}: move {[source, target, length]} joins units of different size")
        sources.update(range(source, source + length))
        inverse.update(zip(range(target, target + length), range(source, source + length), strict=True))
        total += length
        if not len(sources) == len(inverse) == total:
            raise Invalid(f"{where}: move {[source, target, length]} repeats a source or a target")
    return inverse


def rule_routing(st: Statement, N: int, value: Any) -> None:
    """Column s of M(R) meets the coordinates that hold slots in exactly one, and this one holds slot s."""
    slots, queries, keys, values, readout = read_routing(st, N, value)
    live, moves = filled(slots, values)
    columns = [[c for c in column if c in live[st.L]] for column in readout]
    for layer in range(st.L, 0, -1):
        not_crowded(st, layer + 1, columns)
        reads = itertools.chain(*queries[layer - 1], *keys[layer - 1])
        columns = [[c for c in column if c in live[layer - 1]] for column in reads] + [
            [source[c] for c in column if c in source] for source in moves[layer - 1] for column in columns
        ]
    for slot, column in enumerate(columns):
        held = [slots[c] for c in column]
        if held != [slot]:
            where = f"slot {slot} {slot_name(st, slot)}"
            raise Invalid(f"routing: {where}: coordinates hold slots {held[:8]}, expected [{slot}]")


def filled(slots: list[int], values: Values) -> tuple[list[set[int]], Values]:
    """live[l]: the coordinates that some path of length l fills with a slot; the moves that start there."""
    live, moves = [{c for c, slot in enumerate(slots) if slot >= 0}], []
    for layer in values:
        moves.append([{t: s for t, s in head.items() if s in live[-1]} for head in layer])
        live.append(set().union(*moves[-1]))
    return live, moves


def not_crowded(st: Statement, layer: int, columns: Columns) -> None:
    """One of H^(layer-1) paths fills each live coordinate; a column with more coordinates than paths meets
    two on one path, which the rule forbids.  Rejecting it here bounds the work by O(H L N) for any file."""
    paths = st.H ** (layer - 1)
    for i, column in enumerate(columns):
        if len(column) > paths:
            where = f"{slot_name(st, i, layer)} after {layer - 1} layers"
            raise Invalid(f"routing: {where}: reads {len(column)} filled coordinates on {paths} paths")


# ---- rule D: determinant


def rule_determinant(st: Statement, N: int, D: int, value: Any) -> None:
    """The terms listed are exactly those of det M(R) for m = N."""
    need(st.d is not None and st.m in (None, N), "determinant: only for scalar statements, m null or m = N")
    # N! N^(D-N) <= 2000 holds only for H = L = 1 and N <= 5; no factorial or power of a large N is formed
    small = (st.H, st.L) == (1, 1) and N <= 5 and math.factorial(N) * N ** (D - N) <= 2000
    need(small, "determinant: too large to expand")
    table = fields(value, "determinant", ("variables", "terms"))
    variables = 2 * N * st.q + N * N + N * st.u
    integers([table["variables"]], "determinant.variables", variables, variables)
    terms = [listing(term, "determinant.terms", 2) for term in listing(table["terms"], "determinant.terms")]
    coefficients = integers([c for c, _ in terms], "determinant.terms", -(10**6), 10**6)
    words = [tuple(integers(word, "determinant.terms", 0, variables - 1)) for _, word in terms]
    expected = sorted(determinant(generic_block_matrix(N, st.q, st.u)).items())
    need(len(words) > 0 and max(map(len, words)) <= D, "determinant.terms: empty, or a degree is above D")
    same = list(zip(words, coefficients, strict=True)) == expected
    need(same, "determinant.terms: not the terms of det M(R) in increasing order")


def generic_block_matrix(N: int, k: int, d: int) -> list[list[list[Word]]]:
    """[RQ | RK | RV U] for H = L = 1 and m = N; an entry is a list of words, to be summed."""
    RK, RV, U = N * k, 2 * N * k, 2 * N * k + N * N
    reads = [[[(start + i * k + j,)] for start in (0, RK) for j in range(k)] for i in range(N)]
    outputs = [[[(RV + i * N + t, U + t * d + c) for t in range(N)] for c in range(d)] for i in range(N)]
    return beside([reads, outputs])


def determinant(M: list[list[list[Word]]]) -> dict[Word, int]:
    """Leibniz' formula."""
    result: dict[Word, int] = {}
    for permutation in itertools.permutations(range(len(M))):
        sign = (-1) ** sum(a > b for a, b in itertools.combinations(permutation, 2))
        for factors in itertools.product(*(row[j] for row, j in zip(M, permutation, strict=True))):
            word = tuple(sorted(itertools.chain(*factors)))
            result[word] = result.get(word, 0) + sign
    return {word: coefficient for word, coefficient in result.items() if coefficient}


def beside(parts: Iterable[list[list[Any]]]) -> list[list[Any]]:
    return [list(itertools.chain(*rows)) for rows in zip(*parts, strict=True)]


# ---- rule I: left inverse


def rule_inverse(st: Statement, N: int, value: Any, data: bytes) -> None:
    """rows . M(R) = identity modulo p, M(R) being that of the stored weights, a/2^b read as a (2^b)^-1."""
    m = st.m or 0
    need(min(m, 512) >= N, f"inverse: N = {N} exceeds m or 512")
    table = fields(value, "inverse", ("modulus", "rows"))
    (p,) = integers([table["modulus"]], "inverse.modulus", 3, 2**31 - 1)
    need(p % 2 == 1, "inverse.modulus: must be odd")
    listed = enumerate(listing(table["rows"], "inverse.rows", N))
    rows = [integers(row, f"inverse.rows[{i}]", 0, p - 1, m) for i, row in listed]
    product = modular_product(rows, stored_block_matrix(st, m, data, p), p)
    for i, row in enumerate(product):
        unit = [int(i == j) for j in range(N)]
        need(row == unit, f"inverse: row {i} of rows . M(R) is not row {i} of the identity modulo {p}")


def stored_block_matrix(st: Statement, m: int, data: bytes, p: int) -> Matrix:
    tensors = read_safetensors(data)
    RQ, RK = (tensor(tensors, name, [st.L, st.H, m, st.q]) for name in ("RQ", "RK"))
    RV, U = tensor(tensors, "RV", [st.L, st.H, m, m]), tensor(tensors, "U", [m, st.u])
    C = residues(U, 0, m, st.u, p)
    for layer in range(st.L - 1, -1, -1):
        heads = range(layer * st.H, (layer + 1) * st.H)
        reads = [residues(R, i, m, st.q, p) for R in (RQ, RK) for i in heads]
        C = beside([*reads, *(modular_product(residues(RV, i, m, m, p), C, p) for i in heads)])
    return C


def modular_product(A: Matrix, B: Matrix, p: int) -> Matrix:
    """A B modulo p.  Each row of B is one long integer whose fields are wide enough for an inner product, so
    that an entry of A costs one multiplication and one addition."""
    width = ((len(B) * (p - 1) ** 2).bit_length() + 7) // 8
    size = width * len(B[0])
    packed = [int.from_bytes(b"".join(x.to_bytes(width, "little") for x in row), "little") for row in B]
    lines = (sum(map(mul, row, packed)).to_bytes(size, "little") for row in A)
    cuts = [slice(i, i + width) for i in range(0, size, width)]
    return [[int.from_bytes(line[cut], "little") % p for cut in cuts] for line in lines]


class Tensor(NamedTuple):
    dtype: Any
    shape: Any
    begin: int
    end: int
    body: memoryview


def read_safetensors(data: bytes) -> dict[str, Tensor]:
    """Eight bytes of header length, a JSON header, then the tensors' bytes without gap or overlap."""
    start = 8 + int.from_bytes(data[:8], "little")
    need(8 <= start <= len(data), "weights: the header is longer than the file")
    header = read_json(data[8:start], "weights header")
    need(type(header) is dict, "weights header: expected an object")
    body = memoryview(data)[start:]
    tensors = {name: read_entry(name, x, body) for name, x in header.items() if name != "__metadata__"}
    end = 0
    for entry in sorted(tensors.values(), key=lambda entry: (entry.begin, entry.end)):
        need(entry.begin == end, "weights: tensors overlap or leave a gap")
        end = entry.end
    need(end == len(body), "weights: bytes after the last tensor")
    return tensors


def read_entry(name: str, entry: Any, body: memoryview) -> Tensor:
    where = f"weights tensor {name!a:.60}"
    table = fields(entry, where, ("dtype", "shape", "data_offsets"))
    begin, end = integers(table["data_offsets"], f"{where}.data_offsets", 0, len(body), 2)
    need(begin <= end, f"{where}: data_offsets {begin}..{end} are reversed")
    return Tensor(table["dtype"], table["shape"], begin, end, body)


def tensor(tensors: dict[str, Tensor], name: str, shape: list[int]) -> Tensor:
    need(name in tensors, f"weights: no tensor {name}")
    found, where = tensors[name], f"weights tensor {name}"
    need(type(found.dtype) is str and found.dtype in CODES, f"{where}: dtype is none of {', '.join(CODES)}")
    integers(found.shape, where, 1, math.inf)
    need(found.shape == shape, f"{where}: has not the shape {shape}")
    size = SIZES[found.dtype] * math.prod(shape)
    need(found.end - found.begin == size, f"{where}: data_offsets span not {size} bytes")
    return found


def residues(source: Tensor, number: int, rows: int, columns: int, p: int) -> Matrix:
    """The matrix with this number in the tensor, exactly, modulo p."""
    count = rows * columns
    size = SIZES[source.dtype] * count
    start = source.begin + number * size
    values = struct.unpack(f"<{count}{CODES[source.dtype]}", source.body[start : start + size])
    if source.dtype == "BF16":  # the upper half of an F32
        values = struct.unpack(f"<{count}f", struct.pack(f"<{count}I", *(bits << 16 for bits in values)))
    need(all(map(math.isfinite, values)), "weights: an entry is not finite")
    ratios = {value: value.as_integer_ratio() for value in set(values)}
    scale = {b: pow(b, -1, p) for b in {b for _, b in ratios.values()}}
    table = {value: a * scale[b] % p for value, (a, b) in ratios.items()}
    flat = [table[value] for value in values]
    return [flat[i : i + columns] for i in range(0, count, columns)]


# ---- verdict


def check_bytes(statement: bytes, certificate: bytes, weights: bytes | None) -> Result:
    return guarded(lambda: accept(statement, certificate, lambda: weights))


def check_artifact(folder: Path) -> Result:
    def read(name: str) -> bytes:
        need((folder / name).is_file(), f"{name}: missing, or not a regular file")
        need((folder / name).stat().st_size <= MAX_BYTES, f"{name}: larger than {MAX_BYTES} bytes")
        return (folder / name).read_bytes()

    return guarded(lambda: accept(read(STATEMENT), read(CERTIFICATE), lambda: read(WEIGHTS)))


def guarded(attempt: Callable[[], Result]) -> Result:
    """Whatever goes wrong is INVALID, with a reason of one line."""
    try:
        return attempt()
    except Exception as error:
        name = "" if type(error) is Invalid else f"{type(error).__name__}: "
        return Result("INVALID", name + printable(str(error)[:400]))


def accept(statement: bytes, certificate: bytes, weights: Callable[[], bytes | None]) -> Result:
    """VALID if every rule that the goal needs accepts; raises otherwise."""
    st = read_statement(statement)
    table = read_certificate(st, certificate)
    own = table["statement"] == hashlib.sha256(statement).hexdigest()
    need(own, "certificate.statement: not the SHA-256 of statement.json")
    slots, degree = counts(st, listed_slots(table))
    N, D = (A * st.q + B * st.u for A, B in (slots, degree))
    need(st.m is None or st.m >= N, f"statement.parameters.m: below N = {N}")
    claims = derived_claims(st, slots, degree)
    need(st.claims == claims, "statement.claims: not the sentences that goal and parameters determine")
    apply_rules(st, N, D, table, weights)
    return Result("VALID", None, st.goal, tuple(claims), CITED[st.goal])


def read_certificate(st: Statement, data: bytes) -> dict[str, Any]:
    rules = ["routing"] * (st.goal != "backbone_universality") + ["inverse"] * (st.weights is not None)
    optional = ["determinant"] * (st.goal == "random_universality")
    table = fields(read_json(data, "certificate"), "certificate", ["format", "statement", *rules], optional)
    need(table["format"] == "symut-certificate-1", "certificate: format is not symut-certificate-1")
    return table


def listed_slots(table: dict[str, Any]) -> int:
    """The number of slots that the certificate lists, an upper bound of N in every valid artifact."""
    name, key = ("routing", "slots") if "routing" in table else ("inverse", "rows")
    need(type(table[name]) is dict and key in table[name], f"{name}: expected an object with the field {key}")
    return len(listing(table[name][key], f"{name}.{key}"))


def apply_rules(st: Statement, N: int, D: int, table: dict[str, Any], weights: Callable[[], Any]) -> None:
    if "routing" in table:
        rule_routing(st, N, table["routing"])
    if "determinant" in table:
        rule_determinant(st, N, D, table["determinant"])
    if st.weights is not None:
        data = weights()
        need(type(data) is bytes, f"{WEIGHTS}: missing")
        own = hashlib.sha256(data).hexdigest() == st.weights
        need(own, f"{WEIGHTS}: its SHA-256 is not the one in statement.parameters.weights")
        rule_inverse(st, N, table["inverse"], data)


# ---- command line


def artifacts(root: Path) -> list[Path]:
    """Every folder at or under root that has one of the two JSON files; links to folders are not followed."""

    def stop(error: OSError) -> NoReturn:
        raise error  # a folder that cannot be listed must not pass for one without artifacts

    found = []
    for folder, folders, files in os.walk(root, onerror=stop):
        folders.sort()
        found += [Path(folder)] * bool({STATEMENT, CERTIFICATE} & {*folders, *files})
    if not found:
        raise FileNotFoundError(f"no artifact (a folder with {STATEMENT} and {CERTIFICATE}) under {root}")
    return found


def printable(text: str) -> str:
    """One line: no name and no content of a file can forge a second one."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def report(folder: Path, result: Result) -> str:
    if result.verdict != "VALID":
        return f"INVALID {printable(str(folder))}: {result.reason}"
    lines = [*result.claims, f"cited, not checked here: {', '.join(result.cited)}"]
    return "\n    ".join([f"VALID  {printable(str(folder))}", *lines])


def run(options: argparse.Namespace) -> int:
    paths = options.path or [Path(__file__).resolve().parent]
    folders = list(dict.fromkeys(folder for path in paths for folder in artifacts(path)))
    results: list[dict[str, Any]] = []
    for folder in folders:
        result = check_artifact(folder)
        results.append({"artifact": str(folder), **result._asdict()})
        if not options.json and (result.verdict != "VALID" or not options.quiet):
            print(report(folder, result), flush=True)
    invalid = sum(result["verdict"] != "VALID" for result in results)
    if options.json:
        print(json.dumps(results, indent=2))
    elif not options.quiet:
        print(f"{len(results)} checked: {len(results) - invalid} VALID, {invalid} INVALID")
    return 13 if invalid else 0


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Check artifacts. Exit 0: all VALID, 13: not all, 2: usage.")
    parser.add_argument("path", nargs="*", type=Path, help="artifact or tree of them (default: this folder)")
    parser.add_argument("--json", action="store_true", help="print one JSON list")
    parser.add_argument("--quiet", action="store_true", help="print only what is not VALID")
    for stream in (sys.stdout, sys.stderr):
        getattr(stream, "reconfigure", lambda **_: None)(errors="backslashreplace")
    try:
        code = run(parser.parse_args(argv))
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        forget_output()
        return 141
    except (OSError, ValueError, RecursionError) as error:
        forget_output()
        print(f"check.py: {printable(str(error))}", file=sys.stderr)
        return 2


def forget_output() -> None:
    """What is still buffered must not raise again when the interpreter closes."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    gc.disable()  # no cycles are built, and scanning millions of small lists would double the time
    sys.exit(main())
