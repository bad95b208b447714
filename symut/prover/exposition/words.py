"""The words of a form's slots, and its counts, in LaTeX.

Main definitions: `word`, `times`, `latex_count`, `count_sum`, `degree_sum`.
"""

from __future__ import annotations

from symut.backbone.forms import HEADS, LAYER, Form
from symut.backbone.paths import KEY, OUTPUT, QUERY, Slot


def word(form: Form, slot: Slot) -> str:
    """The slot's word, e.g. `W^V_{1,2} W^Q_{2,1}`; skips add no letter, and `I` is the empty word (FORMAT.md, 9.1)."""
    prime, layer = "'" if form.affine else "", len(slot.path) + 1

    def letter(name: str, layer: int, head: int) -> str:
        return f"W{prime}^{name}_{{{head}}}" if form.outputs_everywhere else f"W{prime}^{name}_{{{layer},{head}}}"

    letters = [letter("V", i, head) for i, head in enumerate(slot.path, 1) if head]
    if slot.role == QUERY and form.keys == LAYER:
        letters.append(f"{letter('Q', layer, slot.head)} ({letter('K', layer, slot.head)})^T")
    elif slot.role == QUERY and form.scores_only:
        letters.append(f"F_{{{layer},{slot.head}}}")
    elif slot.role == QUERY or (slot.role == KEY and form.keys == HEADS):
        letters.append(letter(slot.role, layer, slot.head))
    elif slot.role == OUTPUT and form.affine:
        letters.append("C'")
    return " ".join(letters) or "I"


def times(factor: int, symbol: str) -> str:
    """The product in LaTeX: nothing for the factor 0, the symbol alone for 1."""
    if factor == 1:
        return symbol
    return rf"{factor}\,{symbol}" if factor else ""


def latex_count(count: str) -> str:
    """A count such as `12*k + 1*d_out` in LaTeX."""
    terms = [term.split("*") for term in count.replace("d_out", "d_{out}").split(" + ")]
    return " + ".join(times(int(term[0]), term[1]) if len(term) == 2 else term[0] for term in terms)


def _widths(form: Form) -> tuple[str, str]:
    return ("d" if form.scores_only else "k"), ("d_{out}" if form.affine else "d")


def count_sum(form: Form, H: int, L: int) -> str:
    """N as the sum that it is."""
    k, d = _widths(form)
    if form.letters:
        return rf"2{k} \cdot {H} \sum_{{j=0}}^{{{L - 1}}} {H + 1}^j + {d} \cdot {H + 1}^{{{L}}}"
    outputs = rf"{d} \sum_{{j=0}}^{{{L}}} {H}^j" if form.outputs_everywhere else rf"{d} \cdot {H}^{{{L}}}"
    if form.keys == HEADS:
        return rf"2{k} \sum_{{l=1}}^{{{L}}} {H}^l + {outputs}"
    term = rf"\left({H}^l + {H}^{{l-1}}\right)" if form.keys == LAYER else f"{H}^l"
    return rf"{k} \sum_{{l=1}}^{{{L}}} {term} + {outputs}"


def degree_sum(form: Form, H: int, L: int) -> str:
    """D as the sum that it is."""
    k, d = _widths(form)
    if form.letters:
        b = H + 1
        return (
            rf"2{k} \cdot {H} \sum_{{j=0}}^{{{L - 1}}} \left({b}^j + j \cdot {H} \cdot {b}^{{j-1}}\right) + "
            rf"{d} \left({b}^{{{L}}} + {L} \cdot {H} \cdot {b}^{{{L - 1}}}\right)"
        )
    outputs = rf"{d} \cdot {L + 1} \cdot {H}^{{{L}}}"
    if form.outputs_everywhere:
        outputs = rf"{d} \sum_{{j=0}}^{{{L}}} (j+1)\, {H}^j"
    if form.keys == HEADS:
        return rf"2{k} \sum_{{l=1}}^{{{L}}} l\, {H}^l + {outputs}"
    term = rf"l \left({H}^l + {H}^{{l-1}}\right)" if form.keys == LAYER else rf"l\, {H}^l"
    return rf"{k} \sum_{{l=1}}^{{{L}}} {term} + {outputs}"
