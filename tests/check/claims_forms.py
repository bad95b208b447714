"""The slots, counts and claims of the forms of section 9 of FORMAT.md, straight from its definitions.

Slots are enumerated by (kind, path, head, column) and sorted, N and D are the closed formulas of the table, and the
words of the claims are read from FORMAT.md itself: nothing follows the checker's recursion or repeats its texts.
Letters and heads count from 1 here; the letter 0 moves nothing, and the head 0 marks a key slot that all heads share.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from typing import Any

from tests.check import build

FORMAT = (build.ROOT / "proofs" / "FORMAT.md").read_text(encoding="utf-8")
NAMES = ("looped", "residual", "shared_residual", "shared_key", "readoff_key", "affine", "affine_residual")
GOALS = {f"{name}_universality": name for name in NAMES}
SKIP, SHARED, AFFINE = ("residual", "affine_residual"), ("looped", "shared_residual"), ("affine", "affine_residual")
SCORES = ("shared_key", "readoff_key")
Slot = tuple[str, tuple[int, ...], int, int]
Parameters = dict[str, Any]


def parameters(
    name: str,
    H: int,
    L: int,
    d: int | None = None,
    k: int | None = None,
    d_out: int | None = None,
    m: int | None = None,
) -> Parameters:
    outputs = {"d_out": d_out} if name in AFFINE else {}
    return {"H": H, "L": L, "d": d, **outputs, "k": k, "m": m, "weights": None}


# ---- slots, N, D


def letters(name: str, H: int) -> range:
    return range(0 if name in SKIP else 1, H + 1)


def key_heads(name: str, H: int) -> range:
    return {"shared_key": range(1), "readoff_key": range(0)}.get(name, range(1, H + 1))


def units(name: str, p: Parameters) -> tuple[int, int]:
    """Columns of a query or key slot and of a read-out slot; 1 in a block statement."""
    return p["d" if name in SCORES else "k"] or 1, p["d_out" if name in AFFINE else "d"] or 1


def slots(name: str, H: int, L: int, q: int, u: int) -> list[Slot]:
    """(kind, path, head, column) in canonical order; read-out slots have head -1."""

    def words(length: int) -> Any:
        return itertools.product(letters(name, H), repeat=length)

    paths = [path for length in range(L) for path in words(length)]
    reads: list[Slot] = [("Q", p, h, j) for p in paths for h in range(1, H + 1) for j in range(q)]
    reads += [("K", p, h, j) for p in paths for h in key_heads(name, H) for j in range(q)]
    ends = range(L + 1) if name == "shared_residual" else [L]
    outputs: list[Slot] = [("U", p, -1, j) for length in ends for p in words(length) for j in range(u)]

    def key(slot: Slot) -> list[tuple[int, int, int]]:
        kind, path, h, j = slot
        return [(3, letter, 0) for letter in path] + [("QKU".index(kind), h, j)]

    return sorted(reads + outputs, key=key)


def total(f: Callable[[int], int], first: int, last: int) -> int:
    return sum(map(f, range(first, last + 1)))


def number_of_slots(name: str, H: int, L: int) -> dict[str, int]:
    """N as coefficients of the sizes."""
    out = "d_out" if name in AFFINE else "d"
    if name in SKIP:
        return {"k": 2 * H * total(lambda j: (H + 1) ** j, 0, L - 1), out: (H + 1) ** L}
    reads = total(lambda i: H**i, 1, L)
    if name == "shared_key":
        return {"d": total(lambda i: H**i + H ** (i - 1), 1, L) + H**L}
    if name == "readoff_key":
        return {"d": reads + H**L}
    return {"k": 2 * reads, out: total(lambda j: H**j, 0, L) if name == "shared_residual" else H**L}


def degree(name: str, H: int, L: int) -> dict[str, int]:
    """D as coefficients of the sizes."""
    out, G = "d_out" if name in AFFINE else "d", H + 1
    if name in SKIP:
        reads = total(lambda j: G**j + (j * H * G ** (j - 1) if j else 0), 0, L - 1)
        return {"k": 2 * H * reads, out: G**L + L * H * G ** (L - 1)}
    reads, ends = total(lambda i: i * H**i, 1, L), (L + 1) * H**L
    if name == "shared_key":
        return {"d": total(lambda i: i * (H**i + H ** (i - 1)), 1, L) + ends}
    if name == "readoff_key":
        return {"d": reads + ends}
    return {"k": 2 * reads, out: total(lambda j: (j + 1) * H**j, 0, L) if name == "shared_residual" else ends}


def width(name: str, p: Parameters) -> int:
    return sum(number * (p[size] or 1) for size, number in number_of_slots(name, p["H"], p["L"]).items())


# ---- claims


def quoted(pattern: str) -> str:
    """The only text in FORMAT.md that the pattern's group matches."""
    (found,) = re.findall(pattern, FORMAT, re.MULTILINE)
    return found


def universal(name: str) -> str:
    if name == "looped":
        return build.UNIVERSAL
    if name != "affine_residual":
        return quoted(rf"^- `{name}`: `(for every .*)`$")
    text = universal("affine").replace("affine target (", "affine target with residual connections (")
    text = text.replace(
        "all attention functions whose rows sum to 1, and for every", "all attention functions, and for every"
    )
    return text.replace("these attention functions, and all O", "all attention functions, and all O")


def row(name: str) -> tuple[str, str]:
    """WITH and LAW."""
    having, law = re.findall(
        rf"^\| `{name}` \| (?:` (.*?)`|\(empty\)) \| (?:`(.*?)`|as for .*) \|$", FORMAT, re.MULTILINE
    )[0]
    same = {"shared_residual": "looped", "affine_residual": "affine"}
    return f" {having}" if having else "", law or row(same[name])[1]


def claims(goal: str, p: Parameters) -> list[str]:
    name, H, L, m = GOALS[goal], p["H"], p["L"], p["m"]
    sizes = ["d", "k", "d_out"] if name in AFFINE else ["d", "k"]

    def count(terms: dict[str, int]) -> str:
        if p["d"] is None:
            return " + ".join(f"{number}*{size}" for size, number in terms.items())
        return str(sum(number * p[size] for size, number in terms.items()))

    N, D = count(number_of_slots(name, H, L)), count(degree(name, H, L))
    (having, law), univ = row(name), universal(name)
    block = f"all {', '.join(sizes)} >= 1"
    start = f"H = {H}, L = {L}: for " + (block if p["d"] is None else ", ".join(f"{s} = {p[s]}" for s in sizes))
    widths = f"{start} and {f'm = {m}' if m else f'every m >= {N}'}, for a backbone of width m{having}"
    continuous = "that is absolutely continuous with respect to Lebesgue measure, with probability 1"
    failure = f"the following fails with probability at most D/s, D = {D}"
    sentences = [
        f"{start} there is a backbone of width m = {m or N}{having}, with all entries of RQ, RK, RV and U in {{0, 1}}, "
        f"such that {univ}.",
        f"{widths}: under every joint law of the entries of {law} {continuous}: {univ}.",
        f"{widths}: if the entries of {law} are independent and uniform on s distinct real numbers, {failure}: {univ}.",
    ]
    stored = f"it holds for the backbone stored in the file with SHA-256 {p['weights']}, used in every layer"
    return sentences + [f"{start} and m = {m} {stored}: {univ}."] * bool(p["weights"])
