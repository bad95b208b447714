"""What proof.md shows of a search: a backbone as tables, a short identity written out.

Main definitions: `backbone_tables`, `identity_equations`.
A linear form is shown in the numbers that its coordinates hold, and a variable `c1_0_2` of a system as `c_{1,0,2}`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from symut.prover.exposition.routed import ROWS_SHOWN, ranges
from symut.prover.exposition.words import times
from symut.searcher.slice import Slice, system, terms

TERMS_SHOWN = 20
"""The most terms of an identity, in its cofactors and squares, that is written out."""


def backbone_tables(part: Mapping[str, Any]) -> dict[str, Any]:
    """The certificate's backbone (proofs/FORMAT.md, 11.4) as rows: what coordinates hold, what heads read and move."""
    slots, heads = part["slots"], _heads(part)
    layers, H = len(part["values"]), len(part["values"][0])
    return {
        "slots": [{"coordinate": c, "word": _word(slot, H)} for c, slot in enumerate(slots[:ROWS_SHOWN])],
        "slots_left": max(0, len(slots) - ROWS_SHOWN),
        "empty": sum(slot is None for slot in slots),
        "heads": heads[:ROWS_SHOWN],
        "heads_left": max(0, len(heads) - ROWS_SHOWN),
        "readout": ranges(part["readout"]),
        "blocks": _blocks(part["blocks"], "layer" if H == 1 else "head"),
        "layers": layers,
    }


def _word(slot: Any, H: int) -> str:
    """The number that a coordinate holds, e.g. `v_{1,2}\\,z_{2,1}`."""
    if slot is None:
        return "0"
    path, s = slot
    values = [f"v_{{{layer},{head}}}" for layer, head in enumerate(path, 1)]
    variable = [_variable(s, len(path) + 1, H)] if s else []
    return r"\,".join([*values, *variable])


def _variable(s: int, layer: int, H: int) -> str:
    """z_{l,s}, or z_s where all layers share the variables."""
    return f"z_{{{s}}}" if H == 1 else f"z_{{{layer},{s}}}"


def _heads(part: Mapping[str, Any]) -> list[dict[str, str]]:
    """One row per layer and head: the product of its two forms, and what happens to the coordinates."""
    rows, H = [], len(part["values"][0])
    for layer, (moves, forms) in enumerate(zip(part["values"], part["forms"], strict=True), 1):
        for head, (moved, pair) in enumerate(zip(moves, forms, strict=True), 1):
            product = r"\,".join(_factor(_form(form, part["slots"], layer, H)) for form in pair)
            rows.append({"layer": str(layer), "head": str(head), "product": product, "moves": _moves(moved)})
    return rows


def _form(form: Sequence[Any], slots: Sequence[Any], layer: int, H: int) -> str:
    """The linear form that is read on every path, in the variables without the factor v_p."""
    found: dict[int, int] = {slots[c][1]: factor for c, factor in form if slots[c] is not None}
    names = {s: _variable(s, layer, H) if s else "v" for s in found}
    return signed((factor, names[s]) for s, factor in sorted(found.items()))


def _factor(form: str) -> str:
    return f"({form})" if set(" -\\") & set(form) else form


def _moves(moves: Sequence[Sequence[int]]) -> str:
    kept = sorted(source for source, target in moves if source == target)
    moved = [f"{source} to {target}" for source, target in moves if source != target][:ROWS_SHOWN]
    return "; ".join([*([f"keeps {ranges(kept)}"] if kept else []), *moved]) or "drops all"


def _blocks(groups: Sequence[Sequence[Sequence[int]]], unit: str) -> str:
    """The blocks of scores, once if all layers have the same, e.g. `heads 1, 2; heads 3, 4, 5`."""
    texts = [
        "; ".join(f"{unit}{'s' * (len(block) > 1)} {', '.join(str(i + 1) for i in block)}" for block in group)
        for group in groups
    ]
    if len(set(texts)) == 1:
        return texts[0]
    return ". ".join(f"Layer {layer}: {text}" for layer, text in enumerate(texts[:ROWS_SHOWN], 1))


def signed(parts: Iterable[tuple[int, str]]) -> str:
    """A sum in LaTeX from coefficients and symbols, "" for the symbol 1."""
    text = ""
    for factor, symbol in parts:
        size = times(abs(factor), symbol) if symbol else str(abs(factor))
        text += f" {'-' if factor < 0 else '+'} {size}" if text else f"{'-' * (factor < 0)}{size}"
    return text or "0"


def identity_equations(part: Mapping[str, Any], chosen: Slice) -> dict[str, Any]:
    """How many terms the identity has; if they are few, the equations F_{t,i} that it uses and the identity itself."""
    used = [e for e, cofactor in enumerate(part["cofactors"]) if cofactor]
    count = sum(len(cofactor) for cofactor in part["cofactors"]) + sum(len(root) for _, root in part["squares"])
    size = {"terms": count, "used": len(used), "short": count <= TERMS_SHOWN}
    if not size["short"]:
        return size
    built = system(chosen)
    equations = [
        f"{_label(e, chosen)} &= {signed((int(c), _monomial(v, built.names)) for v, c in terms(built.equations[e]))}"
        for e in used
    ]
    squares = [f"{times(weight, f'({_polynomial(root, built.names)})^2')}" for weight, root in part["squares"]]
    right = [_product(part["cofactors"][e], built.names, _label(e, chosen)) for e in used]
    return {**size, "equations": equations, "left": " + ".join([str(part["scale"]), *squares]), "right": right}


def _label(equation: int, chosen: Slice) -> str:
    """F_{t,i} of point t and score i."""
    point, score = divmod(equation, chosen.n)
    return f"F_{{{point + 1},{score + 1}}}"


def _product(polynomial: Sequence[Any], names: Sequence[str], label: str) -> str:
    """cofactor times equation, with its sign."""
    if len(polynomial) > 1:
        return rf"+ ({_polynomial(polynomial, names)})\,{label}"
    ((coefficient, variables),) = polynomial
    symbol = r"\,".join(filter(None, (_monomial(variables, names), label)))
    return f"{'-' if coefficient < 0 else '+'} {times(abs(coefficient), symbol)}"


def _polynomial(polynomial: Sequence[Any], names: Sequence[str]) -> str:
    return signed((coefficient, _monomial(variables, names)) for coefficient, variables in polynomial)


def _monomial(variables: Sequence[int], names: Sequence[str]) -> str:
    """Powers of the variables with these numbers, e.g. `c_{1,0,1}\\,x_{3,1}^{2}`."""
    factors = []
    for v in dict.fromkeys(variables):
        power = sum(other == v for other in variables)
        letter, indices = names[v][0], names[v][1:].replace("_", ",")
        factors.append(f"{letter}_{{{indices}}}" + f"^{{{power}}}" * (power > 1))
    return r"\,".join(factors)
