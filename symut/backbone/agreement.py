"""The sizes that the four tensors of a stored backbone agree on, and which tensor disagrees.

Main definition: `agreed_sizes`.
m is what most tensors say, k what the queries and keys of that m say; the tensor that differs is the one to name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

from symut.errors import TargetError

Dimensions = tuple[int, ...]
INNER = ("RQ", "RK", "RV")
LAYOUT = "RQ, RK: L x H x m x k; RV: L x H x m x m; U: m x d"


def agreed_sizes(path: Path, shapes: Mapping[str, Dimensions], H: int, L: int) -> tuple[int, int, int]:
    """d, k and m of RQ, RK (L x H x m x k), RV (L x H x m x m) and U (m x d) with these shapes.

    Raises TargetError for the tensor that disagrees with the others, or if the layers and heads are not L and H.
    """
    _require_layers(path, shapes, H, L)
    m = _most_common(_rows(shapes))
    widths = {name: shapes[name][3] for name in ("RQ", "RK") if len(shapes[name]) == 4 and shapes[name][2] == m}
    if len({width for width in widths.values() if width}) == 2:
        raise _wrong(path, "RQ and RK", "the same shape", " and ".join(_text(shapes[name]) for name in widths))
    k, d = _most_common(widths.values()), _columns(shapes["U"], m)
    for name, wanted in {"U": (m, d), "RV": (L, H, m, m), "RQ": (L, H, m, k), "RK": (L, H, m, k)}.items():
        if shapes[name] != wanted or 0 in wanted:
            letters = ("m", "d") if name == "U" else ("L", "H", "m", "m" if name == "RV" else "k")
            expected = " x ".join(str(size or letter) for size, letter in zip(wanted, letters, strict=True))
            turned = sorted(shapes[name]) == sorted(wanted) and shapes[name][-2:] == wanted[:-3:-1]
            raise _wrong(path, name, expected, _text(shapes[name]), "transpose it" if turned else "")
    return d, k, m


def _require_layers(path: Path, shapes: Mapping[str, Dimensions], H: int, L: int) -> None:
    """Raise TargetError if RQ, RK and RV agree on other numbers of layers and heads."""
    found = {shapes[name][:2] for name in INNER if len(shapes[name]) == 4}
    if len(found) == 1 and all(len(shapes[name]) == 4 for name in INNER) and found != {(L, H)}:
        layers, heads = found.pop()
        raise TargetError(
            f"{path}, {', '.join(INNER)}",
            expected=f"L = {L} and H = {H} first",
            got=f"{layers} x {heads}",
            remedy=f"pass --H {heads} --L {layers}, or stack the matrices by layer and head",
        )


def _rows(shapes: Mapping[str, Dimensions]) -> list[int]:
    """What each tensor says about m, if it says anything; the largest tensor first, which a tie goes to."""
    found = [shapes[name][2] for name in ("RV", "RQ", "RK") if len(shapes[name]) == 4]
    if len(shapes["RV"]) == 4 and shapes["RV"][2] != shapes["RV"][3]:
        found = found[1:]
    return [*found, *([shapes["U"][0]] if len(shapes["U"]) == 2 else [])]


def _columns(U: Dimensions, m: int) -> int:
    """d: the columns of U, or its rows if it is transposed; 0 if U is no matrix."""
    if len(U) != 2:
        return 0
    return U[0] if U[1] == m != U[0] else U[1]


def _most_common(votes: Iterable[int]) -> int:
    """The most frequent positive number, of equally frequent ones the first; 0 if there is none."""
    counted = Counter(vote for vote in votes if vote)
    return max(counted, key=counted.__getitem__, default=0)


def _text(shape: Dimensions) -> str:
    return " x ".join(map(str, shape)) or "a scalar"


def _wrong(path: Path, name: str, expected: str, got: str, remedy: str = "") -> TargetError:
    return TargetError(f"{path}, {name}", expected=expected, got=got, remedy=remedy or f"store {LAYOUT}")
